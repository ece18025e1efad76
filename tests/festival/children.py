"""Processes of a test that may end by SIGKILL: quick to start, and gone once the test is."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing import connection, forkserver
from multiprocessing.process import BaseProcess
from unittest.mock import patch


def begun(does: Callable[..., object], *given: object) -> BaseProcess:
    """Start a process that does this. Its modules were imported once, for all of them."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.festival.hub", "tests.festival.linked"])
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)):
        forkserver.ensure_running()
    process = context.Process(target=does, args=given, daemon=True)
    process.start()
    return process


def waits(seconds: float) -> bool:
    """Let time pass in such a process; return False once its test is gone."""
    test = multiprocessing.parent_process()
    assert test is not None
    return not connection.wait([test.sentinel], seconds)


def killed(process: BaseProcess) -> None:
    """End a process by SIGKILL."""
    process.kill()
    process.join()
    process.close()
