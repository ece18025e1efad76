"""``jackspot run``: what it prints before the board begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackspot.commands import run
from jackspot.config.load import Sources, load


def test_all_addresses_of_the_boards_pages_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    config = load(Sources(()))
    web = config.web.model_copy(update={"enabled": True, "host": "127.0.0.1", "port": 8461})
    run._tell_addresses(replace(config, web=web))
    assert capsys.readouterr().out.split() == [
        "score", "http://127.0.0.1:8461/",
        "kiosk", "http://127.0.0.1:8461/?kiosk",
        "overlay", "http://127.0.0.1:8461/overlay",
        "referee", "http://127.0.0.1:8461/referee",
        "matches", "http://127.0.0.1:8461/matches",
    ]  # fmt: skip


def test_a_board_without_pages_prints_none(capsys: pytest.CaptureFixture[str]) -> None:
    config = load(Sources(()))
    web = config.web.model_copy(update={"enabled": False})
    run._tell_addresses(replace(config, web=web))
    assert capsys.readouterr().out == ""
