"""The power fails: a journal loses nothing that it acknowledged, and one that is not forced does.

Each journal lies on a disk of its own, the host's cache passed by, and QEMU is killed. Then, from
the log of all that was written to the disk, further cuts are made at any write, with a disk that
loses or tears what was not flushed.
"""

from __future__ import annotations

from pathlib import Path

from tests.kernel.power import DataDisk, Ledger, crash_points, read_numbers
from tests.kernel.qemu import Machine, Source, wait_until


def test_a_journal_loses_nothing_and_one_that_is_not_forced_to_the_disk_does(
    source: Source, tmp_path: Path
) -> None:
    """The control: the same cut takes acknowledged entries from a journal without FULL."""
    full, off = DataDisk(tmp_path, "full"), DataDisk(tmp_path, "off")
    ledgers = {"F": Ledger(full), "O": Ledger(off)}
    script = Path(__file__).with_name("sent") / "write_journal.py"
    with Machine(source) as machine:
        machine.write("/run/write_journal.py", script.read_bytes())
        for disk, slot, mark, how in ((full, "slot1", "F", ""), (off, "slot2", "O", "OFF")):
            disk.plug(machine, slot, f"/run/{disk.name}")
            machine.run(
                "systemd-run", "-q", f"--unit=write-{disk.name}", "/opt/jackspot/bin/python",
                "/run/write_journal.py", f"/run/{disk.name}/journal", "/dev/ttyS1", mark,
                *([how] if how else []),
            )  # fmt: skip
        wait_until(
            "both to have told enough",
            lambda: all(read_numbers(machine.serial, *each) > 200 for each in ledgers.items()),
            every_s=0.01,
        )
        machine.kill()
        for mark, ledger in ledgers.items():
            read_numbers(machine.serial, mark, ledger)
    left = full.left("/journal")
    assert (left.notices, len(left.entries) >= ledgers["F"].last) == ((), True)
    for found in crash_points(full, ledgers["F"], "/journal", 60, seed=1):
        assert found.left.notices == (), found.where
        assert len(found.left.entries) >= found.known, found.where
    lost = ledgers["O"].last - len(off.left("/journal").entries)
    assert lost > 100, "what is not forced to the disk is lost with the power"
