"""The doctor on the way to a hall's broker: it names the step that fails, and what to do."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

from jackspot.config import Sources, load
from jackspot.config.model import Config
from jackspot.festival.probe import ProbeStep
from jackspot.festival.section import FestivalSection
from jackspot.ops.doctor.findings import Finding, Severity
from jackspot.ops.doctor.hall import REMEDIES, check_hall
from tests.festival.certificates import Certificates
from tests.festival.conftest import HALL
from tests.festival.test_keys import hall

__all__ = ["hall"]


def looked(**festival: object) -> Finding:
    """Let the doctor look at the way of a board in the hall."""
    config: Config = load(Sources(()))
    section = FestivalSection.model_validate({"hall": HALL, "number": 1, **festival})
    [found] = check_hall(replace(config, festival=section))
    return found


def test_a_board_that_stands_alone_has_no_way() -> None:
    assert list(check_hall(load(Sources(())))) == []


def test_each_step_that_fails_is_named_with_what_to_do(hall, tmp_path: Path) -> None:
    folder, port, key = hall
    usual: dict[str, object] = {
        "broker": ("127.0.0.1", port),
        "key": key,
        "ca": folder / "hall.crt",
    }
    well = looked(**usual)
    assert (well.mark, well.found) == (
        Severity.WELL, f"b001 of {HALL}, 127.0.0.1 takes what it says",
    )  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = closed.getsockname()[1]
    other = Certificates(tmp_path / "other")
    cases: dict[ProbeStep, dict[str, object]] = {
        ProbeStep.NAME: {"broker": ("no-such-host.invalid", port)},
        ProbeStep.PORT: {"broker": ("127.0.0.1", nobody)},
        ProbeStep.CERTIFICATE: {"ca": other.ca},
        ProbeStep.PASSWORD: {"key": "another"},
    }
    for step, wrong in cases.items():
        found = looked(**{**usual, **wrong})
        assert (found.mark, found.remedy) == (Severity.BROKEN, REMEDIES[step]), found
    assert (
        looked(**{**usual, "ca": tmp_path / "none.crt"}).remedy == REMEDIES[ProbeStep.CERTIFICATE]
    )
    assert looked(**{**usual, "number": 3}).remedy == REMEDIES[ProbeStep.PASSWORD]


def test_a_board_whose_rights_are_another_halls_is_told_so(hall) -> None:
    folder, port, key = hall
    found = looked(hall="elsewhere", broker=("127.0.0.1", port), key=key, ca=folder / "hall.crt")
    assert found.remedy == REMEDIES[ProbeStep.RIGHTS]
    assert found.found == "b001 may not say anything: not authorized"


def test_what_listens_and_is_no_broker_does_not_hold_up_the_doctor() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        found = looked(broker=("127.0.0.1", silent.getsockname()[1]))
    assert found.remedy == REMEDIES[ProbeStep.PORT]
    assert found.found.endswith("does not answer")
