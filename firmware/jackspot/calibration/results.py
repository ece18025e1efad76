"""The results of a calibration as plain values, for JSON."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import asdict

from jackspot.calibration.file import CalibratedDiscs, Calibration
from jackspot.calibration.measuring.flicks import FeltShake
from jackspot.calibration.measuring.measured import Measured
from jackspot.calibration.measuring.quiet import noise_of
from jackspot.calibration.measuring.telling_apart import spreads, tellings
from jackspot.calibration.screen import on_board
from jackspot.core.pieces import Pocket
from jackspot.readings.widths import WidthModel

Plain = Mapping[str, object]


def as_plain(calibration: Calibration, *, finished: bool = True) -> Plain:
    """Return everything that was measured and computed; times in milliseconds."""
    widths = calibration.widths()
    colours = {
        piece.value: {name: round(value, 4) for name, value in asdict(colour).items()}
        for piece, colour in calibration.colours().seen.items()
    }
    discs = {} if calibration.discs is None else {"discs": _discs(calibration.discs)}
    return {
        "board": calibration.board.name,
        "made": calibration.made.isoformat(),
        "finished": finished,
        "pieces": {
            measured.pieces.value: _pockets(measured, widths) for measured in calibration.measured
        },
        **({"colours": colours} if colours else {}),
        **discs,
    }


def _discs(discs: CalibratedDiscs) -> Plain:
    measured, shots = discs.measured, discs.measured.shots()
    return {
        "hub": measured.discs.hub,
        "sides": [side.value for side in measured.discs.sides],
        "made": discs.made.isoformat(),
        "quiet_ms": measured.quiet_ns / 1e6,
        "quiet": [_felt(each) for each in measured.quiet],
        "flicks": {s.value: [_felt(each) for each in felt] for s, felt in measured.flicks.items()},
        "others_a_minute": round(shots.others_a_minute, 4),
        "strongest": {
            seat.value: {side.value: round(share, 4) for side, share in shares.sides.items()}
            for seat, shares in shots.shots.items()
        },
    }


def _felt(shake: FeltShake) -> Plain:
    return {
        "knocks": shake.knocks,
        "heights": list(shake.heights),
        "delays_us": [peak.delay_us for peak in shake.peaks],
    }


def _pockets(measured: Measured, widths: WidthModel) -> Plain:
    there = [p for p in Pocket if any(measured.into(p)) or p in measured.quiet]
    return {pocket.value: _pocket(measured, pocket, widths) for pocket in there}


def _pocket(measured: Measured, pocket: Pocket, widths: WidthModel) -> Plain:
    found: dict[str, object] = {}
    quiet = measured.quiet.get(pocket)
    if quiet is not None:
        found["quiet"] = {"noise": noise_of(quiet).value, **_in_ms(asdict(quiet))}
    if not any(measured.into(pocket)):
        return found
    here = [each for each in spreads(measured) if each.pocket is pocket]
    found["kinds"] = {
        each.kind.value: {
            "drops_ms": [
                [span / 1e6 for span in drop.spans_ns] for drop in measured.at(pocket, each.kind)
            ],
            **{
                key: value
                for key, value in _in_ms(asdict(each)).items()
                if key not in ("pocket", "kind")
            },
        }
        for each in here
    }
    found["told_apart"] = [
        {
            "first": each.first.value,
            "second": each.second.value,
            "right": round(each.right, 4),
            "words": each.surely.value,
        }
        for each in tellings(on_board(widths, measured.pieces), measured.pieces, pocket)
    ]
    model = on_board(widths, measured.pieces).at(pocket)
    found["model"] = {
        "flat_ms": round(model.flat_ns / 1e6, 4),
        "flat_spread": round(model.flat_spread, 4),
        "on_edge_ms": round(model.on_edge_ns / 1e6, 4),
        "on_edge_spread": round(model.on_edge_spread, 4),
    }
    return found


def _in_ms(values: Mapping[str, object]) -> dict[str, object]:
    """Rename nanoseconds to milliseconds."""
    return {
        key.removesuffix("_ns") + "_ms" if key.endswith("_ns") else key: value / 1e6
        if key.endswith("_ns") and isinstance(value, int)
        else value
        for key, value in values.items()
    }
