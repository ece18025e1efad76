"""What holds for the repository as a whole: its locks, its text, and what it carries.

A clone must set itself up anywhere: the locks name every file by its hash and no package
index, and nothing tracked mentions one person's machine.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest.assertion import rewrite
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import compile_one, compiled, each_of

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock")
GPIO_LIBRARIES = frozenset({"lgpio", "rpi-lgpio", "rpi-gpio", "pigpio", "spidev"})

# Written in two parts, so that this file does not contain what it looks for.
INDEXES = ("pypi" + ".org", "python" + "hosted.org", "npm" + "js.", "piwheels" + ".org")
MACHINE_PATHS = re.compile(r"(?<![\w.~-])/(?:root|work|home/[a-z]\w*)(?:/|\b)(?!\.\.\.)")


def tracked_files() -> list[Path]:
    """Return the files that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached"], cwd=ROOT, capture_output=True, check=True
    )
    return [
        path
        for name in listed.stdout.decode().split("\0")
        if name and (path := ROOT / name).is_file()
    ]


def text_of(path: Path) -> str:
    """Return a file's text, or nothing if it is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def indexes_named(text: str) -> list[str]:
    """Return the package indexes, and the options that would name one, in a text."""
    found = [index for index in INDEXES if index in text]
    return found + re.findall(r"^\s*(--(?:extra-)?index-url|--find-links|-i) ", text, re.MULTILINE)


def machine_paths(text: str) -> list[str]:
    """Return the paths in a text that exist on one person's machine only."""
    return MACHINE_PATHS.findall(text)


def locked(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Return name, version and hashes of each package in a lock."""
    for entry in re.split(r"\n(?=[A-Za-z])", text):
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", entry):
            yield (
                canonicalize_name(match[1]),
                match[2],
                re.findall(r"--hash=sha256:([0-9a-f]{64})\b", entry),
            )


def project() -> dict[str, Any]:
    """Return pyproject.toml as it was parsed."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def required(*, extra: str | None) -> list[Requirement]:
    """Return what pyproject.toml asks for: to run, or to run and for one extra."""
    table = project()
    wanted = list(table["project"]["dependencies"]) + list(table["dependency-groups"]["setup"])
    if extra:
        wanted += table["project"]["optional-dependencies"][extra]
    return [Requirement(line) for line in wanted]


def test_no_tracked_file_names_a_package_index() -> None:
    found = {
        str(path.relative_to(ROOT)): indexes
        for path in tracked_files()
        if (indexes := indexes_named(text_of(path)))
    }
    assert found == {}


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    found = {
        str(path.relative_to(ROOT)): paths
        for path in tracked_files()
        if path != Path(__file__).resolve() and (paths := machine_paths(text_of(path)))
    }
    assert found == {}


def test_no_tracked_file_is_larger_than_a_megabyte() -> None:
    large = [str(path) for path in tracked_files() if path.stat().st_size > 1_000_000]
    assert large == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_a_version_and_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    packages = list(locked(text))
    lines = [line for line in text.splitlines() if line and line[0] not in " #"]
    assert len(packages) == len(lines) > 10
    assert [name for name, _version, hashes in packages if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_locks_leave_the_gpio_libraries_to_the_board(lock: str) -> None:
    names = {name for name, _version, _hashes in locked((ROOT / lock).read_text(encoding="utf-8"))}
    assert names & GPIO_LIBRARIES == set()


@pytest.mark.parametrize(
    ("lock", "extra"),
    [(LOCKS[0], None), (LOCKS[0], "hub"), (LOCKS[1], "dev"), (LOCKS[1], "drawings")],
)
def test_a_lock_holds_what_the_project_asks_for(lock: str, extra: str | None) -> None:
    versions = {
        name: version
        for name, version, _hashes in locked((ROOT / lock).read_text(encoding="utf-8"))
    }
    missing = [
        str(requirement)
        for requirement in required(extra=extra)
        if not requirement.specifier.contains(
            versions.get(canonicalize_name(requirement.name), "0"), prereleases=True
        )
    ]
    assert missing == [], f"run `make lock`: {lock} does not fit pyproject.toml"


PACKAGES = {
    "jackspot": ROOT / "firmware" / "jackspot",
    "jackspot_sim": ROOT / "sim" / "jackspot_sim",
}


def test_every_tracked_file_of_a_package_is_installed_with_it() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]
    tracked = tracked_files()
    forgotten = [
        str(path.relative_to(ROOT))
        for name, folder in PACKAGES.items()
        for path in not_installed(tracked, folder, patterns[name])
    ]
    assert forgotten == [], "name them under [tool.setuptools.package-data] or add __init__.py"


def not_installed(paths: Iterable[Path], folder: Path, patterns: list[str]) -> list[Path]:
    """Return the files in the package's ``folder`` that are neither modules of it nor its data."""
    data = {path for pattern in patterns for path in folder.glob(pattern)}
    return [
        path
        for path in paths
        if path.is_relative_to(folder)
        and not ((path.parent / "__init__.py").exists() if path.suffix == ".py" else path in data)
    ]


def test_a_file_that_would_not_be_installed_is_found(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    names = ("__init__.py", "web/table.js", "web/table.xcf", "web/loose.py")
    for name in names:
        (tmp_path / name).touch()
    found = not_installed([tmp_path / name for name in names], tmp_path, ["**/*.js"])
    assert found == [tmp_path / "web/table.xcf", tmp_path / "web/loose.py"]


def test_both_locks_agree_on_what_runs() -> None:
    run, dev = (set_of(lock) for lock in LOCKS)
    assert run <= dev


def set_of(lock: str) -> set[tuple[str, str]]:
    """Return each package of a lock with its version."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {(name, version) for name, version, _hashes in locked(text)}


@pytest.mark.parametrize("name", ["pillow", "pydantic-core"])
def test_compiled_packages_are_locked_for_more_than_one_machine(name: str) -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    hashes = {package: hashes for package, _version, hashes in locked(text)}
    # Three Pythons on two processors, and the source.
    assert len(hashes[name]) >= 7


@pytest.mark.parametrize(
    "text",
    [
        "see https://" + INDEXES[0] + "/simple",
        "--index-url https://example.com",
        "x==1\n--extra-index-url https://example.com",
    ],
)
def test_a_text_that_names_an_index_is_found(text: str) -> None:
    assert indexes_named(text) != []


@pytest.mark.parametrize(
    "text", ["cd " + "/root" + "/x", '"/work' + '/main/firmware"', "open(/home/anna/x)"]
)
def test_a_text_that_names_a_machine_path_is_found(text: str) -> None:
    assert machine_paths(text) != []


@pytest.mark.parametrize(
    "text",
    [
        "/etc/jackspot/jackspot.toml",
        "firmware" + "/work" + "/x",
        "https://example.com" + "/work" + "/",
        "1/root",
    ],
)
def test_a_path_that_every_board_has_is_let_be(text: str) -> None:
    assert machine_paths(text) == []


def test_a_locked_package_without_a_hash_is_found() -> None:
    text = "# a comment\nclick==8.1 \\\n    --hash=sha256:" + 64 * "a" + "\nrich==13.0 ; x\n"
    assert list(locked(text)) == [("click", "8.1", [64 * "a"]), ("rich", "13.0", [])]


# how its tests run


def test_a_test_of_many_small_cases_runs_them_all_and_names_each_that_fails() -> None:
    ran = []

    @each_of((one, other) for one in range(4) for other in "ab")
    def differ(one: int, other: str) -> None:
        ran.append((one, other))
        assert (one, other) not in {(1, "a"), (3, "b")}

    with pytest.raises(BaseExceptionGroup, match=r"2 of 8 cases failed:\n +1, a\n +3, b\n"):
        differ()
    assert len(ran) == 8


def test_the_tests_draw_the_same_each_time_and_the_long_ones_anew() -> None:
    default, long = (hypothesis.settings.get_profile(name) for name in ("default", "long"))
    assert (default.derandomize, long.derandomize) == (True, False)
    assert long.max_examples > 10 * default.max_examples


def test_what_is_compiled_before_the_tests_is_what_pytest_and_python_look_for(
    tmp_path: Path,
) -> None:
    test, helper = tmp_path / "test_it.py", tmp_path / "helper.py"
    for path in (test, helper):
        path.write_text("def test_it():\n    assert 1 + 1 == 2\n", encoding="utf-8")
        compile_one(path)
    assert rewrite._read_pyc(test, compiled(test)) is not None
    assert compiled(helper).exists()
