"""Which journal a session goes on with, and which it begins."""

from __future__ import annotations

from jackspot_sim.browser.journals import fresh, newest


def test_a_session_without_any_journal_begins_with_the_one_it_was_given(tmp_path):
    assert newest(tmp_path / "j.sqlite3") == tmp_path / "j.sqlite3"


def test_a_new_match_never_takes_a_journal_that_is_there(tmp_path):
    first = tmp_path / "j.sqlite3"
    names = []
    for _ in range(3):
        path = fresh(first, show=False)
        path.touch()
        names.append(path.name)
    assert names == ["j-2.sqlite3", "j-3.sqlite3", "j-4.sqlite3"]
    assert newest(first).name == "j-4.sqlite3"


def test_a_show_is_no_match_to_go_on_with(tmp_path):
    first = tmp_path / "j.sqlite3"
    first.touch()
    show = fresh(first, show=True)
    show.touch()
    assert newest(first) == first
    assert fresh(first, show=True) != show
