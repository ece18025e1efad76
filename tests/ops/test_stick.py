"""Results on a USB stick: what is written, what is never overwritten, and who is told.

Sticks are small file systems of their own, mounted for the test where that is allowed.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import main
from jackspot.core.record import read_record
from jackspot.history.archive import Archive
from jackspot.ops.stick import device
from jackspot.ops.stick.device import (
    NotMounted,
    file_system,
    is_device,
    mount_options,
    mounted,
    used_for,
)
from jackspot.ops.stick.notify_board import StickListener, stick_socket, tell_board
from jackspot.ops.stick.writing import DRAFT, folder_name, write_results
from jackspot.sensing.events import Stick
from tests.conftest import PATIENCE_S
from tests.history.journals import Book

PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
"""Where the programs that make file systems are; an ordinary user's path leaves these out."""
MKFS = shutil.which("mkfs.vfat", path=PROGRAMS)
MKE2FS = shutil.which("mke2fs", path=PROGRAMS)
RECORDS = Path(__file__).parents[1] / "records"
TABLES = {"matches.csv", "players.csv", "pockets.csv", "strokes.csv"}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Return a journal with two matches."""
    path = tmp_path / "journal.sqlite3"
    with Book(path) as book:
        book.play((RECORDS / "whole_match.carom").read_text(encoding="utf-8"))
        book.shelve()
        book.play((RECORDS / "kagw_told.carom").read_text(encoding="utf-8"))
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Return a function that mounts a small file system in memory."""
    place = tmp_path / "stick"
    place.mkdir()

    def mount(options: str) -> Path:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            pytest.skip(f"mounting is not allowed here: {done.stderr}")
        return place

    yield mount
    if os.path.ismount(place):
        subprocess.run(["umount", str(place)], check=True)


def run(journal: Path, place: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["stick", f"--journal={journal}", *more, str(place)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_records_and_tables_are_written_into_a_folder_of_the_boards_name(
    journal: Path, tmp_path: Path
) -> None:
    config = tmp_path / "jackspot.toml"
    config.write_text('[board]\nname = "Board 1/2"\n', encoding="utf-8")
    result = run(journal, tmp_path, f"--config={config}")
    assert result.exit_code == 0, result.output
    found = contents(tmp_path / "Board 1-2")
    records = {name for name in found if name.endswith(".carom")}
    assert set(found) == records | TABLES
    assert {name[10:] for name in records} == {"-match-0001.carom", "-match-0002.carom"}
    for name in records:
        assert read_record(found[name].decode()).match.steps
    assert len(found["matches.csv"].splitlines()) == 3
    assert "matches: 2; files written to" in result.stdout


def test_a_folder_that_is_not_there_yet_is_made(journal: Path, tmp_path: Path) -> None:
    result = run(journal, tmp_path / "results")
    assert result.exit_code == 0, result.output
    assert set(contents(tmp_path / "results" / "Jackspot")) > TABLES


def test_names_are_forgotten_in_a_folder_too(journal: Path, tmp_path: Path) -> None:
    with Book(journal, at_ns=10**15) as book:
        book.match(names={"N": "Aiko", "S": "Benno"})
        book.line("N red@NE")
    folder = tmp_path / "results" / "Jackspot"
    assert run(journal, tmp_path / "results").exit_code == 0
    assert any(b"Aiko" in each for each in contents(folder).values())
    (tmp_path / "none.toml").touch()
    settings = [f"--{each}={tmp_path / 'none.toml'}" for each in ("config", "board-file")]
    given = ["forget", "Aiko", "--yes", f"--journal={journal}", *settings]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.output
    assert not any(b"Aiko" in each for each in contents(folder).values())


def test_a_folder_in_none_and_a_device_that_is_not_there_are_named(
    journal: Path, tmp_path: Path
) -> None:
    result = run(journal, tmp_path / "none" / "results")
    assert result.exit_code == 1
    assert f"{tmp_path / 'none' / 'results'}: No such file or directory" in result.output
    result = run(journal, Path("/dev/none1"))
    assert result.exit_code == 1
    assert "/dev/none1: no such device" in result.output
    assert not Path("/dev/none1").exists()


def test_what_is_there_with_the_same_contents_stays_as_it_is(journal: Path, tmp_path: Path) -> None:
    first = write_results(Archive(journal), "Board", tmp_path)
    times = {path.name: path.stat().st_mtime_ns for path in first.folder.iterdir()}
    again = write_results(Archive(journal), "Board", tmp_path)
    assert (first.new, first.same, again.new, again.same) == (6, 0, 0, 6)
    assert {path.name: path.stat().st_mtime_ns for path in again.folder.iterdir()} == times


def test_a_file_with_other_contents_is_never_written_over(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Board"
    folder.mkdir()
    theirs = {"matches.csv": b"another board's", "matches-2.csv": b"and a third one's"}
    for name, data in theirs.items():
        (folder / name).write_bytes(data)
    (folder / "players.csv").symlink_to(tmp_path / "elsewhere")
    write_results(Archive(journal), "Board", tmp_path)
    found = contents_but_links(folder)
    assert {name: found[name] for name in theirs} == theirs
    assert found["matches-3.csv"].startswith(b"match,")
    assert found["players-2.csv"].startswith(b"player,")
    assert not (tmp_path / "elsewhere").exists()
    assert write_results(Archive(journal), "Board", tmp_path).new == 0


def contents_but_links(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.is_symlink()}


def test_a_folder_that_is_a_link_is_not_followed(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "Board").symlink_to(tmp_path / "etc")
    with pytest.raises(NotADirectoryError, match="links are not followed"):
        write_results(Archive(journal), "Board", tmp_path)
    assert not list((tmp_path / "etc").iterdir())


def test_a_draft_that_a_pulled_stick_kept_is_begun_anew(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "Board").mkdir()
    (tmp_path / "Board" / DRAFT).write_bytes(b"half")
    assert write_results(Archive(journal), "Board", tmp_path).new == 6
    assert not (tmp_path / "Board" / DRAFT).exists()


@pytest.mark.needs_root
def test_a_stick_without_room_keeps_what_was_complete_and_says_so(
    journal: Path, stick: Callable[[str], Path]
) -> None:
    place = stick("size=12k")
    result = run(journal, place)
    assert result.exit_code == 1
    assert "make room and try again" in result.stderr
    whole = contents_of_a_whole_run(journal, place.parent / "whole")
    found = contents(place / "Jackspot")
    assert 0 < len(found) < len(whole)
    assert all(whole[name] == data for name, data in found.items())


def contents_of_a_whole_run(journal: Path, place: Path) -> dict[str, bytes]:
    place.mkdir()
    return contents(write_results(Archive(journal), "Jackspot", place).folder)


@pytest.mark.needs_root
def test_a_read_only_stick_is_named_as_one(journal: Path, stick: Callable[[str], Path]) -> None:
    result = run(journal, stick("ro"))
    assert result.exit_code == 1
    assert "unlock it" in result.stderr


def test_a_board_without_matches_makes_no_folder(tmp_path: Path) -> None:
    result = run(tmp_path / "no-journal.sqlite3", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "no matches to write\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("board", "folder"),
    [
        ("Board 1", "Board 1"),
        ("Tisch Süd", "Tisch Süd"),
        ("a/b\\c:d", "a-b-c-d"),
        ("../etc", "-etc"),
        ("Final?", "Final-"),
        ("Board 1.", "Board 1"),
        ("...", "Jackspot"),
        ("con", "con-board"),
        ("x" * 80, "x" * 60),
    ],
)
def test_a_folders_name_is_one_that_every_file_system_takes(board: str, folder: str) -> None:
    assert folder_name(board) == folder


# --- the partition ---------------------------------------------------------------------


@pytest.mark.skipif(MKFS is None, reason="dosfstools is not installed")
@pytest.mark.parametrize("bits", [12, 16, 32])
def test_fat_is_mounted_with_names_in_any_letters(tmp_path: Path, bits: int) -> None:
    """This also holds for FAT on the whole stick, without a partition table."""
    image = tmp_path / "sda"
    with image.open("wb") as file:
        file.truncate(1 << (22 if bits == 12 else 28))
    assert MKFS is not None
    subprocess.run([MKFS, "-F", str(bits), image], check=True, capture_output=True)
    assert file_system(image) == "vfat"
    assert mount_options("vfat").endswith(",nosymfollow,utf8=1")


@pytest.mark.skipif(MKE2FS is None, reason="e2fsprogs is not installed")
def test_other_file_systems_have_names_as_they_are(tmp_path: Path) -> None:
    image = tmp_path / "sda"
    with image.open("wb") as file:
        file.truncate(1 << 22)
    assert mount_options(file_system(image)) == device.OPTIONS
    assert MKE2FS is not None
    subprocess.run([MKE2FS, "-q", image], check=True)
    assert file_system(image) == "ext2"
    assert mount_options("ext2") == device.OPTIONS
    assert mount_options("exfat") == f"{device.OPTIONS},iocharset=utf8"


def test_what_cannot_be_mounted_is_said_with_the_words_of_mount(tmp_path: Path) -> None:
    no_device = tmp_path / "sda1"
    no_device.write_bytes(bytes(4096))
    assert not is_device(no_device)
    with pytest.raises(NotMounted, match="mount"), mounted(no_device):
        pytest.fail("nothing is there to mount")


@pytest.mark.parametrize(
    ("found", "asked"), [("vfat", "vfat"), ("ext4", "ext4"), ("", "vfat,exfat,ext4,ext3,ext2")]
)
def test_a_stick_is_mounted_by_the_name_of_its_file_system(
    found: str, asked: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(device, "file_system", lambda _device: found)

    def run(*program: str) -> str:
        ran.append(program)
        return ""

    monkeypatch.setattr(device, "_ran", run)
    with mounted(tmp_path):
        assert ran[0][:5] == ("mount", "-i", "-n", "-t", asked)


def test_what_sticks_do_not_have_is_not_handed_to_the_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(device, "file_system", lambda _device: "hfsplus")
    monkeypatch.setattr(device, "_ran", lambda *program: pytest.fail(f"{program}"))
    with pytest.raises(NotMounted, match="found hfsplus"), mounted(tmp_path):
        pytest.fail("it is not mounted")


@pytest.mark.needs_root
def test_a_partition_is_mounted_without_rights_and_let_go(
    stick: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stick("size=64k")
    monkeypatch.setattr(device, "OPTIONS", f"bind,{device.OPTIONS}")
    with mounted(place) as folder:
        assert os.path.ismount(folder)
        (folder / "file").write_text("here", encoding="utf-8")
    assert not folder.exists()
    assert (place / "file").read_text(encoding="utf-8") == "here"


SYSTEMS = "23 1 8:2 / / rw - ext4 /dev/root rw\n"
PEOPLES = "99 1 8:17 / /media/anna/STICK rw - vfat /dev/sdb1 rw\n"


@pytest.mark.parametrize(
    ("number", "used"), [("8:1", "/"), ("8:2", "/"), ("8:17", ""), ("8:33", "")]
)
def test_a_disk_that_the_system_lives_on_is_left_alone(
    tmp_path: Path, number: str, used: str
) -> None:
    (tmp_path / "dev/block").mkdir(parents=True)
    for name, at in {"sda1": "8:1", "sda2": "8:2", "sdb1": "8:17", "sdc1": "8:33"}.items():
        there = tmp_path / "block" / name[:3] / name
        there.mkdir(parents=True)
        (there / "partition").touch()
        (tmp_path / "dev/block" / at).symlink_to(there)
    assert used_for(number, tmp_path, SYSTEMS + PEOPLES) == used


@pytest.mark.parametrize(("number", "used"), [("8:0", "/"), ("8:16", ""), ("8:32", "/srv")])
def test_a_whole_disk_that_the_system_lives_on_is_left_alone(
    tmp_path: Path, number: str, used: str
) -> None:
    (tmp_path / "dev/block").mkdir(parents=True)
    disks = {"sda": "8:0", "sda/sda2": "8:2", "sdb": "8:16", "sdb/sdb1": "8:17", "sdc": "8:32"}
    for name, at in disks.items():
        there = tmp_path / "block" / name
        there.mkdir(parents=True)
        if "/" in name:
            (there / "partition").touch()
        (tmp_path / "dev/block" / at).symlink_to(there)
    own = "24 1 8:32 / /srv rw - ext4 /dev/sdc rw\n"
    assert used_for(number, tmp_path, SYSTEMS + PEOPLES + own) == used


# --- telling the board -----------------------------------------------------------------


def test_the_board_hears_what_became_of_a_stick_and_drops_what_it_does_not_know(
    tmp_path: Path,
) -> None:
    journal, told = tmp_path / "j", Event()
    heard: list[tuple[Stick, str, int | None]] = []

    def tell(stick: Stick, about: str, number: int | None) -> None:
        heard.append((stick, about, number))
        if stick is Stick.WRITTEN:
            told.set()

    assert not tell_board(journal, Stick.FULL)
    listener = StickListener(stick_socket(journal), tell)
    assert listener.start()
    assert tell_board(journal, Stick.JOINED, "hikone", 7)
    assert tell_board(journal, Stick.MISJOINED, "broker")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        for nonsense in (b"\xffnonsense", b"joined\thikone\tseven", b"joined\t\xff\x00\t\t7"):
            out.sendto(nonsense, str(stick_socket(journal)))
    assert tell_board(journal, Stick.WRITTEN)
    assert told.wait(PATIENCE_S)
    listener.close()
    assert heard == [
        (Stick.JOINED, "hikone", 7), (Stick.MISJOINED, "broker", None), (Stick.WRITTEN, "", None),
    ]  # fmt: skip
    assert not stick_socket(journal).exists()
    assert not tell_board(journal, Stick.FULL)


def test_a_folder_without_room_for_a_socket_keeps_no_board_from_starting(tmp_path: Path) -> None:
    assert not StickListener(tmp_path / "none" / "socket", lambda *_: None).start()
