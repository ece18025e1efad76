"""The live state keeps to its published schema, whatever the board shows."""

from __future__ import annotations

import gettext
import json

import jsonschema
import pytest
from hypothesis import given, strategies as st

from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    FaultView,
    FreeView,
    HoldView,
    LastRuling,
    MenuView,
    PlaceView,
    PreferencesView,
    QueuedKind,
    QueuedView,
    ReadingView,
    SideView,
)
from jackspot.dialogue.words.wording import side_name
from jackspot.files import Json
from jackspot.values import changed
from jackspot.web.state import live_state
from jackspot.web.state_types import published_schema
from tests.web.samples import (
    ARMED,
    ATTRACT,
    EVERY,
    FAULTY,
    FREE,
    IDENTITY,
    OVER,
    PLACING,
    QUESTION,
    QUEUE,
    READY,
    REVIEW,
    entered,
)

english = gettext.NullTranslations().gettext

texts = st.text(max_size=8)
words = st.builds(lambda text: Phrase("{text}", (("text", text),)), texts)
departures = st.builds(
    lambda piece, pocket, flew_off: Departure(piece, None if flew_off else pocket, flew_off),
    st.sampled_from(Piece),
    st.none() | st.sampled_from(Pocket),
    st.booleans(),
)
shares = st.floats(0, 1)
counts = st.integers(0, 2**53)
seats = st.sampled_from(Seat)


def several(one, most=3):
    return st.lists(one, max_size=most).map(tuple)


def sides(side):
    return st.builds(
        SideView,
        side=st.just(side),
        seats=st.lists(seats, min_size=1, max_size=2).map(tuple),
        names=several(texts, 2),
        pocketed=counts,
        left=counts,
        owed=counts,
        points=st.integers(),
        boards_won=counts,
        pieces=st.lists(st.sampled_from(Piece), min_size=1, max_size=2).map(tuple),
        board_points=st.integers(),
        game_points=counts,
        games_won=counts,
    )


readings = st.builds(
    ReadingView,
    what=words,
    follows=words,
    why=words,
    departures=several(departures),
    probability=shares,
    doubtful=st.booleans(),
    ends_board=st.booleans(),
    flags=st.frozensets(st.sampled_from(Flag)),
    stroke=st.booleans(),
    seat=st.none() | seats,
    missed=several(seats),
    before=st.booleans(),
)
queued = st.builds(
    QueuedView,
    kind=st.sampled_from(QueuedKind),
    what=words,
    why=words,
    probability=shares,
    pockets=several(st.sampled_from(Pocket)),
)
clocks = st.builds(
    ClockView,
    limit_ns=counts,
    remaining_ns=st.integers(),
    running=st.booleans(),
    as_of_ns=counts,
    armed=st.booleans(),
)
views = st.builds(
    BoardView,
    sequence=counts,
    ask=counts,
    board=counts,
    best_of=counts,
    sides=st.tuples(sides(Side.ONE), sides(Side.TWO)),
    headline=words,
    detail=words,
    ok=words,
    fix=words,
    proposal=st.none() | readings,
    readings=several(readings),
    place=several(st.sampled_from(Piece)),
    fetch=several(st.none() | st.sampled_from(Pocket)),
    waiting=counts,
    lit=several(st.sampled_from(Pocket)),
    placing=several(
        st.builds(PlaceView, pieces=several(st.sampled_from(Piece)), by=words, where=words)
    ),
    hints=several(words),
    clock=clocks,
    shot=st.none() | clocks,
    last=st.none()
    | st.builds(
        LastRuling, rows=several(texts), words=words, seat=seats, departures=several(departures)
    ),
    faults=several(st.builds(FaultView, part=texts, what=words, remedy=words)),
    hold=st.none() | st.builds(HoldView, down_ns=counts, progress=shares),
    menu=st.none()
    | st.builds(MenuView, title=words, items=several(words), chosen=counts, question=st.booleans()),
    red_side=st.none() | st.sampled_from(Side),
    red_words=words,
    on_board=st.dictionaries(st.sampled_from(Piece), counts).map(lambda n: tuple(n.items())),
    game=counts,
    game_board=st.integers(1, 2**53),
    winner=st.none() | st.sampled_from(Side),
    result_points=st.none() | st.tuples(st.integers(), st.integers()),
    lamps=st.frozensets(seats),
    queue=several(queued),
    by_hand=several(st.sampled_from(Pocket)),
    free=st.none()
    | st.builds(
        FreeView,
        counts=several(st.tuples(st.sampled_from(Piece), counts)),
        last=words,
        sure=st.booleans(),
    ),
    attract=st.none() | st.integers(0, 2),
    preferences=st.builds(
        PreferencesView,
        language=st.sampled_from(["en", "de", "ja"]),
        brightness=st.integers(0, 100),
        volume=st.integers(0, 100),
    ),
    record=texts,
)


def say(view: BoardView, now_ns: int = 0) -> Json:
    state = live_state(view, IDENTITY, english, run="r1", now_ns=now_ns)
    return json.loads(json.dumps(state))


PUBLISHED = jsonschema.Draft202012Validator(published_schema())
"""The published schema; a separate test checks that it is sound."""


def check(state: Json) -> None:
    PUBLISHED.validate(state)


@pytest.mark.parametrize("view", EVERY, ids=lambda view: f"{view.phase}-{view.sequence}")
def test_the_state_of_every_phase_keeps_to_the_schema(view):
    check(say(view))


@given(view=views)
def test_the_state_of_any_view_keeps_to_the_schema(view):
    check(say(view))


def test_the_schema_itself_is_a_valid_schema():
    jsonschema.Draft202012Validator.check_schema(published_schema())


def test_the_schema_knows_exactly_the_fields_that_are_sent():
    schema = published_schema()
    assert set(schema["properties"]) == set(say(READY))
    assert set(schema["required"]) == set(say(READY))


@pytest.mark.parametrize("name", sorted(say(READY)))
def test_a_state_without_a_field_breaks_the_schema(name):
    state = say(READY)
    del state[name]
    with pytest.raises(jsonschema.ValidationError):
        check(state)


def test_a_field_nobody_promised_breaks_the_schema():
    with pytest.raises(jsonschema.ValidationError):
        check({**say(READY), "colour": "mauve"})


def test_what_is_proposed_stands_apart_from_what_counts():
    state = say(REVIEW)
    assert state["proposal"]["what"] == "RED NE"
    assert state["proposal"]["departures"] == [{"piece": "red", "pocket": "NE", "flew_off": False}]
    assert [side["pocketed"] for side in state["sides"]] == [5, 3]
    assert state["waiting"] == 2
    assert say(READY)["proposal"] is None


def test_the_last_ruling_says_whose_stroke_it_judged_and_what_left_the_board():
    last = say(PLACING)["last"]
    assert (last["seat"], last["foul"]) == ("N", True)
    assert last["departures"] == [{"piece": "striker", "pocket": "SW", "flew_off": False}]


def test_entries_are_those_of_the_record():
    assert say(READY)["entries"] == 0
    assert say(entered(READY, 2))["entries"] == 2


def test_pieces_to_place_stand_bottom_to_top_and_strikers_apart():
    state = say(PLACING)
    assert state["place"] == ["red", "red", "jack"]
    assert state["fetch"] == ["SW", None]


def test_a_part_with_a_fault_is_named_in_words_and_in_the_health():
    state = say(FAULTY)
    assert state["faults"][0]["remedy"] == "look into NE"
    assert [(part["part"], part["trouble"]) for part in state["health"]] == [
        ("pocket_ne", "blocked"),
        ("referee_ok", None),
        ("oled", None),
    ]


def objects(value):
    """Yield every JSON object in a value, with its keys."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects(each)


def test_no_object_of_the_schema_lets_a_field_be_sent_that_it_does_not_name():
    for described in objects(published_schema()):
        if "properties" in described and described.get("type") == "object":
            assert described["additionalProperties"] is False
            assert set(described["required"]) == set(described["properties"])


def test_what_waits_stands_in_the_order_in_which_it_will_be_asked():
    state = say(QUEUE)
    assert [(each["kind"], each["what"], each["pockets"]) for each in state["queue"]] == [
        ("hand", "HAND SW", ["SW"]),
        ("waits", "GREEN SE", ["SE"]),
        ("parked", "RED", []),
        ("kept", "S missed", []),
    ]
    assert state["queue"][1]["why"] == "9 ms in SE"
    assert state["queue"][1]["probability"] == 0.7
    assert state["by_hand"] == ["NW"]


def test_a_reading_says_whose_stroke_it_is_and_who_missed_before_it():
    proposal = say(QUEUE)["proposal"]
    assert (proposal["seat"], proposal["missed"], proposal["before"]) == ("N", ["S"], False)
    assert (proposal["flags"], proposal["stroke"]) == (["foul"], True)


def test_free_play_counts_pieces_and_a_match_counts_none():
    assert say(FREE)["free"] == {
        "counts": [
            {"piece": "red", "count": 3},
            {"piece": "green", "count": 0},
            {"piece": "jack", "count": 1},
        ],
        "last": "JACK NE",
        "sure": False,
    }
    assert say(READY)["free"] is None


def test_a_picture_of_help_and_the_preferences_are_named():
    state = say(ATTRACT)
    assert state["attract"] == 2
    assert state["house"] == {"language": "ja", "brightness": 40, "volume": 0}
    assert say(READY)["attract"] is None


def test_a_clock_that_waits_for_the_gong_is_armed_and_does_not_run():
    clock = say(ARMED)["clock"]
    assert (clock["armed"], clock["running"]) == (True, False)


def test_a_question_is_told_from_a_list_to_choose_from():
    assert say(QUESTION)["menu"]["question"] is True
    assert say(FAULTY)["menu"]["question"] is False


def test_the_ask_of_another_start_of_the_board_is_another_ask():
    before = live_state(READY, IDENTITY, english, run="r1", now_ns=0)["ask"]
    after = live_state(READY, IDENTITY, english, run="r2", now_ns=0)["ask"]
    assert before != after


def test_a_finished_match_carries_winner_points_and_record():
    state = say(OVER)
    assert state["winner"] == "red"
    assert state["result_points"] == {"red": 12, "green": 8}
    assert state["record"].startswith("# jackspot record 1")
    assert state["turn"] is None


@pytest.mark.parametrize(
    ("rules", "piece"), [(RuleSystem.JAPAN, "jack"), (RuleSystem.ICF, "queen")]
)
def test_the_centre_piece_is_the_jack_of_carom_and_the_queen_of_carrom(rules, piece):
    assert say(changed(READY, rules=rules))["centre_piece"]["piece"] == piece


def test_every_side_has_a_name():
    assert len({str(side_name(side)) for side in Side}) == len(Side)


def test_words_come_in_the_language_asked_for():
    german = {"missed": "daneben", "green": "grün"}
    state = live_state(READY, IDENTITY, lambda text: german.get(text, text), run="r", now_ns=0)
    assert state["prompts"]["ok"] == "daneben"
    assert state["sides"][1]["name"] == "grün"
