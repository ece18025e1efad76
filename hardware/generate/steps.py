"""Every step of ``make hardware``, in the order in which they run: one line a step."""

from __future__ import annotations

from hardware.generate import (
    board,
    bom,
    connectors,
    electrical_page,
    fabrication,
    guide,
    header,
    legs,
    okh,
    perfboard,
    pins,
    plan,
    quick_card,
    schematic,
    sheets,
    wiring,
    wiring_drawing,
)
from hardware.generate.step import Step
from hardware.prints import steps as prints

STEPS: tuple[Step, ...] = (
    pins.STEP,
    header.STEP,
    bom.STEP,
    connectors.STEP,
    electrical_page.STEP,
    schematic.STEP,
    board.STEP,
    board.TRACKS,
    perfboard.STEP,
    perfboard.SHEETS,
    fabrication.STEP,
    plan.STEP,
    wiring.STEP,
    wiring_drawing.STEP,
    prints.MODELS,
    prints.PICTURES,
    guide.STEP,
    legs.STEP,
    quick_card.STEP,
    sheets.STEP,
    okh.STEP,
)
