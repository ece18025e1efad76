"""A hall's file on a stick: taken whole or not at all, and what people are told about it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import main, stick as stick_command
from jackspot.core.phrases import Phrase
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.words.stick_words import stick_notice
from jackspot.festival.joining import NAME, KeptHall, compact, write
from jackspot.festival.section import FestivalSection
from jackspot.ops.stick import device, joining
from jackspot.ops.stick.joining import WRONG, join_from
from jackspot.ops.stick.notify_board import StickListener, stick_socket
from jackspot.ops.stick.writing import Wrote
from jackspot.sensing.events import Stick
from jackspot.values import changed
from tests.conftest import PATIENCE_S
from tests.festival.certificates import Certificates
from tests.ops.test_stick import stick

__all__ = ["stick"]

HALL = "hikone"


@pytest.fixture
def section(tmp_path: Path) -> FestivalSection:
    pem = Certificates(tmp_path / "certificates").ca.read_text(encoding="ascii")
    return FestivalSection(hall=HALL, broker=(("192.168.7.10", 8883),), key="0" * 32, ca=pem)


@pytest.fixture
def kept(tmp_path: Path) -> KeptHall:
    (tmp_path / "state").mkdir()
    return KeptHall(tmp_path / "state" / "journal.sqlite3", FestivalSection())


@pytest.fixture
def plugged(tmp_path: Path) -> Path:
    """Return a folder that stands in for a stick."""
    place = tmp_path / "plugged"
    place.mkdir()
    return place


def pipe(path: Path) -> bool:
    """Put a pipe there."""
    os.mkfifo(path)
    return True


def state(kept: KeptHall) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in kept.journal.parent.iterdir()}


def test_a_stick_without_a_halls_file_says_nothing(kept: KeptHall, plugged: Path) -> None:
    assert join_from(plugged, kept) is None
    assert not list(plugged.iterdir())


def test_a_halls_file_is_kept_and_what_was_wrong_before_is_taken_off(
    kept: KeptHall, plugged: Path, section
) -> None:
    (plugged / NAME).write_text(write(section))
    (plugged / WRONG).write_text("what was wrong before")
    kept.set_number(7)
    joined = join_from(plugged, kept)
    assert joined is not None
    assert (joined.stick, joined.about, joined.number) == (Stick.JOINED, HALL, 7)
    assert kept.now().is_in
    assert {each.name for each in plugged.iterdir()} == {NAME}
    kept.leave()
    assert join_from(plugged, kept)
    assert kept.now().is_in


@pytest.mark.parametrize(
    ("wrong", "key", "why"),
    [
        (lambda path: path.write_text("[festival"), "?", "is not TOML"),
        (lambda path: path.write_text(path.read_text().replace(HALL, "A B")), "hall", "expected a"),
        (lambda path: path.write_text("[festival]\nnumber = 7\n"), "number", "each board's"),
        (lambda path: (path.unlink(), path.symlink_to("/etc/nowhere")), "?", "cannot be read"),
        (lambda path: (path.unlink(), pipe(path)), "?", "found a pipe"),
        (lambda path: (path.unlink(), path.mkdir()), "?", "Is a directory"),
    ],
)
def test_a_file_with_a_mistake_changes_nothing_and_says_what_it_is_on_the_stick(
    kept: KeptHall, plugged: Path, section, wrong: Callable[[Path], object], key: str, why: str
) -> None:
    kept.join(changed(section, hall="before"))
    before, path = state(kept), plugged / NAME
    path.write_text(write(section))
    wrong(path)
    joined = join_from(plugged, kept)
    assert joined is not None
    assert (joined.stick, joined.about) == (Stick.MISJOINED, key)
    assert why in joined.said
    assert (plugged / WRONG).read_text() == f"{joined.said}\n"
    assert state(kept) == before


def test_what_the_organiser_locked_no_stick_changes(kept: KeptHall, plugged: Path, section) -> None:
    (plugged / NAME).write_text(write(section))
    joined = join_from(plugged, kept, {Lock.HALL})
    assert joined is not None
    assert (joined.stick, joined.about) == (Stick.MISJOINED, "locked")
    assert state(kept) == {}


@pytest.mark.parametrize("how", ["stick", "config", "certificate's file"])
def test_a_locked_board_takes_its_own_halls_stick_without_a_word(
    kept: KeptHall, plugged: Path, section, how: str
) -> None:
    (plugged / NAME).write_text(write(section))
    if how == "stick":
        kept.join(section)
        kept.set_number(7)
    else:
        ca = plugged.with_name("hall.crt")
        ca.write_text(section.ca)
        here = changed(section, number=7, home_assistant=True)
        kept = changed(kept, configured=here if how == "config" else changed(here, ca=ca))
    before = state(kept)
    assert join_from(plugged, kept, {Lock.HALL}) is None
    assert ({each.name for each in plugged.iterdir()}, state(kept)) == ({NAME}, before)


@pytest.mark.parametrize(
    "other",
    [{"hall": "kyoto"}, {"broker": (("192.168.7.11", 8883),)}, {"key": "1" * 32}, {"left": True}],
    ids=str,
)
def test_a_locked_board_tells_a_stick_of_another_hall(
    kept: KeptHall, plugged: Path, section, other: dict[str, object]
) -> None:
    kept.join(section)
    if other == {"left": True}:
        kept.leave()
        other = {}
    (plugged / NAME).write_text(write(changed(section, **other)))
    before = state(kept)
    joined = join_from(plugged, kept, {Lock.HALL})
    assert joined is not None
    assert (joined.stick, joined.about, state(kept)) == (Stick.MISJOINED, "locked", before)


@pytest.mark.parametrize("hall", [True, False])
@pytest.mark.parametrize(
    ("results", "what"),
    [(None, Stick.EMPTY), (errno.ENOSPC, Stick.FULL), (errno.EROFS, Stick.READ_ONLY)],
)
def test_results_that_are_not_on_a_stick_are_told_before_its_halls_file(
    kept: KeptHall, plugged: Path, section, monkeypatch: pytest.MonkeyPatch, hall: bool,
    results: int | None, what: Stick,
) -> None:  # fmt: skip
    def writes(*_: object) -> Wrote:
        if results is not None:
            raise OSError(results, os.strerror(results))
        return Wrote(plugged, 0, 0, 0)

    (plugged / NAME).write_text(write(section) if hall else "[festival")
    told: list[Stick] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(joining, "as_owner_of", nullcontext)
    monkeypatch.setattr(stick_command, "is_device", lambda _place: True)
    monkeypatch.setattr(stick_command, "use_by_system", lambda _place: "")
    monkeypatch.setattr(stick_command, "mounted", nullcontext)
    monkeypatch.setattr(stick_command, "write_results", writes)
    monkeypatch.setattr(stick_command, "tell_board", lambda _path, stick, *_: told.append(stick))
    done = CliRunner().invoke(main, ["stick", f"--journal={kept.journal}", str(plugged)])
    about = Stick.JOINED if hall else Stick.MISJOINED
    assert told == [Stick.WRITING, about if results is None else what], done.output
    assert done.exit_code == (0 if hall and results is None else 1)
    assert ("is not TOML" in done.stderr) is not hall


def test_a_state_that_cannot_be_written_is_named(kept: KeptHall, plugged: Path, section) -> None:
    (plugged / NAME).write_text(write(section))
    kept.journal.parent.rmdir()
    joined = join_from(plugged, kept)
    assert joined is not None
    assert (joined.stick, joined.about) == (Stick.MISJOINED, "disk")
    assert "cannot be written" in joined.said


def test_what_the_board_shows_has_room_on_a_line() -> None:
    shown = [
        stick_notice(Stick.JOINED, "a" * 32, 999),
        stick_notice(Stick.JOINED, "a" * 32),
        stick_notice(Stick.MISJOINED, "broker" * 9),
    ]
    lines: list[Phrase] = [line for each in shown for line in (each.what, each.remedy)]
    assert all(0 < len(str(line)) <= 21 for line in lines), [str(line) for line in lines]
    assert [each.good for each in shown] == [True, True, False]


@pytest.mark.needs_root
@pytest.mark.parametrize("good", [True, False])
def test_the_board_that_runs_is_told_once_the_stick_may_be_removed(
    kept: KeptHall, section, stick, monkeypatch: pytest.MonkeyPatch, good: bool
) -> None:
    monkeypatch.setattr(device, "OPTIONS", f"bind,{device.OPTIONS}")
    monkeypatch.setattr(stick_command, "is_device", lambda _place: True)
    monkeypatch.setattr(stick_command, "use_by_system", lambda _place: "")
    place = stick("size=64k")
    (place / NAME).write_text(write(section) if good else "[festival")
    heard: list[tuple[Stick, str, int | None]] = []
    told = Event()

    def hear(what: Stick, about: str, number: int | None) -> None:
        heard.append((what, about, number))
        if what is not Stick.WRITING:
            told.set()

    listener = StickListener(stick_socket(kept.journal), hear)
    assert listener.start()
    done = CliRunner().invoke(main, ["stick", f"--journal={kept.journal}", str(place)])
    assert told.wait(PATIENCE_S)
    listener.close()
    last = (Stick.JOINED, HALL, None) if good else (Stick.MISJOINED, "?", None)
    assert heard == [(Stick.WRITING, "", None), last]
    assert done.exit_code == (0 if good else 1), done.output
    assert (place / WRONG).exists() is not good
    assert kept.now().festival.hall == (HALL if good else "")


# --- by hand -----------------------------------------------------------------------------


def join(kept: KeptHall, hall: str, said: str | None = None) -> Result:
    return CliRunner().invoke(main, ["join", f"--journal={kept.journal}", hall], input=said)


def test_the_command_takes_a_file_a_text_or_what_it_is_given(
    kept: KeptHall, section, tmp_path: Path
) -> None:
    (tmp_path / NAME).write_text(write(section))
    ways = (
        (str(tmp_path / NAME), None),
        (compact(section), None),
        ("-", compact(section)),
        ("-", write(section)),
    )
    for hall, said in ways:
        done = join(kept, hall, said)
        assert done.exit_code == 0, done.output
        assert "joined the hall hikone, its number is not set yet" in done.output
        assert "the board does not run" in done.output
        assert kept.now().festival == section
        kept.joined.unlink()


def test_the_command_refuses_with_where_and_what(kept: KeptHall, section, tmp_path: Path) -> None:
    done = join(kept, str(tmp_path / NAME))
    assert (done.exit_code, state(kept)) == (1, {})
    assert f"{tmp_path / NAME}: cannot be read: No such file or directory; bring the" in done.stderr
    coded = compact(section)
    for cut in range(1, 13):  # of any four lengths, one is impossible for a code
        done = join(kept, coded[:-cut])
        assert (done.exit_code, state(kept)) == (1, {})
        whole = re.search(r"the text: is not whole: (.*); copy all of it", done.stderr)
        assert whole, done.stderr
        assert whole[1] in (
            "its check sum is another",
            "letters are missing, or are not those of a code",
        )
