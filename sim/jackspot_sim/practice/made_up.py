"""An event that suits a number of boards, with people who do not exist."""

from __future__ import annotations

from itertools import chain, islice, product

from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import programme_of

HALL = "practice"
TO_A_BOARD = 2
"""How many people enter for each board: the 27th championship of Hikone had 145 at 72."""
FEWEST, MOST = 6, 1_000
"""As many people as a contest needs, and as an event's file takes."""
TO_A_GROUP = 6
MATCH_S = 300
REST_S = 60

JAPANESE = (
    ("佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村", "小林", "加藤", "吉田",
     "山田"),
    ("葵", "陽翔", "結衣", "蓮", "美咲", "大翔", "さくら", "悠真", "陽菜", "颯太", "千代", "健"),
)  # fmt: skip
GERMAN = (
    ("Müller", "Schmidt", "Schneider", "Fischer", "Weber", "Wagner", "Becker", "Schulz", "Hoffmann",
     "Koch", "Richter", "Klein"),
    ("Anna", "Jonas", "Frieda", "Dirk", "Käthe", "Moritz", "Heike", "Björn", "Lina", "Otto", "Ute",
     "Emil"),
)  # fmt: skip
ENGLISH = (
    ("Smith", "Jones", "Taylor", "Brown", "Williams", "Wilson", "Evans", "Thomas", "Walker",
     "Wright", "Hughes", "Green"),
    ("Olivia", "George", "Amelia", "Arthur", "Isla", "Noah", "Grace", "Harry", "Freya", "Alfie",
     "Ruby", "Jack"),
)  # fmt: skip


def made_up(boards: int, seed: str) -> Programme:
    """Return an event for this many boards: singles in groups and a knockout, and pairs."""
    people = names(min(max(FEWEST, TO_A_BOARD * boards), MOST))
    match = {"rules": "hikone", "options": {"time_limit_s": MATCH_S}}
    groups = max(round(len(people) / TO_A_GROUP), 1)
    singles = {
        "name": "singles", "format": "groups", "groups": groups, "upper": 2 if groups < 4 else 3,
        "entrants": people, "match": match,
    }  # fmt: skip
    together = zip(people[::2], people[1::2], strict=False)
    pairs = {
        "name": "pairs", "format": "knockout", "entrants": [list(pair) for pair in together],
        "match": match,
    }  # fmt: skip
    return programme_of({"name": "Practice", "hall": HALL, "boards": boards, "seed": seed,
                         "rest_s": REST_S, "contest": [singles, pairs]})  # fmt: skip


def names(count: int) -> list[str]:
    """Return ``count`` different names, from the three languages in turn."""
    japanese = (f"{family} {given}" for family, given in _met(JAPANESE))
    others = ((f"{given} {family}" for family, given in _met(each)) for each in (GERMAN, ENGLISH))
    rows = zip(japanese, *others, strict=True)
    found = list(islice(chain.from_iterable(rows), count))
    numbered = (f"{name} {number}" for number in range(2, 1_000) for name in list(found))
    return [*found, *islice(numbered, count - len(found))]


def _met(lists: tuple[tuple[str, ...], tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return each family name with each given name; neighbours have nothing in common."""
    families, given = lists
    return [
        (family, given[(at + shift) % len(given)])
        for shift, (at, family) in product(range(len(given)), enumerate(families))
    ]
