"""The files in ``hardware/`` are those that ``make hardware`` makes from the tables."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardware.generate.step import FOLDER, File, Step, differences, text, write
from hardware.generate.steps import STEPS


def of(steps: list[Step]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("step", steps, ids=lambda step: step.name)


def is_quick(step: Step) -> bool:
    return not step.slow and not step.programs


@of([step for step in STEPS if is_quick(step)])
def test_the_files_are_those_that_the_step_makes(step: Step) -> None:
    assert list(differences(step)) == [], "run `make hardware`"


@pytest.mark.long
@of([step for step in STEPS if not is_quick(step)])
def test_the_files_are_those_that_the_long_step_makes(step: Step) -> None:
    assert step.missing() == [], "run `.ci/setup dev hardware`"
    if reason := step.unless():
        pytest.skip(reason)
    with ThreadPoolExecutor(1) as apart:  # the browser of other tests has this thread
        found = apart.submit(lambda: list(differences(step))).result()
    assert found == [], "run `make hardware`"


def test_no_two_steps_own_the_same_file() -> None:
    owners: dict[str, str] = {}
    for step in STEPS:
        for path in step.kept():
            assert owners.setdefault(path, step.name) == step.name


def test_no_two_steps_have_the_same_name() -> None:
    assert len({step.name for step in STEPS}) == len(STEPS)


def test_what_is_drawn_is_small() -> None:
    large = {
        path: len(content)
        for step in STEPS
        for path, content in step.kept().items()
        if len(content) > 600_000
    }
    assert large == {}


PAGES = sorted(path for path in FOLDER.rglob("*.md") if path.parent.name != "text")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_link_of_a_page_leads_somewhere(path: Path) -> None:
    assert dead_links(path.read_text(encoding="utf-8"), path.parent) == []


def dead_links(text: str, folder: Path) -> list[str]:
    """Return the links of a page that lead nowhere, and those that the end of a line breaks."""
    plain = re.sub(r"```.*?```|`[^`]*`", "`code`", text, flags=re.DOTALL)
    broken = re.findall(r"\[[^\]\n]+\]\n\([^)\n]+\)", plain)
    targets = re.findall(r"\]\(([^)#\s]*)(#[^)]*)?\)", plain)
    return broken + [
        path + anchor for path, anchor in targets if not leads(path, anchor[1:], text, folder)
    ]


def leads(path: str, anchor: str, text: str, folder: Path) -> bool:
    """Return whether a link has a file, and a heading in it where it names one."""
    if "://" in path or path.startswith("mailto:"):
        return True
    target = folder / path
    if path and not target.exists():
        return False
    if not anchor or (path and target.suffix != ".md"):
        return True
    return anchor in headings(target.read_text(encoding="utf-8") if path else text)


def headings(text: str) -> set[str]:
    """Return the names by which links find the headings of a page."""
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found = re.findall(r"^#+ (.*)$", plain, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in found}


def test_a_link_that_leads_nowhere_is_found() -> None:
    text = "[one](README.md), [two](no.md#x)\n[three]\n(README.md)"
    assert dead_links(text, FOLDER) == ["[three]\n(README.md)", "no.md#x"]
    text = "# One two\n[a](#one-two) [b](#three) [c](README.md#licence) [d](README.md#stars)"
    assert dead_links(text, FOLDER) == ["#three", "README.md#stars"]


def test_every_test_that_the_errata_name_exists() -> None:
    told = (FOLDER / "ERRATA.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+)`", told)
    there = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    assert len(named) > 30
    assert [each for each in named if f"def {each}(" not in there] == []
    rows = [line for line in told.splitlines() if line.startswith("| ")]
    assert all("`test_" in line for line in rows if not line.startswith(("| found", "|---")))


def step_of(**files: bytes) -> Step:
    made = [File(f"{name}.txt", content, lambda b: b.split()) for name, content in files.items()]
    return Step("try", lambda: made, owns=("*.txt",))


def test_what_was_written_does_not_differ(tmp_path: Path) -> None:
    step = step_of(a=b"one", b=b"two")
    assert len(list(write(step, tmp_path))) == 2
    assert list(differences(step, tmp_path)) == []
    assert list(write(step, tmp_path)) == []


def test_a_file_that_was_edited_is_found_and_mended(tmp_path: Path) -> None:
    step = step_of(a=b"one", b=b"two")
    list(write(step, tmp_path))
    (tmp_path / "a.txt").write_bytes(b"three")
    assert [line.split()[0] for line in differences(step, tmp_path)] == ["a.txt"]
    list(write(step, tmp_path))
    assert list(differences(step, tmp_path)) == []


def test_a_file_that_is_missing_or_left_over_is_found_and_mended(tmp_path: Path) -> None:
    list(write(step_of(a=b"one", b=b"two"), tmp_path))
    step = step_of(a=b"one", c=b"three")
    assert list(differences(step, tmp_path)) == [
        "c.txt is not there",
        "b.txt is made by nothing any more",
    ]
    list(write(step, tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "c.txt"]


def test_what_says_the_same_in_other_bytes_is_left_as_it_is(tmp_path: Path) -> None:
    list(write(step_of(a=b"one two"), tmp_path))
    step = step_of(a=b"one  two")
    assert list(differences(step, tmp_path)) == []
    assert list(write(step, tmp_path)) == []
    assert list(write(step, tmp_path, anew=True)) == ["a.txt (8 bytes)"]


def test_a_file_that_no_pattern_covers_is_found(tmp_path: Path) -> None:
    step = Step("try", lambda: [text("a.md", "one")], owns=("*.txt",))
    list(write(step, tmp_path))
    assert list(differences(step, tmp_path)) == ["a.md is not in `owns`"]


def test_the_files_belong_into_this_folder() -> None:
    assert (FOLDER / "README.md").exists()
