"""The table in FORMATS.md of what the organiser may do at each stage; ``python -m`` writes it."""

from __future__ import annotations

from pathlib import Path

from jackspot_hub.desk.allowed import TABLE, Judged, Stage
from tests.pictures.phases import page_table

PAGE = Path(__file__).resolve().parents[2] / "firmware" / "FORMATS.md"


def allowed_table() -> list[str]:
    """Return the table of actions and stages."""
    rows = [
        [f"**{action.value}**", *(_cell(cells.get(stage)) for stage in Stage)]
        for action, cells in TABLE.items()
    ]
    return page_table(["action", *(stage.value for stage in Stage)], rows)


def _cell(judged: Judged | None) -> str:
    if judged is None:
        return "-"
    return f"*{judged.verdict.value}*: {judged.why}" if judged.why else judged.verdict.value


def with_table(page: str) -> str:
    """Return the page with its table regenerated."""
    lines = page.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| action |"))
    end = next((n for n in range(start, len(lines)) if not lines[n].startswith("|")), len(lines))
    lines[start:end] = allowed_table()
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
