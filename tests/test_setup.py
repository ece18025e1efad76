"""Set-up from nothing, with stand-ins for Python, apt and sudo that record their calls.

No package is fetched and nothing of the machine is changed: the script runs in a copy of its
own with a path that holds only the stand-ins and the plain tools it uses.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("bash", "cat", "chmod", "cp", "cut", "dirname", "env", "flock", "grep", "mkdir", "rm")
MORE_TOOLS = ("sha256sum", "touch", "true")

# Python 3.11: answers what set-up asks it, makes an environment that holds a copy of itself.
PYTHON = """#!/bin/bash
echo "python $*" >>"$CALLS"
case "$*" in
    *"import ensurepip, venv"*) [ -e "$STATE/venv-package" ] ;;
    *version_info\\[:2\\]*) echo 3.11 ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *" -r "*) [ ! -e "$STATE/no-network" ] || exit 1 ;;
    -V | -VV) echo "Python 3.11.2" ;;
esac
"""
APT_GET = """#!/bin/bash
echo "apt-get $*" >>"$CALLS"
case "$*" in
    *install*python3.11-venv*) touch "$STATE/venv-package" ;;
    *install*chromium-headless-shell*)
        [ ! -e "$STATE/no-headless" ] && cp "$0" "${0%/*}/chromium-headless-shell" ;;
    *install*chromium*) cp "$0" "${0%/*}/chromium" ;;
    *install*dosfstools*) [ ! -e "$STATE/no-fat" ] || exit 100 ;;
esac
"""
SUDO = """#!/bin/bash
echo "sudo $*" >>"$CALLS"
[ "$1" = -n ] && shift
exec "$@"
"""
SUDO_WITH_PASSWORD = "#!/bin/bash\nexit 1\n"


@dataclass(frozen=True)
class Machine:
    """A machine that has only what the test gives it."""

    folder: Path

    def give(self, command: str, text: str) -> None:
        """Put a stand-in on the path."""
        path = self.folder / "bin" / command
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def state(self, name: str) -> Path:
        """Return the file that a stand-in looks at or leaves."""
        return self.folder / "state" / name

    def set_up(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the set-up as a plain user, or as root with ``user="0"``."""
        user = environment.pop("user", "1000")
        self.give("id", f"#!/bin/bash\necho {user}\n")
        (self.folder / "calls").write_text("", encoding="utf-8")
        return subprocess.run(
            [self.folder / "project" / ".ci" / "setup", *arguments],
            env={
                "PATH": str(self.folder / "bin"),
                "CALLS": str(self.folder / "calls"),
                "STATE": str(self.folder / "state"),
                **environment,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )

    def give_driver(self) -> None:
        """Set up to develop, with a Playwright whose driver starts."""
        assert self.set_up("dev").returncode == 0
        path = self.folder / "project/.venv/lib/python3.11/site-packages/playwright/driver/node"
        path.parent.mkdir(parents=True)
        path.write_text("#!/bin/bash\n", encoding="utf-8")
        path.chmod(0o755)

    def calls(self) -> str:
        """Return the calls of the stand-ins in the last run, one a line."""
        return (self.folder / "calls").read_text(encoding="utf-8")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a Debian machine with Python, venv and apt, and a fresh clone."""
    for name in ("bin", "state", "project/.ci"):
        (tmp_path / name).mkdir(parents=True)
    for tool in (*TOOLS, *MORE_TOOLS):
        if path := shutil.which(tool):
            (tmp_path / "bin" / tool).symlink_to(path)
    text = (ROOT / ".ci" / "setup").read_text(encoding="utf-8")
    script = tmp_path / "project" / ".ci" / "setup"
    script.write_text(text.replace("/usr/sbin", str(tmp_path / "sbin")), encoding="utf-8")
    script.chmod(0o755)
    for name in ("pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        (tmp_path / "project" / name).write_text(name, encoding="utf-8")
    machine = Machine(tmp_path)
    machine.give("python3", PYTHON)
    machine.give("apt-get", APT_GET)
    machine.state("venv-package").touch()
    return machine


def test_set_up_installs_from_the_lock_with_hashes_and_then_has_nothing_to_do(
    machine: Machine,
) -> None:
    first = machine.set_up("run")
    assert first.returncode == 0, first.stderr
    assert "--require-hashes -r requirements.lock" in machine.calls()
    assert "--no-build-isolation --no-deps --editable ." in machine.calls()
    again = machine.set_up("run")
    assert (again.returncode, again.stdout) == (0, "")
    assert "pip install" not in machine.calls()
    assert "-m pip" not in machine.calls()


def test_a_changed_lock_is_installed(machine: Machine) -> None:
    machine.set_up("run")
    (machine.folder / "project" / "requirements.lock").write_text("newer", encoding="utf-8")
    assert machine.set_up("run").returncode == 0
    assert "-r requirements.lock" in machine.calls()
    assert "-m venv" not in machine.calls()


def test_what_is_set_up_to_work_on_it_is_also_set_up_to_run(machine: Machine) -> None:
    machine.set_up("dev")
    assert "-r requirements-dev.lock" in machine.calls()
    machine.set_up("run")
    assert "-m pip" not in machine.calls()


def test_an_installation_that_broke_off_is_begun_anew(machine: Machine) -> None:
    machine.state("no-network").touch()
    assert machine.set_up("run").returncode != 0
    machine.state("no-network").unlink()
    assert machine.set_up("run").returncode == 0
    assert "-m venv" in machine.calls()
    assert "-r requirements.lock" in machine.calls()


def test_a_folder_that_was_moved_is_set_up_anew(machine: Machine) -> None:
    machine.set_up("run")
    (machine.folder / "project").rename(machine.folder / "moved")
    (machine.folder / "project").symlink_to("moved")
    assert machine.set_up("run").returncode == 0
    assert "-m venv" in machine.calls()


def test_without_venv_root_gets_it_from_apt(machine: Machine) -> None:
    machine.state("venv-package").unlink()
    assert machine.set_up("run", user="0").returncode == 0
    assert "install --no-install-recommends python3.11-venv" in machine.calls()
    assert "sudo" not in machine.calls()


def test_without_venv_passwordless_sudo_gets_it_from_apt(machine: Machine) -> None:
    machine.state("venv-package").unlink()
    machine.give("sudo", SUDO)
    assert machine.set_up("run").returncode == 0
    assert "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get" in machine.calls()


@pytest.mark.parametrize(
    ("sudo", "line"),
    [
        (
            SUDO_WITH_PASSWORD,
            "    sudo apt-get update && sudo apt-get install -y python3.11-venv",
        ),
        (None, "    su -c 'apt-get update && apt-get install -y python3.11-venv'"),
    ],
)
def test_without_venv_and_rights_the_one_line_to_type_is_printed(
    machine: Machine, sudo: str | None, line: str
) -> None:
    machine.state("venv-package").unlink()
    if sudo:
        machine.give("sudo", sudo)
    ended = machine.set_up("run")
    assert ended.returncode != 0
    assert line in ended.stderr.splitlines()
    assert "apt-get" not in machine.calls()
    assert not (machine.folder / "project" / ".venv").exists()


def test_to_run_takes_no_browser_and_to_test_brings_one(machine: Machine) -> None:
    machine.set_up("run", user="0")
    assert "apt-get" not in machine.calls()
    assert machine.set_up("dev", "browser", user="0").returncode == 0
    assert "install --no-install-recommends chromium-headless-shell" in machine.calls()
    assert "install --no-install-recommends chromium " not in machine.calls()
    machine.set_up("dev", "browser", user="0")
    assert "chromium" not in machine.calls()


def test_where_there_is_no_browser_without_windows_the_whole_one_does(machine: Machine) -> None:
    machine.give_driver()
    machine.state("no-headless").touch()
    assert machine.set_up("dev", "browser", user="0").returncode == 0
    assert "install --no-install-recommends chromium\n" in machine.calls()
    assert machine.set_up("dev", "browser", user="0").returncode == 0
    assert "chromium" not in machine.calls()


@pytest.mark.parametrize("sudo", [SUDO_WITH_PASSWORD, None])
def test_nobody_types_a_password_for_a_quicker_browser(machine: Machine, sudo: str | None) -> None:
    machine.give_driver()
    machine.give("chromium", APT_GET)
    if sudo:
        machine.give("sudo", sudo)
    assert machine.set_up("dev", "browser").returncode == 0
    assert "apt-get" not in machine.calls()


def test_what_formats_a_stick_is_asked_for_once_and_done_without(machine: Machine) -> None:
    machine.give_driver()
    machine.state("no-fat").touch()
    first = machine.set_up("dev", "browser", user="0")
    assert first.returncode == 0
    assert "install --no-install-recommends dosfstools" in machine.calls()
    assert "install --no-install-recommends e2fsprogs" in machine.calls()
    assert "apt could not install dosfstools; the tests do without it" in first.stdout
    assert machine.set_up("dev", "browser", user="0").returncode == 0
    assert "dosfstools" not in machine.calls()


def test_what_formats_a_stick_is_found_where_an_ordinary_users_path_does_not_lead(
    machine: Machine,
) -> None:
    machine.give_driver()
    (machine.folder / "sbin").mkdir()
    for program in ("mkfs.vfat", "mke2fs"):
        shutil.copy(machine.folder / "bin" / "apt-get", machine.folder / "sbin" / program)
    assert machine.set_up("dev", "browser", user="0").returncode == 0
    assert "dosfstools" not in machine.calls()
    assert "e2fsprogs" not in machine.calls()


def test_a_browser_that_was_named_is_the_one(machine: Machine) -> None:
    machine.give("my-browser", APT_GET)
    ended = machine.set_up("dev", "browser", user="0", JACKSPOT_BROWSER="my-browser")
    assert ended.returncode == 0
    assert "chromium" not in machine.calls()


def test_more_than_one_thing_can_be_asked_for_beside_the_packages(machine: Machine) -> None:
    assert machine.set_up("dev", "browser", "hardware", user="0").returncode == 0
    assert "install --no-install-recommends chromium-headless-shell" in machine.calls()
    assert "install --no-install-recommends graphviz" in machine.calls()


APT_CACHE = """#!/bin/bash
echo " $2 | 6.0.11+dfsg-1 | http://mirror.invalid/debian bookworm/main amd64 Packages"
echo " $2 | $(cat "$STATE/newer") | http://deb.example bookworm-backports/main amd64 Packages"
"""


def test_kicad_comes_from_where_its_version_9_is_and_from_nowhere_else(machine: Machine) -> None:
    machine.give("apt-cache", APT_CACHE)
    machine.state("newer").write_text("7.0.9-1~bpo12+1", encoding="utf-8")
    assert machine.set_up("dev", "hardware", user="0").returncode == 0
    assert "kicad" not in machine.calls()
    machine.state("newer").write_text("9.0.8+dfsg-1~bpo12+1", encoding="utf-8")
    assert machine.set_up("dev", "hardware", user="0").returncode == 0
    assert "install --no-install-recommends -t bookworm-backports kicad" in machine.calls()
    assert machine.set_up("dev", "hardware", user="0").returncode == 0
    assert "kicad" not in machine.calls()


def test_an_interpreter_that_was_asked_for_and_does_not_start_is_named(machine: Machine) -> None:
    ended = machine.set_up("run", PYTHON="python3.99")
    assert ended.returncode != 0
    assert "PYTHON=python3.99 does not start or is older than Python 3.11" in ended.stderr


def test_an_interpreter_that_is_too_old_is_passed_over(machine: Machine) -> None:
    machine.give("python3.13", "#!/bin/bash\nexit 1\n")
    assert machine.set_up("run").returncode == 0


def test_without_any_python_set_up_says_what_is_needed(machine: Machine) -> None:
    (machine.folder / "bin" / "python3").unlink()
    ended = machine.set_up("run")
    assert ended.returncode != 0
    assert "Jackspot needs Python 3.11 or later" in ended.stderr


def test_set_up_is_quiet_one_line_says_that_it_runs(machine: Machine) -> None:
    ended = machine.set_up("run")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "==> Setting up Jackspot in .venv, once\n"


def test_a_set_up_that_fails_names_its_log_and_shows_where_it_ends(machine: Machine) -> None:
    machine.give("python3", PYTHON.replace("|| exit 1", '|| { echo "no route"; exit 1; }'))
    machine.state("no-network").touch()
    ended = machine.set_up("run")
    assert ended.returncode == 1
    said = "The packages of requirements.lock could not be installed. All of it is in"
    assert ended.stderr.startswith(f"{said} .cache/setup.log, which ends:\n\nno route\n")
    log = machine.folder / "project/.cache/setup.log"
    assert log.read_text(encoding="utf-8").endswith("no route\n")
    machine.state("no-network").unlink()
    assert machine.set_up("run").returncode == 0, "what was mended is done over"
