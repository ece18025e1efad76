"""Play one match of a soak on the whole firmware, and keep what could be seen of it.

The match is the soak's own: the same pieces, beams, people and presses from the same seed, from
pins to journal and OLED. The film's record is therefore the one that the soak has counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from types import MappingProxyType

from jackspot.core.entry_text import write_entry
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import write_record
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.inputs.pins import lamp_wire
from jackspot_sim.boards.rig import Onlookers
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import OutputChange
from jackspot_sim.film.parting import Pair, beside
from jackspot_sim.film.values import Film, Filmed, FilmScene, Track
from jackspot_sim.physics.places import opening
from jackspot_sim.physics.values import Lying, PieceFall
from jackspot_sim.soak.counting import Job, missed_of
from jackspot_sim.soak.matches import Played
from jackspot_sim.soak.whole import WholeBoard
from jackspot_sim.table.running import Run, hanging_on
from jackspot_sim.table.table import LoggedEdge
from jackspot_sim.traffic.matches import TimedShot
from jackspot_sim.traffic.rounds import Happened, Round

PUTS_BACK_NS = 500_000_000
"""How soon people put back what the board asks for."""


class _Camera:
    """A display that keeps every view, and listens to and watches everything else."""

    name = "camera"

    def __init__(self, clock: SimClock) -> None:
        self._clock = clock
        self.views: list[tuple[int, BoardView]] = []
        self.sounds: list[tuple[int, Sound]] = []
        self.edges: list[LoggedEdge] = []
        self.outputs: list[OutputChange] = []

    def start(self) -> None:
        """Begin to watch."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        self.views.append((self._clock.now_ns(), view))

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""
        self.sounds.append((self._clock.now_ns(), sound))

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop watching."""
        del timeout_s
        return True


def film(job: Job) -> Film:
    """Play a match of a soak on the whole firmware; return all that could be seen of it."""
    clock = SimClock(None)
    camera, shots = _Camera(clock), list[Played]()
    glass: Track[bytes] = Track(bytes(1024))
    onlookers = Onlookers(
        further=(camera,), on_edge=camera.edges.append, on_output=camera.outputs.append
    )
    case = job.case
    with closing(WholeBoard(case, onlookers, clock)) as board:
        bus = board.rig.bus
        glass.add(0, bus.picture().tobytes())
        bus.watch(lambda: glass.add(clock.now_ns(), bus.picture().tobytes()))
        begun_ns = clock.now_ns()
        played = Round(case, job.turns(shots.append), board)
        played.run()
        end_ns, game, config = clock.now_ns(), board.dialogue.game, board.rig.config
    assert game is not None, "the match is still on the board when it is over"
    entries = [entry for line in game.lines for entry in line.entries]
    true = [each.turn.shot.stroke for each in played.happened]
    pairs, left = beside(true, entries)
    lamp_pins = {wire.gpio: seat for seat in Seat if (wire := config.wire(lamp_wire(seat)))}
    return Film(
        job=job,
        wires=tuple(wire.name for wire in config.wires if wire.source is not None),
        views=_track(camera.views),
        glass=glass,
        active=_active(camera.edges),
        lamps=_lamps(camera.outputs, lamp_pins),
        scenes=_scenes(job.system, played.happened, shots, _track(camera.views)),
        runs=tuple(_runs(played.happened, shots)),
        stands=tuple(each.turn.shot.stand for each in played.happened),
        edges=tuple(camera.edges),
        sounds=tuple(camera.sounds),
        strokes=tuple(_strokes(played.happened, shots, pairs)),
        left=tuple(write_entry(each) for each in left),
        record=write_record(game.match.settings, entries),
        true=played.happened[-1].turn.after.state,
        found=game.match.state,
        begun_ns=begun_ns,
        end_ns=end_ns,
    )


def _strokes(
    happened: Sequence[Happened], shots: Sequence[Played], pairs: Sequence[Pair]
) -> Iterator[Filmed]:
    for number, (each, played, (entries, agrees)) in enumerate(
        zip(happened, shots, pairs, strict=True), start=1
    ):
        stroke = each.turn.shot.stroke
        yield Filmed(
            number, each.at_ns, stroke.seat, stroke, *_unseen(each.turn.shot, played.shot.falls),
            tuple(write_entry(entry) for entry in entries), agrees,
        )  # fmt: skip


def _unseen(
    shot: TimedShot, falls: Sequence[PieceFall]
) -> tuple[tuple[Departure, ...], tuple[int, ...]]:
    """Return what no beam saw, and when that fell; a late piece comes last."""
    if missed_of(shot) == len(shot.missed):
        return shot.missed, shot.unseen_ns
    late = shot.stroke.departures[len(shot.at_first)]
    fell_ns = [
        round(fall.at_s * 1e9)
        for fall in falls
        if fall.late and (fall.piece, fall.pocket) == (late.piece, late.pocket)
    ]
    return (*shot.missed, late), (*shot.unseen_ns, *fell_ns)


def _track(looks: Sequence[tuple[int, BoardView]]) -> Track[BoardView]:
    track = Track(looks[0][1])
    for at_ns, look in looks:
        track.add(at_ns, look)
    return track


def _active(edges: Sequence[LoggedEdge]) -> Track[frozenset[str]]:
    """Return which wires are active when: beams that are broken, buttons that are down."""
    now: frozenset[str] = frozenset()
    track = Track(now)
    for edge in edges:
        now = now | {edge.wire} if edge.active else now - {edge.wire}
        track.add(edge.at_ns, now)
    return track


def _lamps(outputs: Sequence[OutputChange], pins: Mapping[int, Seat]) -> Track[frozenset[Seat]]:
    now: frozenset[Seat] = frozenset()
    track = Track(now)
    for change in outputs:
        seat = pins.get(change.gpio)
        if seat is not None:
            now = now | {seat} if change.value else now - {seat}
            track.add(change.at_ns, now)
    return track


# --- the pieces ---------------------------------------------------------------------------------


class _Away:
    """The pieces that are not on the board: in which pocket, or on the floor."""

    def __init__(self) -> None:
        self._pockets: dict[Pocket, Counter[Piece]] = {pocket: Counter() for pocket in Pocket}
        self._floor: Counter[Piece] = Counter()

    def add(self, piece: Piece, pocket: Pocket | None) -> None:
        """Let a piece be there from now on."""
        (self._floor if pocket is None else self._pockets[pocket])[piece] += 1

    def fetch(self, piece: Piece) -> None:
        """Take one piece of a kind away, from the floor first."""
        places = (self._floor, *self._pockets.values())
        place = next((each for each in places if each[piece]), None)
        if place is not None:
            place[piece] -= 1

    def fetch_strikers(self) -> None:
        """Take every striker."""
        for place in (self._floor, *self._pockets.values()):
            place[Piece.STRIKER] = 0

    def now(self) -> tuple[Mapping[Pocket, Mapping[Piece, int]], Mapping[Piece, int]]:
        """Return what lies in the pockets and on the floor."""
        pockets = {p: MappingProxyType(dict(+c)) for p, c in self._pockets.items() if +c}
        return MappingProxyType(pockets), MappingProxyType(dict(+self._floor))


def _scenes(
    rules: RuleSystem, happened: Sequence[Happened], shots: Sequence[Played],
    views: Track[BoardView],
) -> Track[FilmScene]:  # fmt: skip
    """Return where every piece is when, from what the physics made of each flick."""
    scenes = Track(FilmScene(rules, shots[0].before if shots else opening(rules)))
    away, board = _Away(), 0
    for each, played, run in zip(happened, shots, _runs(happened, shots), strict=True):
        if each.turn.before.state.board != board:
            away, board = _Away(), each.turn.before.state.board
        away.fetch_strikers()
        for at_ns, scene in _of_shot(rules, run, played, away):
            scenes.add(at_ns, scene)
        before = {one.number for one in played.resting}
        back = [one for one in played.after if one.number not in before]
        if back:
            for one in back:
                away.fetch(one.piece)
            hands_ns = _laid_back_ns(each, played, views)
            scene = scenes.at(hands_ns)
            numbers = frozenset(one.number for one in back)
            pockets, floor = away.now()
            scenes.add(hands_ns, FilmScene(rules, played.after, pockets, floor, scene.run, numbers))
    return scenes


def _laid_back_ns(each: Happened, played: Played, views: Track[BoardView]) -> int:
    """Return when pieces are put back: when the board asks for it, else after the last hand."""
    rests_ns = each.at_ns + round(played.shot.duration_s * 1e9)
    hands_ns = max(each.at_ns + each.turn.rest_ns, rests_ns)
    asked_ns = views.next_after(each.at_ns)
    while asked_ns is not None and asked_ns < hands_ns:
        if views.at(asked_ns).phase is Phase.PLACING:
            return max(asked_ns + PUTS_BACK_NS, rests_ns)
        asked_ns = views.next_after(asked_ns)
    return hands_ns


def _runs(happened: Sequence[Happened], shots: Sequence[Played]) -> Iterator[Run]:
    for number, (each, played) in enumerate(zip(happened, shots, strict=True), start=1):
        yield Run(number, each.at_ns, played.flick, played.before, played.shot)


def _of_shot(
    rules: RuleSystem, run: Run, played: Played, away: _Away
) -> Iterator[tuple[int, FilmScene]]:
    """Return the scenes of one shot: it begins, pieces leave the board one by one, all rest."""
    shot = run.shot
    over = Run(run.number, run.begun_ns, run.flick, run.before, shot, over=True)
    end_ns = run.begun_ns + round(shot.duration_s * 1e9)
    still_there = {one.number for one in played.resting}
    gone: list[tuple[float, int, Piece, Pocket | None]] = [
        (fall.at_s, fall.number, fall.piece, fall.pocket) for fall in shot.falls
    ]
    gone += [(flown.at_s, flown.number, flown.piece, None) for flown in shot.flown]
    leaving = sorted(
        ((run.begun_ns + round(at_s * 1e9), number, piece, pocket)
         for at_s, number, piece, pocket in gone if number not in still_there),
        key=lambda one: one[:2],
    )  # fmt: skip
    lying: dict[int, Lying] = {each.number: each for each in played.before}
    yield run.begun_ns, FilmScene(rules, tuple(lying.values()), *away.now(), run)
    rested = False
    for at_ns, number, piece, pocket in leaving:
        if at_ns >= end_ns and not rested:
            rested = True
            yield end_ns, _rest(rules, lying, over, played, away)
        lying.pop(number, None)
        away.add(piece, pocket)
        at_rest = over if at_ns >= end_ns else run
        yield at_ns, FilmScene(rules, tuple(lying.values()), *away.now(), at_rest)
    if not rested:
        yield end_ns, _rest(rules, lying, over, played, away)


def _rest(
    rules: RuleSystem, lying: dict[int, Lying], over: Run, played: Played, away: _Away
) -> FilmScene:
    """Move the pieces to where they came to rest; those that fall late hang until then."""
    late = {fall.number for fall in over.shot.falls if fall.late}
    for each in (*played.resting, *hanging_on(over, late)):
        if each.number in lying:
            lying[each.number] = each
    return FilmScene(rules, tuple(lying.values()), *away.now(), over)
