"""What players of each country see on the OLED: scenes of real matches in German and Japanese.

After an intended change, make the pictures again with
``JACKSPOT_REGOLDEN=1 pytest tests/displays/test_oled_languages.py`` and look at them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.layout import draw
from jackspot.displays.text import Block
from jackspot.displays.words import LANGUAGES, translator
from jackspot.sensing.events import FaultRaised, Trouble
from tests.dialogue.playing import Table

GOLDEN = Path(__file__).parent / "golden" / "languages"
PAST_ATTRACT_S = 400.0
"""Longer than anybody leaves a board alone in play."""


def started(**plan: Any) -> Table:
    """Start a match: N has won rock-paper-scissors."""
    return Table(**plan).ok("N").wait(1.0)


def shown_fall(table: Table, *pockets: str) -> Table:
    """Let pieces fall, until a reading is shown."""
    return table.falls_in(*pockets).wait(2.0)


def a_striker(table: Table) -> Table:
    """Settle a fall as the striker, by FIX."""
    shown_fall(table, "SW")
    while "STRIKER" not in str(table.view.headline):
        table.fix("referee").wait(0.5)
    return table.ok("referee").wait(4.0)


def a_puck(table: Table) -> Table:
    return shown_fall(table, "NE").ok("referee").wait(4.0)


def an_older_stroke_changed(table: Table) -> Table:
    """Change the stroke before the last, so that later ones are asked about."""
    a_puck(a_puck(table))
    table.undo().wait(1.0).undo().wait(1.0).fix("referee").wait(1.0)
    return table.ok("referee").wait(1.0)


def blocked(table: Table) -> Table:
    return table.fault(FaultRaised(table.now_ns, "pocket_ne", Trouble.BLOCKED))


SCENES: Mapping[str, Callable[[], Table]] = {
    "setup": Table,
    "ready": started,
    "again": lambda: a_puck(started()),
    "review": lambda: shown_fall(started(), "NE"),
    "review_two": lambda: shown_fall(started(), "NE", "SW"),
    "striker": lambda: a_striker(a_puck(started())),
    "owes": lambda: a_striker(started()),
    "keep": lambda: an_older_stroke_changed(started()),
    "menu": lambda: started().hold("referee", "fix").wait(1.0),
    "board_itself": lambda: started().hold("referee", "fix").wait(1.0).pick("the board itself"),
    "fault": lambda: blocked(started()),
    "carrom": lambda: shown_fall(started(rules="kagw"), "NE"),
    "attract": lambda: Table().wait(PAST_ATTRACT_S),
    "free_play": lambda: shown_fall(
        Table().hold("referee", "fix").wait(1.0).pick("free play").wait(1.0), "NE"
    ),
}


def view_of(scene: str) -> BoardView:
    return SCENES[scene]().view


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
@pytest.mark.parametrize("scene", SCENES)
def test_each_scene_is_shown_as_its_golden_picture(
    scene: str, language: str, cut_off: list[Block]
) -> None:
    shown = draw(view_of(scene), translator(language))
    assert cut_off == []
    path = GOLDEN / f"{scene}.{language}.png"
    if os.environ.get("JACKSPOT_REGOLDEN"):
        path.parent.mkdir(exist_ok=True)
        shown.save(path)
    with Image.open(path) as golden:
        assert shown.tobytes() == golden.tobytes(), f"{path.name} differs from what is shown"


def test_every_golden_picture_belongs_to_a_scene() -> None:
    names = {f"{scene}.{language}.png" for scene in SCENES for language in LANGUAGES[1:]}
    assert {path.name for path in GOLDEN.iterdir()} == names


@pytest.mark.parametrize("scene", SCENES)
def test_no_english_word_is_left_in_a_japanese_scene(scene: str) -> None:
    """Names of places, keys and rule systems are in Latin letters everywhere."""
    view = view_of(scene)
    words = [view.headline, view.detail, view.ok, view.fix, *view.hints]
    words += [view.menu.title, *view.menu.items] if view.menu else []
    words += [each for fault in view.faults for each in (fault.what, fault.remedy)]
    known = {"OK", "FIX", "UNDO", "N", "E", "S", "W", "NE", "NW", "SE", "SW", "ms", "English"}
    for phrase in words:
        said = phrase.render(translator("ja"))
        latin = "".join(c if c.isascii() and c.isalpha() else " " for c in said).split()
        assert set(latin) <= known, said
