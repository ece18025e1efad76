"""Check of the hall: how far the way to its broker leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from jackspot.config.model import Config
from jackspot.festival.link import Hall
from jackspot.festival.probe import Failed, ProbeStep, probe
from jackspot.ops.doctor.findings import Finding, broken, well

REMEDIES: Mapping[ProbeStep, str] = MappingProxyType(
    {
        ProbeStep.NAME: "give the broker's address in place of its name: [festival] broker",
        ProbeStep.NETWORK: "see whether this board has a network (ip address), and the broker",
        ProbeStep.PORT: "start the broker: mosquitto -c mosquitto.conf; or mend [festival] broker",
        ProbeStep.CERTIFICATE: "bring hall.crt of this hall: [festival] ca",
        ProbeStep.PASSWORD: "bring festival.toml of this hall, and see to [festival] number",
        ProbeStep.RIGHTS: "make the hall's keys for so many boards: jackspot hub keys",
    }
)


def check_hall(config: Config) -> Iterator[Finding]:
    """Go the way to the hall's broker, where the board is in one."""
    festival = config.festival
    if not festival.hall:
        return
    hall = Hall(festival.hall, festival.number, festival.address, festival.key, festival.ca)
    try:
        probe(hall.login, hall.topic("doctor"))
    except Failed as failed:
        yield broken("hall", failed.found, REMEDIES[failed.step])
    else:
        yield well("hall", f"{hall.board} of {hall.name}, {hall.login.host} takes what it says")
