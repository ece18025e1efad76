"""``jackspot update``: install a newer version from one signed file, and go back if it fails."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import click

from jackspot.commands.install import FOLDER as ROOT_FOLDER
from jackspot.commands.terminal.board_options import of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.config import Config, ConfigError, Sources, find, load
from jackspot.config.load import SHARED_PLACE
from jackspot.ops.install.plan import HUB_UNIT, UNIT
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System
from jackspot.ops.stick.device import (
    NotMounted,
    NotUnmounted,
    is_device,
    mounted,
    use_by_system,
)
from jackspot.ops.update import offered as offers, packages, stages, trial
from jackspot.ops.update.match import match_on
from jackspot.ops.update.packages import CannotKeep, Deb
from jackspot.ops.update.plan import UpdateEnd, UpdateState
from jackspot.ops.update.release import KEYS, Release, ReleaseError, only_one, read, unpack

_PROGRAM_BYTES = 1 << 20
"""More than the copy of the program takes."""


@click.command(
    "update",
    epilog=examples(
        "jackspot update --dry-run jackspot-1.2.0.update",
        "sudo jackspot update jackspot-1.2.0.update",
        "sudo jackspot update /dev/sda1          a stick that has one",
        "sudo jackspot update --go-on           one that was cut off",
    ),
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path), required=False)
@asked_first
@click.option("--go-on", is_flag=True, help="Go on with an update that was cut off.")
@click.option("--offered", is_flag=True, hidden=True, help="Take what the board has left for it.")
@click.option("--match", "asks", is_flag=True, hidden=True, help="Only say whether a match is on.")
@click.option("--downgrade", is_flag=True, help="Take an older version, too.")
@click.option("--no-way-back", is_flag=True, help="Also where the packages here cannot be kept.")
@click.option(
    "--root", type=ROOT_FOLDER, default=Path("/"), show_default=True, help="As for install."
)
@of_a_board
def command(
    file: Path | None,
    root: Path,
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
    *,
    go_on: bool,
    offered: bool,
    asks: bool,
    downgrade: bool,
    no_way_back: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Update Jackspot from a signed release.

    For a machine that has it by apt's packages. FILE is the release, a folder with one, or the
    device of a stick with one. It is checked first; its signature must be by a key of this machine.
    Not during a match. The board stops for about a minute. Its journal is
    backed up and its packages are kept; the new ones are installed without a network and watched
    for a minute. If the board or its doctor fails, the old version comes back, with all matches.
    A power cut leads to the one or the other. Exit status 1 where the new version is not there
    afterwards.
    """
    system = System(root)
    try:
        if go_on:
            _finish(system)
            return
        if offered:
            _take_offered(system, config_file, journal)
            return
        config = _config(find(config_file, board_file))
        path = journal or config.journal.path
        if asks:
            if on := match_on(path, config):
                fail(on)
            return
        if file is None:
            raise click.UsageError("Missing argument 'FILE'.")
        with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
            folder = Path(name)
            file = _found(file, folder)
            release, debs = _checked(system, file, folder, downgrade=downgrade)
            _refuse_now(system, debs, path, config)
            todo = _steps(system, release, debs, path, no_way_back=no_way_back)
            carry_out(todo, f"update {file}", StepMode(dry_run=dry_run, yes=yes))
    except (ReleaseError, StepFailed, NotUnmounted) as error:
        fail(error)
    except NotMounted as error:
        fail(f"{file}: no file system that can be mounted: {error}")


def _take_offered(system: System, config_file: Path | None, journal: Path | None) -> None:
    """Take the file that the board has left, like any other, with nobody there to ask.

    What the board can write does not decide how root does it: only root's settings file is read.
    Raises ReleaseError and StepFailed.
    """
    shared = config_file or SHARED_PLACE
    config = _config(Sources((shared,) if shared.exists() else ()))
    path = journal or config.journal.path
    with tempfile.TemporaryDirectory(prefix="jackspot-") as name, ExitStack() as left:
        folder = Path(name)
        file, sha256 = folder / offers.NAME, offers.UNREAD
        left.callback(offers.remove, system)

        def has_begun() -> None:
            with suppress(StepFailed):  # it is written down: it goes on
                left.close()
                offers.forget(system)

        try:
            file, sha256 = offers.take_over(system, folder)
            release, debs = _checked(system, file, folder, downgrade=False)
            _refuse_now(system, debs, path, config)
            todo = _steps(system, release, debs, path, no_way_back=False, has_begun=has_begun)
            for step in todo:
                click.echo(f"{step.what}: {step.words}")
                if step.act:
                    step.act()
        except NotUpdated:
            raise
        except (stages.Underway, SystemExit):
            offers.forget(system)  # the board leaves it again
            raise
        except Exception as error:
            offers.note_refused(system, sha256, str(error).replace(f"{file}: ", ""))
            raise


def _refuse_now(system: System, debs: Sequence[Deb], journal: Path, config: Config) -> None:
    """Raise StepFailed while a match is on, or if there is no room."""
    if on := match_on(journal, config):
        raise StepFailed(on)
    packages.refuse_no_room(_sizes(system, debs, journal))


class NotUpdated(StepFailed):
    """An update was begun, and did not end with the new version."""


def _found(place: Path, folder: Path) -> Path:
    """Return the release at a place; one on a stick's device is copied into the folder."""
    if place.is_dir():
        return only_one(place, place)
    if not is_device(place):
        return place
    if os.geteuid():
        raise StepFailed(f"{place}: mounting it needs root: sudo jackspot update {place}")
    if used := use_by_system(place):
        raise StepFailed(f"{place}: the system uses this disk for {used}; name the stick's")
    with mounted(place) as stick:
        found = only_one(stick, place)
        packages.refuse_no_room([(folder, found.stat().st_size)])
        try:
            return Path(shutil.copyfile(found, folder / found.name))
        except OSError as error:
            raise StepFailed(f"{place}: {found.name} cannot be read: {error.strerror}") from error


def _config(sources: Sources) -> Config:
    """Return the board's config; if it has a mistake, the usual one: an update may fix it."""
    try:
        return load(sources)
    except ConfigError:
        return load(Sources(()))


def _checked(
    system: System, file: Path, folder: Path, *, downgrade: bool
) -> tuple[Release, list[Deb]]:
    """Return a release that this machine can take, and which of its packages are installed here."""
    if stages.under_way(system) is not None:
        raise stages.Underway(stages.CUT_OFF)
    release = read(file, [system.at(key) for key in KEYS])
    here = packages.installed(system)
    if not here:
        raise StepFailed(
            "Jackspot is not here by apt's packages; with a checkout: git pull, make install"
        )
    [before, *others] = sorted(set(here.values()))
    if others:
        raise StepFailed(
            f"expected packages of one version, found {before}, {', '.join(others)}; finish that "
            "first: sudo apt-get --fix-broken install"
        )
    if release.version == before:
        raise StepFailed(f"{file}: {before} is here already")
    if not downgrade and not packages.is_later(release.version, before):
        raise StepFailed(
            f"{file}: is {release.version}, older than {before}, which is here; to take it all "
            "the same add --downgrade"
        )
    packages.refuse_no_room([(folder, release.size)])
    found = {deb.name: deb for deb in map(packages.look_at_deb, unpack(file, release, folder))}
    lacking = [name for name in here if name not in found]
    wrong = [deb.path.name for deb in found.values() if deb.version != release.version]
    if lacking or wrong:
        raise StepFailed(
            f"{file}: is not a whole release: {', '.join((*lacking, *wrong))}; have it made again"
        )
    wanted = [found[name] for name in packages.NAMES if name in here]
    packages.refuse_unfit(system, wanted)
    return release, wanted


def _sizes(system: System, debs: Sequence[Deb], journal: Path) -> list[tuple[Path, int]]:
    """Return how much goes where: packages twice, their files, the program, the journal."""
    files = sum(deb.path.stat().st_size for deb in debs)
    there = 2 * journal.stat().st_size if journal.exists() else 0
    return [
        (system.at(stages.FOLDER), 2 * files + _PROGRAM_BYTES),
        (system.at("/usr"), sum(deb.unpacked for deb in debs)),
        (system.at(stages.BACKUP), there),
    ]


def _steps(
    system: System,
    release: Release,
    debs: Sequence[Deb],
    journal: Path,
    *,
    no_way_back: bool,
    has_begun: Callable[[], None] = lambda: None,
) -> list[InstallStep]:
    """Return the steps of an update, to be shown first.

    ``has_begun`` is called once the update is written down, before it is carried out.
    """
    names = tuple(deb.name for deb in debs)
    before = packages.installed(system)[names[0]]
    units = trial.running(system, (UNIT, HUB_UNIT)) if system.live else ()
    if HUB_UNIT in units:
        raise StepFailed(
            f"a hub runs here; when no event is on: sudo systemctl stop {HUB_UNIT}, then update"
        )
    state = UpdateState(
        release.version, before, names, units,
        str(journal) if journal.exists() else "", stages.schema_of(journal),
    )  # fmt: skip
    begun = _Begun(system, state, debs, has_begun, no_way_back=no_way_back)
    watched = f"watch it for {trial.TRIAL_S} s; if it fails, " if units else "if that fails, "
    words = (
        f"stop {', '.join(units) or 'nothing'}, back up the journal to {stages.BACKUP}, "
        f"install {release.version}, {watched}go back to {before}"
    )
    return [
        done("file", f"Jackspot {release.version}, signed by a key of this machine"),
        done("match", "none is on" if journal.exists() else "there is no journal"),
        InstallStep("keep", f"{', '.join(names)} {before}, to go back to", begun.keep),
        InstallStep("update", words, begun.update),
    ]


class _Begun:
    """An update that was agreed to."""

    def __init__(
        self,
        system: System,
        state: UpdateState,
        debs: Sequence[Deb],
        has_begun: Callable[[], None],
        *,
        no_way_back: bool,
    ) -> None:
        self._system, self._state, self._debs = system, state, debs
        self._has_begun = has_begun
        self._no_way_back = no_way_back
        self._has_way_back = True

    def keep(self) -> None:
        """Put both versions' packages on disk where they are used from."""
        system, state = self._system, self._state
        try:
            packages.keep(
                system, state.names, state.before, stages.packages_of(system, state.before)
            )
        except CannotKeep as error:
            if not self._no_way_back:
                raise StepFailed(
                    f"the packages that are here cannot be kept to go back to: {error}; to update "
                    "all the same add --no-way-back"
                ) from error
            self._has_way_back = False
        try:
            packages.lay_ready(self._debs, stages.packages_of(system, state.version))
        except OSError as error:
            raise StepFailed(f"{error.filename}: cannot be written: {error.strerror}") from error

    def update(self) -> None:
        """Write it down, have the copy of the program do it, and report the outcome."""
        state = self._state
        known: tuple[str, ...] = ()
        if UNIT in state.units:
            with suppress(StepFailed):  # an old doctor that cannot be asked does not prevent it
                known = trial.broken(self._system)
        stages.begin(
            self._system,
            UpdateState(
                state.version, state.before, state.names, state.units, state.journal,
                state.schema, known, self._has_way_back,
            ),
        )  # fmt: skip
        self._has_begun()
        _finish(self._system)


def _finish(system: System) -> None:
    """Continue the recorded update to its end. NotUpdated if the new version is not there."""
    if stages.under_way(system) is None:
        raise StepFailed("no update is under way")
    stages.go_on_apart(system)
    if stages.under_way(system) is not None and not system.at(stages.LAST).exists():
        raise NotUpdated(stages.CUT_OFF)
    end, why = stages.outcome(system)
    match end:
        case UpdateEnd.UPDATED:
            return
        case UpdateEnd.LEFT:
            raise NotUpdated(f"nothing was changed: {why}")
        case UpdateEnd.RETURNED:
            raise NotUpdated(f"the version from before is here again: {why}")
        case UpdateEnd.STUCK:
            raise NotUpdated(f"neither version is here whole: {why}")
