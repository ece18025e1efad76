"""Two config files, where they are found, and the settings in force as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackspot.config import (
    Config,
    ConfigError,
    Sources,
    find,
    load,
)
from jackspot.config.model import TABLES
from jackspot.config.show import as_toml
from tests.config.conftest import Files


def test_the_boards_own_file_goes_over_the_shared_one_key_by_key(files: Files) -> None:
    config = files.load(
        '[board]\nname = "All"\nlanguage = "ja"\n[match.options]\nbest_of = 3\n',
        '[board]\nname = "Board 7"\n[match.options]\ntime_limit_s = 300\n',
    )
    assert (config.board.name, config.board.language) == ("Board 7", "ja")
    assert config.match["options"] == {"best_of": 3, "time_limit_s": 300}


def test_a_mistake_names_the_file_it_stands_in(files: Files) -> None:
    lines = files.mistakes(
        '[board]\nlanguage = "fr"\n[match]\nseats = 3\n[pins]\nlamp_n = 5\n',
        "[board]\nnmae = 1\n[dialogue]\nhold_s = 'x'\n[bord]\n",
    )
    starts = sorted(" ".join(line.split()[:3]) for line in lines)
    assert starts == [
        "board.toml: [board] nmae",
        "board.toml: [bord] is",
        "board.toml: [dialogue] hold_s",
        "jackspot.toml: [board] language",
        "jackspot.toml: [match] seats:",
        "jackspot.toml: [pins] lamp_n",
    ]


def test_both_files_are_read_before_either_is_blamed(files: Files) -> None:
    assert [line.split()[0] for line in files.mistakes("[web\n", "]")] == [
        "jackspot.toml:1:5:",
        "board.toml:1:1:",
    ]


def test_files_in_their_usual_places_are_found_and_others_go_before_them(tmp_path: Path) -> None:
    shared, board, other = (tmp_path / name for name in ("shared", "board", "other"))
    assert find(shared_place=shared, board_place=board) == Sources(())
    for path in (shared, board):
        path.touch()
    assert find(shared_place=shared, board_place=board) == Sources((shared, board))
    assert find(other, shared_place=shared, board_place=board) == Sources((other, board))
    assert find(None, other, shared_place=shared, board_place=board) == Sources((shared, other))


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[pins]\nprofile = "spi"\nseats = ["N"]\noled_ce = 7\n',
        '[board]\nname = "Köln \\"7\\" \\\\ 彦根"\nlanguage = "de"\n',
        '[match]\nseats = ["E", "W"]\n[match.names]\nE = "Aiko"\n[match.options]\nbest_of = 3\n',
        '[match.handicap.S]\nhead_start = 4\n',
        '[pins]\nlamps = false\npocket_ne = { active = "high", pull = "none" }\n',
        "[pins]\nbeam_hold_off_s = 0.0012345\nseat_n_ok = { hold_off_s = 0.123456789 }\n",
        '[sign]\nkind = "alpha"\nport = "socket://sign:4001"\n',
        "[dialogue]\nsettle_s = 0.123456789\n[oled]\ncontrast = 0\nport = 3\n",
        '[match]\ndate = 2026-11-20\n',
    ],
)  # fmt: skip
def test_the_effective_settings_are_a_file_that_says_the_same(files: Files, text: str) -> None:
    config = files.load(text)
    again = files.load(as_toml(config))
    for field in Config.__struct_fields__:
        if field != "pins":
            assert getattr(again, field) == getattr(config, field), field
    assert as_toml(again) == as_toml(config)


def test_every_table_is_among_the_effective_settings() -> None:
    printed = as_toml(load(Sources(())))
    for table in TABLES:
        assert f"[{table}]\n" in printed


def test_a_file_in_a_folder_that_may_not_be_entered_is_told_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)
    sources = find(shared_place=tmp_path / "shared.toml", board_place=tmp_path / "board.toml")
    with pytest.raises(ConfigError, match=r"shared\.toml"):
        load(sources)
