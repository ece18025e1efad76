"""The guest's image: made once and kept in ``.cache/kernel``, made anew when its parts change.

Three steps, each kept by a hash of all that goes into it: Debian with a kernel and the modules
that stand for a Pi's pins and display (``guest/build-base``, minutes); a disk with Jackspot
installed as its owner would (``guest/build-disk``); and the saved state of a guest that has
started and waits, from which a test's machine goes on within about a second.

    python -m tests.kernel.image      makes what is missing, and says what it does
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kernel.qemu import ARCH, HARDWARE, KERNEL_LINE, QEMU, Machine, Source, make_layer

ROOT = Path(__file__).resolve().parents[2]
GUEST = Path(__file__).resolve().parent / "guest"
CACHE = ROOT / ".cache" / ("kernel" if ARCH == "amd64" else f"kernel-{ARCH}")
PRODUCT = (
    "firmware",
    "sim",
    "systemd",
    "pyproject.toml",
    "requirements.lock",
    "README.md",
    "LICENSE",
)
GUEST_PYTHON = "3.11"
GUEST_GLIBC = (2, 36)
PINS_LIBRARY = "lgpio==0.2.2.0"
"""A Raspberry Pi has it from its system; plain Debian 12 does not, so here it is Python's."""


class ImageError(Exception):
    """The image cannot be made; the message says why, and what to do."""


def ready() -> Source:
    """Return a guest that is ready to go on, making what is missing of it.

    Raises ImageError. Two at once wait for each other.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        base = _base()
        folder = _disk(base)
        return _saved(folder)


def cold() -> Source:
    """Return the same guest, to be started from nothing."""
    source = ready()
    return Source(source.kernel, source.initrd, source.disk.with_name("disk.raw"), "raw")


# --- the three steps ------------------------------------------------------------------


def _base() -> Path:
    modules = sorted((GUEST / "modules").iterdir())
    base = CACHE / f"base-{_hash_files([GUEST / 'build-base', *modules])}.tar"
    if not base.exists():
        _clear(CACHE.glob("base-*"))
        with _step("Debian with a kernel, and modules for it (two to four minutes)"):
            _build("build-base", ARCH, base)
    return base


def _disk(base: Path) -> Path:
    product = list(_product())
    inputs = [*_files(GUEST / "tools"), *_files(GUEST / "files"), *product]
    key = _hash_files([GUEST / "build-disk", *inputs], base.name, str(CACHE))
    folder = CACHE / f"guest-{key}"
    if not (folder / "disk.raw").exists():
        _clear(CACHE.glob("guest-*"))
        folder.mkdir()
        with _step("packages for the guest's Python"):
            wheels = _wheels()
        with _step("the guest's disk, with Jackspot installed on it"):
            _pack(product, folder / "product.tar")
            _build("build-disk", base, folder / "product.tar", wheels, folder)
    return folder


def _saved(folder: Path) -> Source:
    kernel, initrd = folder / "vmlinuz", folder / "initrd.img"
    qemu = subprocess.run([QEMU, "--version"], capture_output=True, check=True).stdout.decode()
    key = _hash_files([], qemu, KERNEL_LINE, *HARDWARE)
    layer, state = folder / f"ready-{key}.qcow2", folder / f"ready-{key}.state"
    if not state.exists():
        _clear(folder.glob("ready-*"))
        with _step("a guest that has started and waits"):
            fresh = Source(kernel, initrd, folder / "disk.raw", "raw")
            make_layer(fresh, layer)
            with Machine(fresh, disk=layer) as machine:
                machine.wait_for_boot()
                _warm(machine)
                machine.save(state.with_suffix(".part"))
            state.with_suffix(".part").rename(state)
    return Source(kernel, initrd, layer, "qcow2", state)


def _warm(machine: Machine) -> None:
    """Stop the board, which has started with the guest, and remove what it has kept."""
    machine.run("systemctl stop jackspot", timeout_s=300)
    machine.run("rm -rf /var/lib/jackspot/* && journalctl -q --rotate --vacuum-time=1s && sync")


# --- what goes into them --------------------------------------------------------------


def _product() -> Iterator[Path]:
    """Return the product's files as they lie here, those that git ignores left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *PRODUCT],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout.decode()  # fmt: skip
    for name in sorted(filter(None, listed.split("\0"))):
        if (ROOT / name).is_file():
            yield ROOT / name


def _pack(files: Iterable[Path], archive: Path) -> None:
    with tarfile.open(archive, "w") as tar:
        for file in files:
            tar.add(file, file.relative_to(ROOT).as_posix())


def _wheels() -> Path:
    """Fetch the packages of the product's lock for the guest's Python, by this machine's pip."""
    wheels = CACHE / "wheels"
    wheels.mkdir(exist_ok=True)
    machine = {"amd64": "x86_64", "arm64": "aarch64"}[ARCH]
    platforms = [f"manylinux_{GUEST_GLIBC[0]}_{m}_{machine}" for m in range(5, GUEST_GLIBC[1] + 1)]
    platforms += [f"manylinux2014_{machine}", f"manylinux1_{machine}", f"linux_{machine}", "any"]
    pip = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download",
        "-qq", "-d", str(wheels), "--only-binary=:all:", "--no-deps",
        "--python-version", GUEST_PYTHON, "--implementation", "cp",
        *(word for name in platforms for word in ("--platform", name)),
    ]  # fmt: skip
    for wanted in (["--require-hashes", "-r", str(ROOT / "requirements.lock")], [PINS_LIBRARY]):
        if subprocess.run([*pip, *wanted], check=False).returncode:
            raise ImageError("pip could not fetch the guest's packages (see above)")
    return wheels


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def _hash_files(files: Iterable[Path], *further: str) -> str:
    total = hashlib.sha256(repr(further).encode())
    for file in files:
        data = file.read_bytes()
        total.update(f"{file.relative_to(ROOT)} {os.access(file, os.X_OK)} {len(data)}\n".encode())
        total.update(data)
    return total.hexdigest()[:16]


# --- how ------------------------------------------------------------------------------


def _build(script: str, *arguments: str | Path) -> None:
    """Run one of the guest's scripts, on a machine that can run the guest's programs."""
    if ARCH != "amd64":
        _as_root(GUEST / f"run-{ARCH}")
    _as_root(GUEST / script, *arguments)


def _as_root(script: Path, *arguments: str | Path) -> None:
    """Run one of the guest's scripts as root, or by sudo that asks nothing."""
    if platform.machine() != "x86_64":
        raise ImageError(f"the guest is built on x86-64 only, and this is {platform.machine()}")
    command = [str(script), *map(str, arguments)]
    if os.geteuid() != 0:
        sudo = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if sudo.returncode:
            raise ImageError(
                "the guest's image is made by root; type this line, then start again:\n\n"
                f"    sudo {' '.join(command)}\n"
            )
        command = ["sudo", "-n", *command]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        raise ImageError(f"{script.relative_to(ROOT)} failed (see above)")


def _clear(old: Iterable[Path]) -> None:
    for path in old:
        # What was made by root lies in folders of ours, and can be removed without it.
        subprocess.run(["rm", "-rf", str(path)], check=True)


@contextmanager
def _step(what: str) -> Iterator[None]:
    start = time.monotonic()
    print(f"==> making {what}", flush=True)
    yield
    print(f"==> done after {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    try:
        ready()
    except ImageError as error:
        sys.exit(f"the kernel tests cannot run: {error}")
