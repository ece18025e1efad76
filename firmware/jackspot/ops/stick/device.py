"""A USB stick's partition, or a whole stick without any, mounted automatically for a moment.

It is mounted where nobody else sees it.

A disk that the system itself runs from, as on a Pi that starts from USB, is left alone: it has a
partition mounted somewhere other than where desktops mount what people plug in.

Source: mount(8), blkid(8), proc_pid_mountinfo(5).
"""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

OPTIONS = "rw,nosuid,nodev,noexec,nosymfollow"
"""Nothing on a stick is run, opened as a device or followed as a link."""
FOR_NAMES: Mapping[str, str] = {"vfat": "utf8=1", "exfat": "iocharset=utf8"}
"""File systems for which the kernel decodes names, with options to decode every character.

That holds whatever the kernel was built to do: FAT's own characters have no umlaut on some
kernels, and no kana on any.
"""
KINDS = ("vfat", "exfat", "ext4", "ext3", "ext2")
"""The file systems that sticks have.

What else the kernel could mount has rarely been tested with malicious images.
"""
PLUGGED_IN = ("/media/", "/run/media/", "/mnt/")
"""Where people and desktops mount what they plug in."""

ENGLISH = {"LC_ALL": "C.UTF-8"}
ROOTS_PROGRAMS = "/usr/sbin:/sbin"
"""Where Debian has blkid, which is not on an ordinary user's path."""


class NotMounted(Exception):
    """A partition without a file system that this machine can mount; quotes mount."""


class NotUnmounted(Exception):
    """A stick that could not be unmounted: its data may be incomplete."""


def is_device(place: Path) -> bool:
    """Whether a path is a block device: a partition, or a whole stick."""
    try:
        return stat.S_ISBLK(place.stat().st_mode)
    except OSError:
        return False


def use_by_system(device: Path) -> str:
    """Return where the system has mounted something of a device's disk; empty: nowhere."""
    number = device.stat().st_rdev
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    return used_for(f"{os.major(number)}:{os.minor(number)}", Path("/sys"), mounts)


def used_for(number: str, sysfs: Path, mounts: str) -> str:
    """Return the same for a device number, from the text of a mountinfo."""
    disk = _disk(number, sysfs)
    for line in mounts.splitlines():
        _, _, mounted_number, _, at, *_ = line.split()
        if _disk(mounted_number, sysfs) == disk and not at.startswith(PLUGGED_IN):
            return at
    return ""


def _disk(number: str, sysfs: Path) -> Path | str:
    """Return the disk of a partition by its device number; the number if it has none."""
    link = sysfs / "dev" / "block" / number
    if not link.exists():
        return number
    there = link.resolve()
    return there.parent if (there / "partition").exists() else there


@contextmanager
def mounted(device: Path) -> Iterator[Path]:
    """Mount a device on a folder of its own, and unmount it afterwards.

    Raises NotMounted, and NotUnmounted at the end. The folder is in the service's own /tmp.
    """
    folder = Path(tempfile.mkdtemp(prefix="jackspot-stick-"))
    try:
        kind = file_system(device)
        if kind and kind not in KINDS:
            raise NotMounted(f"a stick has {', '.join(KINDS)}; found {kind}")
        how = ("-t", kind or ",".join(KINDS), "-o", mount_options(kind))
        if wrong := _ran("mount", "-i", "-n", *how, str(device), str(folder)):
            raise NotMounted(wrong)
        try:
            yield folder
        finally:
            if wrong := _ran("umount", "-i", "-n", str(folder)):
                _ran("umount", "-i", "-n", "--lazy", str(folder))
                raise NotUnmounted(wrong)
    finally:
        folder.rmdir()


def file_system(device: Path) -> str:
    """Return the file system on a device as mount names it, such as ``vfat``; empty: not known."""
    asked = ("blkid", "--probe", "--output", "value", "--match-tag", "TYPE", str(device))
    try:
        told = subprocess.run(
            asked, capture_output=True, text=True, check=False, env=_environment()
        )
    except OSError:
        return ""  # mount detects it itself
    return told.stdout.strip()


def mount_options(kind: str) -> str:
    """Return the options that a file system is mounted with."""
    return ",".join(filter(None, (OPTIONS, FOR_NAMES.get(kind))))


def _environment() -> dict[str, str]:
    """Return the variables to start programs with: English, and with root's paths."""
    path = f"{os.environ.get('PATH', os.defpath)}:{ROOTS_PROGRAMS}"
    return {**os.environ, **ENGLISH, "PATH": path}


def _ran(*program: str) -> str:
    """Run a program; return what it printed if it failed, else nothing."""
    try:
        done = subprocess.run(
            program, capture_output=True, text=True, check=False, env=_environment()
        )
    except OSError as error:
        return f"{program[0]}: cannot be started: {error.strerror}"
    said = " ".join((done.stdout + done.stderr).split())
    return (said or f"{program[0]}: status {done.returncode}") if done.returncode else ""
