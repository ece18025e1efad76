"""The hub's ``main.py`` on made-up pins: it reports each head and disc under its own name."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensor_link.protocol.lines import (
    HubError,
    HubFrame,
    HubHello,
    HubKnock,
    HubMessage,
    read_line,
)

MAIN = Path(__file__).resolve().parents[2] / "firmware/sensor_hub/main.py"
WIRES = (*Pocket, *Seat)
"""What is on the multiplexer's wires 0 to 7, according to the hardware's pages."""
STEPS = 200
SECONDS_OF_STEPS = 1_500


class Unplugged(Exception):
    """The hub's power is gone."""


class Pico:
    """A Pico whose multiplexer has one wire on which something happens after half the steps.

    ``stuck`` is another wire and the reading that it has all the time.
    """

    def __init__(
        self, wire: int = -1, steps: int = STEPS, stuck: tuple[int, int] = (-1, 0)
    ) -> None:
        self._wire = wire
        self._last = steps
        self._stuck = stuck
        self._pins: dict[int, int] = {}
        self._steps = 0
        self._ticks = itertools.count(0, 500)
        self.said = b""

    def _feed(self) -> None:
        self._steps += 1
        if self._steps == self._last:
            raise Unplugged

    def _read_u16(self) -> int:
        wire = sum(self._pins.get(number, 0) << bit for bit, number in enumerate((2, 3, 4)))
        lit = any(self._pins.get(number) for number in (6, 7, 8))
        if wire == self._stuck[0]:
            return self._stuck[1]
        happens = wire == self._wire and self._steps > self._last // 2
        return 40_000 if happens and (lit or wire > 3) else 200 if wire <= 3 else 8_402

    def _pin(self, number: int, _kind: int) -> SimpleNamespace:
        return SimpleNamespace(value=lambda level: self._pins.__setitem__(number, int(level)))

    def _write(self, data: bytes) -> None:
        self.said += data

    def modules(self) -> dict[str, Any]:
        pin = self._pin
        pin_class = type("Pin", (), {"OUT": 1, "__new__": lambda _cls, *how: pin(*how)})
        return {
            "machine": SimpleNamespace(
                Pin=pin_class, ADC=lambda _pin: SimpleNamespace(read_u16=self._read_u16),
                WDT=lambda timeout: SimpleNamespace(feed=self._feed), unique_id=lambda: b"\x01\x02",
            ),
            "micropython": SimpleNamespace(kbd_intr=lambda _key: None),
            "uos": SimpleNamespace(urandom=bytes),
            "uselect": SimpleNamespace(
                POLLIN=1, poll=lambda: SimpleNamespace(register=lambda *_: None, poll=lambda _: [])
            ),
            "utime": SimpleNamespace(ticks_us=lambda: next(self._ticks), sleep_us=lambda _us: None),
            "sys": SimpleNamespace(
                stdin=None, stdout=SimpleNamespace(buffer=SimpleNamespace(write=self._write))
            ),
        }  # fmt: skip


def told(pico: Pico, heads: list[str], discs: list[str]) -> Iterator[HubMessage]:
    """Run the hub with these heads and discs until its power is gone."""
    program = MAIN.read_text()
    for name, has in (("HEADS", heads), ("DISCS", discs)):
        [line] = [each for each in program.splitlines() if each.startswith(f"{name} = ")]
        program = program.replace(line, f"{name} = {has}")
    modules = pico.modules()

    def imported(name: str, *how: Any) -> object:
        return modules[name] if name in modules else builtins.__import__(name, *how)

    with pytest.raises(Unplugged):
        exec(program, {"__builtins__": {**vars(builtins), "__import__": imported}})
    return (read_line(line).message for line in pico.said.splitlines())


HEADS = [list(some) for n in (1, 2, 4) for some in itertools.combinations(list(Pocket), n)]
DISCS = [list(some) for n in (1, 2, 4) for some in itertools.combinations(list(Seat), n)]


@pytest.mark.parametrize("heads", HEADS)
def test_a_head_is_told_by_the_name_of_its_own_wire(heads: list[Pocket]) -> None:
    for pocket in Pocket:
        said = list(told(Pico(WIRES.index(pocket)), [each.lower() for each in heads], ["n"]))
        assert [each.heads for each in said if isinstance(each, HubHello)] == [tuple(heads)]
        seen = {each.pocket for each in said if isinstance(each, HubFrame)}
        assert seen == ({pocket} if pocket in heads else set())


@pytest.mark.parametrize("discs", DISCS)
def test_a_disc_is_told_by_the_name_of_its_own_wire(discs: list[Seat]) -> None:
    for side in Seat:
        said = list(told(Pico(WIRES.index(side, 4)), ["ne"], [each.lower() for each in discs]))
        knocks = [each for each in said if isinstance(each, HubKnock)]
        felt = {s for knock in knocks for s, peak in zip(Seat, knock.peaks, strict=True)
                if peak.height}  # fmt: skip
        assert felt == ({side} if side in discs else set())


@pytest.mark.parametrize("end", [0, 65_535])
def test_a_wire_that_stays_at_an_end_is_told_by_its_name(end: int) -> None:
    heads, discs = [each.lower() for each in Pocket], [each.lower() for each in Seat]
    for wire, place in enumerate(WIRES):
        said = told(Pico(steps=SECONDS_OF_STEPS, stuck=(wire, end)), heads, discs)
        errors = {each.words for each in said if isinstance(each, HubError)}
        name = place.lower()
        blinded = {f"head_{name}_is_blinded"} if end else set()
        assert errors == (blinded if wire <= 3 else {f"disc_{name}_is_stuck_at_an_end"})
