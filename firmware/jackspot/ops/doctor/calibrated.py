"""Check of the calibration: whether there is one, and whether it is this board's."""

from __future__ import annotations

from collections.abc import Iterator

from jackspot.calibration.file import CalibrationError, pieces_of, usable
from jackspot.calibration.measuring.quiet import Noise, noise_of
from jackspot.config.model import Config
from jackspot.ops.doctor.findings import Finding, doubtful, well

LOUD = frozenset({Noise.FLICKERS, Noise.BLOCKED})


def check_calibration(config: Config) -> Iterator[Finding]:
    """Look whether readings use what was measured on this board."""
    try:
        found = usable(config)
    except CalibrationError as error:
        yield doubtful("calibration", str(error), "jackspot calibrate")
        return
    if found is None:
        yield well("calibration", "none; readings are better with one: jackspot calibrate")
        return
    measured = found.of(pieces_of(config))
    assert measured is not None, "a calibration that can be used has these pieces"
    pockets = {place.pocket.value for place in measured.drops}
    yield well(
        "calibration",
        f"{measured.count} drops of {measured.pieces} pieces into {', '.join(sorted(pockets))}, "
        f"{found.made:%Y-%m-%d}",
    )
    loud = [p.value for p, quiet in measured.quiet.items() if noise_of(quiet) in LOUD]
    if loud:
        yield doubtful(
            "calibration",
            f"was made while beams were not quiet: {', '.join(loud)}",
            "see these beams, then calibrate them again: "
            f"jackspot calibrate --pockets {','.join(loud)}",
        )
