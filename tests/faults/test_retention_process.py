"""A running board that removes old names: it rests for a moment and comes back on its own.

The wall clock of a test machine may not be synchronised, and nobody waits a day. The process is
told that the clock is and that a day has passed; everything else is the board's own.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.conftest import PATIENCE_S
from tests.faults.test_board_process import Manager
from tests.history.journals import Book

PROGRAM = """
    import sys
    from jackspot.commands import main
    from jackspot.ops.forgetting import retention
    from jackspot.storage.wall_clock import SystemWall

    SystemWall.synchronised = lambda self: True
    retention.QUIET_NS = 0
    daily, forget = retention.Daily, retention.forget_old
    starts = []

    def forget_old(journal, wall, days):
        # Nothing is old enough when the board starts, and everything a moment later.
        starts.append(journal)
        return forget(journal, wall, days) if len(starts) > 1 else 0

    retention.forget_old = forget_old
    retention.Daily = lambda *given: daily(*given, every_s=0.05)
    main()
"""


def started(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """Start a board whose journal has an old name in it."""
    with Book(folder / "journal.sqlite3") as book:
        book.match(names={"N": "Aiko"})
        book.line("N -")
        book.shelve()
    assert names_somebody(folder)
    config = folder / "jackspot.toml"
    config.write_text(
        '[gpio]\nfactory = "mock"\n[web]\nenabled = false\n[oled]\ndriver = "none"\n'
        f'[journal]\npath = "{folder / "journal.sqlite3"}"\n[people]\nforget_after_days = 30\n'
    )
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    return subprocess.Popen(
        [*program, "run", "--verbose", "--config", str(config)],
        env={"PATH": "/usr/bin:/bin", **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


def names_somebody(folder: Path) -> bool:
    return b"Aiko" in (folder / "journal.sqlite3").read_bytes()


def test_a_board_rests_forgets_and_comes_back(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        assert process.stderr is not None
        said = next(line for line in process.stderr if "names older" in line)
        assert "from 2 entries" in said
        assert not names_somebody(tmp_path)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


def test_under_a_service_manager_it_ends_and_is_started_again(tmp_path: Path) -> None:
    manager = Manager(tmp_path)
    with started(tmp_path, NOTIFY_SOCKET=str(tmp_path / "notify")) as process:
        manager.wait_for("STOPPING=1")
        process.communicate(timeout=PATIENCE_S)
    manager.socket.close()
    assert process.returncode == 0
    assert names_somebody(tmp_path)  # the name goes at the next start, which has time for it
