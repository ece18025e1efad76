"""The calibration file: what was measured on one board, as TOML.

The file holds the drops as they were sensed, never what was computed from them: every start
computes that anew, so a better fit improves an old file too. A file of version 2 also holds the
knocks of a sensor hub's discs, and one of version 3 what its colour heads saw of drops; a file
without either is of version 1, as before there were any.

A file that does not fit the board (it is of another board, of other wires, of a later version, or
damaged) is refused with a line that says what to do; the board then plays with the widths it starts
with.

The same format, with a table ``[unfinished]``, stores a calibration that was interrupted.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from reprlib import repr as shortened
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from jackspot import files
from jackspot.calibration.measuring.fit import calibrated
from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs
from jackspot.calibration.measuring.measured import (
    PIECES,
    Drop,
    DropPlace,
    Measured,
    PieceSet,
    Quiet,
)
from jackspot.config.model import Config
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.files import atomic_write
from jackspot.inputs.pins import WireKind
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import (
    ColourSeen,
    DiscPeak,
    FaultRaised,
    HubDiscs,
    Trouble,
)
from jackspot.values import changed

if TYPE_CHECKING:
    from jackspot.calibration.form import CalibrationForm, DiscsForm, DropsForm

SCHEMA = "jackspot calibration"
VERSION = 1
WITH_DISCS = 2
"""The version of a file with what discs felt."""
WITH_COLOURS = 3
"""The version of a file with what colour heads saw."""
PART = "calibration"
"""The part to which the fault of a file that does not fit belongs."""
KEPT = 3
"""How many files before the present one are kept: ``calibration.toml.1`` is the newest."""
LARGEST_BYTES = 4_000_000
"""No calibration is this large: 12 kinds and pockets, some hundred drops each."""

_US, _MS = 1_000, 1_000_000


class CalibrationError(ValueError):
    """A calibration that cannot be used or written. The message says what to do."""


class OtherVersion(CalibrationError):
    """A calibration of a version that this program does not know; it is left in place."""


class CalibratedBoard(Struct, frozen=True):
    """The board that was calibrated: its name, its pin profile, and the GPIO of each beam."""

    name: str
    profile: str
    beams: Mapping[str, int]

    @classmethod
    def of(cls, config: Config) -> CalibratedBoard:
        """Return the board that a config describes."""
        beams = {wire.name: wire.gpio for wire in config.of_kind(WireKind.BEAM)}
        return cls(config.board.name, config.pins.profile.value, MappingProxyType(beams))


class Unfinished(Struct, frozen=True):
    """What an interrupted calibration was about to do."""

    drops: int
    skipped: frozenset[Pocket] = frozenset()
    flicks: int | None = None
    """How many from each side; None: the usual number, since no discs listened."""
    left_out: frozenset[Seat] = frozenset()


class CalibratedDiscs(Struct, frozen=True):
    """What discs felt, and when that was finished or last noted."""

    made: datetime
    measured: MeasuredDiscs


class Calibration(Struct, frozen=True):
    """The content of one file. ``measured`` holds each set of pieces at most once."""

    board: CalibratedBoard
    made: datetime
    measured: tuple[Measured, ...]
    unfinished: Unfinished | None = None
    discs: CalibratedDiscs | None = None

    def of(self, pieces: PieceSet) -> Measured | None:
        """Return what was measured with a set of pieces; None if nothing was."""
        return next((each for each in self.measured if each.pieces is pieces), None)

    def with_measured(self, measured: Measured) -> Calibration:
        """Return the same with what was measured with one set in place of what was there."""
        others = tuple(each for each in self.measured if each.pieces is not measured.pieces)
        return changed(self, measured=(*others, measured))

    def widths(self, base: WidthModel | None = None) -> WidthModel:
        """Return the widths that readings use on this board."""
        return calibrated(base or WidthModel(), self.measured)

    def colours(self) -> ColourModel:
        """Return the colours that readings use on this board; the usual ones if none was seen."""
        return ColourModel().learnt(drop for each in self.measured for drop in each.seen())

    def shots(self) -> ShotModel:
        """Return what readings weigh knocks by on this board; guesses if it has no discs."""
        return ShotModel() if self.discs is None else self.discs.measured.shots()


def pieces_of(config: Config) -> PieceSet:
    """Return the set of pieces with which the configured match is played."""
    return pieces_for(RuleSystem(str(config.match.get("rules", USUAL_RULES))))


def pieces_for(rules: RuleSystem) -> PieceSet:
    """Return the set of pieces with which these rules are played."""
    return PieceSet.of_board(rules_for(rules).red)


def parse(text: str) -> Calibration:
    """Parse the text of a file; CalibrationError says what is wrong with it."""
    try:
        said = files.toml(text, files.LONG_LINE)
    except files.UnfitFile as error:
        raise CalibrationError(f"{error}; calibrate again") from None
    except ValueError as error:
        raise CalibrationError(f"is not TOML: {error}; calibrate again") from None
    if said.get("schema") != SCHEMA:
        raise CalibrationError(
            f'is no calibration: expected schema = "{SCHEMA}", '
            f"found {shortened(said.get('schema'))}; name another file, or calibrate again"
        )
    version = said.get("version")
    if type(version) is not int or version not in range(VERSION, WITH_COLOURS + 1):
        raise OtherVersion(
            f"expected a version from {VERSION} to {WITH_COLOURS}, found {shortened(version)}; "
            "use the program that wrote it, or move it away and calibrate again"
        )
    from jackspot.calibration.form import read_form  # slow to open, and most boards have no file

    try:
        return _calibration(read_form(said))
    except ValueError as error:
        raise CalibrationError(f"{error}; calibrate again") from None


def _calibration(form: CalibrationForm) -> Calibration:
    found: dict[PieceSet, Measured] = {}
    for quiet in form.quiet:
        measured = found.get(quiet.pieces, Measured(quiet.pieces))
        heard = Quiet(
            quiet.lasted_ms * 1_000_000, quiet.spikes, quiet.pulses, quiet.storms,
            quiet.blocked_ms * 1_000_000,
        )  # fmt: skip
        found[quiet.pieces] = measured.with_quiet(quiet.pocket, heard)
    for drops in form.drops:
        if drops.kind not in PIECES[drops.pieces]:
            raise ValueError(f"drops: there is no {drops.kind} among the pieces of {drops.pieces}")
        measured = found.get(drops.pieces, Measured(drops.pieces))
        if drops.seen and len(drops.seen) != len(drops.us):
            raise ValueError(f"drops.seen: expected one for each of {len(drops.us)} drops in us")
        place = DropPlace(drops.pocket, drops.kind)
        found[drops.pieces] = measured.with_drops(place, _dropped(drops))
    unfinished = None
    if form.unfinished is not None:
        unfinished = Unfinished(
            form.unfinished.drops, frozenset(form.unfinished.skipped), form.unfinished.flicks,
            frozenset(form.unfinished.left_out),
        )  # fmt: skip
    board = CalibratedBoard(form.board, form.pins.profile, MappingProxyType(form.pins.beams))
    discs = None if form.discs is None else _discs(form.discs)
    return Calibration(board, form.made, tuple(found.values()), unfinished, discs)


def _dropped(drops: DropsForm) -> Iterator[Drop]:
    for spans, frames in zip_longest(drops.us, drops.seen, fillvalue=()):
        seen = (ColourSeen(us * _US, drops.pocket, *levels) for us, *levels in frames)
        yield Drop(tuple(span * _US for span in spans), tuple(seen))


def _discs(form: DiscsForm) -> CalibratedDiscs:
    sides = [each.side for each in form.flicks]
    if len(set(sides)) < len(sides):
        raise ValueError(f"discs.flicks: a side stands there twice: {' '.join(sides)}")
    flicks = {each.side: tuple(map(_felt, each.felt)) for each in form.flicks if each.felt}
    measured = MeasuredDiscs(
        HubDiscs(form.hub, tuple(Seat(side) for side in form.sides)),
        form.quiet_ms * _MS,
        tuple(map(_felt, form.quiet)),
        MappingProxyType({side: flicks[side] for side in Seat if side in flicks}),
    )
    return CalibratedDiscs(form.made, measured)


def _felt(numbers: Sequence[int]) -> FeltShake:
    knocks, *peaks = numbers
    return FeltShake(tuple(map(DiscPeak, peaks[::2], peaks[1::2])), knocks)


def as_text(calibration: Calibration) -> str:
    """Write a calibration as TOML."""
    return "\n".join(_lines(calibration)) + "\n"


def _lines(calibration: Calibration) -> Iterator[str]:
    yield "# What `jackspot calibrate` measured: microseconds of each drop, pulse, gap, pulse ..."
    yield f'schema = "{SCHEMA}"'
    yield f"version = {_version(calibration)}"
    yield f"board = {files.toml_quoted(calibration.board.name)}"
    yield f"made = {calibration.made.isoformat()}"
    yield "\n[pins]"
    yield f"profile = {files.toml_quoted(calibration.board.profile)}"
    beams = (f"{name} = {gpio}" for name, gpio in calibration.board.beams.items())
    yield f"beams = {{ {', '.join(beams)} }}"
    if calibration.unfinished is not None:
        skipped = sorted(calibration.unfinished.skipped, key=list(Pocket).index)
        yield "\n[unfinished]"
        yield f"drops = {calibration.unfinished.drops}"
        yield f"skipped = [{', '.join(files.toml_quoted(pocket.value) for pocket in skipped)}]"
        yield from _flicking_lines(calibration.unfinished)
    if calibration.discs is not None:
        yield from _discs_lines(calibration.discs)
    for measured in calibration.measured:
        yield from _measured_lines(measured)


def _version(calibration: Calibration) -> int:
    """Return the lowest version that can hold all of a calibration."""
    if any(any(measured.seen()) for measured in calibration.measured):
        return WITH_COLOURS
    return VERSION if calibration.discs is None else WITH_DISCS


def _flicking_lines(unfinished: Unfinished) -> Iterator[str]:
    if unfinished.flicks is not None:
        yield f"flicks = {unfinished.flicks}"
    if unfinished.left_out:
        sides = (files.toml_quoted(side.value) for side in Seat if side in unfinished.left_out)
        yield f"left_out = [{', '.join(sides)}]"


def _discs_lines(discs: CalibratedDiscs) -> Iterator[str]:
    measured = discs.measured
    yield "\n[discs]"
    yield f'hub = "{measured.discs.hub}"'
    yield f'sides = "{"".join(measured.discs.sides)}"'
    yield f"made = {discs.made.isoformat()}"
    yield f"quiet_ms = {measured.quiet_ns // _MS}"
    yield f"quiet = {_felt_text(measured.quiet)}"
    for side, felt in measured.flicks.items():
        yield "\n[[discs.flicks]]"
        yield f'side = "{side}"'
        yield f"felt = {_felt_text(felt)}"


def _felt_text(felt: Iterable[FeltShake]) -> str:
    return str([list(_numbers(each)) for each in felt])


def _numbers(felt: FeltShake) -> Iterator[int]:
    yield min(felt.knocks, 65_535)
    for peak in felt.peaks:
        yield from (peak.height, peak.delay_us)


def _measured_lines(measured: Measured) -> Iterator[str]:
    for pocket, quiet in measured.quiet.items():
        yield "\n[[quiet]]"
        yield f'pieces = "{measured.pieces}"'
        yield f'pocket = "{pocket}"'
        yield f"lasted_ms = {quiet.lasted_ns // 1_000_000}"
        yield f"spikes = {quiet.spikes}"
        yield f"pulses = {quiet.pulses}"
        yield f"storms = {quiet.storms}"
        yield f"blocked_ms = {quiet.blocked_ns // 1_000_000}"
    for place, drops in measured.drops.items():
        yield "\n[[drops]]"
        yield f'pieces = "{measured.pieces}"'
        yield f'pocket = "{place.pocket}"'
        yield f'kind = "{place.kind}"'
        spans = ([max(1, round(ns / _US)) for ns in drop.spans_ns] for drop in drops)
        yield from wrap(f"us = [{', '.join(map(str, spans))}]", 100, subsequent_indent="  ")
        if any(drop.seen for drop in drops):
            yield "seen = ["
            yield from (f"  {[_frame(each) for each in drop.seen]}," for drop in drops)
            yield "]"


def _frame(seen: ColourSeen) -> list[int]:
    return [seen.at_ns // _US, seen.red, seen.green, seen.blue, seen.dark]


# --- the file and the board --------------------------------------------------------------


def read(path: Path) -> Calibration | None:
    """Read a file; None if there is none. CalibrationError names the file and what is wrong."""
    text = read_text(path)
    if text is None:
        return None
    try:
        return parse(text)
    except CalibrationError as error:
        raise type(error)(f"{path}: {error}") from None


def read_text(path: Path) -> str | None:
    """Read a file's text; None if there is none. CalibrationError if it is not text."""
    return text_of(path, LARGEST_BYTES, CalibrationError, "a calibration", "calibrate again")


def text_of(path: Path, most: int, refusal: type[ValueError], what: str, again: str) -> str | None:
    """Read the text of a file that the board wrote; None if there is none.

    ``refusal`` is raised if the file cannot be what it should be, and says to make it ``again``.
    """
    try:
        return files.read_text(path, most)
    except files.TooLong:
        raise refusal(f"{path}: is far too large for {what}; {again}") from None
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise refusal(f"{path}: is not UTF-8 at byte {error.start + 1}; {again}") from None
    except OSError as error:
        why = f"cannot be read: {error.strerror}; see its owner and its rights"
        raise refusal(f"{path}: {why}") from None


def refuse_others(calibration: Calibration, config: Config, path: Path) -> None:
    """Raise CalibrationError for a calibration of another board or of other wires."""
    board, mine = calibration.board, CalibratedBoard.of(config)
    if board.name != mine.name:
        raise CalibrationError(
            f'{path}: is of board "{board.name}", this is board "{mine.name}"; '
            "calibrate this board, or set [board] name"
        )
    if (board.profile, dict(board.beams)) != (mine.profile, dict(mine.beams)):
        raise CalibrationError(
            f"{path}: its beams were wired otherwise ({_wiring(board)}; now {_wiring(mine)}); "
            "calibrate again"
        )


def _wiring(board: CalibratedBoard) -> str:
    beams = (f"{name} {gpio}" for name, gpio in board.beams.items())
    return f"{board.profile}: {', '.join(beams)}"


def usable(config: Config, path: Path | None = None) -> Calibration | None:
    """Return the calibration of this board; None if it has none.

    Raises CalibrationError if the file does not fit the board: it is another board's, is
    unfinished, has nothing that readings could use, or is no calibration at all.
    """
    path = path or config.calibration.path
    calibration = read(path)
    return None if calibration is None else _fitting(calibration, config, path)


def from_text(text: str, config: Config, name: str) -> Calibration:
    """Return the calibration that a capture carries; CalibrationError as :func:`usable`."""
    try:
        return _fitting(parse(text), config, Path(name))
    except CalibrationError as error:
        raise CalibrationError(f"{name}: {error}") from None


def _fitting(calibration: Calibration, config: Config, path: Path) -> Calibration:
    refuse_others(calibration, config, path)
    if calibration.unfinished is not None:
        raise CalibrationError(f"{path}: was not finished; go on with: jackspot calibrate")
    if calibration.discs is None and not any(each.count for each in calibration.measured):
        raise CalibrationError(f"{path}: has no drops; calibrate again: jackspot calibrate")
    return calibration


def fault(error: CalibrationError, at_ns: int) -> FaultRaised:
    """Return the fault that the board shows for a calibration that it does not use."""
    return FaultRaised(at_ns, PART, Trouble.MISFIT, str(error))


# --- writing -----------------------------------------------------------------------------


def unfinished_path(path: Path) -> Path:
    """Return the path at which an interrupted calibration is stored."""
    return path.with_name(path.name + ".unfinished")


def backup_path(path: Path, number: int) -> Path:
    """Return the path at which an earlier file is kept: 1 is the newest."""
    return path.with_name(f"{path.name}.{number}")


def save(calibration: Calibration, path: Path) -> None:
    """Write a finished calibration and keep the previous file; CalibrationError if it fails.

    A power cut leaves the previous file or the new one, never a part of one.
    """
    text = as_text(changed(calibration, unfinished=None))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _make_room(path)
            shutil.copy2(path, backup_path(path, 1))
        atomic_write(path, text)
    except OSError as error:
        raise _unwritable(path, error) from None


def _make_room(path: Path) -> None:
    """Move each earlier file on by one, so that there is room for the newest; OSError."""
    for number in range(KEPT, 1, -1):
        with suppress(FileNotFoundError):
            backup_path(path, number - 1).replace(backup_path(path, number))


def save_unfinished(calibration: Calibration, path: Path) -> None:
    """Save what was measured so far; ``path`` is that of the finished calibration."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(unfinished_path(path), as_text(calibration))
    except OSError as error:
        raise _unwritable(unfinished_path(path), error) from None


def forget_unfinished(path: Path) -> None:
    """Remove what was saved of a calibration that is now finished or begun anew."""
    try:
        unfinished_path(path).unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(unfinished_path(path), error) from None


def put_unfinished_aside(path: Path) -> None:
    """Move what was saved of a calibration that cannot be continued to its backup's place."""
    unfinished = unfinished_path(path)
    try:
        _make_room(unfinished)
        unfinished.replace(backup_path(unfinished, 1))
    except OSError as error:
        raise _unwritable(unfinished, error) from None


def refuse_unwritable(path: Path) -> None:
    """Raise CalibrationError if a calibration could not be written, before one is made.

    A file of a version that this program does not know is never overwritten either, nor is a
    device or anything else that is no file.
    """
    try:
        is_other = path.exists() and not path.is_file()
    except OSError as error:
        raise _unwritable(path, error) from None
    if is_other:
        raise CalibrationError(f"{path}: is no file; name another with --out")
    try:
        read(path)
    except CalibrationError as error:
        if isinstance(error, OtherVersion):
            raise
    probe = path.with_name(path.name + ".try")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> CalibrationError:
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    remedy = "free space on disk" if is_full else (
        "run this as the board's user (sudo -u jackspot jackspot calibrate)"
    )  # fmt: skip
    return CalibrationError(
        f"{path}: cannot be written: {error.strerror}; {remedy}, or name another file with --out"
    )


def merged(
    before: Calibration | None, board: CalibratedBoard, made: datetime, measured: Measured,
    anew: Iterable[Pocket] | Sequence[Pocket],
) -> Calibration:  # fmt: skip
    """Merge what was measured into a calibration: pockets not measured anew stay as they were.

    So a pocket that was left out half-way keeps the drops that it had.

    Another set of pieces stays too, and so do discs. A calibration of another board is dropped.
    """
    if before is None or before.board != board:
        return Calibration(board, made, (measured,))
    old, fresh = before.of(measured.pieces), set(anew)
    if old is not None:
        drops = {p: each for p, each in old.drops.items() if p.pocket not in fresh}
        quiet = {p: each for p, each in old.quiet.items() if p not in fresh}
        stay = {place.pocket for place in drops}
        new = {p: each for p, each in measured.drops.items() if p.pocket not in stay}
        heard = {p: each for p, each in measured.quiet.items() if p not in stay}
        measured = changed(
            measured,
            drops=MappingProxyType({**drops, **new}),
            quiet=MappingProxyType({**quiet, **heard}),
        )
    return changed(before, made=made, unfinished=None).with_measured(measured)


def with_discs(
    before: Calibration | None, board: CalibratedBoard, made: datetime, discs: MeasuredDiscs
) -> Calibration:
    """Merge what discs felt into a calibration: sides from which nobody flicked anew stay.

    A calibration of another board is dropped, and so are other discs.
    """
    if before is None or before.board != board:
        return Calibration(board, made, (), discs=CalibratedDiscs(made, discs))
    earlier = None if before.discs is None else before.discs.measured
    return changed(before, unfinished=None, discs=CalibratedDiscs(made, discs.after(earlier)))
