"""Check of the calibration: whether there is one, and whether it is this board's."""

from __future__ import annotations

from collections.abc import Iterator

from jackspot.calibration.file import Calibration, CalibrationError, pieces_of, usable
from jackspot.calibration.measuring.quiet import Noise, noise_of
from jackspot.config.model import Config
from jackspot.core.printable import counted
from jackspot.ops.doctor.findings import Finding, doubtful, well
from jackspot.sensing.limits import SECOND

LOUD = frozenset({Noise.FLICKERS, Noise.BLOCKED})


def check_calibration(config: Config) -> Iterator[Finding]:
    """Check whether readings use what was measured on this board."""
    try:
        found = usable(config)
    except CalibrationError as error:
        yield doubtful("calibration", str(error), "jackspot calibrate")
        return
    yield from _beams(config, found)
    if config.sensor_hub.port is not None:
        yield well("discs", discs_calibrated(found))


def discs_calibrated(found: Calibration | None) -> str:
    """Say when the discs of the sensor hub were calibrated, and with which hub."""
    if found is None or found.discs is None:
        return "never calibrated; knocks are weighed better if they are: jackspot calibrate --discs"
    measured = found.discs.measured
    sides = "".join(side.value for side in measured.flicks)
    return (
        f"calibrated on {found.discs.made:%Y-%m-%d}: {counted(measured.count, 'flick')} from "
        f"{sides}, {measured.quiet_ns // SECOND} s quiet, sensor hub {measured.discs.hub}"
    )


def _beams(config: Config, found: Calibration | None) -> Iterator[Finding]:
    pieces = pieces_of(config)
    measured = None if found is None else found.of(pieces)
    if found is not None and found.measured and (measured is None or not measured.count):
        there = " and ".join(each.pieces for each in found.measured)
        said = f"is for {there} pieces, the configured match is played with {pieces} pieces"
        yield doubtful("calibration", said, "jackspot calibrate")
        return
    if found is None or measured is None:
        yield well("calibration", "none; readings are better with one: jackspot calibrate")
        return
    pockets = {place.pocket.value for place in measured.drops}
    yield well(
        "calibration",
        f"{counted(measured.count, 'drop')} of {measured.pieces} pieces into "
        f"{', '.join(sorted(pockets))}, {found.made:%Y-%m-%d}",
    )
    loud = [p.value for p, quiet in measured.quiet.items() if noise_of(quiet) in LOUD]
    if loud:
        yield doubtful(
            "calibration",
            f"was made while beams were not quiet: {', '.join(loud)}",
            "see these beams, then calibrate them again: "
            f"jackspot calibrate --pockets {','.join(loud)}",
        )
