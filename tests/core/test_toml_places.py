"""Where keys and values are in a TOML text."""

from __future__ import annotations

import tomllib

from hypothesis import given, strategies as st

from jackspot.core.toml_places import FoundKey, TextPlace, find_places


def at(line: int, column: int) -> TextPlace:
    return TextPlace(line, column)


def test_keys_and_values_are_found_where_they_stand():
    text = """a = 1
  "b c" = '''x
y''' # comment
[ t . u ]
k.l = { m = [1, {n = 2}], 'o p' = "}" }
[[list]]
z = 1979-05-27T07:32:00
"""
    tomllib.loads(text)
    assert find_places(text) == {
        ("a",): FoundKey(at(1, 1), at(1, 5)),
        ("b c",): FoundKey(at(2, 3), at(2, 11)),
        ("t",): FoundKey(at(4, 3)),
        ("t", "u"): FoundKey(at(4, 7)),
        ("t", "u", "k"): FoundKey(at(5, 1)),
        ("t", "u", "k", "l"): FoundKey(at(5, 3), at(5, 7)),
        ("t", "u", "k", "l", "m"): FoundKey(at(5, 9), at(5, 13)),
        ("t", "u", "k", "l", "m", "n"): FoundKey(at(5, 18), at(5, 22)),
        ("t", "u", "k", "l", "o p"): FoundKey(at(5, 27), at(5, 35)),
        ("list",): FoundKey(at(6, 3)),
        ("list", "z"): FoundKey(at(7, 1), at(7, 5)),
    }


def test_a_key_that_is_written_with_escapes_is_found_as_what_it_is():
    text = '["bo\\u0061rd"]\n"shut\\u0064own" = 1\n\'a\\b\' = 2\n'
    assert tomllib.loads(text) == {"board": {"shutdown": 1, "a\\b": 2}}
    assert set(find_places(text)) == {("board",), ("board", "shutdown"), ("board", "a\\b")}


def test_what_looks_like_toml_inside_strings_and_comments_is_not():
    text = "a = \"[t]\\nb = 1\" # c = 2\nd = '''\n[e]\nf = 1\n'''\n"
    assert set(find_places(text)) == {("a",), ("d",)}


KEYS = st.text("abcdefgh", min_size=1, max_size=3)
SCALARS = st.one_of(
    st.integers(-9, 9).map(str),
    st.booleans().map(lambda yes: str(yes).lower()),
    st.text("ab#=[]{},'é👑 ", max_size=6).map(lambda text: f'"{text}"'),
    st.text('ab#=[]{},"\\ ', max_size=6).map(lambda text: f"'{text}'"),
)
ARRAYS = st.lists(SCALARS, max_size=3).map(lambda items: "[" + ", \n ".join(items) + "]")
TABLES = st.dictionaries(KEYS, SCALARS, max_size=3).map(
    lambda items: "{" + ", ".join(f"{key} = {value}" for key, value in items.items()) + "}"
)
TEXTS = st.lists(
    st.tuples(KEYS, st.one_of(SCALARS, ARRAYS, TABLES)), unique_by=lambda pair: pair[0]
)


@given(TEXTS)
def test_every_key_of_a_text_is_found_with_its_own_letters_at_its_place(pairs):
    text = "".join(f" {key}  =  {value} # end\n" for key, value in pairs)
    data = tomllib.loads(text)
    lines = text.split("\n")
    places = find_places(text)
    assert {path[0] for path in places} == set(data)
    for key, value in pairs:
        found = places[(key,)]
        assert lines[found.key.line - 1][found.key.column - 1 :].startswith(f"{key}  =")
        assert found.value is not None
        rest = "\n".join(lines[found.value.line - 1 :])[found.value.column - 1 :]
        assert rest.startswith(value)
