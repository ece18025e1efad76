"""Single strokes under an agreement, in a state set by hand: hikone_options.txt says how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jackspot.core.match import Match, MatchState
from jackspot.core.record import read_record

PAIRS = 'seats = ["N", "E", "S", "W"]'


@dataclass(frozen=True)
class Case:
    """One line of the table, which says what its columns mean."""

    agreed: str
    before: str
    stroke: str
    rows: str = ""
    turn: str = ""
    after: str = ""
    place: str = ""
    fault: str = ""

    @classmethod
    def read(cls, line: str) -> Case:
        return cls(*(cell.strip() for cell in line.split("|")))

    def __str__(self) -> str:
        return f"{self.agreed}: {self.before}, {self.stroke}"


def header(rules: str, agreed: str) -> str:
    """Write what was agreed as a record's header; words become text, the rest stays."""
    top, options, handicap = [f'rules = "{rules}"'], ["[options]"], ["[handicap.N]"]
    for word in agreed.split():
        name, _, value = word.partition("=")
        if word == "pairs":
            top.append(PAIRS)
        elif word != "-":
            plain = value.isdigit() or value in {"true", "false"}
            table = handicap if name.startswith("N.") else options
            shown_value = value if plain else f'"{value}"'
            table.append(f"{name.removeprefix('N.')} = {shown_value}")
    return "\n".join([*top, *options, *handicap, "---"])


def set_up(rules: str, case: Case) -> str:
    lines = [header(rules, case.agreed)]
    for side, count in zip(("red", "green"), case.before.split(), strict=True):
        pocketed, _, owed = count.partition("+")
        lines.append(f"! set {side} pocketed={pocketed}")
        lines.append(f"! set {side} owed={owed or 0}")
    return "\n".join(lines) + "\n"


def shot(rules: str, case: Case) -> Match:
    return read_record(f"{set_up(rules, case)}N {case.stroke}\n").match


def shown(state: MatchState, index: int) -> str:
    count = state.position.counts[index]
    return f"{count.pocketed}+{count.owed}" if count.owed else f"{count.pocketed}"


def pieces(text: str) -> list[str]:
    """Read ``2*red jack``; a dash is nothing."""
    counted = [word.rpartition("*")[::2] for word in text.split() if word != "-"]
    return [piece for count, piece in counted for _ in range(int(count or 1))]


def turn_of(state: MatchState) -> str:
    if state.result is not None:
        return f"{state.result.winner} wins by {state.result.how}"
    assert state.ruling is not None
    return "keep" if state.ruling.keeps_turn else "pass"


def read_lines(name: str) -> list[str]:
    """Read the lines of a table beside this file, without its comments."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def check_case(rules: str, case: Case) -> None:
    """Play a case and check all that its line says."""
    state = shot(rules, case).state
    assert state.ruling is not None
    assert " ".join(state.ruling.rows) == case.rows
    assert turn_of(state) == case.turn
    assert f"{shown(state, 0)} {shown(state, 1)}" == case.after
    assert list(state.place) == pieces(case.place)
    assert state.ruling.foul == (case.fault == "yes")
