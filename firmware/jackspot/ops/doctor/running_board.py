"""Checks of a running board: the faults that it shows itself, asked for at its pages."""

from __future__ import annotations

import ipaddress
import json
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any

from jackspot.config.model import Config
from jackspot.ops.doctor.findings import Finding, doubtful, well
from jackspot.ops.doctor.sensor_hub import error_remedy
from jackspot.sensing.events import Trouble
from jackspot.sensor_link.protocol.hearing import PART

PATIENCE_S = 3.0
THIS_MACHINE = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Opens pages of this machine, which no proxy of the environment can reach."""


def check_running(config: Config) -> Iterator[Finding]:
    """Ask the running board for its faults; nothing if none answers."""
    state = _state(config)
    if state is None:
        return
    faults = state.get("faults", [])
    for fault in faults:
        words = fault.get("detail") or f"{fault.get('what')}"
        remedy = f"{fault.get('remedy')}"
        if (fault.get("part"), fault.get("trouble")) == (PART, Trouble.DEFECT):
            remedy = error_remedy(words)
        yield doubtful(f"{fault.get('part')}", f"the board says: {words}", remedy)
    if not faults:
        yield well("running board", f"{state.get('phase')}, no fault")


def _reached_at(host: str) -> str:
    """Return where pages are reached from this machine: "everywhere" includes it."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return host if address.version == 4 else f"[{host}]"


def _state(config: Config) -> dict[str, Any] | None:
    if not config.web.enabled or not config.web.port:
        return None
    address = f"http://{_reached_at(config.web.host)}:{config.web.port}/api/state"
    try:
        with THIS_MACHINE.open(address, timeout=PATIENCE_S) as answer:
            state = json.load(answer)
    except (OSError, ValueError, HTTPException):  # or another program has the port
        return None
    return state if isinstance(state, dict) and "faults" in state else None
