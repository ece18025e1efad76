"""The guest's image: made once and kept in ``.cache/kernel``, made again when its parts change.

There are three steps, each kept by a hash of everything that goes into it:

- Debian with a kernel and the modules that stand for a Pi's pins and display
  (``guest/build-base``, minutes);
- a disk with Jackspot installed as its owner would (``guest/build-disk``);
- the saved state of a guest that has started and waits, from which a test's machine goes on within
  about a second.

There are two guests. One has Jackspot installed by ``jackspot install``, on Debian 12. The other is
Debian 13 and has it from the packages of ``dist/``, which apt installs once that guest has started.

    python -m tests.kernel.image      makes what is missing of the first, and says what it does
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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kernel.board import Board
from tests.kernel.qemu import ARCH, HARDWARE, KERNEL_LINE, QEMU, Machine, Source, make_layer

ROOT = Path(__file__).resolve().parents[2]
GUEST = Path(__file__).resolve().parent / "guest"
CACHE = ROOT / ".cache" / ("kernel" if ARCH == "amd64" else f"kernel-{ARCH}")
PACKAGES_CACHE = CACHE.with_name(f"{CACHE.name}-packages")
DIST = ROOT / "dist"
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
"""A Raspberry Pi's system has it; plain Debian 12 does not, so here it is the Python package."""
PINS_SOURCE = (
    f"{PINS_LIBRARY} --hash=sha256:11372e653b200f76a0b3ef8a23a0735c85ec678a9f8550b9893151ed0f863fff"
)
"""Nobody has built it for Debian 13's Python."""


BY_APT = (
    "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "
    "/srv/packages/jackspot-common_*.deb /srv/packages/jackspot_*.deb"
)


class ImageError(Exception):
    """The image cannot be made; the message says why, and what to do."""


def ready() -> Source:
    """Return a guest that is ready to go on, after making whatever is missing of it.

    Raises ImageError. Two callers at once wait for each other.
    """
    with _alone(CACHE):
        folder = _disk(_base(CACHE, "bookworm"))
        return saved(_fresh(folder), folder, "ready", _warm)


def packages() -> dict[str, Path]:
    """Return the packages of ``dist/``, by name; empty: none were made."""
    return {path.name.split("_")[0]: path for path in sorted(DIST.glob("jackspot*_all.deb"))}


def ready_by_packages() -> Source:
    """Return the guest in which apt has just installed the board's packages; it is in set-up.

    Raises ImageError. Two callers at once wait for each other.
    """
    with _alone(PACKAGES_CACHE) as cache:
        base = _base(cache, "trixie", lambda: [_pins_source(cache)])
        folder = _packages_disk(base)
        return saved(_fresh(folder), folder, "ready", _install)


def cold() -> Source:
    """Return the same guest, to be started from nothing."""
    return _fresh(ready().disk.parent)


def _fresh(folder: Path) -> Source:
    return Source(folder / "vmlinuz", folder / "initrd.img", folder / "disk.raw", "raw")


# --- the three steps ------------------------------------------------------------------


def _base(cache: Path, suite: str, further: Callable[[], list[Path]] = list) -> Path:
    modules = sorted((GUEST / "modules").iterdir())
    base = cache / f"base-{_hash_files([GUEST / 'build-base', *modules])}.tar"
    if not base.exists():
        _clear(cache.glob("base-*"))
        with _step("Debian with a kernel, and modules for it (two to four minutes)"):
            _build("build-base", suite, ARCH, base, *further())
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
            _build("build-disk", base, folder, folder / "product.tar", wheels)
    return folder


def _packages_disk(base: Path) -> Path:
    inputs = [*_files(GUEST / "tools"), *_files(GUEST / "files"), *packages().values()]
    key = _hash_files([GUEST / "build-disk", *inputs], base.name)
    folder = PACKAGES_CACHE / f"guest-{key}"
    if not (folder / "disk.raw").exists():
        _clear(PACKAGES_CACHE.glob("guest-*"))
        folder.mkdir()
        with _step("the guest's disk, with the packages beside it"):
            _build("build-disk", base, folder, *packages().values())
    return folder


def saved(source: Source, folder: Path, name: str, prepare: Callable[[Machine], None]) -> Source:
    """Return a guest that was prepared and saved in a folder; make it if it is not there yet."""
    qemu = subprocess.run([QEMU, "--version"], capture_output=True, check=True).stdout.decode()
    key = _hash_files([], qemu, KERNEL_LINE, *HARDWARE)
    layer, state = folder / f"{name}-{key}.qcow2", folder / f"{name}-{key}.state"
    with _alone(folder):
        if not state.exists():
            _clear(folder.glob(f"{name}-*"))
            with _step(f"a guest that has started and waits ({name})"):
                make_layer(source, layer)
                with Machine(source, disk=layer) as machine:
                    prepare(machine)
                    machine.save(state.with_suffix(".part"))
                state.with_suffix(".part").rename(state)
    return Source(source.kernel, source.initrd, layer, "qcow2", state)


def _warm(machine: Machine) -> None:
    """Stop the board, which started with the guest, and remove what it has kept."""
    machine.wait_for_boot()
    machine.run("systemctl stop jackspot", timeout_s=300)
    machine.run("rm -rf /var/lib/jackspot/* && journalctl -q --rotate --vacuum-time=1s && sync")


def _install(machine: Machine) -> None:
    """Have apt install the board's packages, without a network, into a guest that has started."""
    machine.wait_for_boot()
    before = float(machine.read("/proc/uptime").split()[0])
    machine.run(BY_APT, timeout_s=1_200)
    took_s = float(machine.read("/proc/uptime").split()[0]) - before
    print(f"    apt has installed the board in {took_s:.0f} s of the guest's", flush=True)
    Board(machine).wait_for_phase("setup")
    machine.run("sync")


# --- what goes into them --------------------------------------------------------------


def _product() -> Iterator[Path]:
    """Return the product's files as they are here, without those that git ignores."""
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


def _pins_source(cache: Path) -> Path:
    """Fetch the source of the library for pins, by this machine's pip."""
    wanted = cache / "pins.lock"
    wanted.write_text(f"{PINS_SOURCE}\n")
    pip = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download",
        "-qq", "-d", str(cache), "--no-binary=:all:", "--no-build-isolation", "--no-deps",
        "--require-hashes", "-r", str(wanted),
    ]  # fmt: skip
    if subprocess.run(pip, check=False).returncode:
        raise ImageError("pip could not fetch the source of lgpio (see above)")
    return next(cache.glob("lgpio-*.tar.gz"))


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
    """Run one of the guest's scripts as root, or through sudo without a password."""
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


@contextmanager
def _alone(cache: Path) -> Iterator[Path]:
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield cache


def _clear(old: Iterable[Path]) -> None:
    for path in old:
        # Files made by root are in our folders, and can be removed without it.
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
