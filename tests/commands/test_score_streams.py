"""``jackspot score`` when its streams fail or its files have awkward names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = b'rules = "hikone"\n---\nN red\n'
SCORE = (sys.executable, "-c", "from jackspot.commands import main; main()", "score")


def shell(
    words: str, *arguments: str | bytes, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run ``jackspot score "$@"`` with the redirections of ``words``."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {words}', "sh", *SCORE, *arguments],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture
def good(tmp_path: Path) -> str:
    file = tmp_path / "good.carom"
    file.write_bytes(GOOD)
    return str(file)


def test_a_closed_standard_input_is_told():
    result = shell("<&-", "-")
    assert result.returncode == 1
    assert result.stderr == b"-:1:1: cannot be read: standard input is closed\n"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_is_told_and_is_no_fault_of_the_record(form, good):
    result = shell(">/dev/full", *form, good)
    assert result.returncode == 2
    assert result.stderr == b"Error: cannot write the output: No space left on device\n"


def test_a_closed_standard_output_is_told(good):
    result = shell(">&-", "--json", good)
    assert result.returncode == 2
    assert result.stderr == b"Error: cannot write the output: standard output is closed\n"


def test_a_reader_that_has_seen_enough_gets_no_last_words(good):
    result = shell("| head -c 1", "--json", *[good] * 400)
    assert result.stdout == b"{"
    assert result.stderr == b""


def test_letters_that_the_terminal_has_not_are_spelled_out(tmp_path):
    file = tmp_path / "far.carom"
    file.write_text('rules = "hikone"\nevent = "彦根"\n---\nN red\n', encoding="utf-8")
    result = shell("", str(file), PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"\u5f66\u6839" in result.stdout


def test_a_file_name_that_is_no_utf8_still_makes_json(tmp_path):
    file = os.fsencode(tmp_path) + b"/\xff.carom"
    Path(os.fsdecode(file)).write_bytes(GOOD)
    result = shell("", "--json", file, file)
    first, second = (json.loads(line.decode("utf-8")) for line in result.stdout.splitlines())
    assert first == second
    assert os.fsencode(first["file"]) == file


def test_a_file_name_or_a_title_acts_on_no_terminal_and_breaks_no_line(tmp_path):
    bad = tmp_path / "a\nb\x1b[2J.carom"
    bad.write_bytes(b'rules = "hikone"\n---\nS red\n')
    result = shell("", str(bad))
    assert (
        result.stderr.decode() == f"{tmp_path}/a\\x0ab\\x1b[2J.carom:3:1: it is N's turn, not S's\n"
    )
    titled = tmp_path / "titled.carom"
    titled.write_bytes(b'rules = "hikone"\nevent = "\\u001b[2Jcup"\n---\nN red\n')
    assert shell("", str(titled)).stdout.splitlines()[0].endswith(b"hikone \xc2\xb7 \\x1b[2Jcup")
