"""A fault is not a phase but a banner over any of them, and play goes on by manual entry."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from tests.dialogue.in_phase import IN_PHASE
from tests.dialogue.playing import Table


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("trouble", list(Trouble))
def test_a_fault_is_a_banner_over_any_phase(phase: Phase, trouble: Trouble) -> None:
    table = IN_PHASE[phase]()
    before = table.view
    table.fault(FaultRaised(table.now_ns, "oled", trouble, "detail")).must_be(phase)
    banner = table.view.faults[0]
    assert (banner.part, banner.trouble) == ("oled", trouble)
    assert str(banner.what)
    assert str(banner.remedy)
    assert table.view.ask == before.ask
    assert (table.view.headline, table.view.ok) == (before.headline, before.ok)
    assert table.last(EntryKind.FAULT) == {"part": "oled", "trouble": trouble, "detail": "detail"}
    table.fault(FaultCleared(table.now_ns, "oled", trouble))
    assert table.view.faults == ()
    assert table.last(EntryKind.CLEARED) == {"part": "oled", "trouble": trouble}


@pytest.mark.parametrize(
    ("detail", "what", "remedy"),
    [
        ("disk full", "disk full: not saved", "free space on disk"),
        ("disk read-only", "read-only: not saved", "check card, restart"),
        ("disk error", "disk error: not saved", "check the memory card"),
        ("folder missing", "disk: not saved", "run jackspot doctor"),
    ],
)
def test_a_disk_that_takes_nothing_says_why_and_what_helps(
    detail: str, what: str, remedy: str
) -> None:
    table = Table()
    table.fault(FaultRaised(table.now_ns, "journal", Trouble.DISK, detail))
    [banner] = table.view.faults
    assert (str(banner.what), str(banner.remedy)) == (what, remedy)
    assert len(what) <= 21
    assert len(remedy) <= 21


def test_the_same_fault_twice_is_one_banner() -> None:
    table = Table()
    for _ in range(2):
        table.fault(FaultRaised(table.now_ns, "oled", Trouble.GONE))
    assert len(table.view.faults) == 1


def test_a_fault_that_was_never_raised_clears_nothing() -> None:
    table = Table()
    table.fault(FaultCleared(table.now_ns, "oled", Trouble.GONE))
    assert EntryKind.CLEARED not in table.kinds()


def test_with_a_beam_blocked_a_match_is_played_to_its_end_by_manual_entry() -> None:
    table = Table().started("N").edge(Pocket.NE, True).wait(3.0)
    assert [str(fault.remedy) for fault in table.view.faults] == ["clear it, FIX: enter"]
    for _ in range(12):
        table.must_be(Phase.READY).fix("referee").choose("RED NE").wait(0.5).ok("referee").calm()
    table.fix("referee").choose("JACK NE").wait(0.5).hold("referee", "ok")
    table.must_be(Phase.MATCH_OVER)
    assert len(table.view.faults) == 1


def test_a_pocket_that_is_cleared_again_makes_no_fall_of_its_blockage() -> None:
    table = Table().started("N").edge(Pocket.NE, True).wait(3.0).edge(Pocket.NE, False).wait(2.0)
    table.must_be(Phase.READY)
    assert table.view.faults == ()
    assert table.view.lit == ()
