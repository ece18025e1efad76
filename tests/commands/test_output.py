"""Every command's output: unwritable, unread, and independent of the machine's variables.

Where buffering matters, a command runs in a process of its own with only a path set, so that its
output is buffered as it is for everybody.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.metadata import entry_points
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.commands import COMMANDS, GROUP, main
from jackspot.core.printable import acts
from tests.conftest import PATIENCE_S, thinned
from tests.history.journals import Book

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]
RECORD = str(ROOT / "tests/records/whole_match.carom")
JACKSPOT = (sys.executable, "-c", "from jackspot.commands import main; main()")
NOTHING_SET = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
FULL = "Error: cannot write the output: No space left on device\n"
EVERY = sorted({*COMMANDS, *(entry.name for entry in entry_points(group=GROUP))})

# Commands that print without a board and its pins. "JOURNAL" is one in which a match
# was played, RECORD a match record.
CALLS = (
    "--version",
    "--help",
    "backup --journal JOURNAL NEW.zip",
    "check-config",
    "doctor --journal JOURNAL --seconds 0",
    "doctor --journal JOURNAL --seconds 0 --json",
    "dump --journal JOURNAL",
    "forget --journal JOURNAL --dry-run Aiko",
    "history --journal JOURNAL",
    "history --journal JOURNAL show 1",
    "history --journal JOURNAL figures",
    "history --journal JOURNAL export --csv -",
    "history --journal JOURNAL export --json -",
    "learn --journal JOURNAL --dry-run",
    "rules",
    "rules kagw",
    "score RECORD",
    "score --json RECORD",
    "sim --fast --play RECORD",
    "soak --matches 1",
    "stick --journal JOURNAL FOLDER",
    "wiring",
    "wiring --json",
)
PRINTING = (*CALLS, *(f"{name} --help" for name in EVERY))
OFTEN = {
    "--version", "--help", "backup --journal JOURNAL NEW.zip", "check-config",
    "doctor --journal JOURNAL --seconds 0", "dump --journal JOURNAL", "history --journal JOURNAL",
    "score RECORD", "sim --fast --play RECORD", "sim --help",
}  # fmt: skip
"""One command for each way of printing; the others run in the long run."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite3"
    with Book(path) as book:
        book.play(Path(RECORD).read_text(encoding="utf-8"))
        book.shelve()
    return path


def jackspot(
    call: str, journal: Path, redirection: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with a shell's redirection."""
    folder = journal.parent
    names = {"RECORD": RECORD, "JOURNAL": journal, "NEW.zip": folder / "new.zip", "FOLDER": folder}
    words = [str(names.get(word, word)) for word in call.split()]
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *JACKSPOT, *words],
        env=NOTHING_SET | environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=3 * PATIENCE_S,  # some play a whole match
    )


@pytest.mark.parametrize("call", thinned(PRINTING, OFTEN))
def test_a_full_disk_is_told_in_one_line_and_by_the_status(call: str, journal: Path) -> None:
    ended = jackspot(call, journal, ">/dev/full")
    assert (ended.returncode, ended.stderr.splitlines(keepends=True)[-1:]) == (2, [FULL])
    assert "Traceback" not in ended.stderr
    assert "ignored" not in ended.stderr


@pytest.mark.parametrize("call", ["rules kagw", "score RECORD", "dump --journal JOURNAL"])
def test_a_full_disk_is_told_also_where_nothing_is_buffered(call: str, journal: Path) -> None:
    ended = jackspot(call, journal, ">/dev/full", PYTHONUNBUFFERED="1")
    assert (ended.returncode, ended.stderr) == (2, FULL)


CLOSED = "Error: cannot write the output: standard output is closed\n"


@pytest.mark.parametrize(
    "call",
    thinned(
        ("rules", "rules kagw", "check-config", "wiring", "score RECORD", "dump --journal JOURNAL",
         "history --journal JOURNAL", "--help"),
        {"rules", "score RECORD", "--help"},
    ),
)  # fmt: skip
def test_output_that_is_closed_is_told_as_a_full_disk_is(call: str, journal: Path) -> None:
    ended = jackspot(call, journal, ">&-")
    assert (ended.returncode, ended.stderr) == (2, CLOSED)


# Without UTF-8, Python reads a checkout's path in `.pth` files as ASCII, so it is set here.
ASCII_ONLY = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT / "firmware")}


@pytest.mark.parametrize("call", ["rules japan --lang ja", "history --journal JOURNAL --lang ja"])
@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, ASCII_ONLY])
def test_a_letter_that_the_terminal_has_not_is_written_escaped(
    call: str, variables: dict[str, str], journal: Path
) -> None:
    ended = jackspot(call, journal, "", LC_ALL="C", **variables)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\\u" in ended.stdout


@pytest.mark.parametrize("name", ["list", "show", "figures", "slip", "export"])
def test_help_needs_no_journal(name: str, journal: Path) -> None:
    journal.unlink()
    ended = jackspot(f"history --journal JOURNAL {name} --help", journal, "")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("call", "unbuffered"),
    thinned(
        product(("rules", "dump --journal JOURNAL", "--help", "score RECORD"), ("", "1")),
        {("rules", ""), ("dump --journal JOURNAL", "1"), ("--help", "1"), ("score RECORD", "")},
    ),
)
def test_a_reader_who_has_gone_hears_nothing(call: str, unbuffered: str, journal: Path) -> None:
    # The command begins only once nobody has the pipe open for reading.
    late = '{ sleep 0.2; "$@"; echo "status $?" >&2; } | exec true'
    ended = jackspot(call, journal, f"</dev/null >/dev/null; {late}", PYTHONUNBUFFERED=unbuffered)
    assert ended.stderr == "status 1\n"


@pytest.mark.parametrize(
    ("call", "status"), [("rules", 0), ("no-such-command", 2), ("dump --journal none", 1)]
)
def test_where_errors_cannot_be_told_the_status_is_the_commands_own(
    call: str, status: int, journal: Path
) -> None:
    assert jackspot(call, journal, "2>/dev/full").returncode == status


@pytest.mark.parametrize(
    "call",
    thinned(
        ("rules kagw", "wiring", "score RECORD", "history --journal JOURNAL", "--help"),
        {"rules kagw", "history --journal JOURNAL", "--help"},
    ),
)
def test_what_is_printed_depends_on_no_variable_of_python_or_of_a_login(
    call: str, journal: Path
) -> None:
    plain = jackspot(call, journal, "")
    assert (plain.returncode, plain.stderr) == (0, "")
    other = jackspot(
        call, journal, "", HOME="/nowhere", USER="aiko", LOGNAME="aiko", SHELL="/bin/false",
        PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="7",
        LANG="en_GB.UTF-8", CI="true",
    )  # fmt: skip
    assert (other.returncode, other.stdout, other.stderr) == (0, plain.stdout, "")


KNOWN = {"PATH", "SUDO_GID", "SUDO_UID", "SUDO_USER", "USER"}
"""Where programs are, and who called sudo; those of language and systemd are passed on whole."""


def test_the_product_reads_no_variable_but_the_few_that_are_meant() -> None:
    read = set()
    for path in [*(ROOT / "firmware").rglob("*.py"), *(ROOT / "sim").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get"),
                    args=[ast.Constant(value=name), *_],
                ):
                    read.add(name)
                case ast.Call(
                    func=ast.Attribute(attr="getenv"), args=[ast.Constant(value=name), *_]
                ):
                    read.add(name)
                case ast.Subscript(
                    value=ast.Attribute(attr="environ"), slice=ast.Constant(value=name)
                ):
                    read.add(name)
    assert read <= KNOWN


@pytest.mark.parametrize(
    "call",
    ["replay NAME", "import NAME", "score NAME", "sim --play NAME", "restore NAME",
     "check-config NAME", "history --journal NAME", "learn --journal NAME"],
)  # fmt: skip
def test_the_name_of_a_file_acts_on_no_terminal(call: str, tmp_path: Path) -> None:
    named = tmp_path / "a\x1b[2J\u202eb.carom"
    for content in (b"", b"\0rubbish", None):
        if content is None:
            named.unlink()
        else:
            named.write_bytes(content)
        ended = CliRunner().invoke(main, [str(named) if w == "NAME" else w for w in call.split()])
        assert ended.exit_code or not content
        assert not set("\x1b\u202e") & set(ended.output), (content, ended.output)


def test_records_go_into_a_folder_and_not_into_a_file(journal: Path) -> None:
    ended = jackspot("history --journal JOURNAL export --carom /dev/null", journal, "")
    assert ended.returncode == 1
    assert ended.stderr == "/dev/null: expected a folder, found a file; name a new folder\n"


HOSTILE = "A\u202eB\u2066\x1b[2J\x9b2J\u2028\U000e0041"
"""A name that reverses letters, clears a screen and breaks a line where a terminal acts on it."""
NAMING = (
    *(call for call in CALLS if "--version" not in call and "--help" not in call),
    "forget --journal JOURNAL --dry-run A",
    "forget --journal JOURNAL --dry-run NAME",
    "history --journal JOURNAL --json",
    "history --journal JOURNAL figures --json",
    "history --journal JOURNAL show 1 --json",
    "history --journal JOURNAL slip 1",
    "history --journal JOURNAL export --csv - --table players",
    "import --journal JOURNAL --dry-run UNFINISHED",
    "score --sum RECORD",
    "score --sum --json RECORD",
)


@pytest.mark.parametrize("call", thinned(NAMING, {*NAMING} - {"soak --matches 1"}))
def test_what_a_player_is_called_acts_on_no_terminal(call: str, tmp_path: Path) -> None:
    header = f'rules = "hikone"\n[names]\nN = {toml_text(HOSTILE)}\n---\n'
    played = tmp_path / "played.carom"
    played.write_text(f"{header}N red@NE\n! resign N\n", encoding="utf-8")
    unfinished = tmp_path / "unfinished.carom"
    unfinished.write_text(f"{header}N red@NE\n", encoding="utf-8")
    journal = tmp_path / "journal.sqlite3"
    with Book(journal) as book:
        book.play(played.read_text(encoding="utf-8"))
        book.shelve()
    names = {
        "RECORD": played, "UNFINISHED": unfinished, "JOURNAL": journal, "NAME": HOSTILE,
        "NEW.zip": tmp_path / "new.zip", "FOLDER": tmp_path,
    }  # fmt: skip
    ended = CliRunner().invoke(main, [str(names.get(word, word)) for word in call.split()])
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    said = ended.output
    assert "Traceback" not in said
    assert {each for each in said if acts(each)} <= {"\n", "\r", "\t"}, said
    assert not re.search(r"\r(?!\n)", said)


def toml_text(text: str) -> str:
    """Return a text in TOML with every character escaped."""
    return '"' + "".join(f"\\U{ord(each):08x}" for each in text) + '"'
