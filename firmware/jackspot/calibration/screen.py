"""Draw a calibration on a terminal: what to do now, every width as it comes, and the tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs, strongest_side
from jackspot.calibration.measuring.measured import Drop, Measured, PieceKind, PieceSet
from jackspot.calibration.measuring.quiet import Noise, noise_of
from jackspot.calibration.measuring.telling_apart import Surely, Telling, spreads, tellings
from jackspot.calibration.measuring.walk import (
    REFUSED,
    FlickMessage,
    FlickRemark,
    Remark,
    Walk,
    WalkMessage,
    WalkStage,
    can_be_kept,
)
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.readings.colours import ColourModel
from jackspot.readings.widths import WidthModel

SECOND_NS = 1_000_000_000

REMEDIES: Mapping[Noise, tuple[str, str]] = MappingProxyType(
    {
        Noise.QUIET: ("quiet", ""),
        Noise.SPIKES: (
            "short spikes, too short to count",
            "no harm; keep its leads short and away from lamps and motors",
        ),
        Noise.STRAY: (
            "was broken as if something fell",
            "hands and pieces off? listen again (u); else shade the receiver from the sun",
        ),
        Noise.FLICKERS: (
            "flickers",
            "shade it from the sun, turn emitter and receiver to each other, see the plug",
        ),
        Noise.BLOCKED: (
            "blocked",
            "take out what lies in it; see the emitter's supply and the receiver's wire",
        ),
    }
)
"""What each kind of noise is called, and its remedy."""

_STYLES = {
    Noise.QUIET: "green",
    Noise.SPIKES: "green",
    Noise.STRAY: "yellow",
    Noise.FLICKERS: "bold red",
    Noise.BLOCKED: "bold red",
}

_REMARKS: Mapping[Remark, str] = MappingProxyType(
    {
        Remark.TAKEN: "{ms}",
        Remark.KEPT: "{ms}, kept",
        Remark.TWO: "{ms}: that looked like two; drop it again",
        Remark.HAND: "{ms}: a hand, or it hung in the pocket: not counted",
        Remark.FAR: "{ms}: far from what one piece does here; drop it again",
        Remark.ELSEWHERE: "that fell into {pocket}: not counted",
        Remark.UNDONE: "{pocket} {kind} {ms}: taken back",
        Remark.SKIPPED: "{pocket} is left out",
        Remark.BLOCKED: "{pocket} is blocked: take out what lies in it",
        Remark.FLICKERS: "{pocket} flickers: shade it, see its plug",
    }
)

_FLICK_REMARKS: Mapping[FlickRemark, str] = MappingProxyType(
    {
        FlickRemark.TAKEN: "{felt}",
        FlickRemark.KEPT: "{felt}, kept",
        FlickRemark.THUMP: "{felt}: all discs alike, a thump? flick again",
        FlickRemark.OTHER_SIDE: "{felt}: most at {most}; flick again from {side}",
        FlickRemark.UNDONE: "{side} {felt}: taken back",
        FlickRemark.SKIPPED: "{side} is left out",
    }
)

KEYS = "Enter go on  u undo  k keep  s skip this pocket  q stop for now"
FLICK_KEYS = "Enter go on  u undo  k keep  s skip this side  q stop for now"

SHORTEST_MS, LONGEST_MS, PLOT = 4.0, 96.0, 30
"""The plots' scale is logarithmic, with :data:`PLOT` columns."""
BAR = 60
"""How many columns a bar has."""


def told_line(told: WalkMessage | FlickMessage) -> str:
    """Return the line for what happened last: a drop, a flick, its undo, a skip, or a fault."""
    if isinstance(told, FlickMessage):
        return _flick_line(told)
    ms = in_ms(told.drop) if told.drop is not None else "several pulses"
    kind = told.kind.value if told.kind else ""
    line = _REMARKS[told.remark].format(ms=ms, pocket=told.pocket, kind=kind)
    return f"{told.pocket} {kind} {line}" if told.remark in {*REFUSED, Remark.TAKEN} else line


def told_and_kept(told: WalkMessage | FlickMessage) -> str:
    """Return the same for people who can still keep it with a key."""
    return told_line(told) + (" (k keeps it)" if can_be_kept(told) else "")


def _flick_line(told: FlickMessage) -> str:
    felt, most = (
        ("", "") if told.felt is None else (in_heights(told.felt), strongest_side(told.felt))
    )
    line = _FLICK_REMARKS[told.remark].format(felt=felt, most=most, side=told.side)
    return f"{told.side} {line}" if told.remark in {*REFUSED, Remark.TAKEN} else line


def in_heights(felt: FeltShake) -> str:
    """Format what discs felt of a shake's first knock: ``N 6011 E 2503 S 1398 W 2511``."""
    return " ".join(f"{s} {height}" for s, height in zip(Seat, felt.heights, strict=True))


def in_ms(drop: Drop) -> str:
    """Format a drop's pulses: ``11.2 ms``, ``9.8 + 10.4 ms``."""
    return " + ".join(f"{width / 1e6:.1f}" for width in drop.widths_ns) + " ms"


# --- while it goes on --------------------------------------------------------------------


def screen(sitting: Sitting, title: str, trouble: str = "") -> RenderableType:
    """Draw a calibration under way."""
    walk = sitting.walk
    parts: list[RenderableType] = [_now(walk)]
    if walk.measured.quiet and walk.stage in (WalkStage.HEARD, WalkStage.DROPS, WalkStage.DONE):
        parts += ["", quiet_table(walk.measured, walk.plan.pockets)]
    if walk.discs is not None and walk.stage is WalkStage.HEARD:
        parts += ["", Text(quiet_line(walk.discs))]
    if walk.discs is not None and walk.stage is WalkStage.FLICKS:
        parts += ["", _flick_counts(walk, walk.discs)]
    if walk.stage in (WalkStage.DROPS, WalkStage.DONE):
        parts += ["", _counts(walk)]
    parts += [Text(f"{each.part}: {each.detail or each.trouble}", "bold red")
              for each in sitting.faults]  # fmt: skip
    if trouble:
        parts.append(Text(trouble, "bold red"))
    parts += ["", Text(FLICK_KEYS if walk.stage is WalkStage.FLICKS else KEYS, "dim")]
    return Panel(Group(*parts), title=title, title_align="left", padding=(0, 1))


def _now(walk: Walk) -> RenderableType:
    """Draw what to do now, as prominently as a terminal can."""
    match walk.stage:
        case WalkStage.BEGIN:
            said = f"{walk.done} of {walk.total} drops are there already. " if walk.done else ""
            quiet = walk.plan.quiet_ns // SECOND_NS
            listen = f"First {quiet} s in which nothing may fall. " if quiet else ""
            return Text(f"{said}{listen}Press Enter, or OK on the board.", "bold")
        case WalkStage.QUIET:
            left = -(-walk.quiet_left_ns // SECOND_NS)
            return Group(
                Text(f"Hands off: {left} s in which nothing may fall.", "bold yellow"),
                bar(1 - walk.quiet_left_ns / walk.plan.quiet_ns),
            )
        case WalkStage.HEARD:
            return Text("This is what the beams did. Enter goes on, u listens again.", "bold")
        case WalkStage.FLICKS:
            return _flick_asked(walk)
        case WalkStage.DROPS:
            return _asked(walk)
        case WalkStage.DONE:
            return Text(f"All {walk.done} dropped. Enter ends.", "bold green")


def _flick_asked(walk: Walk) -> RenderableType:
    side = walk.wanted_side
    assert side is not None, "a side is asked for"
    asked = Text("Flick the striker from ")
    asked.append(side.value, "bold reverse").append(", now soft and now hard; then hands off")
    asked.append(f"   {len(walk.felt)} of {walk.plan.flicks}", "bold")
    return Group(asked, _told(walk))


def _told(walk: Walk) -> Text:
    told = walk.told
    if told is None:
        return Text("")
    bad = told.remark in REFUSED or told.remark in (Remark.ELSEWHERE, Remark.BLOCKED)
    return Text(told_and_kept(told), "bold yellow" if bad else "green")


def _asked(walk: Walk) -> RenderableType:
    wanted = walk.wanted
    assert wanted is not None, "something is asked"
    drops = walk.measured.at(*wanted)
    asked = Text("Drop one ")
    asked.append(wanted.kind.value.upper(), "bold reverse").append(" into ")
    asked.append(wanted.pocket.value, "bold reverse")
    asked.append(f"   {len(drops)} of {walk.plan.drops}", "bold")
    lines: list[RenderableType] = [asked, bar(walk.done / walk.total)]
    widths = Text("ms: ")
    widths.append("  ".join(in_ms(drop).removesuffix(" ms") for drop in drops) or "-", "cyan")
    lines += [widths, Text(" " * 4 + plot(drops)), Text(" " * 4 + scale(), "dim")]
    lines.append(_told(walk))
    return Group(*lines)


def bar(share: float) -> Text:
    """Draw how much is done."""
    done = round(BAR * max(0.0, min(1.0, share)))
    return Text("#" * done, "green").append("-" * (BAR - done), "dim")


def _counts(walk: Walk) -> Table:
    """Return the number of drops of each kind in each pocket."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for kind in walk.plan.pieces.kinds:
        table.add_column(kind.value, justify="right")
    for pocket in walk.plan.pockets:
        cells = [_count(walk, pocket, kind) for kind in walk.plan.pieces.kinds]
        table.add_row(Text(pocket.value, "bold"), *cells)
    return table


def _count(walk: Walk, pocket: Pocket, kind: PieceKind) -> Text:
    if pocket in walk.skipped:
        return Text("left out", "dim")
    count, wanted = len(walk.measured.at(pocket, kind)), walk.wanted
    if wanted == (pocket, kind):
        return Text(f"> {count}/{walk.plan.drops}", "bold")
    return Text(f"{count}/{walk.plan.drops}", "green" if count >= walk.plan.drops else "dim")


def _flick_counts(walk: Walk, discs: MeasuredDiscs) -> Text:
    cells = []
    for side in Seat:
        mark = "> " if side is walk.wanted_side else ""
        out = side in walk.left_out
        cells.append(
            f"{side} {'left out' if out else f'{mark}{len(discs.of(side))}/{walk.plan.flicks}'}"
        )
    return Text("   ".join(cells))


# --- tables ------------------------------------------------------------------------------


def quiet_table(measured: Measured, pockets: Iterable[Pocket]) -> Table:
    """Return what each beam did in its quiet minute, and the remedy."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for pocket in pockets:
        quiet = measured.quiet.get(pocket)
        if quiet is None:
            continue
        noise = noise_of(quiet)
        found, remedy = REMEDIES[noise]
        counts = [f"{n} {name}" for n, name in
                  ((quiet.spikes, "spikes"), (quiet.pulses, "pulses"), (quiet.storms, "storms"))
                  if n]  # fmt: skip
        if quiet.blocked_ns >= SECOND_NS:
            counts.append(f"broken {quiet.blocked_ns / SECOND_NS:.0f} s")
        said = Text(found, _STYLES[noise])
        said.append(f" ({', '.join(counts)} in {quiet.lasted_ns / SECOND_NS:.0f} s)" if counts
                    else f" for {quiet.lasted_ns / SECOND_NS:.0f} s", "default")  # fmt: skip
        if remedy:
            said.append(f"\n-> {remedy}", "bold")
        table.add_row(Text(pocket.value, "bold"), said)
    return table


def quiet_line(discs: MeasuredDiscs) -> str:
    """Return a line on how often the board was shaken in its quiet minute."""
    if not discs.quiet_ns:
        return "discs were not listened to while it was quiet"
    seconds, times = discs.quiet_ns / SECOND_NS, len(discs.quiet)
    if not times:
        return f"discs felt nothing in {seconds:.0f} s"
    highest = max(max(each.heights) for each in discs.quiet)
    return f"discs were shaken {times} times in {seconds:.0f} s, by at most {highest}"


def colours_table(colours: ColourModel) -> Table:
    """Return how the kinds that heads have seen look: the parts of red, green and blue light."""
    table = Table(box=None, pad_edge=False)
    for heading in ("piece", "red", "green", "blue", "give or take"):
        table.add_column(heading, justify="left" if heading == "piece" else "right", no_wrap=True)
    for piece, colour in colours.seen.items():
        parts = (colour.red, colour.green, 1 - colour.red - colour.green, colour.spread)
        table.add_row(Text(piece.value, "bold"), *(f"{100 * each:.0f} %" for each in parts))
    return table


def discs_table(discs: MeasuredDiscs) -> RenderableType:
    """Return what each disc felt of flicks from each side: medians of the first knocks."""
    table = Table(box=None, pad_edge=False)
    for heading in ("from", "n", *Seat, "most at", "first", "knocks"):
        table.add_column(heading, justify="left" if heading == "from" else "right", no_wrap=True)
    for side, felt in discs.flicks.items():
        heights = (sorted(each.heights[at] for each in felt)[len(felt) // 2] for at in range(4))
        own = sum(strongest_side(each) is side for each in felt)
        first = sum(_felt_first(each, side) for each in felt)
        knocks = sorted(each.knocks for each in felt)
        table.add_row(
            Text(side.value, "bold"), str(len(felt)), *map(str, heights),
            f"{side} {own}/{len(felt)}", f"{side} {first}/{len(felt)}", f"{knocks[0]}-{knocks[-1]}",
        )  # fmt: skip
    return Group(table, Text(quiet_line(discs)))


def _felt_first(felt: FeltShake, side: Seat) -> bool:
    """Whether this side's disc felt a shake no later than any other disc that felt it."""
    there = [peak.delay_us for peak in felt.peaks if peak.height]
    own = felt.peaks[list(Seat).index(side)]
    return bool(own.height) and own.delay_us == min(there)


def results(measured: Measured, widths: WidthModel) -> RenderableType:
    """Return how every kind spreads in every pocket, and how surely kinds are told apart."""
    table = Table(box=None, pad_edge=False)
    for heading in ("", "piece", "n", "least", "1/4", "median", "3/4", "most"):
        is_name = heading in ("", "piece")
        table.add_column(heading, justify="left" if is_name else "right", no_wrap=True)
    table.add_column(scale(), no_wrap=True)
    before = None
    for each in spreads(measured):
        ms = (each.least_ns, each.low_ns, each.median_ns, each.high_ns, each.most_ns)
        table.add_row(
            Text(each.pocket.value if each.pocket is not before else "", "bold"), each.kind.value,
            str(each.count), *(f"{ns / 1e6:.1f}" for ns in ms),
            plot(measured.at(each.pocket, each.kind)),
        )  # fmt: skip
        before = each.pocket
    return Group(table, Text(""), *_telling_lines(measured, widths))


def _telling_lines(measured: Measured, widths: WidthModel) -> Iterator[RenderableType]:
    for pocket in Pocket:
        if any(measured.into(pocket)):
            for telling in tellings(on_board(widths, measured.pieces), measured.pieces, pocket):
                yield _telling_line(telling)


def on_board(widths: WidthModel, pieces: PieceSet) -> WidthModel:
    """Return widths for a board with these pieces."""
    return widths.of_board(Piece.JACK if pieces is PieceSet.CAROM else Piece.QUEEN)


def _telling_line(telling: Telling) -> Text:
    style = {Surely.NOT: "dim", Surely.HARDLY: "dim"}.get(telling.surely, "green")
    return Text(f"{telling.pocket}  ", "bold").append(str(telling), style)


def plot(drops: Sequence[Drop]) -> str:
    """Draw drops on a line by their longest pulses: one ``.``, more ``o``, many ``O``."""
    columns = [0] * PLOT
    for drop in drops:
        columns[_column(max(drop.widths_ns) / 1e6)] += 1
    return "".join(" .oO"[min(3, count)] for count in columns).rstrip()


def scale() -> str:
    """Return the scale of the plots."""
    line = [" "] * (PLOT + 3)
    for mark in (4, 8, 16, 32, 64):
        at = _column(mark)
        line[at : at + len(str(mark))] = str(mark)
    return "".join(line).rstrip() + " ms"


def _column(ms: float) -> int:
    share = math.log(ms / SHORTEST_MS) / math.log(LONGEST_MS / SHORTEST_MS)
    return round((PLOT - 1) * max(0.0, min(1.0, share)))
