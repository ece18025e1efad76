"""Files that somebody else put there: regular ones are read, others refused at once."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jackspot.files import (
    LONG_LINE,
    MIB,
    NotRegular,
    TooLong,
    UnfitFile,
    atomic_write,
    from_json,
    open_regular,
    read_bytes,
    read_text,
    toml,
)


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("Änne", encoding="utf-8")
    assert read_text(file, 5) == "Änne"
    with pytest.raises(TooLong, match="has more than 4 bytes"):
        read_bytes(file, 4)


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR | os.O_CREAT])
def test_a_pipe_in_place_of_a_file_is_refused_without_waiting(tmp_path: Path, flags: int) -> None:
    os.mkfifo(tmp_path / "file")
    with pytest.raises(NotRegular, match="expected a file, found a pipe"):
        open_regular(tmp_path / "file", flags)


def test_other_things_are_refused_too(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_bytes(tmp_path, 1)
    with pytest.raises(NotRegular, match="a device"):
        read_bytes(Path("/dev/zero"), 1)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="No such device"):
            read_bytes(tmp_path / "socket", 1)
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "none", 1)


HUGE = "f" * 5_000

ABSURD = [
    (toml, f"[web]\nport = 0x{HUGE}", "[web] port: .* found a number beyond all bounds"),
    (toml, f"x = [[1], [2, -0x1{'0' * 300}]]".replace("-", ""), "beyond all bounds"),
    (toml, "a" + ".a" * 40_000 + " = 1", "line 1: expected a key of at most 32 parts"),
    (toml, "\n" + "x = 1 #" + "x" * 4_096, "line 2: expected at most 4,096 characters"),
    (toml, "[" + "a." * 40 + "a]\n", "line 1: expected a key of at most 32 parts"),
    (toml, "x = { " + '"a b" . ' * 40 + "a = 1 }", "line 1: expected a key of at most 32 parts"),
    (toml, '\'a\'."b\\"".' * 16 + "a = 1", "line 1: expected a key of at most 32 parts"),
    (toml, "x = " + "[" * 50 + "]" * 50, "at most 32 tables or lists in each other"),
    (toml, "x = " + "[\n" * 50_000, "at most 32 tables or lists in each other"),
    (from_json, "[" * 50_000, "at most 32 tables or lists in each other"),
    (from_json, '{"a":' * 40 + "1" + "}" * 40, "at most 32 tables or lists in each other"),
    (from_json, f'{{"a": [1{"0" * 400}]}}', "beyond all bounds"),
]


@pytest.mark.parametrize(("read", "text", "words"), ABSURD)
def test_what_nobody_writes_is_refused_in_a_short_line(
    read: Callable[[str], Any], text: str, words: str
) -> None:
    with pytest.raises(UnfitFile, match=words.replace("[", r"\[").replace("]", r"\]")) as refusal:
        read(text)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("text", ["x = " + "9" * 4_000 + "9" * 90, "x = 1 2", "x = 0x"])
def test_what_is_no_toml_is_a_value_error_too(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        toml(text)


def test_what_people_write_is_read_as_it_is() -> None:
    many = "x = [" + ", ".join(f'"A. B. {each}"' for each in range(200)) + "] # " + "." * 100
    assert len(toml(many)["x"]) == 200
    assert toml("x = " + repr("a." * 20)) == {"x": "a." * 20}
    assert toml(f"x = [{'1.5, ' * 1_000}]", LONG_LINE) == {"x": [1.5] * 1_000}
    assert from_json('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}


@pytest.mark.parametrize(
    "line",
    [
        "[" + "a." * 31 + "a]\n" + "b = 1\n",
        "a." * 30 + "a = 1\n",
        "a = '" + "'" * 4_000 + "." * 40 + "\n",
        "a" * 4_000 + "." * 40 + "\n",
        '\\"' * 2_000 + "." * 40 + "\n",
    ],
)
def test_the_time_that_a_text_takes_is_bounded_by_its_length(line: str) -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        toml(line * (MIB // len(line)))
    assert time.process_time() - began < 10


@pytest.mark.parametrize("end", ["", ".part"])
def test_a_pipe_in_the_way_of_a_file_that_is_written_holds_nobody(tmp_path: Path, end: str) -> None:
    os.mkfifo(tmp_path / f"file{end}")
    atomic_write(tmp_path / "file", "Änne")
    assert read_text(tmp_path / "file", 5) == "Änne"
