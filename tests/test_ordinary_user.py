"""`make test` relies on nothing in the environment and needs no root rights, for any user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FOR_ROOT, PATIENCE_S

ROOT = Path(__file__).parents[1]
PROBE = """
import os
import pytest

os.geteuid = lambda: 1000

@pytest.mark.needs_root
@pytest.mark.parametrize("number", [1, 2])
def test_that_mounts(number):
    raise AssertionError("started")

def test_that_looks():
    print(sorted(os.environ))
"""


@pytest.fixture
def probed(tmp_path: Path) -> list[str]:
    """Return the lines printed by a run of two tests, without root, with all kinds of variables."""
    probe = tmp_path / "test_probe.py"
    probe.write_text(PROBE, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = needs_root\n", encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider",
         "-p", "no:schemathesis", "--capture=no", f"--rootdir={tmp_path}",
         f"--config-file={tmp_path}/pytest.ini", str(probe)],
        env={"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT), "TERM": "x",
             "CI": "true", "COLUMNS": "200", "PIP_CERT": "x", "LANG": "de_DE", "JACKSPOT_A": "1"},
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout.splitlines()


def test_a_test_sees_no_variable_that_machines_differ_in(probed: list[str]) -> None:
    told = next(line[line.index("[") :] for line in probed if "'PATH'" in line)
    seen = {name.strip("' []") for name in told.rstrip(".").split(",")}
    assert {name for name in seen if not name.startswith("PYTEST_")} == {
        "PATH", "LC_ALL", "JACKSPOT_A"
    }  # fmt: skip


def test_what_needs_root_is_skipped_by_name_with_the_line_that_runs_it(probed: list[str]) -> None:
    start = next(n for n, line in enumerate(probed) if "skipped, since they need root" in line)
    assert probed[start + 1 : start + 4] == [
        "test_probe.py::test_that_mounts[1]",
        "test_probe.py::test_that_mounts[2]",
        f"To run them: {FOR_ROOT}",
    ]
