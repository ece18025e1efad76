"""The order of stages in an update, as values, including failures and power cuts.

Theory of operation. The state is on disk before its stage begins, so the next start knows what may
be half done. Each stage can be repeated. Until packages are touched, an interrupted update is
abandoned. From then on it is continued, a few times, and otherwise goes back. Going back is tried
until it succeeds. Nothing here touches the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class UpdateStage(StrEnum):
    """What is being done."""

    STOP = "stop"
    """The board is stopped; no match is on."""
    BACK_UP = "back up"
    """The journal is written to a backup."""
    INSTALL = "install"
    """The new packages are installed over the old ones."""
    TRIAL = "trial"
    """The board is started and watched."""
    RETURN = "return"
    """The old packages are installed over the new ones, and the board is started."""
    LEAVE = "leave"
    """No package was touched: the board is started again."""


class UpdateEnd(StrEnum):
    """How an update ended."""

    UPDATED = "updated"
    LEFT = "left"
    """Nothing was changed."""
    RETURNED = "returned"
    """The previous version is installed again."""
    STUCK = "stuck"
    """Neither version could be installed; reported with what to do."""


@dataclass(frozen=True, slots=True)
class UpdateState:
    """An update that is under way. ``begun`` is how often its stage was begun.

    ``units`` are the services that ran. ``schema`` is the version of the journal's tables before
    the update, 0 without a journal. ``broken`` is what the doctor called broken before. ``why``
    says why it is not going on.
    """

    version: str
    before: str
    names: tuple[str, ...]
    units: tuple[str, ...] = ()
    journal: str = ""
    schema: int = 0
    broken: tuple[str, ...] = ()
    has_way_back: bool = True
    stage: UpdateStage = UpdateStage.STOP
    begun: int = 0
    why: str = ""


CUT_OFF = "it was cut off before anything was changed"

_NEXT: Mapping[UpdateStage, UpdateStage | UpdateEnd] = MappingProxyType(
    {
        UpdateStage.STOP: UpdateStage.BACK_UP,
        UpdateStage.BACK_UP: UpdateStage.INSTALL,
        UpdateStage.INSTALL: UpdateStage.TRIAL,
        UpdateStage.TRIAL: UpdateEnd.UPDATED,
        UpdateStage.RETURN: UpdateEnd.RETURNED,
        UpdateStage.LEAVE: UpdateEnd.LEFT,
    }
)
_BEFORE_INSTALL = (UpdateStage.STOP, UpdateStage.BACK_UP)
UNTIL_INSTALL = (*_BEFORE_INSTALL, UpdateStage.INSTALL)
TIMES: Mapping[UpdateStage, int] = MappingProxyType({UpdateStage.INSTALL: 3, UpdateStage.TRIAL: 2})
"""How often an interrupted stage is begun before the update goes back."""


def begun(state: UpdateState) -> UpdateState:
    """Return the state to keep on disk while its stage is done."""
    return replace(state, begun=state.begun + 1)


def passed(state: UpdateState) -> UpdateState | UpdateEnd:
    """Return what follows a stage that succeeded."""
    following = _NEXT[state.stage]
    if isinstance(following, UpdateEnd):
        return following
    return replace(state, stage=following, begun=0)


def failed(state: UpdateState, why: str) -> UpdateState | UpdateEnd:
    """Return what follows a stage that failed."""
    if state.stage in _BEFORE_INSTALL:
        return replace(state, stage=UpdateStage.LEAVE, begun=0, why=why)
    if state.stage in (UpdateStage.INSTALL, UpdateStage.TRIAL) and state.has_way_back:
        return replace(state, stage=UpdateStage.RETURN, begun=0, why=why)
    return UpdateEnd.LEFT if state.stage is UpdateStage.LEAVE else UpdateEnd.STUCK


def after_restart(state: UpdateState) -> UpdateState | UpdateEnd:
    """Return what follows a stage that was interrupted, by the power or by a signal."""
    if not state.begun:
        return state
    if state.stage in _BEFORE_INSTALL:
        return failed(state, CUT_OFF)
    if state.has_way_back and state.begun >= TIMES.get(state.stage, state.begun + 1):
        return failed(state, f"{state.stage} was cut off {state.begun} times")
    return state


def as_json(state: UpdateState) -> dict[str, Any]:
    """Return a state in the form of its file."""
    return asdict(state)


def from_table(table: Mapping[str, Any]) -> UpdateState:
    """Read a state; ValueError, KeyError or TypeError if it is none."""
    listed = {key: tuple(map(str, table[key])) for key in ("names", "units", "broken")}
    return UpdateState(**dict(table) | listed | {"stage": UpdateStage(table["stage"])})
