"""Carom by the Japanese championship rules: 100 points for the jack, one for each puck.

Read this beside the rules page of the Japanese championship (「カロムの遊び方・ルール」).
Its list of mistakes and penalties (「ミスとペナルティー」) comes to the same as Hikone's
sections, so strokes are judged there, with the ringed numbers of that list
(:mod:`jackspot.core.rules.jack.hikone`). The differences are the points, the usual values of
options, and the rows that are cited: JP-01 and the like are rows of the decision table below.
It names nine cases; a stroke that none covers is judged, and cited, as in Hikone.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.rules.jack import hikone_rows as row
from jackspot.core.rules.jack.carom import opening
from jackspot.core.rules.jack.hikone import HIKONE, judge
from jackspot.core.rules.rows import row_finder, table
from jackspot.core.settings import RuleSystem
from jackspot.values import changed

JACK_POINTS = 100
"""「ジャックを入れて勝った方には、まず100ポイントが与えられます。」 With twelve pucks: 112."""

_OBVIOUS_FOUL = table(JP_09=row.FOUL)

_FAULTY = table(
    JP_01=row.ANY_STRIKER,
    JP_02=(row.JACK | row.NOT_READY, row.JACK_OFF),
    JP_04=row.FAULT | row.OWN_OFF,
    JP_06=row.OWN | row.LAST | row.JACK,
    JP_07=row.FAULT | row.OWN,
    JP_08=row.FAULT | row.UNPAID,
    JP_09=row.JACK | row.ANY_STRIKER,
)

_READY_JACK = table(JP_09=row.READY | row.JACK | row.OPP)

_GIFT_PAYS = table(JP_03=row.ANY_OFF)  # it does not stay in, on which these rules are silent

_CLEAN = table(
    JP_03=row.ANY_OFF,
    JP_05=row.OPP,
)

row_for = row_finder(
    (row.FOUL, _OBVIOUS_FOUL),
    (row.FAULT, _FAULTY),
    (row.JACK, _READY_JACK),
    (row.OPPONENT_OWES, _GIFT_PAYS),
    (0, _CLEAN),
    otherwise=row.row_for,
)

JAPAN = changed(
    HIKONE,
    id=RuleSystem.JAPAN,
    facts=changed(
        HIKONE.facts, name=_("Japanese championship"), title="Japan", match_points=True, hundreds=0
    ),
    opening=partial(opening, jack_points=JACK_POINTS),
    judge=partial(judge, row_for=row_for),
)
