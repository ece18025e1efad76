"""What can have fallen on this board just now: the board's side of a reading.

Scenes are remembered, and so are rankings of the same falls in one, because they are needed again
whenever a dialogue is shown.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from jackspot.core.directives import RedPlace
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.position import Position
from jackspot.core.rules import Rules, rules_for
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.answers import may_play_the_jack
from jackspot.dialogue.proposals.permitted import mass_break_is_due
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.proposal import Hands
from jackspot.dialogue.state.transition import PLACED
from jackspot.dialogue.state.view import Phase
from jackspot.readings.own_pieces import counts_by_colour, full_of, with_shooter
from jackspot.readings.reading import Reading, Role, Scene, rank
from jackspot.readings.skill import skill_of
from jackspot.sensing.events import Fall
from jackspot.values import IdentityKey

_UNCALIBRATED = DialogueSettings()


def scene_for(
    dialogue: InMatch, seat: Seat, hands: Hands = (), flown: tuple[Piece, ...] = ()
) -> Scene:
    """Return what can have fallen on this board when ``seat`` shot and ``flown`` flew off it."""
    return scene_in(dialogue.game.match, seat, dialogue.settings, hands, flown)


def scene_in(
    match: Match,
    seat: Seat,
    dialogue_settings: DialogueSettings = _UNCALIBRATED,
    hands: Hands = (),
    flown: tuple[Piece, ...] = (),
) -> Scene:
    """Return what can have fallen in a match when ``seat`` shot and ``flown`` flew off.

    ``dialogue_settings`` say what the board knows about its beams, other sensors and players.
    """
    return _scene(_At(match, dialogue_settings), seat, hands, flown)


class _At(IdentityKey):
    """A match and what the board knows, as a key: equal for matches in the very same state."""

    __slots__ = ("match", "settings")

    def __init__(self, match: Match, settings: DialogueSettings) -> None:
        super().__init__((match.state, settings))
        self.match, self.settings = match, settings


REMEMBERED = 64
"""Scenes and rankings kept: a few of each for some groups of falls that wait."""


@lru_cache(maxsize=REMEMBERED)
def _scene(at: _At, seat: Seat, hands: Hands, flown: tuple[Piece, ...]) -> Scene:
    match, dialogue_settings = at.match, at.settings
    settings, rules = match.settings, rules_for(match.settings.rules)
    position = with_shooter(match.state.position, seat)
    lies, own = rules.on_board(position), rules.own(position)
    roles = {piece: Role.OWN if piece in own else Role.OPPONENT for piece in lies}
    roles = {piece: role for piece, role in roles.items() if piece is not rules.red}
    roles = dict(sorted(roles.items(), key=lambda each: each[1] is not Role.OWN))
    available = {piece: lies[piece] for piece in roles}
    if lies[rules.red]:
        roles[rules.red] = _role_of_the_red(match, rules, position)
        available[rules.red] = lies[rules.red]
    roles[Piece.STRIKER] = Role.STRIKER
    available[Piece.STRIKER] = strikers_in_play(match)
    for piece in flown:
        available[piece] = max(0, available.get(piece, 0) - 1)
    return Scene(
        available, roles, dict(hands), dialogue_settings.widths.of_board(rules.red), seat,
        skill_of(match.steps, seat), full_of(settings, position, seat),
        in_order=not counts_by_colour(rules), times=dialogue_settings.times,
        further=tuple(each.of_board(rules.red) for each in dialogue_settings.further),
        shots=None if dialogue_settings.shots is None else dialogue_settings.shots.of_seat(seat),
    )  # fmt: skip


def _role_of_the_red(match: Match, rules: Rules, position: Position) -> Role:
    """Return what the jack or the queen is to the seat that is to shoot on this board."""
    if rules.red is Piece.JACK:
        ready = may_play_the_jack(match, position.side)
        return Role.JACK_READY if ready else Role.JACK_EARLY
    if match.state.result is not None or not _stays_out(match.settings, rules, position):
        return Role.QUEEN_EARLY
    lies = rules.on_board(position)
    left = sum(lies[piece] for piece in rules.own(position))
    return Role.QUEEN_FIRST if left == 1 else Role.QUEEN


def _stays_out(settings: MatchSettings, rules: Rules, position: Position) -> bool:
    """Whether a queen that falls alone waits to be covered; otherwise it comes back."""
    try:
        ruling = rules.judge(settings, position, Stroke(position.seat, (Departure(rules.red),)))
    except IllegalStroke:
        return False
    return ruling.after.red is RedPlace.PENDING


def strikers_in_play(match: Match) -> int:
    """Count the strikers of the next stroke: one, or all where all seats break."""
    return len(set(match.state.position.order)) if mass_break_is_due(match) else 1


def hands_now(dialogue: DialogueState) -> Hands:
    """Return in which pockets a fall is likely a hand just now."""
    spans = dialogue.settings.spans
    hands: dict[Pocket, float] = {}
    fetched = [*dialogue.fetch]
    if dialogue.phase in (Phase.REVIEW, Phase.PAUSED):
        hands = dict.fromkeys(Pocket, spans.hand_in_review)
        open_now = dialogue.proposal.departures if dialogue.proposal else ()
        fetched += [each.pocket for each in open_now if each.piece is Piece.STRIKER]
    if _just_placed(dialogue):
        hands = dict.fromkeys(Pocket, spans.hand_after_placing)
    if dialogue.phase is Phase.PLACING and dialogue.place:
        hands = dict.fromkeys(Pocket, spans.hand_fetching)
    for group in dialogue.assumed:
        last = group.falls[-1]
        if dialogue.timing.now_ns < last.end_ns + spans.hand_again_ns:
            hands[last.pocket] = max(spans.hand_again, hands.get(last.pocket, 0.0))
    hands.update({pocket: spans.hand_fetching for pocket in fetched if pocket is not None})
    return tuple(sorted(hands.items()))


def _just_placed(dialogue: DialogueState) -> bool:
    """Whether pieces were said to be put back so recently that a hand may still be there."""
    line = dialogue.game.lines[-1] if dialogue.game and dialogue.game.lines else None
    now_ns, last = dialogue.timing.now_ns, dialogue.timing.last_entry
    if dialogue.phase is not Phase.READY or last is None or line is None:
        return False
    soon = now_ns < last.at_ns + dialogue.settings.spans.hand_again_ns
    return soon and PLACED in line.entries


class _Question(Struct, frozen=True, eq=False):
    """Falls in a scene, as a key to remember a ranking by."""

    scene: Scene
    falls: tuple[Fall, ...]
    fallen: tuple[Departure, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Question):
            return NotImplemented
        mine, its = (self.falls, self.fallen), (other.falls, other.fallen)
        return mine == its and self.scene == other.scene

    def __hash__(self) -> int:
        return hash((self.falls, self.fallen, tuple(self.scene.available.items())))


@lru_cache(maxsize=REMEMBERED)
def _ranked(question: _Question) -> tuple[Reading, ...]:
    return rank(question.scene, question.falls, question.fallen)


def ranked(
    scene: Scene, falls: tuple[Fall, ...], fallen: tuple[Departure, ...] = ()
) -> tuple[Reading, ...]:
    """Rank the ways to understand some falls (:func:`rank`); the result is remembered."""
    return _ranked(_Question(scene, falls, fallen))
