"""The tables of the config file but for ``[pins]``: their keys, defaults and bounds.

Each value is checked by itself (:mod:`jackspot.config.values`); what depends on two tables is
checked in :mod:`jackspot.config.model`. Durations are seconds in the file (``settle_s = 1.5``)
and integers of nanoseconds in the program (``settle_ns``).
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
)

from jackspot.config.values import (
    Blink,
    Bus,
    Byte,
    Command,
    FilePath,
    Frames,
    I2cAddress,
    Locked,
    Logo,
    LongWait,
    Name,
    Names,
    Patience,
    Percent,
    Pin,
    Share,
    SpiHertz,
    TcpPort,
    Text,
    Wait,
    Whole,
    WriteTimeout,
)
from jackspot.displays.signs.serial_line import Flow, Parity
from jackspot.inputs.factory import GpioFactory
from jackspot.sensing.limits import MS, SECOND, Limits
from jackspot.web.addresses import is_loopback


class Section(BaseModel):
    """A table of the file: frozen, and a key that nobody reads is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Language(StrEnum):
    """What the displays speak."""

    ENGLISH = "en"
    GERMAN = "de"
    JAPANESE = "ja"


class Confirm(StrEnum):
    """Whose OK, FIX, UNDO and menu count."""

    AUTO = "auto"
    """The referee's where there is a box, else anyone's."""
    REFEREE = "referee"
    ANYONE = "anyone"
    OPPONENT = "opponent"


class ClockStart(StrEnum):
    """When the clock of a board starts."""

    AT_ONCE = "at_once"
    """With the press that starts the match or the next board."""
    GONG = "gong"
    """With the first OK in *ready*: a common start for many boards."""


class OledDriver(StrEnum):
    """The display's controller: 0.96 inch is usually SSD1306, 1.3 SH1106, 2.42 SSD1309."""

    SSD1306 = "ssd1306"
    SSD1309 = "ssd1309"
    SH1106 = "sh1106"
    NONE = "none"


class OledInterface(StrEnum):
    """How the OLED is wired."""

    I2C = "i2c"
    SPI = "spi"


class BuzzerKind(StrEnum):
    """What is soldered to the buzzer's pin."""

    PASSIVE = "passive"
    """A loudspeaker: plays tones."""
    ACTIVE = "active"
    """A beeper with one tone of its own."""


class SignKind(StrEnum):
    """The serial LED scoreboard."""

    NONE = "none"
    ALPHA = "alpha"
    """Alpha and BetaBrite signs."""
    OPENSEGMENT = "opensegment"
    """SparkFun OpenSegment and Serial7Segment."""
    TEMPLATE = "template"
    """Any other: its bytes are written in ``[template]``."""


class BoardSection(Section):
    """``[board]``: what this board is called and how people talk to it."""

    name: Name = "Jackspot"
    language: Language = Language.ENGLISH
    confirm: Confirm = Confirm.AUTO
    free_play: StrictBool = False
    """The board rests in free play (counts only, no turns), not ready for a match."""
    brightness: Percent = 100
    """Of the displays, per cent, until people set another."""
    clock: ClockStart = ClockStart.AT_ONCE
    """Whether match clocks start with the board or wait, armed, for a common gong."""
    locked: Locked = frozenset()
    """What nobody may change at the table: names of settings, or true for all of them."""
    shutdown: Command = ()
    """What to run once the board was shut down from its menu and everything is written; without
    it the service switches the machine off."""


class PeopleSection(Section):
    """``[people]``: who may sit at the board."""

    names: Names = ()
    """Names to choose from in set-up."""
    forget_after_days: Annotated[int, BeforeValidator(Whole(0, 36_500))] = 0
    """Names in the journal go by themselves when they are so old, at the start and once a day while
    nobody plays; 0: never."""


class DialogueSection(Section):
    """``[dialogue]``: how long the board waits for pieces and fingers."""

    settle_ns: Wait = Field(1_500 * MS, alias="settle_s")
    """Quiet after the last fall that ends *falling*."""
    settle_at_most_ns: Wait = Field(6 * SECOND, alias="settle_at_most_s")
    """*Falling* ends after this at the latest."""
    stand_ns: Wait = Field(500 * MS, alias="stand_s")
    """How long a reading must have stood before OK confirms it in *falling*."""
    changed_guard_ns: Wait = Field(400 * MS, alias="changed_guard_s")
    """A press that answers something which changed less than this before does nothing."""
    ok_deaf_ns: Wait = Field(800 * MS, alias="ok_deaf_s")
    """The same button's OK is deaf for this long after an entry."""
    pass_guard_ns: Wait = Field(3 * SECOND, alias="pass_guard_s")
    """Other buttons' OK is deaf for this long after an entry."""
    undo_pair_ns: Wait = Field(SECOND, alias="undo_pair_s")
    """UNDO from two hands within this is one."""
    hold_ns: Wait = Field(SECOND, alias="hold_s")
    """A button down for this long is held."""
    late_fall_ns: Wait = Field(5 * SECOND, alias="late_fall_s")
    """After a board a fall within this may still belong to the last stroke."""
    menu_idle_ns: LongWait = Field(20 * SECOND, alias="menu_idle_s")
    """A menu closes by itself after this."""
    absent_ns: LongWait = Field(10 * SECOND, alias="absent_s")
    """After so long without an answer any playing seat settles by holding OK."""
    auto_confirm: Share = 0.0
    """A reading this likely settles itself; 0: none does."""
    attract_ns: Patience = Field(120 * SECOND, alias="attract_s")
    """Pictures of help come when nobody has played for this long; 0: never."""


_LIMITS = Limits()


class SensingSection(Section):
    """``[sensing]``: where a signal ends and noise begins (:class:`Limits` says what each is)."""

    min_pulse_ns: Blink = Field(_LIMITS.min_pulse_ns, alias="min_pulse_s")
    debounce_ns: Blink = Field(_LIMITS.debounce_ns, alias="debounce_s")
    join_ns: Blink = Field(_LIMITS.join_ns, alias="join_s")
    blocked_ns: LongWait = Field(_LIMITS.blocked_ns, alias="blocked_s")
    stuck_ns: LongWait = Field(_LIMITS.stuck_ns, alias="stuck_s")


class GpioSection(Section):
    """``[gpio]``: through what the pins are reached."""

    factory: GpioFactory = GpioFactory.LGPIO
    chip: Bus | None = None
    """lgpio only: the number in ``/dev/gpiochip0``; unset, as the model has it."""


class OledSection(Section):
    """``[oled]``: the referee's display. ``interface`` and ``port`` follow from the pins."""

    driver: OledDriver = OledDriver.SSD1306
    interface: OledInterface | None = None
    port: Bus | None = None
    address: I2cAddress = 0x3C
    rotate: Literal[0, 180] = 0
    """Degrees; 180 for a display that is mounted upside down."""
    contrast: Byte | None = None
    """Unset: as the controller has it."""
    bus_speed_hz: SpiHertz = 8_000_000
    """SPI only."""
    dim_ns: Patience = Field(300 * SECOND, alias="dim_s")
    """Help that has been shown for so long is dimmed; 0: never."""
    sleep_ns: Patience = Field(1_800 * SECOND, alias="sleep_s")
    """Help that has been shown for so long goes dark until something happens; 0: never."""
    shift_ns: Patience = Field(180 * SECOND, alias="shift_s")
    """The picture moves by a dot so often, with an entry; 0: never."""


class SignSection(Section):
    """``[sign]``: the serial LED scoreboard."""

    kind: SignKind = SignKind.NONE
    port: Text | None = None
    """A ``/dev/serial/by-id`` path, or a URL of pyserial's (``socket://host:port``)."""
    baud: Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200] = 9600
    bits: Literal[5, 6, 7, 8] | None = None
    """Data bits; unset, like the next two: what such signs have (alpha 7E1, others 8N1)."""
    parity: Parity | None = None
    stop: Literal[1, 2] | None = None
    flow: Flow = Flow.NONE
    """How the sign says that it can take no more: by wires or by bytes that it sends."""
    write_timeout_ns: WriteTimeout = Field(SECOND, alias="write_timeout_s")
    """How long a sign may take nothing before it counts as gone."""


class TemplateSection(Section):
    """``[template]``: what a sign of ``kind = "template"`` is sent."""

    frames: Frames = ()
    """A text, or a list of them; each is sent when its bytes change."""
    start: Frames = ()
    """What is sent first after each connection."""
    dark: Frames = ()
    """What is sent in place of the frames while the displays are dark; none: empty frames."""
    encoding: Literal["ascii", "latin-1", "cp437", "cp850", "cp1252", "shift_jis", "utf-8"] = (
        "ascii"
    )
    repeat_ns: Patience = Field(0, alias="repeat_s")
    """All is sent again so often, for a sign that forgets; 0: never."""
    gap_ns: Wait = Field(0, alias="gap_s")
    """How long the sign needs after a frame before it listens again."""


class MatrixSection(Section):
    """``[matrix]``: an LED matrix of 8x8 modules as the scoreboard."""

    driver: Literal["max7219", "none"] = "none"
    columns: Annotated[int, BeforeValidator(Whole(4, 8))] = 4
    """Modules beside each other; the chain begins at the upper left, seen from the front."""
    rows: Literal[1, 2] = 1
    turn: Literal[0, 90, 180, 270] = 0
    """Degrees by which each module is turned clockwise."""
    reverse: StrictBool = False
    """The chain begins at the right."""
    snake: StrictBool = False
    """The second row runs the other way."""
    rotate: Literal[0, 180] = 0
    """Degrees; 180 for a panel that is mounted upside down."""
    intensity: Annotated[int, BeforeValidator(Whole(0, 15))] = 4
    """What full brightness is; 15 needs a strong supply."""
    port: Bus = 0
    device: Literal[0, 1] = 0
    """The chip select: 0 on GPIO 8, 1 on GPIO 7."""
    bus_speed_hz: SpiHertz = 1_000_000


class BuzzerSection(Section):
    """``[buzzer]``: what it is, and how loud."""

    kind: BuzzerKind = BuzzerKind.PASSIVE
    volume: Percent = 50
    """Per cent."""
    silent: StrictBool = False


class HistoryNames(StrEnum):
    """How players are called on the pages of the history."""

    AUTO = "auto"
    """Whole names while only this machine itself reaches the pages, initials on the network: who
    looks on sees who plays now, but months of children's results are nobody's business."""
    SHOWN = "shown"
    INITIALS = "initials"


class WebSection(Section):
    """``[web]``: the pages on the network."""

    enabled: StrictBool = True
    host: Text = "127.0.0.1"
    port: TcpPort = 8080
    """0: any free one."""
    pin: Pin | None = None
    """What referees sign in with on their page. Unset: on the network one that the board makes and
    shows, on the machine itself none; empty: none, on the machine itself only."""
    history_names: HistoryNames = HistoryNames.AUTO
    event: Name | None = None
    """What stands above the score: the event's name."""
    logo: Logo | None = None
    """Its logo, an SVG or PNG file of at most 512 KiB."""

    @property
    def hides_names(self) -> bool:
        """Whether the history shows initials in the place of names."""
        if self.history_names is not HistoryNames.AUTO:
            return self.history_names is HistoryNames.INITIALS
        return not is_loopback(self.host)


class HotspotSection(Section):
    """``[hotspot]``: the Wi-Fi network that ``jackspot hotspot`` makes."""

    name: Text | None = None
    """Unset: as the board is called."""
    password: Text | None = None
    """8 to 63 letters and signs; unset: made by chance, once."""


class StickSection(Section):
    """``[stick]``: USB sticks that are plugged in."""

    enabled: StrictBool = True
    """Whether all matches are written on them, with whole names."""


class JournalSection(Section):
    """``[journal]``: where every entry is kept."""

    path: FilePath = Path("/var/lib/jackspot/journal.sqlite3")


class CalibrationSection(Section):
    """``[calibration]``: where what was measured on this board is kept."""

    path: FilePath = Path("/var/lib/jackspot/calibration.toml")


class LearntSection(Section):
    """``[learnt]``: what the board may learn from the strokes that people confirmed on it."""

    use: StrictBool = False
    """Whether readings use it."""
    path: FilePath = Path("/var/lib/jackspot/learnt.toml")
