"""The simulated table on the network: routes beside those of the board's own server.

The board's server stays as it is; this module gives it further routes under ``/sim/``: the
page, one stream of everything the page shows, and the actions of hands at the table. What
the page does to a button or a beam goes to the simulated pins, never to the board's own
address for presses: the firmware cannot tell it from a real table.

It knows the table only as :class:`jackspot_sim.browser.control.SimControl` and the values that the
table speaks in; it may not touch pins, buses or the board.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.plans import LINEUPS, lineups_of
from jackspot.displays.words import LANGUAGES
from jackspot.files import Json
from jackspot.web.app import Endpoint, Streamed
from jackspot.web.feed import Feed
from jackspot.web.files import page_files
from jackspot.web.guard import refuse
from jackspot.web.live import LiveBoard, compact
from jackspot.web.presses import BadPress, read_object
from jackspot.web.readers import Read, Readers, StreamEvent
from jackspot.web.words import PAGES, asked_language, words
from jackspot_sim.browser.control import FilmControl, Glass, Mishap, SimControl, TablePicture
from jackspot_sim.browser.parts import HUB, OLED, SIGN
from jackspot_sim.browser.shot_view import lying_view, rules_view, shot_view, sizes_view
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.people.opponents import Aiming
from jackspot_sim.physics.players import STRENGTHS
from jackspot_sim.physics.values import Flick
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.table import PIECES, Breakage, Happening, Truth

PICTURES_PER_S = 30
"""How often a page is updated at most; changes in between are sent as one."""
LINES_TOLD = 8
"""How many lines of the record a page shows beside the board's state."""
LOG_LIMIT = 200
"""How many lines of a log a page is given at once."""
PIECES_AT_ONCE = 8
"""How many pieces one action may move."""
SPEEDS = (0.25, 1.0, 2.0, 4.0, 10.0, 50.0)
"""How many times as fast as real time a page may let the table run."""
FARTHEST_MM, FASTEST_MM_S = 1_000.0, 20_000.0
"""Nothing on a table is farther from its middle, or faster: a greater value is a mistake."""
SENTENCES = "sim.json"
"""The sentences of this page that the board's own pages do not have."""
AIM_STEP_NS = 1_000_000_000
"""The steps in which a page is told how long somebody has been aiming."""
HOME = "/sim/"
"""Where the page is."""


class SimPage:
    """The page's routes and the feed its streams wait for."""

    def __init__(
        self, control: SimControl, board: LiveBoard, film: FilmControl | None = None
    ) -> None:
        self._control = control
        self._film = film
        self._board = board
        self.feed = Feed()
        self._readers = Readers(20)
        control.watch(self.feed.notify)
        board.tell(self.feed)

    def routes(self) -> list[BaseRoute]:
        """Return everything that is served under ``/sim/``."""
        actions: dict[str, Callable[[Json], None]] = {
            "drop": self._drop,
            "fly": self._fly,
            "button": self._button,
            "fault": self._fault,
            "mishap": self._mishap,
            "speed": self._speed,
            "show": self._show,
            "flick": self._flick,
            "put": self._put,
            "move": self._move,
            "move-back": lambda _: self._control.hands.move_back(),
            "player": self._player,
            "put-back": lambda _: self._control.hands.put_back(),
            "fetch": lambda _: self._control.hands.fetch_strikers(),
            "new": self._new,
        }
        if self._film is not None:
            actions["wind"] = partial(self._wind, self._film)
        pause_s = 1 / PICTURES_PER_S
        spoken = words(lambda: self._board.language, (PAGES, SENTENCES))
        return [
            Route("/sim/words", spoken, methods=["GET"]),
            Route("/sim", _to_the_page, methods=["GET"]),
            Route("/sim/stream", Streamed(self.feed, self._reader, self._readers, pause_s=pause_s)),
            *(
                Route(f"/sim/do/{name}", self._answering(action), methods=["POST"])
                for name, action in actions.items()
            ),
            *(file.route(HOME) for file in page_files("jackspot_sim", "page")),
        ]

    def _answering(self, act: Callable[[Json], None]) -> Endpoint:
        """Make an action's endpoint; it says in the reader's language what cannot happen."""

        async def answer(request: Request) -> Response:
            language = asked_language(request) or self._board.language
            try:
                act(read_object(await request.body()))
            except CannotHappen as refused:
                return refuse(409, refused.why.render(self._board.speak(language)))
            return Response(status_code=204)

        return answer

    def _reader(self, request: Request) -> Read:
        film = None if self._film is None else compact(self._film.told())
        return _Reader(self._control, self._board.reader(asked_language(request)), film)

    def _drop(self, body: Json) -> None:
        manner = _one_of(body, "manner", Manner)
        pieces = _pieces(body, at_least=0 if manner is Manner.HAND else 1)
        self._control.hands.drop(_one_of(body, "pocket", Pocket), pieces, manner)

    def _flick(self, body: Json) -> None:
        self._control.hands.flick(
            Flick(
                _number(body, "x_mm", FARTHEST_MM),
                _number(body, "y_mm", FARTHEST_MM),
                _number(body, "speed_mm_s", FASTEST_MM_S),
                _number(body, "angle_rad", 2 * math.pi),
            )
        )

    def _player(self, body: Json) -> None:
        strength = None if body.get("strength") is None else _one_of(body, "strength", Strength)
        if strength is not None and strength not in STRENGTHS:
            raise BadPress(f'"strength" must be one of {", ".join(STRENGTHS)}, or null')
        self._control.seat_player(_one_of(body, "seat", Seat), strength)

    def _put(self, body: Json) -> None:
        [piece] = _pieces({"pieces": [body.get("piece")]}, at_least=1)
        if body.get("x_mm") is None:
            self._control.hands.put(piece)
        else:
            at = _number(body, "x_mm", FARTHEST_MM), _number(body, "y_mm", FARTHEST_MM)
            self._control.hands.put(piece, at)

    def _move(self, body: Json) -> None:
        number = body.get("number")
        if isinstance(number, bool) or not isinstance(number, int):
            raise BadPress('"number" must be the number of a piece')
        at = _number(body, "x_mm", FARTHEST_MM), _number(body, "y_mm", FARTHEST_MM)
        self._control.hands.move(number, at)

    def _fly(self, body: Json) -> None:
        self._control.hands.fly_off(_pieces(body, at_least=1))

    def _button(self, body: Json) -> None:
        wire = _wire(body, self._control.picture().wires)
        if _truth_value(body, "down"):
            self._control.hands.press(wire)
        else:
            self._control.hands.release(wire)

    def _fault(self, body: Json) -> None:
        part = body.get("part")
        known = (*self._control.picture().wires, OLED, SIGN, HUB)
        if not isinstance(part, str) or part not in known:
            raise BadPress('"part" must be the name of a wire or a display')
        if body.get("broken") is None:
            self._control.parts.mend_part(part)
        else:
            self._control.parts.break_part(part, _one_of(body, "broken", Breakage))

    def _mishap(self, body: Json) -> None:
        self._control.mishap(_one_of(body, "mishap", Mishap))

    def _speed(self, body: Json) -> None:
        speed = body.get("speed")
        if isinstance(speed, bool) or not isinstance(speed, int | float) or speed not in SPEEDS:
            raise BadPress(f'"speed" must be one of {", ".join(f"{s:g}" for s in SPEEDS)}')
        self._control.set_speed(float(speed))

    def _show(self, body: Json) -> None:
        """Start, stop, pause, resume or step a show."""
        if "paused" in body:
            self._control.pause_show(paused=_truth_value(body, "paused"))
        elif "step" in body:
            if body["step"] is not True:
                raise BadPress('"step" must be true')
            self._control.step_show()
        elif _truth_value(body, "running"):
            self._control.start_show()
        else:
            self._control.stop_show()

    @staticmethod
    def _wind(film: FilmControl, body: Json) -> None:
        """Pause a film, let it run on, or go to one of its strokes."""
        if "paused" in body:
            film.pause(paused=_truth_value(body, "paused"))
        else:
            stroke = body.get("stroke")
            if isinstance(stroke, bool) or not isinstance(stroke, int):
                raise BadPress('"stroke" must be the number of a stroke, or "paused" true or false')
            film.wind_to(stroke)

    def _new(self, body: Json) -> None:
        rules = _one_of(body, "rules", RuleSystem) if "rules" in body else None
        if rules is not None and rules not in RULES:
            raise BadPress(f'"rules" must be one of {", ".join(RULES)}')
        language = body.get("language")
        if language is not None and language not in LANGUAGES:
            raise BadPress(f'"language" must be one of {", ".join(LANGUAGES)}')
        self._control.new_match(rules, _lineup(body) if "seats" in body else (), language)


class _Reader:
    """What one open page was sent last; each call returns what is new since."""

    def __init__(self, control: SimControl, board: Read, film: str | None = None) -> None:
        self._control = control
        self._board = board
        self._film = film
        self._jumps = 0
        self._told: dict[str, str] = {}
        self._edge = 0
        self._sound: int | None = None
        self._shot: tuple[int, int] | None = None

    def __call__(self) -> Sequence[StreamEvent]:
        """Return what is new, the board's state first: what the table does follows from it.

        The state is read last, so that none of it is older than the table.
        """
        picture = self._control.picture()
        wound = self._new_film(picture)
        parts = {
            "table": _table(picture),
            "oled": _glass(picture.glass),
            "sign": picture.sign,
            "truth": _truth(picture.truth),
            "lying": lying_view(picture.lying, picture.run, picture.area),
            "happenings": [_happening(each) for each in self._control.happenings()],
            "written": self._control.record.splitlines()[-LINES_TOLD:],
        }
        events = [
            StreamEvent(said, name)
            for name, said in ((name, compact(part)) for name, part in parts.items())
            if self._told.get(name) != said
        ]
        self._told.update({event.name: event.data for event in events})
        state = [StreamEvent(event.data, "state", event.id) for event in self._board()]
        shot = self._new_shot(picture)
        return [*wound, *state, *shot, *events, *self._new_edges(), *self._new_sounds()]

    def _new_film(self, picture: TablePicture) -> Sequence[StreamEvent]:
        """Return a film's contents, once, and its position; after a jump everything begins anew."""
        wound = picture.wound
        if wound is None:
            return ()
        film, self._film = self._film, None
        told = () if film is None else (StreamEvent(film, "film"),)
        if wound.jumps != self._jumps:
            self._jumps, self._edge, self._sound, self._shot = wound.jumps, 0, None, None
            self._told.clear()
        said = compact({"stroke": wound.stroke, "paused": wound.paused, "jumps": wound.jumps})
        if self._told.get("wound") == said:
            return told
        self._told["wound"] = said
        return (*told, StreamEvent(said, "wound"))

    def _new_shot(self, picture: TablePicture) -> Sequence[StreamEvent]:
        """Return a shot as it begins, or while it runs to a page that has just been opened."""
        run = picture.run
        if run is None:
            self._shot = None
        if run is None or run.over or self._shot == (run.number, run.begun_ns):
            return ()
        self._shot = (run.number, run.begun_ns)
        return (StreamEvent(compact(shot_view(run, picture.now_ns)), "shot"),)

    def _new_edges(self) -> Sequence[StreamEvent]:
        lines = self._control.edges(self._edge)[-LOG_LIMIT:]
        if not lines:
            return ()
        self._edge = lines[-1].number
        said = [[line.number, line.at_ns, line.wire, line.active] for line in lines]
        return (StreamEvent(compact(said), "edges"),)

    def _new_sounds(self) -> Sequence[StreamEvent]:
        """Return sounds as they start; a page that has just been opened hears no old ones."""
        lines = self._control.sounds(self._sound or 0)
        newest = lines[-1].number if lines else self._sound or 0
        first_look, self._sound = self._sound is None, newest
        if first_look or not lines:
            return ()
        said = [{"name": line.name, "notes": line.notes} for line in lines]
        return (StreamEvent(compact(said), "sounds"),)


def _glass(glass: Glass) -> Json:
    return {"bits": base64.b64encode(glass.bits).decode("ascii"), "plugged": glass.plugged}


def _truth(truth: Truth) -> Json:
    return {
        "on_board": {piece.value: count for piece, count in truth.on_board.items()},
        "in_pockets": {
            pocket.value: {piece.value: count for piece, count in pieces.items()}
            for pocket, pieces in truth.in_pockets.items()
        },
        "on_floor": {piece.value: count for piece, count in truth.on_floor.items()},
    }


def _table(picture: TablePicture) -> Json:
    return {
        "lamps": sorted(seat.value for seat in picture.lamps),
        "wires": list(picture.wires),
        "active": sorted(picture.active),
        "faulty": {part: picture.faulty[part].value for part in sorted(picture.faulty)},
        "has_hub": picture.has_hub,
        "speed": picture.speed,
        "showing": picture.showing,
        "powered": picture.powered,
        "rules": picture.rules.value,
        "pieces": {piece.value: count for piece, count in PIECES[picture.rules].items()},
        "diameters_mm": sizes_view(picture.rules),
        "placing": rules_view(picture.rules, first=picture.first_shot),
        "turn": picture.turn.value,
        "players": {seat.value: picture.players[seat].value for seat in sorted(picture.players)},
        "called": None if picture.called is None else picture.called.value,
        "aim": _aim(picture.aim, picture.now_ns),
        "paused": picture.paused,
        "moved": picture.moved,
        "board": picture.board,
        "language": picture.language,
        "strengths": [strength.value for strength in STRENGTHS],
        "systems": [system.value for system in RULES],
        "lineups": [[seat.value for seat in lineup] for lineup in lineups_of(picture.rules)],
    }


def _aim(aim: Aiming | None, now_ns: int) -> Json | None:
    """Return where a computer player's striker is, and where it is to run.

    ``elapsed_ms`` goes in steps that are not visible: a page moves the hand by its own clock.
    """
    if aim is None:
        return None
    flick = aim.flick
    whole_ms = round((aim.shoots_ns - aim.begun_ns) / 1e6)
    elapsed_ms = min(max((now_ns - aim.begun_ns) // AIM_STEP_NS * AIM_STEP_NS / 1e6, 0), whole_ms)
    return {
        "seat": aim.seat.value,
        "at_mm": [round(flick.x_mm, 1), round(flick.y_mm, 1)],
        "angle_rad": round(flick.angle_rad, 4),
        "speed_mm_s": round(flick.speed_mm_s),
        "begun_ns": aim.begun_ns,
        "elapsed_ms": round(elapsed_ms),
        "duration_ms": whole_ms,
    }


def _happening(happening: Happening) -> Json:
    return {
        "number": happening.number,
        "at_ns": happening.at_ns,
        "pocket": happening.pocket.value if happening.pocket else None,
        "pieces": [piece.value for piece in happening.pieces],
        "manner": happening.manner.value if happening.manner else None,
    }


async def _to_the_page(_: Request) -> Response:
    return RedirectResponse(HOME)


_Kind = TypeVar("_Kind", bound=StrEnum)


def _one_of(body: Json, name: str, kind: type[_Kind]) -> _Kind:
    found = body.get(name)
    if isinstance(found, str) and found in set(kind):
        return kind(found)
    raise BadPress(f'"{name}" must be one of {", ".join(kind)}')


def _pieces(body: Json, *, at_least: int) -> tuple[Piece, ...]:
    found = body.get("pieces", [])
    if (
        not isinstance(found, list)
        or not at_least <= len(found) <= PIECES_AT_ONCE
        or not all(isinstance(name, str) and name in set(Piece) for name in found)
    ):
        raise BadPress(f'"pieces" must be a list of {at_least} to {PIECES_AT_ONCE} pieces')
    return tuple(Piece(name) for name in found)


def _lineup(body: Json) -> tuple[Seat, ...]:
    for lineup in LINEUPS:
        if body["seats"] == [seat.value for seat in lineup]:
            return lineup
    known = "; ".join(", ".join(lineup) for lineup in LINEUPS)
    raise BadPress(f'"seats" must be a list of who plays, one of {known}')


def _wire(body: Json, wires: Sequence[str]) -> str:
    found = body.get("wire")
    if not isinstance(found, str) or found not in wires:
        raise BadPress('"wire" must be a wire of this board')
    return found


def _number(body: Json, name: str, most: float) -> float:
    found = body.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or not -most <= found <= most:
        raise BadPress(f'"{name}" must be a number from {-most:g} to {most:g}')
    return float(found)


def _truth_value(body: Json, name: str) -> bool:
    found = body.get(name)
    if not isinstance(found, bool):
        raise BadPress(f'"{name}" must be true or false')
    return found
