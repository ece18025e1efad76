"""Files that somebody else put there: regular ones are read, others refused at once."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from jackspot.files import NotRegular, TooLong, open_regular, read_bytes, read_text


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
