"""The calibration file: what is written is read back, and whatever does not fit is refused."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, strategies as st

from jackspot.calibration import file
from jackspot.calibration.file import (
    CalibratedBoard,
    Calibration,
    CalibrationError,
    Unfinished,
    as_text,
    merged,
    parse,
    save,
    usable,
)
from jackspot.calibration.measuring.fit import calibrated
from jackspot.calibration.measuring.measured import (
    Drop,
    DropPlace,
    Measured,
    PieceKind,
    PieceSet,
    Quiet,
)
from jackspot.calibration.measuring.walk import CalibrationPlan, judge
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.show.showing import show
from jackspot.readings.widths import WidthModel
from jackspot.sensing.colours import MOST_FRAMES
from jackspot.sensing.events import HIGHEST, ColourSeen, Fall, Pulse, Trouble
from jackspot.sensing.falls import MOST_PULSES
from jackspot.values import changed
from jackspot_sim.traffic.drops import dropped

MADE = datetime(2026, 5, 2, 14, 5, tzinfo=UTC)
LATER = datetime(2026, 6, 2, 14, 5, tzinfo=UTC)


def config(**tables: object) -> Config:
    return check(dict(tables), Origin("test", {}))


BOARD = CalibratedBoard.of(config())


def made(each: int = 3, pieces: PieceSet = PieceSet.CAROM, seed: int = 1) -> Calibration:
    measured = dropped(pieces, each, 15.0, seed).with_quiet(Pocket.NE, Quiet(60 * 10**9, 2))
    return Calibration(BOARD, MADE, (in_us(measured),))


def in_us(measured: Measured) -> Measured:
    """Round drops to microseconds, as the file has them."""
    return changed(
        measured,
        drops={
            place: tuple(Drop(tuple(max(1, round(ns / 1000)) * 1000 for ns in drop.spans_ns))
                         for drop in drops)
            for place, drops in measured.drops.items()
        },
    )  # fmt: skip


# --- there and back ----------------------------------------------------------------------

levels = st.integers(0, HIGHEST)
frames = st.lists(st.tuples(st.integers(0, 60_000_000), levels, levels, levels, levels), max_size=8)
spans = st.lists(st.integers(1, 60_000_000), min_size=1, max_size=9).map(
    lambda each: Drop(tuple(us * 1000 for us in (each if len(each) % 2 else each[:-1])))
)
counts = st.integers(0, 10**6)
quiets = st.builds(
    Quiet, counts.map(lambda ms: ms * 10**6), counts, counts, counts,
    counts.map(lambda ms: ms * 10**6),
)  # fmt: skip
names = st.text(st.characters(codec="utf-8"), max_size=30)


def saw(place: DropPlace, drop: Drop, found: list[tuple[int, int, int, int, int]]) -> Drop:
    seen = (ColourSeen(us * 1000, place.pocket, *lights) for us, *lights in found)
    return changed(drop, seen=tuple(seen))


def measured_with(pieces: PieceSet) -> st.SearchStrategy[Measured]:
    places = st.builds(DropPlace, st.sampled_from(Pocket), st.sampled_from(pieces.kinds))
    sensed = st.lists(st.tuples(spans, frames), min_size=1, max_size=4)
    drops = st.dictionaries(places, sensed, max_size=5).map(
        lambda found: {at: tuple(saw(at, *each) for each in drops) for at, drops in found.items()}
    )
    heard = st.dictionaries(st.sampled_from(Pocket), quiets, max_size=4)
    made = st.builds(Measured, st.just(pieces), drops, heard)
    return made.filter(lambda each: bool(each.drops or each.quiet))


calibrations = st.builds(
    Calibration,
    st.builds(
        CalibratedBoard, names, names,
        st.dictionaries(st.sampled_from(["pocket_ne", "pocket_sw"]), st.integers(2, 27)),
    ),
    st.datetimes(timezones=st.just(UTC)).map(lambda each: each.replace(microsecond=0)),
    st.tuples(measured_with(PieceSet.CAROM)) | st.just(())
    | st.tuples(measured_with(PieceSet.CAROM), measured_with(PieceSet.CARROM)),
    st.none() | st.builds(Unfinished, st.integers(1, 1000), st.frozensets(st.sampled_from(Pocket))),
)  # fmt: skip


@given(calibrations)
def test_what_is_written_is_read_back(calibration: Calibration) -> None:
    again = parse(as_text(calibration))
    assert (again.board, again.made) == (calibration.board, calibration.made)
    assert again.unfinished == calibration.unfinished
    for measured in calibration.measured:
        assert again.of(measured.pieces) == measured
    assert len(again.measured) == len(calibration.measured)


def test_a_file_with_many_drops_that_heads_saw_can_be_read() -> None:
    place = DropPlace(Pocket.NE, PieceKind.PUCK)
    whole = [(us, HIGHEST, HIGHEST, HIGHEST, HIGHEST) for us in range(59_999_990, 59_999_998)]
    drops = (saw(place, Drop((10_000_000,)), whole),) * 1_000
    many = Calibration(BOARD, MADE, (Measured(PieceSet.CAROM, {place: drops}),))
    assert parse(as_text(many)).measured == many.measured


def test_a_file_with_thousands_of_drops_of_one_kind_can_be_read() -> None:
    place, times = DropPlace(Pocket.NE, PieceKind.PUCK), range(11_000_000, 25_000_000, 1_000)
    measured = Measured(PieceSet.CAROM).with_drops(place, (Drop((ns,)) for ns in times))
    many = Calibration(BOARD, MADE, (measured,))
    assert parse(as_text(many)).measured == many.measured


lasting = st.integers(1, 3_600_000_000_000)


@given(st.lists(st.tuples(lasting, lasting), min_size=1, max_size=MOST_PULSES), st.data())
def test_whatever_fell_can_be_written_and_weighed(
    passed: list[tuple[int, int]], data: st.DataObject
) -> None:
    pulses, at_ns = [], 0
    for gap_ns, width_ns in passed:
        at_ns += gap_ns
        pulses.append(Pulse(Pocket.NE, at_ns, at_ns + width_ns))
        at_ns += width_ns
    instants = st.integers(pulses[0].start_ns, at_ns)
    seen = tuple(
        ColourSeen(each, Pocket.NE, 5_400, 1_230, 1_050, 210)
        for each in sorted(data.draw(st.lists(instants, max_size=MOST_FRAMES)))
    )
    place = DropPlace(Pocket.NE, PieceKind.PUCK)
    drop = Drop.of_fall(Fall(1, Pocket.NE, tuple(pulses), seen=seen))
    measured = Measured(PieceSet.CAROM).with_drop(place, drop)
    again = parse(as_text(Calibration(BOARD, MADE, (measured,)))).of(PieceSet.CAROM)
    assert again is not None
    assert judge(CalibrationPlan(PieceSet.CAROM), again, place, (drop.fall(Pocket.NE),)).drop
    assert calibrated(WidthModel(), [again]).at(Pocket.NE).flat_ns > 0


def test_a_file_is_used_by_the_board_it_is_of(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save(made(10), path)
    found = usable(config(), path)
    assert found == made(10)
    widths = found.widths()
    assert widths.at(Pocket.NE).flat_ns > 1.2 * WidthModel().flat_ns
    assert found.widths().of_board(Piece.QUEEN).at(Pocket.NE).flat_ns == WidthModel().flat_ns


def test_no_file_is_no_mistake(tmp_path: Path) -> None:
    assert usable(config(), tmp_path / "calibration.toml") is None


# --- what does not fit -------------------------------------------------------------------


def refused(text: str | bytes, tmp_path: Path, **tables: object) -> str:
    path = tmp_path / "calibration.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CalibrationError) as raised:
        usable(config(**tables), path)
    said = str(raised.value)
    assert said.startswith(f"{path}: "), "it says where"
    assert "\n" not in said
    return said.removeprefix(f"{path}: ")


def test_a_calibration_of_another_board_is_refused(tmp_path: Path) -> None:
    said = refused(as_text(made()), tmp_path, board={"name": "Board 7"})
    assert said == (
        'is of board "Jackspot", this is board "Board 7"; calibrate this board, or set [board] name'
    )


def test_a_calibration_of_other_wires_is_refused(tmp_path: Path) -> None:
    said = refused(as_text(made()), tmp_path, pins={"pocket_ne": 6, "pocket_se": 5})
    assert "its beams were wired otherwise" in said
    assert "now full-i2c: pocket_ne 6, pocket_se 5" in said


def test_a_calibration_with_other_pieces_is_used_for_those_alone(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save(made(10), path)
    found = usable(config(match={"rules": "icf"}), path)
    assert found == made(10), "people may choose rules with those pieces at the board"
    assert found.widths().of_board(Piece.QUEEN) == WidthModel().of_board(Piece.QUEEN)


def test_a_calibration_in_which_nothing_was_dropped_is_refused(tmp_path: Path) -> None:
    heard = Measured(PieceSet.CAROM).with_quiet(Pocket.NE, Quiet(60 * 10**9, 2))
    said = refused(as_text(Calibration(BOARD, MADE, (heard,))), tmp_path)
    assert said.startswith("has no drops; calibrate again")


def test_both_sets_of_pieces_may_be_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    both = made().with_measured(in_us(dropped(PieceSet.CARROM, 3, 60.0, 1)))
    save(both, path)
    assert usable(config(match={"rules": "icf"}), path) == usable(config(), path) == both
    assert both.widths().of_board(Piece.QUEEN).at(Pocket.SE).flat_ns < WidthModel().flat_ns


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("version = 1", "version = 4"), "expected a version from 1 to 3, found 4; use the"),
        (("version = 1", 'version = "1"'), "expected a version from 1 to 3, found '1'"),
        (("version = 1", "version = true"), "expected a version from 1 to 3, found True"),
        (("version = 1", "version = 1.0"), "expected a version from 1 to 3, found 1.0"),
        (("version = 1", "version = 0"), "expected a version from 1 to 3, found 0"),
        (("version = 1", ""), "expected a version from 1 to 3, found None"),
        (("version = 1", f"version = 0x{'f' * 5_000}"), "version: expected a number within bounds"),
        (
            ("version = 1", "version = [" + "1, " * 9_000 + "]"),
            "from 1 to 3, found [1, 1, 1, 1, 1, 1, ...]",
        ),
        (('schema = "', f"schema = 0x{'f' * 5_000} #"), "schema: expected a number within bounds"),
        (('schema = "', 'schema = "' + "x" * 9_000), "found 'xxxxxxxxxxxx...t calibration'; name"),
        (("version = 1", "version = " + "[" * 50_000), "at most 32 tables or lists"),
        (("version = 1", "a" + ".a" * 30_000 + " = 1"), "a key of at most 32 parts"),
        (("version = 1", "x = '" + "x" * 70_000 + "'"), "at most 65,536 characters"),
        (("jackspot calibration", "something"), "is no calibration: expected schema ="),
        (('kind = "puck"', 'kind = "man"'), "there is no man among the pieces of carom"),
        (('kind = "puck"', 'kind = "cube"'), "drops.0.kind: input should be 'puck'"),
        (("us = [[", "us = [[-5], ["), "drops.0.us.0.0: input should be greater than 0, found -5"),
        (('pocket = "NE"', 'pocket = "ne"'), "pocket: input should be 'NE', 'SE', 'SW' or 'NW', f"),
        (("us = [[", "us = [[1, 2], ["), "expected pulse, gap, pulse"),
        (("us = [[", f"us = [{[60_000_000] * 63}, ["), "drops.0.us.0: list should have at most 31"),
        (("us = [[", "us = [[], ["), "drops.0.us.0: list should have at least 1 item"),
        (("us = [[", 'us = [["x"], ['), "drops.0.us.0.0: input should be a valid integer"),
        (("us = [[", "us = [[99999999999999999999], ["), "drops.0.us.0.0: input should be less"),
        (("us = [[", "seen = [[[1, 2, 3, 4]]]\nus = [["), "drops.0.seen.0.0.4: field required"),
        (
            ("us = [[", "seen = [[[1, 2, 3, 4, 65536]]]\nus = [["),
            "drops.0.seen.0.0.4: input",
        ),
        (("us = [[", "seen = [[]]\nus = [["), "drops.seen: expected one for each of 3 drops in us"),
        (("us = [[", f"seen = [{[[1] * 5] * 9}]\nus = [["), "drops.0.seen.0: list should have at"),
        (("spikes = 2", "spikes = true"), "quiet.0.spikes: input should be a valid integer"),
        (("spikes = 2", ""), "quiet.0.spikes: field required"),
        (("spikes = 2", "spikes = 2\ncolour = 1"), "quiet.0.colour: extra inputs"),
        (("board =", "board = ["), "is not TOML"),
        (
            ("made = 2026-05-02T14:05:00+00:00", "made = 5"),
            "made: input should be a valid datetime",
        ),
    ],
)
def test_each_mistake_is_named_with_its_place(
    change: tuple[str, str], says: str, tmp_path: Path
) -> None:
    text = as_text(made()).replace(*change, 1)
    assert text != as_text(made())
    said = refused(text, tmp_path)
    assert says in said
    assert "calibrat" in said
    assert len(said) < 500


@given(st.binary(max_size=200))
def test_any_garbage_gives_the_clear_error(garbage: bytes) -> None:
    with pytest.raises(CalibrationError) as raised:
        parse(garbage.decode("latin-1"))
    assert str(raised.value)


@given(st.data())
def test_a_damaged_file_gives_the_clear_error_or_another_calibration(data: st.DataObject) -> None:
    text = as_text(made(1))
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(1, 40))
    damaged = text[:at] + data.draw(st.text(max_size=10)) + text[at + length :]
    try:
        widths = parse(damaged).widths()
    except CalibrationError:
        return
    assert all(model.flat_ns > 0 for model in widths.beams.values())


@pytest.mark.parametrize("garbage", [b"\xff\xfe\x00", b"", b"[" * 100_000, b"a = 1\0"])
def test_a_file_that_is_no_text_is_refused(garbage: bytes, tmp_path: Path) -> None:
    assert refused(garbage, tmp_path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    with path.open("wb") as sparse:
        sparse.truncate(file.LARGEST_BYTES + 1)
    with pytest.raises(CalibrationError, match="far too large"):
        usable(config(), path)


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be read: Is a directory"):
        usable(config(), tmp_path)


def test_an_unfinished_one_is_no_calibration(tmp_path: Path) -> None:
    half = changed(made(), unfinished=Unfinished(10))
    assert "was not finished; go on with: jackspot calibrate" in refused(as_text(half), tmp_path)


def test_the_fault_is_two_short_lines_on_the_oled() -> None:
    from jackspot.dialogue.state.dialogue_settings import DialogueSettings
    from jackspot.dialogue.state.dialogue_state import DialogueState
    from jackspot.dialogue.state.plans import Plan

    fault = file.fault(CalibrationError("/x: is of another board"), 5)
    assert (fault.part, fault.trouble) == ("calibration", Trouble.MISFIT)
    [shown] = show(DialogueState(DialogueSettings(), Plan(), faults=(fault,)), 5).faults
    lines = (str(shown.what), str(shown.remedy))
    assert lines == ("calibration mismatch", "calibrate again")
    assert all(len(line) <= 21 for line in lines)


# --- writing -----------------------------------------------------------------------------


def test_the_files_before_are_kept_and_the_oldest_goes(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    for seed in range(6):
        save(made(1, seed=seed), path)
    there = {each.name: parse(each.read_text()) for each in tmp_path.iterdir()}
    assert there == {
        "calibration.toml": made(1, seed=5),
        "calibration.toml.1": made(1, seed=4),
        "calibration.toml.2": made(1, seed=3),
        "calibration.toml.3": made(1, seed=2),
    }


def test_a_file_that_could_not_be_read_is_kept_too(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text("garbage")
    save(made(), path)
    assert (tmp_path / "calibration.toml.1").read_text() == "garbage"


def test_a_disk_that_takes_nothing_leaves_the_file_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calibration.toml"
    save(made(), path)

    def full(_descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CalibrationError, match=re.escape("No space left on device")):
        save(made(2), path)
    assert parse(path.read_text()) == made()


def test_pockets_that_are_not_measured_anew_stay() -> None:
    before = made(2, seed=1)
    anew = in_us(dropped(PieceSet.CAROM, 4, 60.0, 9, (Pocket.SW,)))
    after = merged(before, BOARD, LATER, anew, [Pocket.SW]).of(PieceSet.CAROM)
    old = before.of(PieceSet.CAROM)
    assert after is not None
    assert old is not None
    for kind in PieceSet.CAROM.kinds:
        assert after.at(Pocket.NE, kind) == old.at(Pocket.NE, kind)
        assert after.at(Pocket.SW, kind) == anew.at(Pocket.SW, kind)


def test_a_pocket_that_was_left_out_half_way_keeps_what_it_had() -> None:
    before = made(2, seed=1)
    old = before.of(PieceSet.CAROM)
    assert old is not None
    wrong = {DropPlace(Pocket.NE, PieceKind.PUCK): (Drop((21_000,)),)}
    anew = in_us(dropped(PieceSet.CAROM, 4, 60.0, 9, (Pocket.SW,)))
    half = changed(anew, drops=MappingProxyType({**anew.drops, **wrong}))
    half = half.with_quiet(Pocket.NE, Quiet(1, 0))
    after = merged(before, BOARD, LATER, half, [Pocket.SW]).of(PieceSet.CAROM)
    assert after is not None
    for kind in PieceSet.CAROM.kinds:
        assert after.at(Pocket.NE, kind) == old.at(Pocket.NE, kind)
        assert after.at(Pocket.SW, kind) == anew.at(Pocket.SW, kind)
    assert after.quiet.get(Pocket.NE) == old.quiet.get(Pocket.NE)


def test_nothing_of_another_board_is_laid_under(tmp_path: Path) -> None:
    other = changed(made(), board=changed(BOARD, name="another"))
    measured = in_us(dropped(PieceSet.CAROM, 1, 30.0, 2, (Pocket.NE,)))
    assert merged(other, BOARD, LATER, measured, [Pocket.NE]).measured == (measured,)


def test_what_is_unfinished_is_noted_beside_and_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    half = changed(made(), unfinished=Unfinished(10, frozenset({Pocket.SE})))
    file.save_unfinished(half, path)
    assert not path.exists()
    assert file.read(file.unfinished_path(path)) == half
    file.forget_unfinished(path)
    file.forget_unfinished(path)
    assert list(tmp_path.iterdir()) == []


def test_the_kinds_of_a_set_are_what_is_played_with() -> None:
    assert file.pieces_of(config()) is PieceSet.CAROM
    assert file.pieces_of(config(match={"rules": "japan"})) is PieceSet.CAROM
    for rules in ("icf", "kagw", "grundregeln", "points"):
        assert file.pieces_of(config(match={"rules": rules})) is PieceSet.CARROM
    assert PieceKind.MAN in PieceSet.CARROM.kinds
