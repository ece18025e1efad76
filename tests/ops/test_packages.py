"""The Debian packages, as far as their sources show.

`make deb` and `make deb-test` check that they build, install, upgrade and can be removed.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement

from jackspot.commands import install
from jackspot.ops.install import program
from jackspot.ops.install.plan import APTS_UNIT, CARRIED, CONFIG
from jackspot.ops.update import stages
from tests.ops.test_install import contents
from tests.test_repository import project

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "systemd" / "debian"
HOLDS = {
    "jackspot-common": ("firmware/jackspot", "sim/jackspot_sim"),
    "jackspot": (),
    "jackspot-hub": ("firmware/jackspot_hub",),
}
"""Each package, and where its Python files come from."""
OF_DEBIAN = {"pillow": "python3-pil", "pyserial": "python3-serial"}
"""Projects whose name in Debian is not python3- and their own."""
OF_MODULE = {
    "PIL": "python3-pil",
    "RPi": "python3-rpi-lgpio",
    "luma": "python3-luma.oled",
    "paho": "python3-paho-mqtt",
    "pydantic_core": "python3-pydantic",
    "typing_extensions": "python3-typing-extensions",
}
"""Modules whose package in Debian is not python3- and their own name."""
CARRIED_ALONG = {"vcd"}
NOT_NEEDED = {"babel", "pymunk"}
"""Translators need Babel; without pymunk, which Debian lacks, no striker is simulated."""
OWN = {"jackspot", "jackspot_hub", "jackspot_sim", "sensor_hub"}


def fields(package: str) -> dict[str, str]:
    """Return the fields of a package in debian/control."""
    text = (FOLDER / "control").read_text(encoding="utf-8")
    [paragraph] = [each for each in text.split("\n\n") if f"\nPackage: {package}\n" in f"\n{each}"]
    return dict(re.findall(r"^([A-Za-z-]+):((?:.*\n?)(?:^ .*\n?)*)", paragraph, re.MULTILINE))


def wanted(package: str, *kinds: str) -> dict[str, str]:
    """Return the packages that a package asks for, each with its lower bound or nothing."""
    found = {}
    for kind in kinds or ("Depends",):
        for each in re.split(r"[,|]", fields(package).get(kind, "")):
            if match := re.fullmatch(r"\s*([a-z0-9][a-z0-9+.-]*)(?: \(>= ([^)]+)\))?\s*", each):
                found[match[1]] = match[2] or ""
    return found


def debians(requirement: Requirement) -> str:
    """Return the name of a project's package in Debian."""
    name = requirement.name.lower()
    return OF_DEBIAN.get(name, f"python3-{name.replace('_', '-')}")


def imported(folder: str) -> Iterator[str]:
    """Yield the top-level name of each module that the files of a folder import."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield str(node.module).partition(".")[0]


def bound(requirement: Requirement) -> str:
    """Return the oldest version that a requirement takes."""
    return str(requirement.specifier).partition(",")[0].removeprefix(">=")


def test_what_the_project_asks_for_is_asked_of_debian_with_the_same_oldest_version() -> None:
    table = project()["project"]
    asked = {key: value for package in HOLDS for key, value in wanted(package).items()}
    asked |= wanted("jackspot", "Recommends", "Suggests")
    optional = table["optional-dependencies"]
    lines = [*table["dependencies"], *optional["hub"], *optional["pi"], *optional["matrix"]]
    expected = {debians(each): bound(each) for each in map(Requirement, lines)}
    del expected["python3-pyvcd"]  # carried along, since Debian does not have it
    expected["python3-rpi-lgpio"] = ""  # or RPi.GPIO: Debian's own versions are not known
    pythons = {key: value for key, value in asked.items() if key.startswith("python3-")}
    assert pythons.pop("python3-rpi.gpio") == ""
    assert pythons == expected


@pytest.mark.parametrize("package", HOLDS)
def test_each_package_asks_for_what_its_files_import(package: str) -> None:
    """Shared code has parts that only a board or only a hub opens; their needs come with either."""
    found = {module for folder in HOLDS[package] for module in imported(folder)}
    others = found - set(sys.stdlib_module_names) - OWN - CARRIED_ALONG - NOT_NEEDED
    there = {*wanted(package), *wanted("jackspot-common")}
    if package == "jackspot-common":
        there |= {*wanted("jackspot", "Depends", "Recommends"), *wanted("jackspot-hub")}
    asked = {OF_MODULE.get(module, f"python3-{module}") for module in others}
    assert asked - there == set()


def test_what_a_hub_imports_is_there_without_the_board() -> None:
    """So a hub runs on any Debian 13, even where no GPIO library is available."""
    board = {"gpiozero", "lgpio", "luma", "RPi", "serial", "smbus2", "spidev", "pymunk", "babel"}
    code = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {board!r}:
            raise ImportError(name)
sys.meta_path.insert(0, Absent())
import jackspot.commands.hub, jackspot_hub.command, jackspot_hub.upkeep.command
print(*sorted({{each.partition(".")[0] for each in sys.modules}}))
"""
    paths = os.pathsep.join(str(ROOT / each) for each in ("firmware", "sim"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not set(done.stdout.split()) & board


def test_all_files_of_the_program_are_in_one_package_each() -> None:
    placed = [
        (line.rpartition("/")[2], path.name)
        for path in sorted(FOLDER.glob("*.install"))
        for line in path.read_text(encoding="utf-8").split()
    ]
    names = [name for name, _file in placed]
    assert sorted(names) == sorted([*OWN, *CARRIED_ALONG, "jackspot", "jackspot-*.dist-info"])
    for package, folders in HOLDS.items():
        for folder in folders:
            assert (Path(folder).name, f"{package}.install") in placed


def test_the_files_for_systemd_and_udev_are_those_that_make_install_uses() -> None:
    rules = (FOLDER / "rules").read_text(encoding="utf-8")
    boards = [each for place, each in CARRIED.items() if place != CONFIG]
    offered = ["jackspot-offered.path", "jackspot-offered.service"]  # `make install` updates by git
    for name in [*boards, *offered, "jackspot-hub.service"]:
        assert rules.count(f"systemd/{name} ") == 1, name


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.p*")), ids=lambda path: path.name)
def test_a_maintainer_script_is_a_script_and_has_debhelpers_part(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n")
    assert "\nset -e\n" in text
    assert text.count("#DEBHELPER#") == 1
    assert subprocess.run(["sh", "-n", script], check=False).returncode == 0


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.p*")), ids=lambda path: path.name)
def test_a_maintainer_script_asks_systemd_by_what_asks_the_machines_policy_first(
    script: Path,
) -> None:
    lines = script.read_text(encoding="utf-8").splitlines()
    assert not [
        line for line in lines if re.search(r"(^|[^/\w-])systemctl ", line) and "echo" not in line
    ]


def run_script(root: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a maintainer script on a root, as dpkg does."""
    return subprocess.run(
        ["sh", FOLDER / script, *words],
        env=os.environ | {"DPKG_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_pins_are_the_boards_before_the_package_starts_it() -> None:
    script = (FOLDER / "jackspot.postinst").read_text(encoding="utf-8")
    steps = ("udevadm control --reload", "udevadm trigger", "udevadm settle", "#DEBHELPER#")
    assert sorted(steps, key=script.index) == list(steps)


@pytest.mark.parametrize(
    ("script", "place", "remedy"),
    [
        ("jackspot.preinst", "etc/systemd/system/jackspot.service",
         "sudo /opt/jackspot/bin/jackspot uninstall"),
        ("jackspot-hub.preinst", "etc/systemd/system/jackspot-hub.service.d/event.conf",
         "sudo /opt/jackspot/bin/jackspot hub uninstall"),
    ],
)  # fmt: skip
def test_a_package_is_refused_where_make_install_was_and_says_what_to_do(
    tmp_path: Path, script: str, place: str, remedy: str
) -> None:
    assert run_script(tmp_path, script, "install").returncode == 0
    unit = tmp_path / place
    unit.parent.mkdir(parents=True)
    unit.write_text("[Service]\nExecStart=/opt/jackspot/bin/jackspot run\n", encoding="utf-8")
    done = run_script(tmp_path, script, "install")
    assert done.returncode == 1
    assert remedy in done.stderr
    unit.write_text("[Service]\nExecStart=/usr/bin/jackspot run\n", encoding="utf-8")
    assert run_script(tmp_path, script, "upgrade", "0.1.0").returncode == 0


def test_settings_are_an_example_at_first_and_then_the_owners(tmp_path: Path) -> None:
    example = tmp_path / program.APTS_HOME.lstrip("/") / "jackspot/ops/install/files/jackspot.toml"
    example.parent.mkdir(parents=True)
    shutil.copy(ROOT / "systemd" / "jackspot.toml", example)
    config = tmp_path / CONFIG.lstrip("/")
    assert run_script(tmp_path, "jackspot.postinst", "configure", "").returncode == 0
    assert config.read_bytes() == example.read_bytes()
    config.write_text("# mine\n", encoding="utf-8")
    for before in ("0.0.1", ""):
        assert run_script(tmp_path, "jackspot.postinst", "configure", before).returncode == 0
        assert config.read_text(encoding="utf-8") == "# mine\n"
    config.unlink()
    assert run_script(tmp_path, "jackspot.postinst", "configure", "0.0.1").returncode == 0
    assert not config.exists(), "what the owner removed does not come back"


@pytest.mark.parametrize(
    ("script", "state", "backup"),
    [
        ("jackspot.postrm", "var/lib/jackspot", "jackspot.tar.gz"),
        ("jackspot-hub.postrm", "var/lib/jackspot-hub", "jackspot-hub.tar.gz"),
    ],
)
def test_what_was_played_stays_at_removal_and_is_in_the_backup_that_a_purge_names(
    tmp_path: Path, script: str, state: str, backup: str
) -> None:
    (tmp_path / "var/backups").mkdir(parents=True)
    journal = tmp_path / state / "journal.sqlite3"
    journal.parent.mkdir(parents=True)
    journal.write_text("what was played", encoding="utf-8")
    kept = run_script(tmp_path, script, "remove")
    assert journal.exists()
    assert str(journal.parent) in kept.stdout
    purged = run_script(tmp_path, script, "purge")
    assert purged.returncode == 0, purged.stderr
    assert not journal.parent.exists()
    last = tmp_path / "var/backups" / backup
    assert str(last) in purged.stdout
    assert last.stat().st_mode & 0o077 == 0
    with tarfile.open(last) as archive:
        file = archive.extractfile(f"{journal.parent.name}/journal.sqlite3")
        assert file is not None
        assert file.read() == b"what was played"
    again = run_script(tmp_path, script, "purge")
    assert (again.returncode, again.stdout) == (0, "")


def test_a_purge_keeps_all_of_a_damaged_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    program = '#!/bin/sh\necho "the good part" >"$2"\nexit 1\n'
    (tools / "jackspot").write_text(program, encoding="utf-8")
    (tools / "jackspot").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    journal = tmp_path / "var/lib/jackspot/journal.sqlite3"
    for folder in (journal.parent, tmp_path / "var/backups"):
        folder.mkdir(parents=True)
    journal.write_text("damaged", encoding="utf-8")
    os.utime(journal, (0, 0))
    assert (
        "no whole backup could be made" in run_script(tmp_path, "jackspot.prerm", "remove").stderr
    )
    assert list((tmp_path / "var/backups").iterdir()) == []
    assert run_script(tmp_path, "jackspot.postrm", "purge").returncode == 0
    with tarfile.open(tmp_path / "var/backups/jackspot.tar.gz") as archive:
        assert "jackspot/journal.sqlite3" in archive.getnames()


@pytest.mark.parametrize("written", ["journal.sqlite3", "journal.sqlite3-wal"])
def test_a_purge_keeps_what_was_played_after_the_last_backup(tmp_path: Path, written: str) -> None:
    state, backups = tmp_path / "var/lib/jackspot", tmp_path / "var/backups"
    for folder in (state, backups):
        folder.mkdir(parents=True)
    for number, file in enumerate([state / "journal.sqlite3", state / "journal.sqlite3-wal"]):
        file.write_text("what was played", encoding="utf-8")
        os.utime(file, (number, number))
    (backups / "jackspot.zip").touch()
    os.utime(backups / "jackspot.zip", (10, 10))
    os.utime(state / written, (20, 20))
    assert run_script(tmp_path, "jackspot.postrm", "purge").returncode == 0
    with tarfile.open(backups / "jackspot.tar.gz") as archive:
        assert f"jackspot/{written}" in archive.getnames()


def test_a_purge_takes_what_updates_have_kept_and_a_removal_leaves_it(tmp_path: Path) -> None:
    kept = tmp_path / stages.FOLDER.lstrip("/") / "packages"
    unit = tmp_path / "etc/systemd/system" / stages.UNIT_FILE
    link = unit.parent / "multi-user.target.wants" / unit.name
    for folder in (kept, link.parent):
        folder.mkdir(parents=True)
    unit.touch()
    link.symlink_to(f"/etc/systemd/system/{unit.name}")
    assert run_script(tmp_path, "jackspot-common.postrm", "remove").returncode == 0
    assert kept.exists()
    assert run_script(tmp_path, "jackspot-common.postrm", "purge").returncode == 0
    assert not kept.parent.exists()
    assert not unit.exists()
    assert not link.is_symlink()


def test_the_packages_version_is_that_of_the_project_and_their_date_the_commits() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    done = subprocess.run(
        [ROOT / ".ci" / "deb", "changelog"], capture_output=True, text=True, check=False
    )
    if done.returncode and "dubious ownership" in done.stderr:
        pytest.skip("the clone is somebody else's")
    assert done.returncode == 0, done.stderr
    match = re.match(r"jackspot \(([^)~]+)(~\d{14}\.[0-9a-f]{8})?\) ", done.stdout)
    assert match is not None
    assert match[1] == project()["project"]["version"]
    assert not (FOLDER / "changelog").exists(), "it is made of pyproject.toml and the commit"


@pytest.fixture
def from_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a root on which this runs from apt's packages, including the board's."""
    monkeypatch.setattr(program, "APTS_HOME", str(ROOT / "firmware"))
    monkeypatch.setattr(install, "find_checkout", lambda: None)
    for place in ("etc", "boot/firmware", APTS_UNIT.lstrip("/")):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "boot/firmware/config.txt").write_text("", encoding="utf-8")
    return tmp_path


def test_apts_board_installs_what_apt_does_not_do(from_apt: Path) -> None:
    before = contents(from_apt)
    done = CliRunner().invoke(install.command, [f"--root={from_apt}", "--dry-run"])
    assert done.exit_code == 0, done.output
    todo = re.findall(r"^-> +(\w+)", done.stdout, re.MULTILINE)
    assert todo == ["settings", "I2C", "start"]
    assert contents(from_apt) == before


def test_where_apt_has_only_the_hub_the_boards_package_is_named(from_apt: Path) -> None:
    (from_apt / APTS_UNIT.lstrip("/")).rmdir()
    done = CliRunner().invoke(install.command, [f"--root={from_apt}", "--dry-run"])
    assert done.exit_code == 1
    assert "sudo apt-get install jackspot" in done.stderr


@pytest.mark.parametrize("word", ["remove", "purge"])
def test_apts_board_is_taken_off_by_apt(from_apt: Path, word: str) -> None:
    more = ["--purge"] if word == "purge" else []
    done = CliRunner().invoke(install.uninstall, [f"--root={from_apt}", "--yes", *more])
    assert done.exit_code == 1
    assert f"sudo apt-get {word} jackspot" in done.stderr


def test_make_install_is_refused_where_apt_has_the_program(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / program.APTS_HOME.lstrip("/") / "jackspot").mkdir(parents=True)
    done = CliRunner().invoke(install.command, [f"--root={tmp_path}", "--dry-run"])
    assert done.exit_code == 1
    assert "sudo apt-get remove jackspot jackspot-hub jackspot-common" in done.stderr
