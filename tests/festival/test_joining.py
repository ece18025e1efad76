"""How a board joins a hall: the file, the text of a code, and what is kept at the board."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jackspot.config import Sources, find, load
from jackspot.festival.joining import (
    NAME,
    PREFIX,
    KeptHall,
    compact,
    read,
    read_compact,
    read_either,
    read_file,
    write,
)
from jackspot.festival.section import FestivalSection
from jackspot.settings.mistakes import ConfigError
from jackspot.values import changed
from tests.conftest import thinned
from tests.festival.certificates import Certificates
from tests.festival.guests import HALL

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A hall's certificate."""
    return Certificates(tmp_path_factory.mktemp("own") / "hall").ca.read_text(encoding="ascii")


@pytest.fixture
def section(pem: str) -> FestivalSection:
    brokers = (("192.168.7.10", 8883), ("hub.local", 0), ("fd00::7", 18883))
    return FestivalSection(hall=HALL, broker=brokers, key=KEY, ca=pem)


def refused(text: str, beside: Path | None = None) -> str:
    """Return the refusal of a file with this text."""
    with pytest.raises(ConfigError) as wrong:
        read(text, NAME, beside)
    return str(wrong.value)


def test_a_file_says_the_same_read_again(section: FestivalSection) -> None:
    assert read(write(section), NAME) == section


def test_the_text_of_a_code_says_the_same_broken_over_lines_and_behind_an_address(
    section: FestivalSection,
) -> None:
    text = compact(section)
    assert text.startswith(PREFIX)
    assert len(text) < 1_000
    for given in (text, f"\n {text[:100]}\n\t{text[100:]} \n", f"http://10.42.0.1/hall#{text}"):
        assert read_either(given) == section
    assert read_either(write(section)) == section


def test_a_certificate_may_lie_beside_the_file(section, pem: str, tmp_path: Path) -> None:
    (tmp_path / "hall.crt").write_text(pem)
    text = write(section).replace(f'"""\n{pem}"""', '"hall.crt"')
    (tmp_path / NAME).write_text(text)
    assert read_file(tmp_path / NAME) == section
    for wrong in ("none.crt", "../hall.crt", "/etc/hostname", "."):
        assert f'[festival] ca = "{wrong}"' in refused(text.replace("hall.crt", wrong), tmp_path)
    assert "[festival] ca" in refused(text)


CASES = {
    "": "festival.toml: [festival] is missing; bring the file that `jackspot hub keys` wrote",
    "[festival": "festival.toml: is not TOML: ",
    "[festival]\n": "festival.toml: [festival] hall is missing; ",
    "[board]\nname = 'x'\n": "[board] is not a table here; expected [festival] alone",
}


@pytest.mark.parametrize(("text", "says"), CASES.items())
def test_what_is_no_such_file_is_refused(text: str, says: str) -> None:
    assert says in refused(text)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (f'"{HALL}"', '"Hikone 27"', '[festival] hall = "Hikone 27": expected a word of small'),
        ("hall = ", "number = 7\nhall = ", "[festival] number is not the hall's but each board's"),
        ('"192.168.7.10:8883"', '"192.168.7:1"', "[festival] broker = "),
        (f'key = "{KEY}"\n', "", "[festival] key is missing; "),
        ("BEGIN CERTIFICATE", "BEGIN SOMETHING", "[festival] ca = "),
        ("MII", "", "[festival] ca = "),
        ("key = ", "kye = ", "[festival] kye is not a key of this table; did you mean key?"),
    ],
)
def test_each_mistake_is_named_with_its_place(section, old: str, new: str, says: str) -> None:
    text = write(section)
    assert old in text
    assert f"{NAME}: {says}" in refused(text.replace(old, new, 1))


def test_a_key_typed_as_a_name_is_not_shown(section) -> None:
    text = write(section)
    for wrong in (f'{KEY} = "key"\n{text}', text.replace("key = ", f"{KEY} = 1\nkey = ")):
        said = refused(wrong)
        assert "a name that may be a secret" in said
        assert KEY not in said


def test_all_mistakes_are_named_at_once(section) -> None:
    text = write(section).replace(HALL, "A B").replace("hall = ", "number = 1\nhall = ", 1)
    assert len(refused(text).splitlines()) == 2


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return bytes with something wrong in them, in as many ways as sticks and scans have."""
    at = chance.randrange(len(data))
    end = min(len(data), at + chance.choice((1, 2, 8, 64, 512)))
    new = chance.choice(
        (b"", data[:at], bytes(chance.randrange(256) for _ in range(end - at)), b'"', b"'''", b"[",
         b"]" * 40, b"\x00", b"\xff\xfe", b"=", b"1e999", b"9" * 400, b"\n" * 9, b"\\u0000",
         b"[a.b]\n", data[at:end] * 3)
    )  # fmt: skip
    return data[:at] + new + data[end:]


@pytest.mark.parametrize("seed", thinned(range(6), range(3)))
def test_whatever_is_damaged_is_read_as_it_was_or_refused_by_name(
    section, tmp_path: Path, seed: int
) -> None:
    chance, path, journal = random.Random(seed), tmp_path / NAME, tmp_path / "state" / "journal"
    journal.parent.mkdir()
    kept = KeptHall(journal, FestivalSection())
    kept.join(section)
    kept.set_number(7)
    text, coded, here = write(section).encode(), compact(section).encode(), b'{"number": 7}\n'
    for _ in range(250):
        path.write_bytes(damaged(text, chance))
        word = damaged(coded, chance).decode("utf-8", "replace")
        told = [partial(read_file, path), partial(read_compact, word), partial(read_either, word)]
        for each in told:
            with suppress(ConfigError):  # it says what is wrong; anything else fails here
                found = each()
                assert found.hall, seed
                assert found.number is None, seed
        kept.joined.write_bytes(damaged(text, chance))
        kept.here.write_bytes(damaged(here, chance))
        kept.now()


def test_what_is_kept_is_no_bigger_than_it_can_be(section, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(write(section).encode() + b"#" * 20_000)
    with pytest.raises(ConfigError, match="has more than 16,384 bytes"):
        read_file(tmp_path / NAME)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="expected a file, found a pipe"):
        read_file(tmp_path / "pipe")


# --- what is kept at the board ------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> KeptHall:
    """What is kept at a board whose config names no hall."""
    return KeptHall(tmp_path / "journal.sqlite3", FestivalSection())


def test_a_board_that_joins_is_in_once_it_has_a_number(kept: KeptHall, section) -> None:
    assert not kept.now().is_in
    kept.join(section)
    now = kept.now()
    assert (now.festival, now.source, now.is_in) == (section, str(kept.joined), False)
    kept.set_number(102)
    assert kept.now().is_in
    assert kept.now().festival.number == 102
    assert kept.joined.stat().st_mode & 0o777 == 0o600


def test_a_board_that_has_left_comes_back_and_one_of_another_hall_has_not_left(
    kept: KeptHall, section
) -> None:
    kept.join(section)
    kept.set_number(7)
    kept.leave()
    assert (kept.now().is_in, kept.now().left) == (False, True)
    kept.rejoin()
    assert kept.now().is_in
    kept.leave()
    kept.join(section)
    assert kept.now().is_in
    kept.leave()
    kept.join(changed(section, hall="elsewhere"))
    assert kept.now().is_in


def test_what_was_set_at_the_board_goes_over_the_config(kept: KeptHall, section) -> None:
    configured = changed(section, number=3, hall="elsewhere")
    kept = KeptHall(kept.journal, configured)
    assert kept.now().festival == configured
    kept.set_number(4)
    assert (kept.now().festival.hall, kept.now().festival.number) == ("elsewhere", 4)
    kept.join(section)
    assert (kept.now().festival.hall, kept.now().festival.number) == (HALL, 4)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"number": 7}', '{"number": "7", "left": ""}',
             '{"number": 0, "left": ""}', '{"number": true, "left": ""}', "7", "\0"]
)  # fmt: skip
def test_what_is_kept_and_damaged_is_named_and_the_config_counts(
    kept: KeptHall, section, text: str
) -> None:
    kept = KeptHall(kept.journal, changed(section, number=3))
    kept.here.write_text(text)
    kept.joined.write_text("[festival")
    now = kept.now()
    assert (now.festival.number, now.festival.hall, len(now.troubles)) == (3, HALL, 2)
    kept.set_number(5)
    assert kept.now().festival.number == 5


class _PowerCut(BaseException):
    """The machine is off."""


def test_a_power_cut_leaves_the_old_hall_or_the_new_one_and_never_half_of_it(
    tmp_path: Path, section, monkeypatch
) -> None:
    other = changed(section, hall="elsewhere", key=KEY[::-1])
    real: dict[str, Callable[..., Any]]
    real = {"fsync": os.fsync, "open": os.open, "replace": Path.replace, "unlink": Path.unlink}
    found, cuts = set[str](), 0
    for cut in range(30):
        kept = KeptHall(tmp_path / str(cut) / "journal", FestivalSection())
        kept.journal.parent.mkdir()
        kept.join(section)
        kept.set_number(7)
        kept.leave()
        left = [cut]

        def counted(name: str, left: list[int] = left) -> Callable[..., Any]:
            def call(*args: Any, **more: Any) -> Any:
                if not left[0]:
                    raise _PowerCut
                left[0] -= 1
                return real[name](*args, **more)

            return call

        with monkeypatch.context() as patch:
            for owner, names in ((os, ("fsync", "open")), (Path, ("replace", "unlink"))):
                for name in names:
                    patch.setattr(owner, name, counted(name))
            try:
                kept.join(other)
            except _PowerCut:
                cuts += 1
        now = kept.now()
        assert (now.troubles, now.festival.number) == ((), 7)
        assert now.festival.key == {HALL: KEY, "elsewhere": KEY[::-1]}[now.festival.hall]
        found.add(now.festival.hall)
        kept.join(other)
        assert (kept.now().festival.hall, kept.now().is_in) == ("elsewhere", True)
    assert found == {HALL, "elsewhere"}
    assert 5 < cuts < 30


# --- beside the config -------------------------------------------------------------------


def test_a_file_beside_the_config_is_read_and_the_boards_own_goes_over_it(
    section, pem: str, tmp_path: Path
) -> None:
    shared, own = tmp_path / "jackspot.toml", tmp_path / "own" / "board.toml"
    own.parent.mkdir()
    (tmp_path / "hall.crt").write_text(pem)
    (tmp_path / NAME).write_text(write(section).replace(f'"""\n{pem}"""', '"hall.crt"'))
    own.write_text("[festival]\nnumber = 9\n")
    alone = find(shared_place=shared, board_place=own)
    assert alone == Sources((tmp_path / NAME, own))
    shared.write_text('[board]\nname = "Nine"\n')
    sources = find(shared_place=shared, board_place=own)
    assert sources == Sources((shared, tmp_path / NAME, own))
    config = load(sources)
    assert (config.festival.hall, config.festival.number, config.board.name) == (HALL, 9, "Nine")
    assert config.festival.ca == tmp_path / "hall.crt"
    (tmp_path / NAME).write_text("[festival]\nhall = 7\n")
    with pytest.raises(ConfigError, match=f"{tmp_path / NAME}: .festival. hall = 7: expected"):
        load(sources)
