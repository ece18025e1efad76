"""The match record as QR codes on the OLED, read back by a reader that is not ours.

ZXing's C++ port reads them, as many phones' scanners do: from the very picture that is sent to
the panel, and from one as a camera might see it. The pictures in ``golden/record`` show codes of
fixed texts, because the text of a compressed record depends on the machine's zlib. After an
intended change, ``JACKSPOT_REGOLDEN=1 pytest tests/displays/test_oled_record.py`` makes them again.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import zxingcpp
from hypothesis import given, settings, strategies as st
from PIL import Image, ImageFilter

from jackspot.core.phrases import _
from jackspot.core.pieces import Pocket
from jackspot.core.record_codes import codes_of, record_from
from jackspot.dialogue.actions.codes import CODE_SIZES
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import BoardView, MenuView
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.sign_in import qr_code
from jackspot.displays.text import Block
from jackspot.displays.words import LANGUAGES, translator
from jackspot.sensing.events import Key
from jackspot.values import changed
from jackspot_sim.devices.bus import FakeI2C
from tests.dialogue.playing import Table
from tests.displays.oled_drawing import english
from tests.displays.oled_views import BLOCKED, MATCH_OVER, READY, SHORT_RECORD, held

GOLDEN = Path(__file__).parent / "golden" / "record"

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
FINE = tuple(f"CAROM1-{n}/3-ANOHXXI-{LETTERS * 11}-K3QA" for n in (1, 2, 3))
LARGE = tuple(f"CAROM1-{n}/22-ANOHXXI-{LETTERS}{LETTERS[:17]}-K3QA" for n in range(10, 32))


FINE_CODE, LARGE_CODE = CODE_SIZES[MenuKind.RECORD], CODE_SIZES[MenuKind.RECORD_LARGE]


def listed(codes: tuple[str, ...], code: int, kind: MenuKind) -> BoardView:
    """Return a view of the open list of codes."""
    lines = tuple(_("code {n} of {m}", n=n, m=len(codes)) for n in range(1, len(codes) + 1))
    menu = MenuView(_("record by code"), lines, code, kind=kind.value)
    says = _("larger") if kind is MenuKind.RECORD else _("back")
    return changed(READY, menu=menu, codes=codes, code=code, ok=says, fix=_("next"))


VIEWS = {
    "list": listed(FINE, 1, MenuKind.RECORD),
    "list_plain": listed((SHORT_RECORD,), 0, MenuKind.RECORD),
    "list_large": listed(LARGE, 20, MenuKind.RECORD_LARGE),
    "match_over": changed(MATCH_OVER, codes=FINE, code=1),
    "match_over_plain": changed(MATCH_OVER, codes=(SHORT_RECORD,)),
}


def read(image: Image.Image) -> list[str]:
    """Return the texts of the QR codes in a picture."""
    return [code.text for code in zxingcpp.read_barcodes(image.convert("L"))]


def photographed(image: Image.Image) -> Image.Image:
    """Return a picture as a phone may see it: dots with gaps, tilted, not quite in focus."""
    dot = 8
    size = (image.width * dot, image.height * dot)
    photo = image.convert("L").resize(size, Image.Resampling.NEAREST)
    for x in range(0, size[0], dot):
        photo.paste(0, (x, 0, x + 1, size[1]))
    for y in range(0, size[1], dot):
        photo.paste(0, (0, y, size[0], y + 1))
    turned = photo.rotate(7, resample=Image.Resampling.BILINEAR, expand=True)
    return turned.filter(ImageFilter.GaussianBlur(dot * 0.4)).point(lambda v: 20 + v * 3 // 4)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VIEWS)
def test_each_view_is_its_golden_picture_and_its_code_is_read(
    name: str, language: str, cut_off: list[Block]
) -> None:
    view = VIEWS[name]
    shown = draw(view, translator(language))
    assert cut_off == []
    assert read(shown) == [view.codes[view.code]]
    path = GOLDEN / f"{name}.{language}.png"
    if os.environ.get("JACKSPOT_REGOLDEN"):
        path.parent.mkdir(exist_ok=True)
        shown.save(path)
    with Image.open(path) as golden:
        assert shown.tobytes() == golden.tobytes(), f"{path.name} differs from what is shown"


def test_every_golden_picture_belongs_to_a_view() -> None:
    names = {f"{name}.{language}.png" for name in VIEWS for language in LANGUAGES}
    assert {path.name for path in GOLDEN.iterdir()} == names


@pytest.mark.parametrize("name", VIEWS)
def test_a_camera_reads_the_code_off_the_panel(name: str) -> None:
    view = VIEWS[name]
    assert read(photographed(draw(view, english))) == [view.codes[view.code]]


def test_larger_codes_have_two_dots_a_module() -> None:
    image = draw(VIEWS["list_large"], english).crop((64, 0, 128, 64))
    inside = image.crop((3, 3, 61, 61))
    halved = inside.resize((29, 29), Image.Resampling.NEAREST)
    assert halved.resize((58, 58), Image.Resampling.NEAREST).tobytes() == inside.tobytes()


LISTS = [name for name in VIEWS if name.startswith("list")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LISTS)
def test_a_fault_a_held_key_and_a_remark_leave_the_code_as_it_is(
    name: str, language: str, cut_off: list[Block]
) -> None:
    view = VIEWS[name]
    assert view.menu is not None
    noted = changed(view, menu=changed(view.menu, note=_("close the list first")))
    waits = changed(view, waiting=3, lit=tuple(Pocket))
    for seen in (changed(view, faults=(BLOCKED,)), held(view, Key.OK, 0.5), noted, waits):
        assert read(draw(seen, translator(language))) == [view.codes[view.code]]
    assert cut_off == []


def test_a_fault_at_the_end_of_a_match_takes_the_codes_room() -> None:
    over = changed(VIEWS["match_over"], faults=(BLOCKED,))
    assert draw(over, english).tobytes() == draw(changed(over, codes=()), english).tobytes()


def test_the_largest_code_leaves_room_for_the_result() -> None:
    text = "N red@NE\n" * 30
    assert len(text.encode()) == FINE_CODE[1] - 1
    assert qr_code(text).size == qr_code(FINE[0]).size == (63, 63)
    assert qr_code("A" * LARGE_CODE[0]).size == (64, 64)


NAMES = st.text("ABCdefäöüß愛子さくら健 ", max_size=30)
"""Names of players. A reader guesses the letters of a text that does not declare them."""


def shown_by_the_panel(view: BoardView) -> list[str]:
    """Send a view to the panel by its own driver, and read what it shows."""
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial)
    oled.open()
    oled.show(view)
    return read(bus.picture())


@settings(max_examples=25)
@given(
    names=st.tuples(NAMES, NAMES),
    strokes=st.lists(st.sampled_from(["N red@NE", "N -", "S 2*green^", "S foul"]), max_size=80),
    size=st.sampled_from([(FINE_CODE, MenuKind.RECORD), (LARGE_CODE, MenuKind.RECORD_LARGE)]),
    data=st.data(),
)
def test_any_record_is_read_off_the_panel_in_any_order(
    names: tuple[str, str],
    strokes: list[str],
    size: tuple[tuple[int, int], MenuKind],
    data: st.DataObject,
) -> None:
    head = f'rules = "japan"\n[names]\nN = "{names[0]}"\nS = "{names[1]}"\n---\n'
    record = head + "".join(f"{stroke}\n" for stroke in strokes)
    codes = codes_of(record, *size[0])
    found = [
        text
        for code in data.draw(st.permutations(range(len(codes))))
        for text in read(draw(listed(codes, code, size[1]), english))
    ]
    assert record_from("\n".join(found)) == record


def test_a_match_on_the_table_is_read_off_the_panel_code_by_code() -> None:
    table = Table(rules="points").started("N")
    for shot in (True, False, False, True, True, False, True, False, False, False, True, False):
        if shot:
            table.review("NE" if table.shooter == "N" else "SW").wait(0.5).ok("referee").calm()
        else:
            table.miss()
    table.hold("referee", "fix").wait(1.0).pick("record by code").wait(0.5)
    for kind in (MenuKind.RECORD, MenuKind.RECORD_LARGE):
        assert table.dialogue.menu is not None
        assert table.dialogue.menu.kind is kind
        found = []
        for _code in table.items:
            found += shown_by_the_panel(table.view)
            table.fix("referee").wait(0.2)
        assert record_from("\n".join(reversed(found))) == table.record
        table.wait(1.0).ok("referee").wait(0.5)
    assert len(found) > 1
