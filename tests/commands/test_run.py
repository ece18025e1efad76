"""``jackspot run``: what it prints before the board begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.commands import main, run
from jackspot.config.load import Sources, load
from jackspot.values import changed


def test_all_addresses_of_the_boards_pages_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    config = load(Sources(()))
    web = changed(config.web, enabled=True, host="127.0.0.1", port=8461)
    run._tell_addresses(changed(config, web=web))
    assert capsys.readouterr().out.split() == [
        "score", "http://127.0.0.1:8461/",
        "kiosk", "http://127.0.0.1:8461/?kiosk",
        "overlay", "http://127.0.0.1:8461/overlay",
        "referee", "http://127.0.0.1:8461/referee",
        "matches", "http://127.0.0.1:8461/matches",
    ]  # fmt: skip


def test_a_board_without_pages_prints_none(capsys: pytest.CaptureFixture[str]) -> None:
    config = load(Sources(()))
    web = changed(config.web, enabled=False)
    run._tell_addresses(changed(config, web=web))
    assert capsys.readouterr().out == ""


def test_a_file_that_is_no_journal_is_refused_where_somebody_names_it(tmp_path: Path) -> None:
    named = tmp_path / "shopping.txt"
    named.write_text("buy wax\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["run", "--journal", str(named)])
    assert result.exit_code == 1
    assert f"{named}: is no journal; name another file" in result.output
    assert list(tmp_path.iterdir()) == [named]
