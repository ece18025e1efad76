"""The canonical dump: equal for equal matches, and readable while the board is running."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner, Result

from jackspot.commands.dump import command
from jackspot.storage.journal import Journal
from tests.storage.support import KINDS, FixedWall, files, stroke, strokes


def dump(path: Path) -> Result:
    return CliRunner().invoke(command, ["--journal", str(path)])


def test_equal_matches_give_equal_dumps_whatever_the_wall_clock_says(tmp_path: Path) -> None:
    for name, wall in (("a", FixedWall()), ("b", FixedWall(5, known=True, name="boot-9"))):
        with closing(Journal.open(tmp_path / name, KINDS, wall)) as journal:
            for number in range(1, 5):
                journal.append([stroke(number, name="あいこ")])
    first, second = dump(tmp_path / "a"), dump(tmp_path / "b")
    assert first.exit_code == 0
    assert first.stdout_bytes == second.stdout_bytes
    assert first.stdout_bytes.decode().splitlines()[1] == (
        '{"at_ns":2000,"body":{"n":2,"name":"あいこ"},"kind":"stroke","seq":2}'
    )


def test_each_line_is_json_with_sorted_keys(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "j", KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 3))
    lines = dump(tmp_path / "j").stdout.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [1, 2, 3]
    for line in lines:
        assert json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")) == line


def test_a_dump_reads_beside_a_running_board(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "j", KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 2))
        assert len(dump(tmp_path / "j").stdout.splitlines()) == 2
        journal.append(strokes(3, 3))
        assert len(dump(tmp_path / "j").stdout.splitlines()) == 3


def test_a_dump_changes_nothing(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "j", KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 2))
    before = files(tmp_path)
    dump(tmp_path / "j")
    after = files(tmp_path)
    assert {name: after[name] for name in before} == before


def test_a_damaged_journal_is_dumped_up_to_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 5))
    path.write_bytes(path.read_bytes().replace(b'{"n":4}', b'{"n":5}', 1))
    result = dump(path)
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 3
    assert "entry 4 does not match its checksum" in result.stderr


def test_a_missing_journal_is_named_and_not_made(tmp_path: Path) -> None:
    result = dump(tmp_path / "nothing")
    assert result.exit_code == 1
    assert "no journal here; name one with --journal" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_journal_of_the_config_is_dumped_when_none_is_named(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "j", KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 2))
    config = tmp_path / "jackspot.toml"
    config.write_text(f'[journal]\npath = "{tmp_path / "j"}"\n')
    result = CliRunner().invoke(command, ["--config", str(config)])
    assert result.exit_code == 0
    assert result.stdout == dump(tmp_path / "j").stdout
    assert len(result.stdout.splitlines()) == 2
