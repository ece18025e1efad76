"""Check of the hall: how far the connection to its broker gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from jackspot.config.model import Config
from jackspot.festival.hall import Hall
from jackspot.festival.joining import KeptHall
from jackspot.festival.probe import Failed, ProbeStep, probe
from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.ops.ownership import RUN_AS, as_owner_of, refused
from jackspot.values import changed

REMEDIES: Mapping[ProbeStep, str] = MappingProxyType(
    {
        ProbeStep.CA: "put the hall's hall.crt there, for all to read; or correct [festival] ca",
        ProbeStep.NAME: "give the broker's address in place of its name: [festival] broker",
        ProbeStep.NETWORK: "see whether this board has a network (ip address), and the broker",
        ProbeStep.PORT: "start the broker: mosquitto -c mosquitto.conf; or correct [festival] "
        "broker",
        ProbeStep.TLS: "give the port at which the broker speaks TLS, usually 8883: [festival] "
        "broker",
        ProbeStep.PLAIN: "name the file of the hall's certificate, hall.crt: [festival] ca",
        ProbeStep.CERTIFICATE: "bring hall.crt of this hall: [festival] ca",
        ProbeStep.ADDRESS: "run jackspot hub keys again, with this --address too, and restart the "
        "broker; or correct [festival] broker",
        ProbeStep.PASSWORD: "bring festival.toml of this hall: [festival] key; if it is the "
        "right one, run jackspot hub keys again and restart the broker",
        ProbeStep.NUMBER: "correct [festival] number; or run jackspot hub keys again for so many "
        "--boards, and restart the broker",
        ProbeStep.RIGHTS: "give this hall the name that its keys were made for: [festival] hall",
    }
)


BRING = "join the hall again: plug a stick with its festival.toml in, or set the number again"
COME_BACK = "to come back: the board's menu, the board itself"
SET_NUMBER = "set it: the board's menu, the board itself; or [festival] number"


def check_hall(config: Config, journal: Path | None = None) -> Iterator[Finding]:
    """Check the way to the hall's broker, if the board is in a hall.

    What is kept beside the journal overrides the config, as it does on the board.
    """
    kept = KeptHall(journal or config.journal.path, config.festival)
    if words := refused(kept.journal.parent):
        yield doubtful("hall", words, RUN_AS)
        return
    with as_owner_of(kept.journal.parent):
        here = kept.now()
    for trouble in here.troubles:
        yield broken("hall", trouble, BRING)
    festival = here.festival
    if not festival.hall:
        return
    if here.left:
        yield doubtful("hall", f"{festival.hall} was left at the board", COME_BACK)
        return
    if festival.number is None:
        found = f"{festival.hall}, by {here.source}: this board has no number in it"
        yield broken("hall", found, SET_NUMBER)
        return
    hall = Hall.of(festival)
    failed = _failed(hall)
    if failed is None:
        yield well("hall", f"{hall.board} of {hall.name}, the broker takes what it says")
        return
    step = failed.step
    if step is ProbeStep.PASSWORD:
        first = _failed(changed(hall, number=1))  # every hall has board 1
        if first is None or first.step is ProbeStep.RIGHTS:
            step = ProbeStep.NUMBER
    yield broken("hall", failed.found, REMEDIES[step])


def _failed(hall: Hall) -> Failed | None:
    """Try the way as the doctor of a board; return where it failed, for the address tried first.

    None: one of its addresses works all the way.
    """
    found: list[Failed] = []
    for login in hall.doctors_logins:
        try:
            probe(login, hall.topic("doctor"))
        except Failed as failed:
            found.append(failed)
        else:
            return None
    return found[0]
