"""The guide names only what exists, and leaves out nothing that a build takes."""

from __future__ import annotations

import ast
import math
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hardware.generate.bom import bill
from hardware.generate.builds import BUILDS, CUT_CORNERS, Build
from hardware.generate.guide import CLOSED_BOX, LEAST, PRINTED_FOR_LEAST, UnknownName, guide
from hardware.generate.harness import harness
from hardware.generate.parts import parts
from hardware.generate.printed import HUB, instead, laid_out, on_plates, printed
from hardware.generate.sheets import template
from hardware.generate.step import FOLDER, page
from hardware.prints.board import read_board
from hardware.prints.catalogue import PRINTED, SCREWS
from hardware.prints.housings import PI_HOLES_MM, computer_at, hub_layout, plate_screws
from hardware.prints.parameters import ParameterError, load
from hardware.prints.scenes import SCENES
from jackspot.commands import main
from jackspot.core.pieces import Pocket
from jackspot.inputs.cables import CableKind
from jackspot.inputs.pins import Active
from jackspot.ops.doctor import wires
from jackspot.ops.doctor.findings import Severity
from jackspot.ops.doctor.wired_parts import check_oled
from jackspot.ops.doctor.wires import Watched, check_wires
from jackspot.ops.install.plan import UNIT_PLACE
from jackspot.sensing.events import Button, Edge, Key
from tests.conftest import thinned
from tests.ops.written_machine import Written

ROOT = FOLDER.parent
PAGE = FOLDER / "guide" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
BOX = (PAGE.parent / "closed-box.md").read_text(encoding="utf-8")
"""The page on what is done differently for a closed box."""
CUT = (PAGE.parent / "cut-corners.md").read_text(encoding="utf-8")
"""The same for corners that are cut off where there is no floor."""
SENSOR_HUB = (PAGE.parent / "sensor-hub.md").read_text(encoding="utf-8")
PERFBOARD = (PAGE.parent / "perfboard.md").read_text(encoding="utf-8")
DOCTOR = ROOT / "firmware" / "jackspot" / "ops" / "doctor"
WORDS = frozenset({"beam_active", "my", "crossed_depth_mm", "driver", "q"})
"""Code that does not name a part or wire: a key of the config, a size, a key to press."""


BOX_WORDS = frozenset({"pocket_leg_mm", "inside_mm", "wall_mm", "bottom_mm", "my"})
each_corner = pytest.mark.parametrize("text", [BOX, CUT], ids=["closed box", "cut corners"])


def steps_of(text: str) -> str:
    """Return the numbered steps."""
    return text.split("## 1. ", 1)[1].split("## At a festival", 1)[0]


def blocks(text: str) -> list[tuple[str, list[str]]]:
    """Return each fenced block: its language, and its lines without their indentation."""
    found: list[tuple[str, list[str]]] = []
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("```"):
            inside = not inside
            if inside:
                found.append((line[3:], []))
        elif inside:
            found[-1][1].append(line)
    return found


def codes(text: str) -> list[str]:
    """Return what is set as code, except fenced blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def not_used(text: str) -> set[str]:
    """Return the parts, prints, cables and wires of the build least that no step names."""
    wanted = {line.part.id for line in bill(LEAST)} | set(PRINTED_FOR_LEAST)
    wanted |= {wire.name for wire in LEAST.wires} | {cable.name for cable in LEAST.cables}
    wanted |= {screw for name in PRINTED_FOR_LEAST for screw in PRINTED[name].screws}
    return wanted - set(codes(steps_of(text)))


def unknown(text: str) -> set[str]:
    """Return the names in code that no table has."""
    known = {*parts(), *PRINTED, *SCREWS, *WORDS}
    known |= {wire.name for wire in LEAST.wires} | {cable.name for cable in LEAST.cables}
    names = {code for code in codes(text) if re.fullmatch(r"[a-z][a-z0-9_]*", code)}
    return names - known - doctors_words()


def test_the_steps_use_every_part_and_wire_of_the_least_build() -> None:
    assert not_used(TEXT) == set()


def taken(text: str) -> dict[str, float]:
    """Return how many of each part and print the steps take together, lengths in metres."""
    found: dict[str, float] = {}
    for table in re.findall(r"\| part \| here \| what \|\n(?:\|.*\n)+", text):
        for name, here in re.findall(r"^\| `(\w+)` \| ([\d.]+)", table, re.MULTILINE):
            found[name] = found.get(name, 0.0) + float(here)
    return found


def wanted(build: Build = LEAST) -> dict[str, float]:
    """Return how many of each the build takes, the hub's case bought where it may be."""
    bought = {line.part.id: float(line.written().split()[0]) for line in bill(build)}
    pieces = {**printed(build), **instead(build)}
    own = HUB if instead(build) else ()
    return bought | {name: n for name, n in pieces.items() if name not in own}


def test_what_the_steps_take_is_together_what_the_build_takes() -> None:
    assert taken(TEXT) == pytest.approx(wanted())


def test_every_part_and_print_of_every_build_is_named_on_a_page_of_the_guide() -> None:
    """The steps count only the parts of the builds least and closed box."""
    named = set(codes(TEXT + BOX))
    for build in BUILDS:
        there = {line.part.id for line in bill(build)} | set(printed(build)) | set(instead(build))
        assert there - named == set(), build.name


each_other = pytest.mark.parametrize(
    "build",
    [each for each in BUILDS if each not in (LEAST, CLOSED_BOX)],
    ids=lambda each: each.name,
)


@each_other
def test_the_guide_says_what_each_other_build_prints_and_how_often_each_plate(build: Build) -> None:
    [table] = re.findall(r"^\| printed part \| Pocket money .*\n(?:\|.*\n)+", TEXT, re.MULTILINE)
    lines = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    place = lines[0].index(build.title)
    counts = {row[0].split("`")[1]: row[place] for row in lines[2:-1]}
    assert {name: int(n) for name, n in counts.items() if n != "-"} == laid_out(build)
    times = [int(n or 1) for n in re.findall(r"3mf\)(?: \((\d+) times\))?", lines[-1][place])]
    assert times == list(on_plates(build).values())
    assert len(re.findall(rf"plates/{build.name}-\d\.3mf", lines[-1][place])) == len(times)


@pytest.mark.parametrize("build", BUILDS, ids=lambda each: each.name)
def test_the_guide_says_how_many_buttons_of_each_colour_to_order(build: Build) -> None:
    [told] = re.findall(rf"\b{build.title.lower()} has (\d+ green(?:, \d+ \w+)*)", TEXT)
    found = {colour: int(n) for n, colour in re.findall(r"(\d+) (\w+)", told)}
    keys = [wire.source.key for wire in build.wires if isinstance(wire.source, Button)]
    assert sum(found.values()) == len(keys)
    assert found["green"] == keys.count(Key.OK)
    assert found["yellow"] == keys.count(Key.FIX)


def test_a_step_that_takes_too_many_is_found() -> None:
    assert taken(TEXT.replace("| `cable_tie` | 11 |", "| `cable_tie` | 12 |")) != wanted()


def not_in_its_step(text: str, build: Build = LEAST) -> list[str]:
    """Return each part that the words of a step use and that neither it nor an earlier step takes.

    Parts that are cut from a length are taken again by every step that uses them.
    """
    lines = {line.part.id: line for line in bill(build)}
    missing: list[str] = []
    there: set[str] = set()
    for step in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        here = set(re.findall(r"^\| `(\w+)` \| [\d.]+(?: k?[gm])? \|", step, re.MULTILINE))
        there |= here
        words = re.sub(r"^\|.*$", "", step, flags=re.MULTILINE)
        missing += [
            f"{step.splitlines()[0]}: {name}"
            for name in sorted(set(codes(words)) & set(lines))
            if name not in (here if lines[name].part.unit == "m" else there)
        ]
    return missing


def test_each_step_takes_the_parts_that_its_words_use() -> None:
    assert not_in_its_step("## 1. " + steps_of(TEXT)) == []


def test_the_bought_case_is_on_the_wood_before_the_pi_covers_its_screws() -> None:
    """The Pi stands over all four, and the case has no ears to hold it by."""
    xs, ys = zip(*PI_HOLES_MM["large"], strict=True)
    for x, y in plate_screws():
        assert min(xs) < x < max(xs)
        assert min(ys) < y < max(ys)
    steps = (TEXT.split(f"## {n}. ")[1].split(f"## {n + 1}. ")[0] for n in (5, 9))
    case, below = (" ".join(step.split()) for step in steps)
    assert "**The Pi goes into it in step 9 only**" in case
    assert "screw_wood" not in case
    assert "| `screw_wood` | 8 |" in below
    assert "Screw the printed hub on by its ears" in below
    assert "no ears: these four go through its plate and floor, and then the Pi goes in" in below
    assert "the hub on by its ears" not in below


def test_a_part_that_a_step_uses_and_does_not_take_is_found() -> None:
    assert not_in_its_step("## 1. A\n\nPut a `spacer` in.") == ["1. A: spacer"]
    row = "| `shrink` | 0.3 m | tube |\n| `spacer` | 4 | spacer |\n\n"
    both = f"## 1. A\n\n{row}A `spacer`, `shrink`.\n\n## 2. B\n\nA `spacer`, `shrink`.\n"
    assert not_in_its_step(both) == ["2. B: shrink"]
    less = re.sub(r"^\| `shrink` \| 0.18 m.*\n", "", TEXT, flags=re.MULTILINE)
    assert not_in_its_step("## 1. " + steps_of(less)) == ["6. The referee's box: shrink"]
    assert taken(less) != wanted()


@pytest.mark.parametrize("name", ["fuse", "pocket_sw", "oled_bezel", "screw_pi", "box"])
def test_a_part_or_wire_that_no_step_uses_is_found(name: str) -> None:
    assert name in not_used(TEXT.replace(f"`{name}`", "that"))


def test_every_name_in_the_guide_is_in_a_table() -> None:
    assert unknown(TEXT) == set()
    assert unknown("solder `r_1k` to `pocket_xx` and a `unicorn`") == {"pocket_xx", "unicorn"}


def test_each_cable_of_the_least_build_has_its_contacts() -> None:
    for cable in LEAST.cables:
        for core in cable.cores:
            assert re.search(rf"^\| `{cable.name}` \| {core.contact} \|", TEXT, re.MULTILINE)
    assert {cable.kind for cable in LEAST.cables} == {
        CableKind.POCKET, CableKind.BOX, CableKind.OLED,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("{{parts: button, unicorn}}", "has no part unicorn"),
        ("{{parts: lamp}}", "has no part lamp"),
        ("{{amount: unicorn}}", "has no part unicorn"),
        ("{{spells: all}}", "expected one of parts, prints"),
        ("{{parts: shrink @moon}}", "shrink @moon: expected one of sockets, pocket"),
        ("{{closed: sky}}", "closed: sky: expected one of opening, drill"),
    ],
)
def test_the_guide_cannot_ask_for_what_is_not_there(asked: str, said: str) -> None:
    with pytest.raises(UnknownName, match=said):
        guide(asked)


def test_crossed_brackets_can_be_printed_as_high_as_is_said_and_no_higher() -> None:
    [(wood, name, least)] = re.findall(
        r"`--set (\w+\.board_thickness_mm=\d+) --set (\w+\.crossed_depth_mm)=(\d+)`", TEXT
    )
    load([wood, f"{name}={least}"])
    with pytest.raises(ParameterError, match=f"make crossed_depth_mm at least {least}"):
        load([wood, f"{name}={int(least) - 1}"])


def test_the_depths_that_the_guide_says_are_those_of_the_table() -> None:
    for board in load()[1].boards.values():
        shown = f"{board.depth_mm(2):g} mm below the playing surface where the single one is"
        assert f"{shown} {board.depth_mm(1):g}," in TEXT
        assert f"depth of their own: {board.depth_mm(2):g} mm" in TEXT


def test_nothing_is_left_to_fill_in() -> None:
    assert "{{" in page("guide")
    assert "{{" not in TEXT


def test_every_picture_and_page_is_there() -> None:
    targets = re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", TEXT)
    assert len(targets) > 30
    for path, anchor in targets:
        page_of = (PAGE.parent / path).resolve() if path else PAGE
        assert page_of.exists(), path
        if anchor and page_of.suffix == ".md":
            assert anchor[1:] in anchors(page_of), f"{path}{anchor}"


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def test_every_picture_that_is_drawn_for_the_guide_is_in_it() -> None:
    shown = re.findall(r"\(pictures/(\w+)\.png\)", TEXT + BOX + CUT + SENSOR_HUB)
    assert sorted(shown) == sorted(SCENES)


def shown_with_words(text: str) -> list[tuple[str, str]]:
    """Return each picture of a page with the words below it, up to the next picture or heading."""
    pieces = re.split(
        r"!\[[^\]]*\]\(([^)]*)\)", re.sub(r"^#.*$", "![](-)", text, flags=re.MULTILINE)
    )
    return list(zip(pieces[1::2], pieces[2::2], strict=True))


def wrong_numbers(text: str) -> list[str]:
    """Return the pictures whose numbers the words below them do not name once each and in order."""
    wrong = []
    for path, words in shown_with_words(text):
        name = Path(path).stem
        count = len(SCENES[name]().numbers) if name in SCENES else 0
        drawn = list(range(1, 1 + count))
        named = [int(each) for each in re.findall(r"\((\d)\)", words)]
        if named != drawn:
            wrong.append(f"{name}: drawn {drawn}, named {named}")
    return wrong


@pytest.mark.parametrize(
    "text",
    [TEXT, BOX, CUT, SENSOR_HUB],
    ids=["guide", "closed box", "cut corners", "sensor hub"],
)
def test_each_number_in_a_picture_is_named_below_it_and_no_other(text: str) -> None:
    assert wrong_numbers(text) == []


def test_a_number_that_is_not_drawn_or_not_named_is_found() -> None:
    one = "![x](pictures/card.png)\nPut the card (1) in.\n## Next\nPower it (2)."
    assert wrong_numbers(one) == ["card: drawn [1, 2], named [1]", "-: drawn [], named [2]"]
    assert wrong_numbers("![x](pictures/finger.png)\nA finger (1).") == [
        "finger: drawn [], named [1]"
    ]


HANDIWORK = (
    "push", "put", "solder", "screw", "drill", "saw", "tie", "tape", "pull", "press", "splice",
    "snap", "hang", "lay", "plug", "finger", "dropped", "hold", "twist", "shrink",
)  # fmt: skip
"""Words that call for hands: verbs, and a finger."""


def without_picture(text: str) -> list[str]:
    """Return the paragraphs that ask for handiwork too far from any picture of their section."""
    wanted = re.compile(rf"\b({'|'.join(HANDIWORK)})s?\b", re.IGNORECASE)
    far = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        parts = [part for part in re.split(r"\n\n+", section) if part.strip()]
        at = [i for i, part in enumerate(parts) if part.startswith("![")]
        for i, part in enumerate(parts):
            plain = re.sub(r"```.*?```|^\|.*$", "", part, flags=re.DOTALL | re.MULTILINE)
            if any(each in part for each in DRAWN_ELSEWHERE):
                continue
            if wanted.search(plain) and min((abs(i - j) for j in at), default=99) > REACH:
                far.append(f"{section.splitlines()[0]}: {' '.join(part.split())[:60]}")
    return far


REACH = 2
"""How many paragraphs (a table or list is one) words may be away from their picture."""

DRAWN_ELSEWHERE = ("(closed-box.md#4-mount)", "disc")
"""What tells that a picture is on another page: the shroud's, and those of a sensor hub."""


@pytest.mark.parametrize(
    "text", [steps_of(TEXT), BOX, CUT], ids=["guide", "closed box", "cut corners"]
)
def test_whatever_hands_do_has_a_picture_near_it(text: str) -> None:
    assert without_picture("## " + text) == []


@pytest.mark.parametrize(
    "name",
    thinned(["gauge", "board_leads", "box_cable", "net", "under", "ready"], {"gauge", "ready"}),
)
def test_handiwork_without_its_picture_is_found(name: str) -> None:
    kept = re.sub(rf"!\[[^\]]*\]\(pictures/{name}\.png\)\n\n", "", steps_of(TEXT))
    assert wrong_numbers("## " + kept) != []
    assert without_picture("## 9. Try\n\nPush it in.") == ["9. Try: Push it in."]


# A closed box.


def test_the_page_of_a_closed_box_uses_what_its_build_has_beside_the_guide() -> None:
    beside = set(printed(CLOSED_BOX)) - set(PRINTED_FOR_LEAST)
    beside |= {line.part.id for line in bill(CLOSED_BOX)} - {line.part.id for line in bill(LEAST)}
    assert {"closed_drawer", "sleeve", "lath"} <= beside
    assert beside - set(codes(BOX)) == set()
    for core in next(cable for cable in CLOSED_BOX.cables if cable.name == "pocket_sw").cores:
        assert f"| `pocket_sw` | {core.contact} |" in BOX


def steps_that_stay(text: str = BOX, build: Build = CLOSED_BOX) -> str:
    """Return the guide's steps by which such a board is built too, filled in for it."""
    said = text.split("takes the\nplace of steps ", 1)[1].split(" of [the guide]", 1)[0]
    gone = {int(each) for each in re.findall(r"\d+", said)}
    steps = re.split(
        r"^(?=## \d+\. )", page("guide").split("\n## At a festival")[0], flags=re.MULTILINE
    )
    kept = [step for step in steps[1:] if int(step[3:].split(".")[0]) not in gone]
    assert len(kept) == 13 - len(gone) == 10
    there = "".join(kept)
    return guide(there if instead(build) else there.replace("bought_case, hub_plate, ", ""), build)


def test_that_page_and_the_guides_other_steps_take_together_what_a_closed_box_takes() -> None:
    both = steps_that_stay() + BOX
    assert taken(both) == pytest.approx(wanted(CLOSED_BOX))
    for less in ("| `screw_wood` | 56 |", "| `lath_screw` | 4 |", "| `lath` | 2 |"):
        assert taken(both.replace(less, less[:-3] + "1 |")) != wanted(CLOSED_BOX)


def test_each_step_of_that_page_takes_the_parts_that_its_words_use() -> None:
    assert not_in_its_step("## 1. " + BOX.split("## 1. ", 1)[1], CLOSED_BOX) == [
        "5. The hub outside: cable_7"  # the guide's step 6 takes it
    ]


def test_every_name_on_that_page_is_in_a_table() -> None:
    known = {*parts(), *PRINTED, *SCREWS, *BOX_WORDS, *(wire.name for wire in CLOSED_BOX.wires)}
    names = {code for code in codes(BOX) if re.fullmatch(r"[a-z][a-z0-9_]*", code)}
    assert names - known == set()
    assert wrong_commands(BOX) == []
    assert "{{" not in BOX


def test_its_example_is_a_board_that_is_read(tmp_path: Path) -> None:
    [lines] = [lines for language, lines in blocks(BOX) if language == "toml"]
    file = tmp_path / "my.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    board = read_board(file)
    assert board.is_closed
    assert load(board.settings)[1] == load()[1], "its figures are those of the table's board"


@each_corner
def test_every_page_and_picture_of_it_is_there(text: str) -> None:
    targets = re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text)
    assert len(targets) > 12
    for path, anchor in targets:
        page_of = (PAGE.parent / path).resolve()
        assert page_of.exists(), path
        assert not anchor or anchor[1:] in anchors(page_of), f"{path}{anchor}"


def test_the_guide_leads_to_it() -> None:
    assert "(closed-box.md)" in TEXT
    assert "**Nobody has built one.**" in BOX


def test_who_has_cut_off_corners_and_no_second_floor_is_led_to_its_page_before_the_order() -> None:
    """On each page that a reader may begin with: that of a closed box takes the place of step 1."""
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    for text, before in ((TEXT, "## 2. "), (BOX, "## 1. "), (index, "## Five builds")):
        head = " ".join(text.split(before, 1)[0].lower().split())
        assert "no second floor" in head or "without a second floor" in head
        assert "cut-corners.md" in head
    assert TEXT.index("(cut-corners.md)") < TEXT.index("order from\n")
    assert "**Nobody has built one.**" in CUT.split("## 1. ")[0]


# Corners that are cut off where there is no floor.


def test_the_page_of_cut_corners_and_the_guides_other_steps_take_what_the_build_takes() -> None:
    both = steps_that_stay(CUT, CUT_CORNERS) + CUT
    assert taken(both) == pytest.approx(wanted(CUT_CORNERS))
    for less in ("| `screw_wood` | 56 |", "| `lath_screw` | 20 |", "| `corner_plate` | 4 |"):
        assert taken(both.replace(less, less[:-3] + "1 |")) != wanted(CUT_CORNERS)


def test_each_step_of_the_page_of_cut_corners_takes_the_parts_that_its_words_use() -> None:
    assert not_in_its_step("## 1. " + CUT.split("## 1. ", 1)[1], CUT_CORNERS) == [
        "4. Mount: cable_7"  # the guide's step 6 takes it
    ]


def test_every_name_on_the_page_of_cut_corners_is_in_a_table() -> None:
    known = {*parts(), *PRINTED, *SCREWS, "my"}
    names = {code for code in codes(CUT) if re.fullmatch(r"[a-z][a-z0-9_]*", code)}
    assert names - known == set()
    assert wrong_commands(CUT) == []
    assert "{{" not in CUT


def test_the_example_of_cut_corners_is_the_tables_board_also_with_thicker_plates(
    tmp_path: Path,
) -> None:
    own, thicker = ("\n".join(lines) for language, lines in blocks(CUT) if language == "toml")
    file = tmp_path / "my.toml"
    file.write_text(own, encoding="utf-8")
    board = read_board(file)
    assert board.is_cut
    assert load(board.settings)[1] == load()[1]
    file.write_text(f"{own}\n{thicker}", encoding="utf-8")
    assert load(read_board(file).settings)[1].closed.bottom_mm == 6


def test_each_step_at_cut_corners_names_its_tools() -> None:
    steps = re.split(r"^## (?=\d)", CUT.split("## Licence")[0], flags=re.MULTILINE)[1:]
    assert len(steps) == 5
    for step in steps:
        assert step.count("**Tools**: ") == 1, step.splitlines()[0]
        assert without_tool(step) == set(), step.splitlines()[0]


def test_four_cables_go_through_the_hole_that_is_drilled_for_them() -> None:
    [hole, thick] = re.findall(r"(\d+) mm for the cables .* four of at most (\d+) mm", BOX)[0]
    assert len(CLOSED_BOX.of_kind(CableKind.POCKET)) == 4
    assert (1 + math.sqrt(2)) * float(thick) <= float(hole)


def test_displays_whose_plugs_could_be_changed_over_are_told_of() -> None:
    """Two sockets of a build that have no collar and different numbers of contacts."""
    told = (FOLDER / "CONNECTORS.md").read_text(encoding="utf-8")
    words = {5: "five", 7: "seven"}
    for build in BUILDS:
        plugs = [run for run in harness(build) if run.plug.startswith("kk")]
        if len(plugs) > 1:
            poles = sorted(len(run.cable.cores) for run in plugs)
            assert f"{words[poles[0]]} contacts can be pushed over" in told
            assert f"display's {words[poles[1]]}" in told


def test_the_room_before_the_usb_sockets_of_a_pi_4_is_what_the_guide_says() -> None:
    """They end 55.5 mm from the middle of its holes, which is the middle of a bought case."""
    sizes = load()[1]
    printed_wall = hub_layout(sizes).width / 2 - sizes.print.wall_mm - computer_at(sizes)[0]
    bought_wall = sizes.hub.case_width_mm / 2 - sizes.hub.case_floor_mm
    [told] = re.findall(r"USB sockets are (\d+) mm from the wall of either case", TEXT)
    assert int(told) == int(min(printed_wall, bought_wall) - 55.5)


def test_it_says_at_its_head_that_nobody_has_built_one() -> None:
    head = TEXT.split("| step |", 1)[0]
    assert "**Nobody has gone this way yet.**" in head
    assert "Times are guesses" in head


# Tools.

NEEDS = {
    r"saw": "saw", r"sandpaper": "sandpaper", r"drill": "drill", r"solder|splice": "soldering iron",
    r"screw (it|the|two)|with (two|three|four|five) `screw_\w+|a `screw_\w+|`lath_screw`s?":
    "screwdriver", r"paint|blacken": "paint", r"stiff\s+wire": "stiff wire", r"marks?": "pencil",
    r"blanket": "blanket", r"`shrink`": "heat-shrink", r"waste\s+wood": "waste wood",
    r"a file helps": "file", r"ohms?|beeps?": "multimeter", r"remote\s+control": "remote control",
    r"strip \d": "stripper", r"measured?": "ruler|caliper", r"`?tape`?": "tape",
    r"`glue`|hot\s+`?glue": "hot-glue gun", r"fine\s+saw|filed": "file",
    r"scrap of felt|strip of felt": "scissors", r"short screwdriver": "short one",
}  # fmt: skip
"""What the words of a step may ask for, and the tool that has to be named for it."""


def without_tool(text: str, beside: str = "") -> set[str]:
    """Return the tools, and the sizes of bits in mm, that words need and no line of tools names.

    ``beside`` has lines of tools on another page.
    """
    lines = re.findall(r"\*\*Tools\*\*.*?\n\n", text, re.DOTALL)
    tools = " ".join([*lines, beside])
    for line in lines:
        text = text.replace(line, "")
    words = re.sub(r"^(\||!\[).*$", "", text, flags=re.MULTILINE)
    missing = {
        tool for word, tool in NEEDS.items()
        if re.search(rf"(?<!\w)({word})(?!\w)", words, re.IGNORECASE) and not re.search(tool, tools)
    }  # fmt: skip
    bits = re.findall(
        r"(?:drill|holes? of)\s+(?:there\s+|a hole of\s+)?([\d.]+) mm", words, re.IGNORECASE
    )
    return missing | (set(bits) - set(re.findall(r"[\d.]*\d", tools)))


GUIDES_TOOLS = TEXT.split("**Tools**", 1)[1].split("\n\n")[0]


def test_each_step_at_a_closed_box_names_its_tools() -> None:
    steps = re.split(r"^## (?=\d)", BOX.split("## Licence")[0], flags=re.MULTILINE)[1:]
    assert len(steps) == 6
    for step in steps:
        assert step.count("**Tools**: ") == 1, step.splitlines()[0]
        assert without_tool(step) == set(), step.splitlines()[0]


def test_the_guide_and_the_sensor_hubs_page_name_their_tools() -> None:
    assert without_tool(TEXT) == set()
    assert without_tool(SENSOR_HUB, GUIDES_TOOLS) == set()
    assert without_tool(PERFBOARD, GUIDES_TOOLS) == set()
    assert without_tool(PERFBOARD) >= {"hot-glue gun", "drill", "file", "soldering iron"}


def test_the_bits_of_the_drilling_template_are_among_the_guides_tools() -> None:
    sizes = load()[1]
    bits = {*re.findall(r">([\d.]+)</text>", template()), "3.2", f"{sizes.hub.socket_mm:g}"}
    assert "Holes without a number: 3.2." in template()
    assert len(bits) == 3
    named = re.findall(r"[\d.]*\d", GUIDES_TOOLS.split("bits of", 1)[1].split("mm", 1)[0])
    assert bits <= set(named)


def test_a_tool_or_a_bit_that_is_not_named_is_found() -> None:
    assert without_tool("**Tools**: a drill, a bit of 2 mm.\n\nDrill 3 mm, saw, mark.") == {
        "3", "saw", "pencil",
    }  # fmt: skip
    assert without_tool(BOX.replace("**Tools**", "Tools")) >= {"screwdriver", "saw", "drill"}


# Commands.


def called(text: str) -> Iterator[str]:
    """Yield every line that is typed, and every command in a sentence."""
    for language, lines in blocks(text):
        yield from (line for line in lines if line and not language)
    yield from (code for code in codes(text) if re.match(r"(sudo |make |jackspot |\.ci/)", code))


def wrong_commands(text: str) -> list[str]:
    """Return the commands that do not exist, or not with these options."""
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return [line for line in called(text) if not is_command(line.removeprefix("sudo "), targets)]


def is_command(line: str, targets: list[str]) -> bool:
    words = shlex.split(line)
    if words[0] == "jackspot":
        return is_ours(words[1:])
    if words[0] == "make":
        return words[1] in targets
    if "hardware.prints" in words:
        load(words[i + 1] for i, word in enumerate(words) if word == "--set")
        return True
    if words[0] == "cp":
        return (ROOT / words[1]).exists()
    if words[0] == "systemctl":
        return words[1] in {"start", "stop", "restart"} and words[2:] == [Path(UNIT_PLACE).stem]
    systems = {"apt", "git", "cd", "poweroff", "raspi-config"}
    return words[0] in systems or (ROOT / words[0]).exists()


def is_ours(words: list[str]) -> bool:
    command = main.get_command(click.Context(main), words[0])
    if command is None:
        return False
    options = {name for param in command.params for name in param.opts}
    return {word for word in words if word.startswith("-")} <= options


def test_every_command_of_the_guide_exists() -> None:
    assert len(list(called(TEXT))) > 20
    assert wrong_commands(TEXT) == []


@pytest.mark.parametrize(
    "line", ["jackspot calibrat", "sudo jackspot calibrate --pocket NE", "make coffee"]
)
def test_a_command_that_does_not_exist_is_found(line: str) -> None:
    assert wrong_commands(f"```\n{line}\n```") == [line]


def test_sizes_that_the_guide_sets_are_those_of_the_table() -> None:
    settings = re.findall(r"--set ([\w.]+=[\d.]+)", TEXT)
    assert len(settings) >= 5
    load(settings)


# What the doctor says.


def doctors_words() -> set[str]:
    """Return every string of the doctor's code, with an ellipsis for what it fills in."""
    found = set()
    for path in [*DOCTOR.glob("*.py"), ROOT / "firmware/jackspot/commands/doctor.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                pieces = [
                    str(each.value) if isinstance(each, ast.Constant) else "…"
                    for each in node.values
                ]
                found.add("".join(pieces))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def symptoms() -> list[list[str]]:
    table = TEXT.split("## When it does not work", 1)[1]
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_what_the_doctor_is_said_to_say_it_says() -> None:
    said = {code for _seen, words, _is in symptoms() for code in re.findall(r"`([^`]+)`", words)}
    assert len(said) > 15
    assert said - doctors_words() == set()


def test_the_doctors_words_are_read_with_what_it_fills_in() -> None:
    assert "blocked (…)" in doctors_words()
    assert "blocked" not in doctors_words()


def test_the_doctors_lines_of_a_sound_board_are_those_that_it_prints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [lines] = [lines for language, lines in blocks(TEXT) if language == "doctor"]
    shown = [tuple(line[3:].split(maxsplit=1)) for line in lines]
    config = LEAST.config
    edges = [Edge(1, Pocket.NE, active=True), Edge(2, Pocket.NE, active=False)]
    for wire in config.wires:
        if isinstance(wire.source, Button):
            edges.append(Edge(3, wire.source, active=True))
            edges.append(Edge(4, wire.source, active=False))
    monkeypatch.setattr(wires, "watch", lambda *_: Watched(edges=edges))
    findings = [
        *check_oled(Written(), config),
        *check_wires(config, Path("/nowhere/journal"), 5.0, lambda _edge: None),
    ]
    assert [each.mark for each in findings] == [Severity.WELL] * len(findings)
    printed = [(each.what, each.found) for each in findings if each.what != "I2C"]
    assert shown[0] == ("config", f'board "{config.board.name}"')
    assert shown[1:] == printed


def test_what_the_doctor_says_of_a_pocket_without_a_cable_is_told_for_either_kind_of_beam(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The wire of such a pocket is pulled up: that of a home-made beam reads as broken."""
    power = " ".join(TEXT.split("## 11. Power", 1)[1].split("## 12.", 1)[0].split())
    for build in (LEAST, next(build for build in BUILDS if build.bare_beams)):
        beams = [wire for wire in build.config.wires if isinstance(wire.source, Pocket)]
        active = frozenset(wire.source for wire in beams if wire.active is Active.HIGH)
        monkeypatch.setattr(wires, "watch", lambda *_, active=active: Watched(active=active))
        found = check_wires(build.config, Path("/nowhere/journal"), 5.0, lambda _edge: None)
        names = {wire.name for wire in beams}
        [word] = {each.found.split(" (")[0] for each in found if each.what in names}
        assert f"*{word}*" in power
    assert "must then say *broken and whole again*" in power


def test_who_builds_with_displays_on_spi_is_told_to_switch_it_on() -> None:
    [switch] = {words.split(",")[0] for words in doctors_words() if "do_spi" in words}
    assert switch in codes(TEXT.split("## 3. ", 1)[1].split("## 4. ", 1)[0])


def test_every_build_is_linked_that_the_guide_speaks_of() -> None:
    assert "builds/least.toml" in TEXT
    assert (FOLDER / "builds" / "least.toml").exists()
