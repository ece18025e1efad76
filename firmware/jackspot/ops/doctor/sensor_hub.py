"""Check of the sensor hub: its port, and what it reports while no board listens to it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from jackspot.config.model import Config
from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.serial_line import SerialSettings
from jackspot.ops.doctor.findings import Finding, Severity, broken, doubtful, well
from jackspot.ops.doctor.machine import Machine
from jackspot.ops.doctor.wired_parts import look_at_port
from jackspot.sensing.events import ColourSeen, FaultRaised, KnockHeard, Trouble
from jackspot.sensor_link.protocol.hearing import Hearing
from jackspot.sensor_link.protocol.lines import POCKETS, SIDES, HubHello

WHAT = "sensor hub"
LISTEN_S = 2.5
"""Shortest time to listen: it says who it is when asked, and how it is each second."""
READ_S = 0.2

_NAMED = re.compile(r"\b(?:head (ne|se|sw|nw)|disc ([nesw]))\b")
_PROGRAM = "load firmware/sensor_hub and its main.py onto it"
_REMEDIES = {
    Trouble.VERSION: f"its program and this one are of different versions: {_PROGRAM}",
    Trouble.RIVAL: "unplug one of the two hubs",
}
_ANYTHING_ELSE = "see its cable and its supply, and plug it in again"

Tell = Callable[[str], None]


class _Heard(Struct):
    """What a hub said meanwhile; ``noticed`` are the heads and discs that sensed something."""

    hello: HubHello | None = None
    errors: tuple[str, ...] = ()
    faults: dict[Trouble, str] = field(default_factory=dict)
    noticed: list[str] = field(default_factory=list)


def check_sensor_hub(
    machine: Machine, config: Config, seconds: float = 0.0, tell: Tell = lambda _words: None
) -> Iterator[Finding]:
    """Check the sensor hub's port, and listen to it unless a board does.

    ``seconds`` is the time in which somebody can try its heads and discs; 0: nobody does. ``tell``
    is called with what to do, and with what is noticed.
    """
    port = config.sensor_hub.port
    if port is None:
        return
    holders = machine.holders(port).known
    found = look_at_port(
        WHAT, "sensor_hub", port, "set", "two that read take each other's lines", machine
    )
    yield found
    if holders and found.mark is Severity.WELL:
        yield Finding(
            Severity.WELL,
            WHAT,
            f"not asked: {', '.join(map(str, holders))} has its port open, and hears it",
            "to have it asked: sudo systemctl stop jackspot, then this again, then "
            "sudo systemctl start jackspot",
        )
    elif not holders and found.mark is not Severity.BROKEN:
        try:
            heard = _listen(config, port, seconds, tell)
        except DisplayError as error:
            yield broken(WHAT, str(error), "then run this again")
        else:
            yield from _said(heard, tried=seconds > 0)


def error_remedy(words: str) -> str:
    """Return what fixes an error of a hub, by the head or disc that it names, if any."""
    named = _NAMED.search(words)
    if named is None:
        return f"{_ANYTHING_ELSE}; if it says so again, {_PROGRAM}"
    pocket, side = named.groups()
    if pocket is not None:
        return (
            f"colour head {pocket.upper()}: see its plug at the hub, whether its lights shine, its "
            "photodiode's two wires, and wipe its window; then plug the hub in again"
        )
    return f"disc {side.upper()}: see its plug at the hub and its two wires; then plug it in again"


def _listen(config: Config, port: str, seconds: float, tell: Tell) -> _Heard:
    """Listen to a hub for some seconds; DisplayError if its line cannot be opened."""
    from jackspot.displays.signs.serial_port import SerialPort  # a hall's hub has no pyserial

    hearing, heard = Hearing(), _Heard()
    line = SerialPort(port, SerialSettings(config.sensor_hub.baud), reads=True)
    listen_s = max(seconds, LISTEN_S)
    until = time.monotonic() + listen_s
    try:
        line.open()
        if seconds:
            tell(f"Hold a piece before each head, knock at each side ({listen_s:g} s) ...")
        hearing.opened(time.monotonic_ns())
        while time.monotonic() < until:
            if said := hearing.say(time.monotonic_ns()):
                line.write(said)
            for event in hearing.feed(line.read(READ_S), time.monotonic_ns()):
                if isinstance(event, FaultRaised):
                    heard.faults[event.trouble] = event.detail.removeprefix(f"{WHAT}: ")
                for name in _sensed(event):
                    if name not in heard.noticed:
                        heard.noticed.append(name)
                        tell(f"   {name}")
    finally:
        line.close()
    heard.hello, heard.errors = hearing.hello, tuple(hearing.errors)
    return heard


def _sensed(event: object) -> Iterator[str]:
    """Name the head or the discs that sensed what happened."""
    if isinstance(event, ColourSeen):
        yield f"head {event.pocket}"
    elif isinstance(event, KnockHeard):
        felt = zip(SIDES, event.peaks, strict=True)
        yield from (f"disc {side}" for side, peak in felt if peak.height)


def _said(heard: _Heard, *, tried: bool) -> Iterator[Finding]:
    hello = heard.hello
    if hello is None:
        yield broken(
            WHAT, "it does not say who it is",
            f"{_ANYTHING_ELSE}; if it stays so, {_PROGRAM}",
        )  # fmt: skip
    else:
        heads, discs = (" ".join(each) or "none" for each in (hello.heads, hello.discs))
        yield well(WHAT, f"{hello.hub}, program {hello.program}; heads {heads}; discs {discs}")
    for words in heard.errors:
        yield broken(WHAT, f"it says: {words}", error_remedy(words))
    for trouble, words in heard.faults.items():
        if trouble is not Trouble.DEFECT or not heard.errors:
            yield doubtful(WHAT, words, _REMEDIES.get(trouble, _ANYTHING_ELSE))
    if hello is not None:
        yield from _of_each(hello, heard.noticed, tried=tried)


def _of_each(hello: HubHello, noticed: list[str], *, tried: bool) -> Iterator[Finding]:
    """Report which heads and discs it lacks and, if they were tried, which noticed nothing."""
    there = [f"head {each}" for each in hello.heads] + [f"disc {each}" for each in hello.discs]
    all_of = [f"head {each}" for each in POCKETS] * bool(hello.heads)
    all_of += [f"disc {each}" for each in SIDES] * bool(hello.discs)
    if missing := [each for each in all_of if each not in there]:
        yield Finding(
            Severity.WELL,
            WHAT,
            f"it has no {', '.join(missing)}",
            "if one is there, name it in HEADS or DISCS of the hub's main.py, and load that",
        )
    if not tried:
        return
    if noticed:
        yield well(WHAT, f"noticed something: {', '.join(noticed)}")
    if silent := [each for each in there if each not in noticed]:
        yield doubtful(
            WHAT,
            f"noticed nothing while this listened: {', '.join(silent)}",
            "run this again, hold a piece before each head and knock at each side; what stays "
            "silent: see its plug at the hub and its wires",
        )
