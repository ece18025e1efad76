"""The bill of materials: for each build a table to read (``BOM.md``) and one to order by (CSV)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from hardware.board import seat_board
from hardware.generate import harness, printed
from hardware.generate.additions import ADDITIONS, Addition
from hardware.generate.builds import BUILDS, CUT_CORNERS, Build
from hardware.generate.designators import designators
from hardware.generate.parts import PRICES, Group, Part, Source, parts
from hardware.generate.sleeves import sleeves
from hardware.generate.step import File, Step, text

ORDERED = (*BUILDS, CUT_CORNERS)
"""What has an order table of its own."""

BOARDS = 20
"""The second quantity: a festival's worth of boards."""

_HEAD = """\
# Bill of materials

This page lists the parts of a board, for five builds. Each build is a configuration in
[builds](builds/), from which the quantities follow. The closed box has a second table, for
[cut-off corners without a second floor](guide/cut-corners.md). The page also has what a
[sensor hub](guide/sensor-hub.md) adds to any of them. `make hardware` makes it from
[parts.toml](parts.toml) and the [harness](WIRING.md). Order from the table of your build in
[bom](bom/).

**Nothing here has been ordered or built.** Order codes in *italics* were seen in public parts
lists. The others, the makers' numbers and the prices are from memory, so check before you order. A
substitute fits the circuit as it is, unless its row says otherwise. The [prints](prints/README.md)
page lists the printed parts and their material; their screws and plastic are below.

Price classes, for one piece, metre or kilogram: {prices}. Cable lengths are the sums of the cut
list; buy a tenth more. Resistors, transistors and cable ties come in bags anyway.
"""


class Line(Struct, frozen=True):
    """One part of a build with its quantity, in pieces, metres or kilograms."""

    part: Part
    quantity: float

    def written(self, boards: int = 1) -> str:
        """Write the quantity for so many boards."""
        total = round(self.quantity * boards, 3)
        return f"{total:g}" if self.part.unit == "piece" else f"{total:g} {self.part.unit}"


def bill(build: Build) -> tuple[Line, ...]:
    """Return what a build takes, in the table's order; a part that it does not need is left out."""
    there: Mapping[str, float] = {
        **build.counts(),
        **harness.counts(build),
        **printed.counts(build),
        **seat_board.counts(build),
        "sleeve": sum(sleeves(build).values()),
    }
    return _lines(there, build.name)


def added(addition: Addition) -> tuple[Line, ...]:
    """Return what an addition takes, whatever build it is added to."""
    return _lines(addition.counts(), "")


def _lines(there: Mapping[str, float], build: str) -> tuple[Line, ...]:
    lines = []
    for part in parts().values():
        if build and part.builds is not None and build not in part.builds:
            continue
        quantity = sum(each * there.get(key, 0) for key, each in part.per.items())
        if quantity:
            lines.append(Line(part, quantity))
    return tuple(lines)


def euros(build: Build, *, without: str = "") -> float:
    """Return what a build's parts cost about; 0 where the part to leave out is not in it."""
    lines = bill(build)
    if without and without not in {line.part.id for line in lines}:
        return 0
    kept = (line for line in lines if line.part.id != without)
    return sum(map(_euros, kept))


def _euros(line: Line) -> float:
    return PRICES[line.part.price].middle * line.quantity


def make() -> Iterator[File]:
    """Return ``BOM.md`` and a CSV for each build and each addition."""
    yield text("BOM.md", _page())
    for build in ORDERED:
        yield text(f"bom/{build.name}.csv", _csv(bill(build), designators(build)))
    for addition in ADDITIONS:
        yield text(f"bom/{addition.name}.csv", _csv(added(addition), addition.designators()))


def _page() -> str:
    prices = ", ".join(f"**{key}** {price}" for key, price in PRICES.items())
    blocks = [_HEAD.format(prices=prices), "\n".join(_overview())]
    blocks += ["\n".join(_group(group)) for group in Group]
    return "\n".join(blocks)


def _overview() -> Iterator[str]:
    yield "| build | what it is | kinds of parts | pieces | parts cost about | computer's share |"
    yield "|---|---|---|---|---|---|"
    for build in ORDERED:
        lines = bill(build)
        pieces = sum(round(line.quantity) for line in lines if line.part.unit == "piece")
        about = f"{build.about} ([order table](bom/{build.name}.csv))"
        cost = f"{round(euros(build), -1):g} €"
        computer = sum(_euros(line) for line in lines if line.part.group is Group.COMPUTER)
        if without := euros(build, without="sign"):
            cost += f", {round(without, -1):g} € without the sign"
        amounts = f"{len(lines)} | {pieces} | {cost} | {computer:.0f} €"
        yield f"| **{build.title}** | {about} | {amounts} |"
    for addition in ADDITIONS:
        lines = added(addition)
        pieces = sum(round(line.quantity) for line in lines if line.part.unit == "piece")
        about = f"{addition.about} ([order table](bom/{addition.name}.csv))"
        cost = f"{round(sum(map(_euros, lines)), -1):g} €"
        yield f"| *{addition.title}* | {about} | {len(lines)} | {pieces} | {cost} | - |"
    yield ""
    yield "*About*: from the middle of each price class, without tools, prints and postage. The"
    yield "*computer* is the Pi with its supply and card, which many people already have."
    yield ""


def _group(group: Group) -> Iterator[str]:
    bills = {build.title.lower(): bill(build) for build in ORDERED}
    bills |= {f"+ {each.title.lower()}": added(each) for each in ADDITIONS}
    amounts_of = [{line.part.id: line.written() for line in lines} for lines in bills.values()]
    yield f"## {group.value.capitalize()}\n"
    yield f"| part | maker and number | {' | '.join(bills)} | price | two sources | substitutes |"
    yield f"|---|---|{'---|' * len(bills)}---|---|---|"
    for part in parts().values():
        if part.group is not group:
            continue
        amounts = " | ".join(found.get(part.id, "-") for found in amounts_of)
        maker = f"{part.maker} {part.number}"
        if part.unchecked:
            maker += f" (not looked up: {part.unchecked})"
        sources = ", ".join(map(sold, part.sources))
        others = "; ".join(part.substitutes)
        yield f"| {part.name} | {maker} | {amounts} | {part.price} | {sources} | {others} |"
    yield ""


def sold(source: Source) -> str:
    """Return a seller with his code, in italics where it was seen."""
    if not source.code:
        return source.at
    return f"{source.at} *{source.code}*" if source.seen else f"{source.at} {source.code}"


def _csv(lines: Iterable[Line], named: Mapping[str, list[str]]) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(
        ["id", "designators", "group", "part", "maker", "number", "for 1 board",
         f"for {BOARDS} boards", "unit", "price class", "source 1", "code 1", "source 2", "code 2",
         "substitutes", "not looked up"]
    )  # fmt: skip
    for line in lines:
        part = line.part
        one, two = part.sources[:2]
        amounts = [f"{round(line.quantity * boards, 3):g}" for boards in (1, BOARDS)]
        table.writerow(
            [part.id, " ".join(named.get(part.id, [])), part.group, part.name, part.maker,
             part.number, *amounts, part.unit, str(PRICES[part.price]), one.at, one.code, two.at,
             two.code, "; ".join(part.substitutes), part.unchecked]
        )  # fmt: skip
    return out.getvalue()


STEP = Step("bom", make, owns=("BOM.md", "bom/*"))
