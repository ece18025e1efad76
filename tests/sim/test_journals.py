"""Where a match that plays automatically is written down."""

from __future__ import annotations

from jackspot_sim.browser.journals import of_a_show


def test_a_show_never_takes_a_journal_that_is_there(tmp_path):
    first = tmp_path / "j.sqlite3"
    first.touch()
    names = []
    for _ in range(2):
        path = of_a_show(first)
        path.touch()
        names.append(path.name)
    assert names == ["j-show-2.sqlite3", "j-show-3.sqlite3"]
