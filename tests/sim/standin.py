"""A small table and board to develop and test the page against, without pins or firmware.

It does at once what hands do, keeps the truth, logs edges, and shows views as the real
board would in the simplest case: one red puck a stroke, confirmed with OK.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.dialogue.state.view import BoardView, ClockView
from jackspot.inputs.pins import FULL_I2C, WireKind, wire_kind
from jackspot.sensing.events import beam_wire
from jackspot.values import changed
from jackspot_sim.browser.control import Glass, Mishap, SoundLine, TablePicture
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.physics import Flick
from jackspot_sim.table.table import Breakage, CannotHappen, Happening, LoggedEdge, Truth
from tests.web.samples import FALLING, READY, REVIEW, side

WIRES = tuple(
    name for name in FULL_I2C.gpios if wire_kind(name) in {WireKind.BEAM, WireKind.BUTTON}
)


@dataclass
class StandIn:
    """A table that obeys at once; ``calls`` lists what it was told."""

    post: Callable[[BoardView], None]
    clock_ns: Callable[[], int]
    calls: list[tuple] = field(default_factory=list)
    on_board: Counter = field(
        default_factory=lambda: Counter({Piece.RED: 12, Piece.GREEN: 12, Piece.JACK: 1})
    )
    pocketed: dict = field(default_factory=lambda: {pocket: Counter() for pocket in Pocket})
    off: Counter = field(default_factory=Counter)
    active: set[str] = field(default_factory=set)
    faulty: dict[str, Breakage] = field(default_factory=dict)
    speed: float = 1.0
    showing: bool = False
    rules: RuleSystem = USUAL_RULES
    lines: list[LoggedEdge] = field(default_factory=list)
    happened: list[Happening] = field(default_factory=list)
    heard: list[SoundLine] = field(default_factory=list)
    watchers: list[Callable[[], None]] = field(default_factory=list)
    words: str = "RED to shoot"
    believed: int = 0

    def __post_init__(self) -> None:
        self.view = changed(
            READY,
            sides=(
                side(Side.RED, Seat.N, 0, shoots=True, names=("Aiko",)),
                side(Side.GREEN, Seat.S, 0, names=("Ben",)),
            ),
            last=None,
            clock=ClockView(300_000_000_000, 287_000_000_000, True, self.clock_ns()),
        )
        self.show_view(self.view)

    def show_view(self, view: BoardView) -> None:
        self.view = changed(view, sequence=self.view.sequence + 1)
        self.words = str(view.headline)
        self.post(self.view)
        self.changed()

    @property
    def hands(self) -> StandIn:
        return self

    @property
    def parts(self) -> StandIn:
        return self

    def drop(self, pocket: Pocket, pieces: Sequence[Piece], manner: Manner) -> None:
        self.calls.append(("drop", pocket, tuple(pieces), manner))
        for piece in pieces:
            if piece is not Piece.STRIKER and not self.on_board[piece]:
                raise CannotHappen(_("no {piece} is left on the board", piece=piece.value))
            self.on_board[piece] -= piece is not Piece.STRIKER
            self.pocketed[pocket][piece] += 1
        number = len(self.happened) + 1
        self.happened.append(Happening(number, self.clock_ns(), pocket, tuple(pieces), manner))
        self.pulse(beam_wire(pocket))
        self.heard.append(SoundLine(len(self.heard) + 1, "tick", ((2000, 15),)))
        self.show_view(changed(FALLING, sides=self.view.sides, lit=(pocket,)))
        self.show_view(changed(REVIEW, sides=self.view.sides, clock=self.view.clock))

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        self.calls.append(("fly", tuple(pieces)))
        for piece in pieces:
            self.on_board[piece] -= piece is not Piece.STRIKER
            self.off[piece] += 1
        self.changed()

    def flick(self, flick: Flick) -> None:
        self.calls.append(("flick", flick))

    def put(self, piece: Piece, at_mm: tuple[float, float] | None = None) -> None:
        self.calls.append(("put", piece, at_mm))

    def seat_player(self, seat: Seat, strength: Strength | None) -> None:
        self.calls.append(("player", seat, strength))

    def move(self, number: int, at_mm: tuple[float, float]) -> None:
        self.calls.append(("move", number, at_mm))

    def move_back(self) -> None:
        self.calls.append(("move back",))

    def put_back(self) -> None:
        self.calls.append(("put back",))
        raise CannotHappen(_("the board does not ask for anything back"))

    def fetch_strikers(self) -> None:
        self.calls.append(("fetch",))
        for pieces in (*self.pocketed.values(), self.off):
            del pieces[Piece.STRIKER]
        self.changed()

    def press(self, wire: str) -> None:
        self.calls.append(("press", wire))
        self.active.add(wire)
        self.log(wire, active=True)
        self.changed()

    def release(self, wire: str) -> None:
        self.calls.append(("release", wire))
        self.active.discard(wire)
        self.log(wire, active=False)
        if wire == "referee_ok" and self.view.proposal:
            self.believed += 1
            red, green = self.view.sides
            red = changed(red, pocketed=self.believed, left=12 - self.believed)
            self.heard.append(SoundLine(len(self.heard) + 1, "again", ((880, 70), (1320, 180))))
            self.show_view(changed(READY, sides=(red, green), clock=self.view.clock))
        self.changed()

    def break_part(self, part: str, how: Breakage) -> None:
        self.calls.append(("break", part, how))
        self.faulty[part] = how
        self.changed()

    def mend_part(self, part: str) -> None:
        self.calls.append(("mend", part))
        self.faulty.pop(part, None)
        self.changed()

    def mishap(self, mishap: Mishap) -> None:
        self.calls.append(("mishap", mishap))

    def set_speed(self, speed: float) -> None:
        self.calls.append(("speed", speed))
        self.speed = speed
        self.changed()

    def start_show(self) -> None:
        self.calls.append(("show",))
        self.showing = True
        self.changed()

    def stop_show(self) -> None:
        self.calls.append(("stop show",))
        self.showing = False
        self.changed()

    def pause_show(self, *, paused: bool) -> None:
        self.calls.append(("pause show", paused))

    def step_show(self) -> None:
        self.calls.append(("step show",))

    def new_match(
        self,
        rules: RuleSystem | None = None,
        seats: Sequence[Seat] = (),
        language: str | None = None,
    ) -> None:
        spoken = () if language is None else (language,)
        self.calls.append(("new match", rules, *seats, *spoken))

    def picture(self) -> TablePicture:
        return TablePicture(
            truth=Truth(
                dict(self.on_board),
                {pocket: dict(pieces) for pocket, pieces in self.pocketed.items()},
                dict(self.off),
            ),
            glass=Glass(glass(self.words), "oled" not in self.faulty),
            sign={
                "kind": "alpha",
                "plugged": "sign" not in self.faulty,
                "pages": [
                    [
                        {"text": f"R {self.believed}", "colour": "red"},
                        {"text": " G 0", "colour": "green"},
                    ]
                ],
            },
            lamps=frozenset({Seat.N}),
            wires=WIRES,
            active=frozenset(self.active),
            faulty=dict(self.faulty),
            speed=self.speed,
            showing=self.showing,
            rules=self.rules,
        )

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        return self.lines[since:]

    @property
    def record(self) -> str:
        return ""

    def happenings(self) -> Sequence[Happening]:
        return self.happened

    def sounds(self, since: int) -> Sequence[SoundLine]:
        return self.heard[since:]

    def watch(self, changed: Callable[[], None]) -> None:
        self.watchers.append(changed)

    def changed(self) -> None:
        for watcher in self.watchers:
            watcher()

    def pulse(self, wire: str) -> None:
        self.log(wire, active=True)
        self.log(wire, active=False)

    def log(self, wire: str, *, active: bool) -> None:
        self.lines.append(LoggedEdge(len(self.lines) + 1, self.clock_ns(), wire, active))


def glass(words: str) -> bytes:
    """Draw a picture for the OLED: a frame and words."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.text((8, 24), words, fill=1)
    return image.tobytes()
