"""What only the desk is shown: what needs it now, people, classes, and the last steps. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from jackspot_hub.desk.allowed import OrganiserAction, judge, stage_of
from jackspot_hub.desk.attaching import loose_results, sides_played
from jackspot_hub.desk.entering import entering_verdict, first_round, missing
from jackspot_hub.desk.no_show import late_matches
from jackspot_hub.desk.revising import STAYS
from jackspot_hub.desk.state import DeskKind, DeskState, PastEntry, SeenBoard, taken_back
from jackspot_hub.desk.step import ended_unsaid, free_boards, waiting_for_gong
from jackspot_hub.desk.unbegun import wrongly_called
from jackspot_hub.desk.updates import ended, offers_now
from jackspot_hub.event.contest import Groups
from jackspot_hub.event.rota import blocks, on_duty

STEPS = 60
"""How many of the last steps are shown at first."""
Json = dict[str, Any]


def needs(desk: DeskState) -> list[dict[str, Any]]:
    """Return what waits for the organiser, the most urgent first.

    - ``tied``: a match that decides who goes on has no winner.
    - ``loose``: a result without an order, or one that comes ``of`` a match after the desk has
      entered how it ended, or another board has ended it.
    - ``conflict``: a match was played, or may have begun, by people other than those to whom
      results now lead.
    - ``alone``: such a match leads the same entrant to both sides of another one, which nobody can
      play.
    - ``unsaid``: a board went away after the last stroke of its match, before its result came.
    """
    found: list[dict[str, Any]] = []
    for board in desk.open_orders:
        ended = None if desk.seen.get(board, SeenBoard()).there else ended_unsaid(desk, board)
        if ended is not None:
            found.append({"what": "unsaid", "key": ended[0], "board": board,
                          "winner": ended[1].winner, "points": list(ended[1].points),
                          "jack": ended[1].by_jack})  # fmt: skip
    anew = {each.order.key for each in wrongly_called(desk)}
    for contest in desk.programme.classes:
        found += [{"what": "tied", "key": each} for each in desk.unwon(contest)]
        found += [{"what": "conflict", "key": each.key} for each in desk.drawn(contest).conflicts
                  if each.key not in anew]  # fmt: skip
        found += [{"what": "alone", "key": each.key} for each in desk.still_open(contest)
                  if each.is_of_one]  # fmt: skip
    found += [
        {"what": "loose", "id": each["id"], "board": each["board"], "of": _key_of(desk, each),
         "sides": sides_played(each["record"])}
        for each in loose_results(desk)
    ]  # fmt: skip
    return found


def _key_of(desk: DeskState, result: Mapping[str, Any]) -> str | None:
    """Return the match for which a loose result was ordered; None: not ordered at its board."""
    order = desk.orders.get(result["order"]) if result["order"] is not None else None
    return order.key if order is not None and order.board == result["board"] else None


def late_part(desk: DeskState) -> list[Json]:
    """Return who was called ``since_ms`` and has not begun: it matters from ``from_ms`` on.

    From ``rule_ms`` on (null: never) the desk offers the match to the sides that are ``here``.
    """
    return [
        {
            "board": each.order.board,
            "key": each.order.key,
            "since_ms": each.order.at_ms,
            "from_ms": each.late_ms or each.rule_ms,
            "rule_ms": each.rule_ms,
            "here": list(each.here),
        }
        for each in late_matches(desk)
    ]


def gong_part(desk: DeskState) -> Json | None:
    """Return who waits for the gong, of how many who are called; None: nothing begins by it."""
    if not desk.programme.by_gong:
        return None
    waiting = waiting_for_gong(desk)
    return {
        "waiting": len(waiting),
        "called": len(desk.open_orders),
        "begun": desk.gong is not None,
    }


def day_part(desk: DeskState) -> Json:
    """Return how many boards can be given a match at once, and how soon people begin.

    ``begins_ms``: the median time from a call to the beginning; null: nobody has begun.
    """
    took_ms = [each for seen in desk.seen.values() for each in seen.begun_after_ms]
    return {"free": len(free_boards(desk)), "begins_ms": median(took_ms) if took_ms else None}


def rota_part(desk: DeskState) -> list[Json]:
    """Return each referee's ``own`` boards, and those ``now``; a referee who plays has none."""
    programme = desk.programme
    playing = {
        name for number in desk.open_orders.values() for side in desk.orders[number].sides
        for name in programme.names(desk.orders[number].contest, side)
    }  # fmt: skip
    whole = blocks(programme.referees, [each.number for each in programme.boards])
    now = on_duty(whole, playing)
    return [
        {"name": name, "own": list(own), "now": list(now[name]), "plays": name in playing}
        for name, own in whole.items()
    ]


def boards_part(desk: DeskState) -> list[Json]:
    """Return which boards are locked, or kept for contests."""
    return [
        {"n": each.number, "locked": each.locked, "kept_for": sorted(each.kept_for)}
        for each in desk.programme.boards if each.locked or each.kept_for
    ]  # fmt: skip


def update_part(desk: DeskState) -> Json:
    """Return each board's version, what the hub has for it, and its progress with that.

    ``offered``: it waits for its turn, or takes it; ``place``: it takes it now.
    """
    offers = offers_now(desk)
    return {
        "release": None if desk.carried is None else desk.carried.release,
        "offered": sum(ended(desk, board) is None for board in offers),
        "boards": [
            {
                "n": board,
                "version": version,
                "offered": board in offers and ended(desk, board) is None,
                "place": board in desk.places,
                **({} if said is None else {"of": said["release"], "step": said["step"],
                                            "percent": said["percent"], "why": said["why"]}),
            }
            for board, version in sorted(desk.versions.items())
            for said in (desk.updates.get(board),)
        ],
    }  # fmt: skip


def people_part(desk: DeskState) -> list[Json]:
    """Return who is registered, whether they have come, and what they are entered in."""
    entries: dict[int, list[Json]] = {}
    for name, played in desk.programme.classes.items():
        gone = played.contest.left
        for entrant, own in played.people.items():
            left = entrant in gone
            for each in own:
                mates = [mate for mate in own if mate != each]
                entries.setdefault(each, []).append(
                    {"contest": name, "entrant": entrant, "with": mates, "left": left}
                )
    return [
        {
            "n": person.number,
            "name": person.name,
            "kana": person.kana,
            "club": person.club,
            "born": person.born,
            "there": person.number in desk.arrived,
            "entries": entries.get(person.number, []),
        }
        for person in desk.programme.people.values()
    ]


def classes_part(desk: DeskState) -> list[Json]:
    """Return the stage of each class, and what can be done with it now.

    People who come now play from the round in ``joins`` on; null: it is not drawn in rounds, or
    its last round has begun.
    """
    found = []
    for name, played in desk.programme.classes.items():
        can = {
            "enter": entering_verdict(desk, name).value,
            **{what: judge(desk, action, name).verdict.value
               for what, action in (("merge", OrganiserAction.MERGE),
                                    ("draw", OrganiserAction.DRAW),
                                    ("undraw", OrganiserAction.UNDO_DRAW))},
        }  # fmt: skip
        form = played.contest.format
        found.append(
            {
                "name": name,
                "title": played.title or name,
                "size": played.size,
                "born": list(played.born),
                "format": type(form).__name__,
                "groups": form.count if isinstance(form, Groups) else None,
                "stage": stage_of(desk, name).value,
                "entrants": len(played.people),
                "missing": list(missing(desk, name)),
                "drawn": played.is_drawn,
                "seed": played.contest.seed,
                "can": can,
                "joins": first_round(desk, name),
            }
        )
    return found


def steps_part(desk: DeskState, most: int = STEPS) -> list[Json]:
    """Return what people did last, newest first; what boards said is not included."""
    undone = taken_back(desk.past)
    steps = [each for each in desk.past if each.entry.kind not in STAYS][-most:]
    return [_step(desk, each) | {"undone": each.seq in undone} for each in reversed(steps)]


def _step(desk: DeskState, past: PastEntry) -> Json:
    body = past.entry.body
    shown = {
        name: body[name]
        for name in ("key", "contest", "other", "person", "people", "entrant", "there", "board",
                     "locked", "name", "seed", "entry", "outcome", "forced", "text")
        if name in body
    }  # fmt: skip
    step = {"seq": past.seq, "kind": past.entry.kind.value, "at_ms": past.wall_ms}
    if past.entry.kind is DeskKind.UNDONE:
        shown["undid"] = _step(desk, desk.past[body["entry"] - 1])
    if past.entry.kind is DeskKind.ATTACHED:
        shown |= _result_of(desk, body["result"])
    if past.entry.kind is DeskKind.MERGED:
        shown["title"] = (desk.filed or desk.programme).classes[body["other"]].title
    return {**step, "by": body.get("by", ""), **shown}


def _result_of(desk: DeskState, result: str) -> Json:
    """Return which loose result it is: its board, its people and its score."""
    for past in reversed(desk.past):
        if past.entry.kind is DeskKind.RESULT and past.entry.body["message"]["id"] == result:
            record = past.entry.body["message"]["record"]
            return {"board": past.entry.body["board"], "sides": sides_played(record)}
    return {}
