"""What the score page costs a browser: painting, layout, layers, frames.

A browser six times slower than this machine plays three strokes in which a piece flies into its
slot. Chromium's own trace says how long layout, painting and compositing took for each; frames
are counted on the page. The floor is a page on which one square crosses the screen for as long and
as often.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.bench.report import Report
from tests.conftest import BROWSER_FLAGS, BROWSERS
from tests.web.samples import IDENTITY, READY

SLOWER = 6
STROKES = 3
LASTS_MS = 1_500
"""How long each is observed: longer than a piece flies."""
WORK = {
    "Layout": "laying out", "UpdateLayoutTree": "styles", "Paint": "painting",
    "Layerize": "dividing into layers",
}  # fmt: skip
LAYERS = "layers that lie over each other"
SQUARE = """<!doctype html><body style="margin:0"><div id="one"
style="width:40px;height:40px;background:teal;transition:transform 0.7s"></div>"""
FRAMES = """(ms) => new Promise((done) => {
    const times = [];
    const frame = (now) => {
        times.push(now);
        if (now - times[0] < ms) requestAnimationFrame(frame);
        else done(times.slice(1).map((one, index) => one - times[index]));
    };
    requestAnimationFrame(frame);
})"""


def measure(report: Report) -> None:
    from playwright.sync_api import sync_playwright

    live = LiveBoard(lambda: 5_000_000_000, lambda _: None, IDENTITY)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    display.post(READY)
    side, other = READY.sides

    def stroke(_page: Any, number: int) -> None:
        more = changed(side, pocketed=side.pocketed + number, left=side.left - number)
        display.post(changed(READY, sides=(more, other), sequence=1_000 + number))

    def move(page: Any, number: int) -> None:
        page.evaluate(
            f"document.getElementById('one').style.transform = 'translateX({number}00px)'"
        )

    with sync_playwright() as started:
        program = next(found for name in BROWSERS if (found := shutil.which(name)))
        browser = started.chromium.launch(executable_path=program, args=list(BROWSER_FLAGS))
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(display.url)
        page.wait_for_selector("#side-0 .count")
        shown = _costs(browser, page, stroke)
        page.set_content(SQUARE)
        floor = _costs(browser, page, move)
        browser.close()
    display.stop()
    for name, value in shown.items():
        unit = "layers" if name == LAYERS else "ms"
        least = max(floor[name], 1.0 if name == LAYERS else 0.01)
        report.add(f"score page: {name}", value, least, unit=unit, against="a square that moves")


def _costs(browser: Any, page: Any, change: Any) -> dict[str, float]:
    """Return milliseconds a stroke by kind of work, usual and slow frame times, and the layers."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    layers: list[int] = []
    session.on(
        "LayerTree.layerTreeDidChange", lambda told: layers.append(len(told.get("layers", [])))
    )
    session.send("DOM.enable")
    session.send("LayerTree.enable")
    frames: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        browser.start_tracing(page=page, path=trace, categories=["devtools.timeline"])
        for number in range(1, STROKES + 1):
            change(page, number)
            frames += page.evaluate(FRAMES, LASTS_MS)
        browser.stop_tracing()
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    session.detach()
    worked = dict.fromkeys(WORK.values(), 0.0)
    for event in events:
        if event.get("name") in WORK:
            worked[WORK[event["name"]]] += event.get("dur", 0) / 1_000 / STROKES
    ordered = sorted(frames)
    return {
        **{f"{name} a stroke": spent for name, spent in worked.items()},
        "the usual frame": statistics.median(ordered),
        "the slowest of twenty frames": ordered[len(ordered) * 19 // 20],
        LAYERS: float(max(layers, default=0)),
    }
