"""The doctor checks the way to a hall's broker: it names the step that fails, and what to do."""

from __future__ import annotations

import socket
from pathlib import Path

from jackspot.config import Sources, load
from jackspot.config.model import Config
from jackspot.festival.broker import Broker
from jackspot.festival.joining import NAME, KeptHall, read_file
from jackspot.festival.probe import ProbeStep
from jackspot.festival.section import FestivalSection
from jackspot.ops.doctor.findings import Finding, Severity
from jackspot.ops.doctor.hall import BRING, COME_BACK, REMEDIES, SET_NUMBER, check_hall
from jackspot.settings.section import read_section
from jackspot.values import changed
from tests.festival.certificates import Certificates
from tests.festival.guests import HALL, Guest, secret_of
from tests.festival.test_keys import STATE


def looked(**festival: object) -> Finding:
    """Return what the doctor finds on a board's way to its hall."""
    config: Config = load(Sources(()))
    section = read_section(FestivalSection, {"hall": HALL, "number": 1, **festival})[0]
    [found] = check_hall(changed(config, festival=section))
    return found


def test_a_board_that_stands_alone_has_no_way() -> None:
    assert list(check_hall(load(Sources(())))) == []


def test_each_step_that_fails_is_named_with_what_to_do(
    hall, broker: Broker, tmp_path: Path
) -> None:
    folder, port, key = hall
    usual: dict[str, object] = {
        "broker": ("127.0.0.1", port),
        "key": key,
        "ca": folder / "hall.crt",
    }
    well = looked(**usual)
    assert (well.mark, well.found) == (
        Severity.WELL, f"b001 of {HALL}, the broker takes what it says",
    )  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = closed.getsockname()[1]
    other = Certificates(tmp_path / "other")
    no_certificate = tmp_path / "empty.crt"
    no_certificate.touch()
    cases: tuple[tuple[ProbeStep, dict[str, object]], ...] = (
        (ProbeStep.CA, {"ca": tmp_path / "none.crt"}),
        (ProbeStep.CA, {"ca": no_certificate}),
        (ProbeStep.NAME, {"broker": ("no-such-host.invalid", port)}),
        (ProbeStep.PORT, {"broker": ("127.0.0.1", nobody)}),
        (ProbeStep.TLS, {"broker": broker.address}),
        (ProbeStep.PLAIN, {"ca": None}),
        (ProbeStep.CERTIFICATE, {"ca": other.ca}),
        (ProbeStep.ADDRESS, {"broker": ("localhost", port)}),
        (ProbeStep.ADDRESS, {"broker": ("127.0.0.2", port)}),
        (ProbeStep.PASSWORD, {"key": "another"}),
        (ProbeStep.PASSWORD, {"key": "another", "number": 3}),
        (ProbeStep.PASSWORD, {"key": None}),
        (ProbeStep.NUMBER, {"number": 3}),
        (ProbeStep.RIGHTS, {"hall": "elsewhere"}),
    )
    for step, wrong in cases:
        found = looked(**{**usual, **wrong})
        assert (found.mark, found.remedy) == (Severity.BROKEN, REMEDIES[step]), (wrong, found)


def test_the_doctor_leaves_a_board_that_is_connected_where_it_is(hall) -> None:
    folder, port, key = hall
    board = Guest(folder, port, "b001", secret_of(folder, "b001"), "b001")
    found = looked(broker=("127.0.0.1", port), key=key, ca=folder / "hall.crt")
    assert found.mark is Severity.WELL
    assert board.may_write(STATE)
    board.close()


def test_a_board_whose_rights_are_another_halls_is_told_so(hall) -> None:
    folder, port, key = hall
    found = looked(hall="elsewhere", broker=("127.0.0.1", port), key=key, ca=folder / "hall.crt")
    assert found.remedy == REMEDIES[ProbeStep.RIGHTS]
    topic = "jackspot/1/elsewhere/board/b001/doctor"
    assert found.found == f"b001-doctor may not say anything at {topic}: not authorized"


def test_what_listens_and_is_no_broker_does_not_hold_up_the_doctor() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        found = looked(broker=("127.0.0.1", silent.getsockname()[1]))
    assert found.remedy == REMEDIES[ProbeStep.PORT]
    assert found.found.endswith("does not answer")


def test_the_hall_that_was_joined_at_the_board_is_the_one_that_is_looked_at(
    hall, tmp_path: Path
) -> None:
    folder, _, _ = hall
    config = load(Sources(()))
    kept = KeptHall(tmp_path / "journal.sqlite3", config.festival)
    assert list(check_hall(config, kept.journal)) == []
    kept.join(read_file(folder / NAME))
    [found] = check_hall(config, kept.journal)
    assert (found.mark, found.remedy) == (Severity.BROKEN, SET_NUMBER)
    assert found.found == f"{HALL}, by {kept.joined}: this board has no number in it"
    kept.set_number(2)
    [found] = check_hall(config, kept.journal)
    assert (found.mark, found.found) == (
        Severity.WELL, f"b002 of {HALL}, the broker takes what it says",
    )  # fmt: skip
    kept.leave()
    [found] = check_hall(config, kept.journal)
    assert (found.mark, found.remedy) == (Severity.DOUBTFUL, COME_BACK)
    kept.rejoin()
    kept.joined.write_text("[festival")
    [found] = check_hall(config, kept.journal)
    assert (found.mark, found.remedy) == (Severity.BROKEN, BRING)
    assert found.found.startswith(f"{kept.joined}: is not TOML: ")


def test_one_of_a_brokers_addresses_is_enough(hall) -> None:
    folder, port, key = hall
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
    both: dict[str, object] = {"key": key, "ca": folder / "hall.crt"}
    assert looked(broker=[nobody, f"127.0.0.1:{port}"], **both).mark is Severity.WELL
    found = looked(broker=[nobody, "no-such-host.invalid"], **both)
    assert found.remedy == REMEDIES[ProbeStep.PORT]
