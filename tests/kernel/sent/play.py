"""Play on the board's pins in the guest: let pieces fall, press OK, and watch the live state.

    play.py state                   print the live state
    play.py press WIRE [SECONDS]    press a button and print the state that follows
    play.py fall POCKET             let a piece fall and print the state that follows
    play.py script FIRST PORT STROKE...
        play strokes one after the other, from the one numbered FIRST, and tell each number on
        PORT once the board shows what came of it

A STROKE is a pocket (one piece falls there) or "-" (nothing falls). People look before they
press: OK is pressed once the board asks for it. What ended a board or needs placing is
confirmed too.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jackspot.config import find, load
from jackspot.inputs.pins import Active

State = dict[str, Any]
PATIENCE_S = 120.0
FALL_S = 0.012
PRESS_S = 0.2
CONFIG = load(find(None, None))
WIRES = {wire.name: wire for wire in CONFIG.wires}
ADDRESS = f"http://127.0.0.1:{CONFIG.web.port}/api/state"


def state() -> State:
    """Give the live state; wait for a board that is just starting."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(ADDRESS, timeout=PATIENCE_S) as answer:
                found: State = json.load(answer)
            return found
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def until(what: str, right: Callable[[State], bool]) -> State:
    """Wait until the live state is right, and give it."""
    end = time.monotonic() + PATIENCE_S
    while not right(found := state()):
        if time.monotonic() > end:
            sys.exit(f"waited {PATIENCE_S:g} s for {what}; the board says {json.dumps(found)}")
        time.sleep(0.05)
    return found


def drive(name: str, active: bool) -> None:
    """Drive a wire to its active level, or back."""
    wire = WIRES[name]
    high = active == (wire.active is Active.HIGH)
    Path(f"/run/pins/{wire.gpio}/pull").write_text("pull-up" if high else "pull-down")


def pulse(name: str, seconds: float) -> None:
    """Make a wire active for a while."""
    drive(name, True)
    time.sleep(seconds)
    drive(name, False)


def press(wire: str, before: State, seconds: float = PRESS_S) -> State:
    """Press a button until the board has taken it: it asks something else then."""
    pulse(wire, seconds)
    return until(f"an answer to {wire}", lambda now: now["ask"] != before["ask"])


def at_rest(now: State) -> bool:
    """Say whether the board waits for people, with nothing that still falls."""
    return now["phase"] not in {"falling", "paused", "placing", "setup", "board_over"}


def lead_on(now: State) -> State:
    """Answer what stands before the next stroke: set-up, the glance, placing, the next board."""
    while not at_rest(now) or now["menu"]:
        if now["phase"] == "falling":
            now = until("the fall to settle", lambda later: later["phase"] != "falling")
            continue
        time.sleep(1.2)  # whoever answers looks at the table first; a board believes no less
        now = press("referee_ok", state())
    return now


def stroke(what: str, now: State) -> State:
    """Play one stroke and confirm it."""
    if what != "-":
        pulse(f"pocket_{what.lower()}", FALL_S)
        until("a review", lambda later: later["phase"] == "review")
    time.sleep(0.6)
    asked = state()
    if what != "-" and asked["phase"] != "review":
        sys.exit(f"the review went away: {json.dumps(asked)}")
    return press("referee_ok", asked)


def script(first: int, port: str, strokes: list[str]) -> State:
    """Play strokes and tell each outside once it is shown."""
    now = lead_on(state())
    told = os.open(port, os.O_WRONLY)
    for number, what in enumerate(strokes, start=first):
        if now["phase"] != "review":
            now = lead_on(now)
        now = stroke(what if now["phase"] != "review" else "-", now)
        os.write(told, f"S{number}\n".encode())
    return now


def main() -> None:
    words = sys.argv[1:]
    match words:
        case ["state"]:
            found = state()
        case ["press", wire, *seconds]:
            found = press(wire, state(), *map(float, seconds))
        case ["fall", pocket]:
            pulse(f"pocket_{pocket.lower()}", FALL_S)
            found = until("a fall", lambda now: now["phase"] in {"review", "placing", "falling"})
        case ["script", first, port, *strokes]:
            found = script(int(first), port, strokes)
        case _:
            sys.exit(__doc__)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
