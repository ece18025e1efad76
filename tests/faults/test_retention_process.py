"""A running board that takes old names out: it rests for a moment and comes back by itself.

The wall clock of a test machine may not be synchronised, and nobody waits a day: both are said to
be so in the process, all else is the board's own.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.conftest import PATIENCE_S
from tests.faults.test_board_process import Manager
from tests.service.history.journals import Book

PROGRAM = """
    import sys
    from jackspot.commands import main, run
    from jackspot.service.forgetting import retention
    from jackspot.storage.wall import SystemWall

    SystemWall.synchronised = lambda self: True
    retention.QUIET_NS = 0
    daily, forget = run.Daily, run.forget_old
    starts = []

    def forget_old(journal, wall, days):
        # Nothing is old enough when the board starts, and everything a moment later.
        starts.append(journal)
        return forget(journal, wall, days) if len(starts) > 1 else 0

    run.forget_old = forget_old
    run.Daily = lambda *given: daily(*given, every_s=0.05)
    main()
"""


def test_a_board_rests_forgets_and_comes_back(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    with Book(journal) as book:
        book.match(names={"N": "Aiko"})
        book.line("N -")
        book.shelve()
    assert b"Aiko" in journal.read_bytes()
    config = tmp_path / "jackspot.toml"
    config.write_text(
        '[gpio]\nfactory = "mock"\n[web]\nenabled = false\n[oled]\ndriver = "none"\n'
        f'[journal]\npath = "{journal}"\n[people]\nforget_after_days = 30\n'
    )
    manager = Manager(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), "run", "--config", str(config)],
        env={"NOTIFY_SOCKET": str(tmp_path / "notify"), "PATH": "/usr/bin:/bin"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while manager.heard.count("READY=1") < 2:
            manager.heard.append(manager.socket.recv(200).decode())
        assert "STOPPING=1" not in manager.heard
        assert b"Aiko" not in journal.read_bytes()
        process.send_signal(signal.SIGTERM)
        manager.wait_for("STOPPING=1")
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.communicate()
