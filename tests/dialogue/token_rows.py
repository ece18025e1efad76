"""What people press for everything that a match record can say, in every rule system.

Each row maps a token or a directive to presses and to the lines that they leave in the record.
The presses are words. FOUL and OFF are the box's buttons where there are any, else lines of the
menu; UNDO, FIX and the menu are pressed as the place allows. ``them`` before a step means that the
opponent does it, where seats have buttons. :mod:`tests.dialogue.test_every_token` plays the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jackspot.core.pieces import Pocket
from jackspot.core.rules.jack.hikone import HIKONE
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.entries import EntryKind


@dataclass(frozen=True)
class Row:
    """Presses and the lines they leave in the record; ``wrote`` are entries of the journal."""

    presses: str
    lines: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    handicap: Mapping[str, object] = field(default_factory=dict)
    lineup: str = "NS"
    wrote: tuple[EntryKind, ...] = ()


NEEDS_ONE = {"pucks_needed": 1}
CALLS, BANKS = {**NEEDS_ONE, "called_pocket": True}, {**NEEDS_ONE, "must_bank": True}
IN = "fall NE; read RED NE; ok"
"""N has one puck in."""

PIECES = {
    f"{piece}@{pocket}": Row(
        f"fall {pocket}; read {piece.upper()} {pocket}; ok", f"N {piece}@{pocket}"
    )
    for piece in HIKONE.pieces
    for pocket in Pocket
}

HIKONE_ROWS: Mapping[str, Row] = {
    **PIECES,
    # pieces
    "red": Row("fix; read RED; ok", "N red"),
    "green": Row("fix; read GREEN; ok", "N green"),
    "jack": Row("fix; read JACK; ok", "N jack"),
    "striker": Row("fix; read STRIKER; ok", "N striker"),
    "red^": Row("off; off; ok", "N red^"),
    "green^": Row("off; off; off; ok", "N green^"),
    "jack^": Row("off; off; off; off; ok", "N jack^"),
    "striker^": Row("off; ok", "N striker^"),
    "a piece that fell and one off": Row("fall SW; read RED SW; off; off; ok", "N red@SW red^"),
    "in the order they fell": Row(
        "falls NE SW; read RED NE, STRIKER SW; ok", "N red@NE striker@SW"
    ),
    "3*red@NE": Row(
        "fall NE; read RED NE; menu; pick add a piece; pick piece 2: pocket not known;"
        " pick piece 2: flew off; pick add a piece; pick piece 3: pocket not known;"
        " pick piece 3: flew off; pick done; ok",
        "N 3*red@NE",
    ),
    "2*red^": Row(
        "off; off; menu; pick add a piece; pick piece 2: pocket not known; pick done; ok",
        "N 2*red^",
    ),
    "several strikers in a mass break": Row(
        "fix; read STRIKER; menu; pick add a piece; pick piece 2: RED; pick piece 2: GREEN;"
        " pick piece 2: JACK; pick done; ok",
        "N striker striker",
        options={"opening": "mass_break"},
    ),
    "another seat shot": Row(
        "fall NE; menu; pick shooter N; pick shooter S (N missed); pick done; read GREEN NE; ok",
        "! turn S\nS green@NE",
    ),
    "a seat missed and nobody pressed": Row(
        "fall NE; menu; pick shooter N; pick done; read S (N missed): GREEN NE; ok",
        "N -\nS green@NE",
    ),
    # nothing fell
    "-": Row("ok", "N -"),
    "- by hand": Row("fix; menu; pick piece 1: remove; pick done; ok", "N -"),
    "not a stroke": Row("fall NE; read NOT A STROKE; ok", "", wrote=(EntryKind.LINE,)),
    # flags
    "foul": Row("foul; ok", "N foul"),
    "foul with a piece": Row("fall NE; read RED NE; foul; ok", "N foul red@NE"),
    "area": Row("foul; foul; ok", "N area", lineup="NESW"),
    "foul and area": Row("foul; foul; foul; ok", "N foul area", lineup="NESW"),
    "banked": Row(
        f"{IN}; fall SE; read JACK SE; ok; yes; hold ok",
        "N red@NE\nN banked jack@SE",
        handicap=BANKS,
    ),
    "unbanked": Row(
        f"{IN}; fall SE; read JACK SE; ok; no; ok", "N red@NE\nN unbanked jack@SE", handicap=BANKS
    ),
    **{
        f"call@{pocket}": Row(
            f"{IN}; menu; pick call a pocket; pick called {pocket}; fall {pocket};"
            f" read called {pocket}, JACK {pocket}; hold ok",
            f"N red@NE\nN jack@{pocket} call@{pocket}",
            handicap=CALLS,
        )
        for pocket in Pocket
    },
    "call@ after the jack fell": Row(
        f"{IN}; fall SE; read JACK SE; ok; pick called SW; ok",
        "N red@NE\nN jack@SE call@SW",
        handicap=CALLS,
    ),
    "t=": Row("wait 5; ok", "N -", options={"time_limit_s": 300}),
    # directives
    "! undo": Row("ok; undo", "", wrote=(EntryKind.UNDO,)),
    "! undo twice": Row("ok; ok; undo; undo", "", wrote=(EntryKind.UNDO, EntryKind.UNDO)),
    "! redo": Row("ok; undo; ok", "N -", wrote=(EntryKind.UNDO, EntryKind.REDO)),
    "! redo from the menu": Row(
        "ok; undo; menu; pick put back what was undone",
        "N -",
        wrote=(EntryKind.UNDO, EntryKind.REDO),
    ),
    "! time": Row("ok; wait 60", "N -\n! time", options={"time_limit_s": 30}),
    "! placed": Row(f"{IN}; fall SW; read STRIKER SW; ok; ok", "N red@NE\nN striker@SW\n! placed"),
    "! set pocketed": Row(
        "menu; pick correct the counts; pick RED in: 0; pick RED in: 1; pick the table is right",
        "! set red pocketed=1\n! set red pocketed=2",
    ),
    "! set pocketed of the other, down again": Row(
        "menu; pick correct the counts; pick GREEN in: 0; pick! GREEN in: 1;"
        " pick the table is right",
        "! set green pocketed=1\n! set green pocketed=0",
    ),
    "! set owed": Row(
        "menu; pick correct the counts; pick what is owed; pick GREEN owes: 0;"
        " pick the table is right",
        "! set green owed=1",
    ),
    "! set jack=board": Row(
        "menu; pick correct the counts; pick jack is on the board; pick the table is right",
        "! set jack=board",
    ),
    "! turn": Row("menu; pick whose turn; pick turn to S", "! turn S"),
    "! turn to the same seat": Row("menu; pick whose turn; pick turn to N", "! turn N"),
    "! resign": Row("menu; pick resign; pick! S resigns", "! resign S"),
    "! draw": Row("menu; pick! draw", "! draw"),
    "! board": Row(f"{IN}; menu; pick! void the board", "N red@NE\n! board"),
    "! turn after a finished board": Row(
        "menu; pick! draw; menu; pick whose turn; pick turn to N; ok",
        "! draw\n! turn N\nN -",
        options={"best_of": 3},
    ),
    "a stroke after a finished board": Row(
        "menu; pick! draw; ok; ok", "! draw\n! board\nS -", options={"best_of": 3}
    ),
}


# --- kagw, icf, grundregeln ------------------------------------------------------------

NEXT = ("NE", "SE", "SW", "NW")
WHITE_IN = "fall NE; read WHITE NE; ok"
"""N has one white piece in, and has made the break with it."""
STRIKER_TOO = f"{WHITE_IN}; fall SW; read STRIKER SW; ok"
"""N gives it back because of a striker."""
COUNTS = "menu; pick correct the counts"


def in_each(piece: str, seats: str) -> Row:
    """Return a row of one piece after the other, into every pocket."""
    presses = "; ".join(f"fall {p}; read {piece.upper()} {p}; ok" for p in NEXT)
    return Row(presses, "\n".join(f"{s} {piece}@{p}" for s, p in zip(seats, NEXT, strict=True)))


def once_in(piece: str, then: str = "") -> dict[str, Row]:
    """Return rows of a piece that comes back whenever it falls, for every pocket."""
    return {
        f"{piece}@{p}": Row(f"fall {p}; read {piece.upper()} {p}; ok{then}", f"N {piece}@{p}")
        for p in NEXT
    }


def by_word(name: str, more: int, first: int = 0) -> str:
    """Return the presses that raise a side's count, one by one."""
    return "; ".join(f"pick {name} in: {n}" for n in range(first, first + more))


def counted(side: str, more: int, first: int = 0) -> str:
    """Return the lines that these presses leave."""
    return "\n".join(f"! set {side} pocketed={n}" for n in range(first + 1, first + more + 1))


LOST = (
    f"{COUNTS}; {by_word('BLACK', 8)}; pick the table is right;"
    " fall NE; read BLACK NE; foul; hold ok"
)
LOST_LINES = f"{counted('black', 8)}\nN foul black@NE"
"""N pockets the opponent's last piece improperly, the queen on the board: N loses."""

QUEEN_ROWS: Mapping[str, Row] = {
    # pieces
    "white in every pocket": in_each("white", "NNNN"),
    "black in every pocket": in_each("black", "NSSS"),
    **once_in("queen"),
    **once_in("striker", then="; yes"),
    "white": Row("fix; read WHITE; ok", "N white"),
    "black": Row("fix; read BLACK; ok", "N black"),
    "queen": Row("fix; read QUEEN; ok", "N queen"),
    "striker": Row("fix; read STRIKER; ok; yes", "N striker"),
    "white^": Row("off; off; ok", "N white^"),
    "black^": Row("off; off; off; ok", "N black^"),
    "queen^": Row("off; off; off; off; ok", "N queen^"),
    "striker^": Row("off; ok; yes", "N striker^"),
    "a piece that fell and one off": Row(
        "fall SW; read WHITE SW; off; off; ok", "N white@SW white^"
    ),
    "several at once": Row("falls NE SW; read WHITE NE, STRIKER SW; ok", "N white@NE striker@SW"),
    "3*white@NE": Row(
        "fall NE; read WHITE NE; menu; pick add a piece; pick piece 2: pocket not known;"
        " pick piece 2: flew off; pick add a piece; pick piece 3: pocket not known;"
        " pick piece 3: flew off; pick done; ok",
        "N 3*white@NE",
    ),
    "the queen and its cover": Row(
        f"{WHITE_IN}; fall SE; read QUEEN SE; ok; fall SW; read WHITE SW; ok",
        "N white@NE\nN queen@SE\nN white@SW",
    ),
    "another seat shot": Row(
        "fall NE; menu; pick shooter N; pick shooter S (N missed); pick done; read BLACK NE; ok",
        "! turn S\nS black@NE",
    ),
    # nothing fell
    "-": Row("ok; yes", "N -"),
    "- by hand": Row("fix; menu; pick piece 1: remove; pick done; ok; yes", "N -"),
    "not a stroke": Row("fall NE; read NOT A STROKE; ok", "", wrote=(EntryKind.LINE,)),
    # flags
    "nobreak": Row("ok; no", "N nobreak"),
    "nobreak until the turn passes": Row(
        "ok; no; wait 6; ok; no; wait 6; ok; no", "N nobreak\nN nobreak\nN nobreak"
    ),
    "nobreak in review": Row("foul; foul; ok", "N nobreak"),
    "nobreak with the striker": Row(
        "fall NE; read STRIKER NE; foul; foul; ok", "N striker@NE nobreak"
    ),
    "nobreak with the striker, asked": Row(
        "fall NE; read STRIKER NE; ok; no", "N striker@NE nobreak"
    ),
    "foul and nobreak": Row("foul; foul; foul; ok", "N foul nobreak"),
    "foul": Row("foul; ok", "N foul"),
    "foul with a piece": Row("fall NE; read WHITE NE; foul; ok", "N foul white@NE"),
    "t=": Row("wait 5; ok; yes", "N -", options={"time_limit_s": 300}),
    # directives
    "! undo": Row("ok; yes; undo", "", wrote=(EntryKind.UNDO,)),
    "! undo twice": Row("ok; yes; ok; undo; undo", "", wrote=(EntryKind.UNDO, EntryKind.UNDO)),
    "! redo": Row("ok; yes; undo; ok", "N -", wrote=(EntryKind.UNDO, EntryKind.REDO)),
    "! time": Row("ok; yes; wait 60", "N -\n! time", options={"time_limit_s": 30}),
    "! placed": Row(f"{STRIKER_TOO}; ok", "N white@NE\nN striker@SW\n! placed"),
    "! set pocketed": Row(
        f"{COUNTS}; pick WHITE in: 0; pick WHITE in: 1; pick! WHITE in: 2; pick the table is right",
        "! set white pocketed=1\n! set white pocketed=2\n! set white pocketed=1",
    ),
    "! set owed": Row(
        f"{COUNTS}; pick what is owed; pick BLACK owes: 0; pick the table is right",
        "! set black owed=1",
    ),
    **{
        f"! set queen={place}": Row(
            f"{COUNTS}; pick queen; pick queen: {word}; pick the table is right",
            f"! set queen={place}",
        )
        for place, word in {
            "board": "on the board",
            "pending:white": "WHITE must cover",
            "covered:white": "covered by WHITE",
            "covered:black": "covered by BLACK",
        }.items()
    },
    "! turn": Row("menu; pick whose turn; pick turn to S", "! turn S"),
    "! resign": Row("menu; pick resign; pick! S resigns", "! resign S"),
    "! draw": Row("menu; pick! draw", "! draw"),
    "! board": Row(f"{WHITE_IN}; menu; pick! void the board", "N white@NE\n! board"),
    "! turn after a finished board": Row(
        "menu; pick! draw; menu; pick whose turn; pick turn to N; ok; yes",
        "! draw\n! turn N\nN -",
        options={"best_of": 3},
    ),
    "a stroke after a finished board": Row(
        "menu; pick! draw; ok; ok; yes", "! draw\n! board\nS -", options={"best_of": 3}
    ),
}

OWING = "fall NE; read STRIKER NE; ok; yes; ok; fall SW; read WHITE SW; ok; ok"
"""N owes a piece, pockets one and misses: the opponent has to put it back."""
OWING_LINES = "N striker@NE\nS -\nN white@SW\nN -"

KAGW_ROWS: Mapping[str, Row] = {
    **QUEEN_ROWS,
    "! forgot": Row(f"{OWING}; them fix; them yes", f"{OWING_LINES}\n! forgot"),
    "not forgotten after all": Row(f"{OWING}; them fix; them no; ok", f"{OWING_LINES}\n! placed"),
    "! forgot from the menu": Row(
        f"{OWING}; them menu; them pick! not put back in time", f"{OWING_LINES}\n! forgot"
    ),
    "! forgot because the next turn began": Row(
        f"{OWING}; drop SE; them ok; read BLACK SE; them ok; them no; them ok",
        f"{OWING_LINES}\n! forgot\nS black@SE",
    ),
    "! placed though the next turn began": Row(
        f"{OWING}; drop SE; them ok; read BLACK SE; them ok; them yes; them ok",
        f"{OWING_LINES}\n! placed\nS black@SE",
    ),
    "a wrong ! forgot taken back": Row(
        f"{OWING}; them fix; them yes; undo; ok",
        f"{OWING_LINES}\n! placed",
        wrote=(EntryKind.UNDO,),
    ),
}

WAIVE_ROWS: Mapping[str, Row] = {
    "! waive": Row(
        f"{STRIKER_TOO}; them fix; them yes", "N white@NE\nN striker@SW\n! waive"
    ),
    "! waive what could not be paid": Row(
        "fall SW; read STRIKER SW; ok; yes; them menu; them pick! waive what is due",
        "N striker@SW\n! waive",
    ),
    "! waive what lay there": Row(
        f"{STRIKER_TOO}; ok; them menu; them pick! waive what is due; ok",
        "N white@NE\nN striker@SW\n! placed\n! waive\n! placed",
    ),
}  # fmt: skip

GRUNDREGELN_ROWS: Mapping[str, Row] = {**QUEEN_ROWS, **WAIVE_ROWS}

ICF_ROWS: Mapping[str, Row] = {
    **QUEEN_ROWS,
    **WAIVE_ROWS,
    "! demand": Row(f"{LOST}; fix; yes", f"{LOST_LINES}\n! demand"),
    "! demand from the menu": Row(
        f"{LOST}; menu; pick extra point; yes", f"{LOST_LINES}\n! demand"
    ),
    "not demanded": Row(f"{LOST}; fix; no; ok", f"{LOST_LINES}\n! board"),
    "a wrong ! demand taken back": Row(
        f"{LOST}; fix; yes; undo; fix; no; wait 6; ok",
        f"{LOST_LINES}\n! board",
        wrote=(EntryKind.UNDO,),
    ),
}

# --- points ----------------------------------------------------------------------------

POINTS_ROWS: Mapping[str, Row] = {
    "black in every pocket": in_each("black", "NNNN"),
    "brown in every pocket": in_each("brown", "NNNN"),
    **once_in("queen"),
    **once_in("striker"),
    "black": Row("fix; read BLACK; ok", "N black"),
    "brown": Row("fix; read BROWN; ok", "N brown"),
    "queen": Row("fix; read QUEEN; ok", "N queen"),
    "striker": Row("fix; read STRIKER; ok", "N striker"),
    "black^": Row("off; off; ok", "N black^"),
    "brown^": Row("off; off; off; ok", "N brown^"),
    "queen^": Row("off; off; off; off; ok", "N queen^"),
    "striker^": Row("off; ok", "N striker^"),
    "in the order they fell": Row(
        "falls NE SW; read BLACK NE, STRIKER SW; ok", "N black@NE striker@SW"
    ),
    "in another order": Row(
        "falls NE SW; read BLACK NE, BLACK SW; menu; pick piece 1: BLACK; pick piece 1: BROWN;"
        " pick piece 1: QUEEN; pick done; ok",
        "N striker@NE black@SW",
    ),
    "3*brown@NE": Row(
        "fall NE; read BROWN NE; menu; pick add a piece; pick piece 2: BLACK;"
        " pick piece 2: pocket not known; pick piece 2: flew off; pick add a piece;"
        " pick piece 3: BLACK; pick piece 3: pocket not known; pick piece 3: flew off;"
        " pick done; ok",
        "N 3*brown@NE",
    ),
    "two colours": Row("fall NE; read BROWN NE; ok", "N brown@NE", options={"two_colours": True}),
    "another seat shot": Row(
        "fall NE; menu; pick shooter N; pick shooter S (N missed); pick done; read BLACK NE; ok",
        "! turn S\nS black@NE",
    ),
    "-": Row("ok", "N -"),
    "not a stroke": Row("fall NE; read NOT A STROKE; ok", "", wrote=(EntryKind.LINE,)),
    "foul": Row("foul; ok", "N foul"),
    "foul with a piece": Row("fall NE; read BLACK NE; foul; ok", "N foul black@NE"),
    "t=": Row("wait 5; ok", "N -", options={"time_limit_s": 300}),
    "! undo": Row("ok; undo", "", wrote=(EntryKind.UNDO,)),
    "! redo": Row("ok; undo; ok", "N -", wrote=(EntryKind.UNDO, EntryKind.REDO)),
    "! time": Row("ok; wait 60", "N -\n! time", options={"time_limit_s": 30}),
    "! placed": Row(
        "fall NE; read BLACK NE; ok; fall SW; read STRIKER SW; ok; ok",
        "N black@NE\nN striker@SW\n! placed",
    ),
    "! set pocketed": Row(
        f"fall NE; read BLACK NE; ok; {COUNTS}; pick! SIDE 1 in: 1; pick the table is right",
        "N black@NE\n! set one pocketed=0",
    ),
    **{
        f"! set queen={place}": Row(
            f"{COUNTS}; pick queen; pick queen: {word}; pick the table is right",
            f"! set queen={place}",
        )
        for place, word in {
            "board": "on the board",
            "pending:one": "SIDE 1 must cover",
            "covered:one": "covered by SIDE 1",
            "covered:two": "covered by SIDE 2",
        }.items()
    },
    "! turn": Row("menu; pick whose turn; pick turn to S", "! turn S"),
    "! resign": Row("menu; pick resign; pick! S resigns", "! resign S"),
    "! draw": Row("menu; pick! draw", "! draw"),
    "! board": Row("fall NE; read BLACK NE; ok; menu; pick! void the board", "N black@NE\n! board"),
    "a stroke after a finished board": Row(
        "menu; pick! draw; ok; ok", "! draw\n! board\nS -", options={"best_of": 3}
    ),
}

ROWS: Mapping[RuleSystem, Mapping[str, Row]] = {
    RuleSystem.HIKONE: HIKONE_ROWS,
    RuleSystem.JAPAN: HIKONE_ROWS,
    RuleSystem.KAGW: KAGW_ROWS,
    RuleSystem.GRUNDREGELN: GRUNDREGELN_ROWS,
    RuleSystem.POINTS: POINTS_ROWS,
    RuleSystem.ICF: ICF_ROWS,
}
"""The presses for everything that a record of each system can say."""
