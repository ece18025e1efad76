"""What axe-core finds wrong on a page for people who see, hear or move differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

GRAVE = frozenset({"serious", "critical"})


def grave_faults(page: Page) -> list[str]:
    """Return the faults that are serious or worse: the rule, where, and what is expected."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']} at {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]
