"""The machine to install on: its files and programs, below a root folder.

The root is ``/`` on the machine itself, or the folder of an image that is being built. In an image,
programs run in a chroot, and nothing is started. Without a running systemd (a container, a chroot)
nothing is started either; what is enabled begins at the next start.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from jackspot.ops.install.steps import StepFailed

SYSTEMD_RUNS = "/run/systemd/system"
"""This folder is there exactly when systemd is the running init (sd_booted(3))."""

ASKING = {"LC_ALL": "C.UTF-8"}
"""Makes programs that are asked something answer in English."""

INSTALLING = {"DEBIAN_FRONTEND": "noninteractive"}


class System:
    """A machine below ``root``; ``live`` if systemd runs and things can be started."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root.absolute()
        self.is_here = self.root == Path("/")
        self.live = self.is_here and Path(SYSTEMD_RUNS).is_dir()

    def at(self, path: str) -> Path:
        """Return our path to a path of that machine."""
        return self.root / path.lstrip("/")

    def read(self, path: str) -> str | None:
        """Read a file; None if there is none, or none that can be read as text."""
        try:
            return self.at(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file whole or not at all, and force it to disk; folders are created."""
        target = self.at(path)
        draft = target.with_name(target.name + ".new")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            draft.replace(target)
        except OSError as error:
            raise StepFailed(f"{target}: cannot be written: {error.strerror}") from error

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""
        target = self.at(path)
        try:
            target.unlink(missing_ok=True)
        except OSError as error:
            raise StepFailed(f"{target}: cannot be removed: {error.strerror}") from error

    def asked(self, *program: str) -> str | None:
        """Return what a read-only program of that machine prints; None if missing or failed."""
        return self._asked(self._inside(program))

    def asked_on_root(self, *program: str) -> str | None:
        """Ask as :meth:`asked` does, but one of this machine's systemd tools about the root."""
        return self._asked(self._for_root(program))

    def _asked(self, program: list[str]) -> str | None:
        try:
            done = subprocess.run(
                program,
                capture_output=True,
                check=False,
                encoding="utf-8",
                errors="replace",
                env=os.environ | ASKING,
            )
        except OSError:
            return None
        return done.stdout if done.returncode == 0 else None

    def run(self, *program: str) -> None:
        """Run a program of that machine, showing its output as it comes; StepFailed if it fails."""
        self._run(self._inside(program))

    def run_on_root(self, *program: str) -> None:
        """Run one of systemd's tools of this machine on the root, by its ``--root``."""
        self._run(self._for_root(program))

    def _for_root(self, program: tuple[str, ...]) -> list[str]:
        name, *rest = program
        return [name, *rest] if self.is_here else [name, f"--root={self.root}", *rest]

    def _inside(self, program: tuple[str, ...]) -> list[str]:
        return list(program) if self.is_here else ["chroot", str(self.root), *program]

    def _run(self, program: list[str]) -> None:
        words = shlex.join(program)
        try:
            status = subprocess.run(program, check=False, env=os.environ | INSTALLING).returncode
        except OSError as error:
            raise StepFailed(f"{words}: cannot be started: {error.strerror}") from error
        if status:
            raise StepFailed(f"{words}: ended with status {status}; its last lines say why")
