"""``[pins]``: which controls a board has, and on which GPIO each wire is.

The profile is the starting point (:mod:`jackspot.inputs.pins`); the table takes controls away
(``seats``, ``box``, ``lamps``, ``seat_e_fix = false``), moves wires (``pocket_ne = 17``) and
says how they are connected (``beam_active = "high"``,
``pocket_ne = { active = "high", pull = "down", hold_off_s = 0.004 }``). A wire that the table
gives a GPIO is connected, whatever the other keys say. A clash names the GPIOs that are still free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, cast

from msgspec import Struct, defstruct

from jackspot.config.sections import SensingSection
from jackspot.core.pieces import Seat
from jackspot.inputs.pins import (
    DISPLAY_SELECT,
    FIXED_PULL_UP,
    PROFILES,
    SELECTS,
    USABLE,
    WIRE_NAMES,
    Active,
    Profile,
    Pull,
    Wire,
    WireKind,
    wire_kind,
    wire_source,
)
from jackspot.sensing.events import Button, Place
from jackspot.sensing.limits import SECOND
from jackspot.settings.mistakes import nearest, written
from jackspot.settings.section import Section
from jackspot.settings.values import LONGEST_DEBOUNCE_S, Form, HoldOff, ListOf, Seconds

LONGEST_BUTTON_HOLD_OFF_NS = round(LONGEST_DEBOUNCE_S * SECOND)

WIRE_PARTS = ("gpio", "active", "pull", "hold_off_s")
"""The keys of a wire's own table."""

FILTERS = ("bounce_time", "bounce", "debounce", "debounce_s")
"""Names that filters have elsewhere; there are none here."""


class ProfileName(StrEnum):
    """The pin-outs there are."""

    FULL_I2C = "full-i2c"
    SPI = "spi"


class WireSetting(Struct, frozen=True):
    """What the file says of one wire; None: nothing. ``absent``: the wire is not connected.

    ``wrong`` says what is invalid in it. The rest still counts, so that one mistake does not
    hide another.
    """

    gpio: int | None = None
    active: Active | None = None
    pull: Pull | None = None
    hold_off_ns: int | None = None
    absent: bool = False
    wrong: tuple[str, ...] = ()


def _wire_setting(value: object) -> WireSetting:
    """Read ``17``, ``false`` or ``{ gpio = 17, active = "high", pull = "none" }``."""
    if value is False:
        return WireSetting(absent=True)
    if isinstance(value, int) and value is not True:
        return WireSetting(gpio=value)
    if not isinstance(value, dict):
        raise ValueError('a GPIO number, false, or { gpio = 17, active = "low", pull = "up" }')
    wrong = [_unknown_part(part) for part in sorted(set(value) - set(WIRE_PARTS))]
    gpio, active, pull, hold_off_s = (value.get(key) for key in WIRE_PARTS)
    is_nowhere = gpio is not None and (isinstance(gpio, bool) or not isinstance(gpio, int))
    if is_nowhere:
        wrong.append(f"gpio to be a number, not {written(gpio)}")
        gpio = None
    if active is not None and active not in list(Active):
        wrong.append(f'active to be "low" or "high", not {written(active)}')
        active = None
    if pull is not None and pull not in list(Pull):
        wrong.append(f'pull to be "up", "down" or "none", not {written(pull)}')
        pull = None
    hold_off_ns = None
    try:
        hold_off_ns = None if hold_off_s is None else Seconds(0, 1)(hold_off_s)
    except ValueError as failure:
        wrong.append(f"hold_off_s to be {failure}, not {written(hold_off_s)}")
    return WireSetting(
        gpio,
        Active(active) if active else None,
        Pull(pull) if pull else None,
        hold_off_ns,
        absent=is_nowhere,
        wrong=tuple(f"= {written(value)}: expected {each}" for each in wrong),
    )


def _unknown_part(name: str) -> str:
    if name in FILTERS:
        return (
            f"no {name}: such a filter swallows whole falls; every edge is kept, and "
            "hold_off_s is for how long an input must be let go to count as let go"
        )
    *most, last = WIRE_PARTS
    return f"only {', '.join(most)} and {last}, not {name}; {nearest(name, WIRE_PARTS)}"


def _as_written(setting: WireSetting | None) -> object:
    if setting is None or setting.absent:
        return False if setting else None
    hold_off_s = None if setting.hold_off_ns is None else setting.hold_off_ns / SECOND
    said = (setting.gpio, setting.active, setting.pull, hold_off_s)
    parts = dict(zip(WIRE_PARTS, said, strict=True))
    return {key: value for key, value in parts.items() if value is not None}


WireKey = Annotated[WireSetting, Form(_wire_setting, _as_written)]


Seats = Annotated[tuple[Seat, ...], Form(ListOf(tuple(Seat)))]


class PinsChoices(Section, frozen=True):
    """The keys of ``[pins]``, except those of single wires."""

    profile: ProfileName = ProfileName.FULL_I2C
    """Which pins the wires are on unless moved, and how the OLED is wired."""
    seats: Seats | None = None
    """Seats with buttons; unset: those of the profile."""
    box: bool = True
    """The referee's box is there."""
    lamps: bool = True
    """The turn lamps are there, if the profile has them."""
    beam_active: Active = Active.LOW
    """The level of a broken beam."""
    beam_pull: Pull = Pull.UP
    """The pull resistor of the beams' pins."""
    beam_hold_off_ns: HoldOff = 0
    """How long a beam must be whole to count as whole: for crossed beams that share a wire,
    longer than a piece takes from one to the other."""
    button_active: Active = Active.LOW
    """The level of a pressed button."""
    button_pull: Pull = Pull.UP
    """The pull resistor of the buttons' pins."""
    lamp_active: Active = Active.HIGH
    """The level at which the turn lamps shine, the same for all."""


def _with_wires() -> type[PinsChoices]:
    fields = [(name, WireKey | None, None) for name in WIRE_NAMES]
    made = defstruct("PinsSection", fields, bases=(PinsChoices,), module=__name__, frozen=True)
    return cast("type[PinsChoices]", made)


PinsSection: type[PinsChoices] = _with_wires()
"""``[pins]`` with a key for every wire."""


class Complaint(Struct, frozen=True):
    """What is wrong with one key of ``[pins]``; ``words`` follow the key's name."""

    key: str
    words: str


def wires(pins: PinsChoices, sensing: SensingSection) -> tuple[tuple[Wire, ...], list[Complaint]]:
    """Return every wire of the board in the table's order, and the complaints about them."""
    profile = PROFILES[pins.profile]
    settings = _settings(pins)
    complaints = [*_wrong(settings), *_seats_without_gpio(pins, profile, settings)]
    found: list[Wire] = []
    for name in WIRE_NAMES:
        wire = _wire(name, pins, profile, settings, sensing)
        if wire is not None:
            found.append(wire)
    complaints += _clashes(found, profile, settings)
    complaints += _hold_offs(found, settings, sensing)
    return tuple(found), complaints


def wrong_anywhere(pins: PinsChoices) -> Iterator[Complaint]:
    """Find what is wrong with the wires whichever profile is chosen."""
    settings = _settings(pins)
    yield from _wrong(settings)
    for name, setting in settings.items():
        if setting.gpio is not None and setting.gpio not in USABLE:
            yield Complaint(name, f"= {setting.gpio} {_not_usable(setting.gpio)}")


def _wrong(settings: Mapping[str, WireSetting]) -> Iterator[Complaint]:
    """Find the invalid parts of wires' tables."""
    for name, setting in settings.items():
        yield from (Complaint(name, words) for words in setting.wrong)


def _settings(pins: PinsChoices) -> dict[str, WireSetting]:
    pairs = ((name, getattr(pins, name)) for name in WIRE_NAMES)
    return {name: setting for name, setting in pairs if setting is not None}


def _wire(
    name: str,
    pins: PinsChoices,
    profile: Profile,
    settings: Mapping[str, WireSetting],
    sensing: SensingSection,
) -> Wire | None:
    setting = settings.get(name, WireSetting())
    if setting.absent:
        return None
    gpio = setting.gpio
    if gpio is None:
        if name not in profile.gpios or not _wanted(name, pins):
            return None
        gpio = profile.gpios[name]
    kind = wire_kind(name)
    active, pull = _connection(kind, pins)
    hold_off_ns = _usual_hold_off_ns(kind, pins, sensing)
    if setting.hold_off_ns is not None:
        hold_off_ns = setting.hold_off_ns
    return Wire(
        name, kind, gpio, setting.active or active, setting.pull or pull, wire_source(name),
        hold_off_ns,
    )  # fmt: skip


def _usual_hold_off_ns(kind: WireKind, pins: PinsChoices, sensing: SensingSection) -> int:
    """Return the hold-off of a wire that has none of its own."""
    if kind is WireKind.BEAM:
        return pins.beam_hold_off_ns
    return sensing.debounce_ns if kind is WireKind.BUTTON else 0


def _wanted(name: str, pins: PinsChoices) -> bool:
    """Return whether the controls that the file asks for include this wire of the profile."""
    kind, source = wire_kind(name), wire_source(name)
    if kind is WireKind.LAMP:
        return pins.lamps
    if isinstance(source, Button):
        if source.place is Place.REFEREE:
            return pins.box
        return pins.seats is None or source.place.seat in pins.seats
    return True


def _connection(kind: WireKind, pins: PinsChoices) -> tuple[Active, Pull]:
    match kind:
        case WireKind.BEAM:
            return pins.beam_active, pins.beam_pull
        case WireKind.BUTTON:
            return pins.button_active, pins.button_pull
        case WireKind.LAMP:
            return pins.lamp_active, Pull.NONE
        case WireKind.BUZZER | WireKind.DISPLAY:
            return Active.HIGH, Pull.NONE


def _seats_without_gpio(
    pins: PinsChoices, profile: Profile, settings: Mapping[str, WireSetting]
) -> Iterator[Complaint]:
    for seat in pins.seats or ():
        name = f"seat_{seat.lower()}_ok"
        if name not in profile.gpios and name not in settings:
            yield Complaint(
                "seats",
                f"names {seat}, but profile {profile.name} has no GPIO for its buttons; "
                f"add {name} = GPIO",
            )


def _clashes(
    found: list[Wire], profile: Profile, settings: Mapping[str, WireSetting]
) -> Iterator[Complaint]:
    """Find wires on GPIOs they cannot have. Of two on one GPIO the moved one is to blame."""
    owners: dict[int, str] = {}
    refused: list[tuple[Wire, str]] = []
    for wire in sorted(found, key=lambda w: settings.get(w.name, WireSetting()).gpio is not None):
        if why := _refusal(wire, profile, owners):
            refused.append((wire, why))
        else:
            owners[wire.gpio] = wire.name
    free = [str(gpio) for gpio in _free(profile, owners)]
    hint = f"choose another GPIO (free: {', '.join(free) or 'none'})"
    for wire, why in refused:
        yield Complaint(wire.name, f"= {wire.gpio} {why}; {hint}")
    yield from _impossible(found, profile)
    yield from _outputs(found, settings)


def _free(profile: Profile, used: Collection[int]) -> list[int]:
    return [gpio for gpio in USABLE if gpio not in used and gpio not in profile.taken]


def free_gpios(pins: PinsChoices, found: Iterable[Wire]) -> list[int]:
    """Return the GPIOs that a wire could be moved to."""
    return _free(PROFILES[pins.profile], {wire.gpio for wire in found})


def _refusal(wire: Wire, profile: Profile, owners: Mapping[int, str]) -> str | None:
    if wire.gpio not in USABLE:
        return _not_usable(wire.gpio)
    if wire.gpio in owners:
        return f"is already used by {owners[wire.gpio]}"
    if wire.gpio in profile.taken and wire.name != DISPLAY_SELECT:
        return f"is already used by {profile.taken[wire.gpio]}"
    return None


def _not_usable(gpio: int) -> str:
    """Return why no wire can be on a GPIO that is not USABLE."""
    eeprom = gpio in (0, 1)
    why = "which belongs to the EEPROM of add-on boards" if eeprom else "which is not there"
    return f"is a GPIO {why}; expected {USABLE[0]} to {USABLE[-1]}"


def _impossible(found: list[Wire], profile: Profile) -> Iterator[Complaint]:
    """Find wires whose GPIO is free but cannot serve them."""
    for wire in found:
        fixed = wire.gpio in FIXED_PULL_UP and wire.source is not None
        if wire.kind is WireKind.DISPLAY and wire.name not in profile.gpios:
            yield Complaint(wire.name, f"is for an SPI display; profile {profile.name} has none")
        elif wire.name == DISPLAY_SELECT and wire.gpio not in SELECTS:
            yield Complaint(wire.name, f"= {wire.gpio}: expected 8 (CE0) or 7 (CE1)")
        elif fixed and wire.pull is not Pull.UP:
            yield Complaint(
                wire.name,
                f'= {wire.gpio} has a pull-up soldered on; use pull = "up" or another GPIO',
            )


def _outputs(found: list[Wire], settings: Mapping[str, WireSetting]) -> Iterator[Complaint]:
    """Find outputs with settings that only an input can have."""
    for wire in found:
        setting = settings.get(wire.name)
        if wire.source is None and setting and (said := _of_an_input(setting)):
            what = said[0]
            turned = "; lamp_active turns all lamps round" if wire.kind is WireKind.LAMP else ""
            yield Complaint(wire.name, f"is an output: expected only gpio, found {what}{turned}")


def _of_an_input(setting: WireSetting) -> list[str]:
    """Return the parts of a setting that only an input can have."""
    said = {
        "pull": setting.pull, "active": setting.active, "hold_off_s": setting.hold_off_ns
    }  # fmt: skip
    return [part for part, value in said.items() if value is not None]


def _hold_offs(
    found: list[Wire], settings: Mapping[str, WireSetting], sensing: SensingSection
) -> Iterator[Complaint]:
    """Find hold-offs that would swallow a piece or a press."""
    for wire in found:
        long_ns = sensing.join_ns if wire.kind is WireKind.BEAM else LONGEST_BUTTON_HOLD_OFF_NS
        short_ns = 0 if wire.kind is WireKind.BEAM else sensing.min_pulse_ns
        if wire.source is None or short_ns <= wire.hold_off_ns <= long_ns:
            continue
        own = settings.get(wire.name, WireSetting()).hold_off_ns is not None
        if not own and wire.kind is WireKind.BUTTON:
            continue  # it is debounce_s, which its own table complains about
        key = wire.name if own else "beam_hold_off_s"
        why = "a longer one would make one pulse of two pieces (join_s)"
        if wire.kind is WireKind.BUTTON:
            why = "a longer one would make one press of two, a shorter one is noise (min_pulse_s)"
        what = "hold_off_s = " if own else "= "
        yield Complaint(
            key,
            f": {what}{wire.hold_off_ns / SECOND:g}: expected {short_ns / SECOND:g} to "
            f"{long_ns / SECOND:g}; {why}",
        )
        if not own:
            return
