"""The stages of an update in a root without packages: what goes wrong beside dpkg."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.update import stages
from jackspot.ops.update.plan import UpdateEnd, UpdateState

NAMES = ("jackspot-common", "jackspot")
STATE = UpdateState("1.1", "1.0", NAMES, (), "/journal.sqlite3", 1)


class Machine:
    """A root where dpkg is only noted; ``has`` is the version that is installed."""

    def __init__(self, root: Path) -> None:
        self.system = System(root)
        self.has = "1.0"
        for version in ("1.0", "1.1", "1.2"):
            folder = stages.packages_of(self.system, version)
            folder.mkdir(parents=True)
            for name in NAMES:
                (folder / f"{name}.deb").touch()

    def put(self, _system: System, debs: list[Path], _log: Path) -> None:
        self.has = debs[0].parent.name

    def go_on(self) -> UpdateEnd | None:
        return stages.go_on(self.system, print)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setattr(stages, "put_in_place", made.put)
    monkeypatch.setattr(stages, "_command", lambda *_words: None)
    return made


def test_what_is_damaged_but_backed_up_prevents_no_update(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def backs_up(system: System, *words: str) -> None:
        if words[0] == "backup":
            system.at(stages.BACKUP).touch()
            raise StepFailed("jackspot backup: only the entries before that are in the backup")

    monkeypatch.setattr(stages, "_command", backs_up)
    stages.begin(machine.system, STATE)
    assert (machine.go_on(), machine.has) == (UpdateEnd.UPDATED, "1.1")
    assert "only the entries before that" in capsys.readouterr().out


def test_without_a_backup_nothing_is_changed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(_system: System, *words: str) -> None:
        if words[0] == "backup":
            raise StepFailed("jackspot backup: no room")

    machine.system.at(stages.BACKUP).touch()
    monkeypatch.setattr(stages, "_command", cannot)
    stages.begin(machine.system, STATE)
    assert (machine.go_on(), machine.has) == (UpdateEnd.LEFT, "1.0")
    assert "no room" in stages.outcome(machine.system)[1]
