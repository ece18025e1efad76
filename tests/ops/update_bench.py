"""Shared by the tests of updates: real keys, and tiny packages that the real dpkg accepts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from jackspot.ops.update import release

NAMES = ("jackspot-common", "jackspot")
COMMAND = "/usr/bin/jackspot"


class Signer:
    """A maker's key, made by gpg in a folder of its own."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.home = folder
        self.keyring = folder / "public.gpg"
        folder.mkdir(mode=0o700)
        self._more = more
        self._gpg("--quick-generate-key", "maker", "ed25519", "sign", "never")
        self._gpg("--output", str(self.keyring), "--export")

    def sign(self, file: Path, signature: Path) -> None:
        self._gpg("--output", str(signature), "--detach-sign", str(file))

    def _gpg(self, *words: str) -> None:
        gpg = ["gpg", "--homedir", str(self.home), "--batch", "--quiet", "--passphrase", ""]
        subprocess.run([*gpg, *self._more, *words], check=True, capture_output=True)
        # Otherwise its agent would stay behind, one process for each key of each test.
        subprocess.run(["gpgconf", "--homedir", str(self.home), "--kill", "gpg-agent"], check=False)


def make_deb(
    folder: Path, name: str, version: str, files: Mapping[str, str], **fields: str
) -> Path:
    """Make a package of these files; those that begin with ``#!`` are executable."""
    tree = folder / f"tree-{name}-{version}"
    control = {
        "Package": name, "Version": version, "Architecture": "all",
        "Maintainer": "nobody <nobody@jackspot.invalid>", "Description": "made up",
    } | fields  # fmt: skip
    (tree / "DEBIAN").mkdir(parents=True)
    text = "".join(f"{key}: {value}\n" for key, value in control.items())
    (tree / "DEBIAN/control").write_text(text, encoding="utf-8")
    for place, said in files.items():
        path = tree / place.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said, encoding="utf-8")
        path.chmod(0o755 if said.startswith("#!") else 0o644)
    for each in (tree, *tree.rglob("*")):
        if each.is_dir():
            each.chmod(0o755)  # whatever the umask
    deb = folder / f"{name}_{version}_{control['Architecture']}.deb"
    words = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(deb)]
    subprocess.run(words, check=True, capture_output=True)
    return deb


def make_release(
    folder: Path, version: str, signer: Signer, program: str = "#!/bin/sh\n", **fields: str
) -> Path:
    """Make a release of the board's two packages, one of which has the command."""
    folder.mkdir(parents=True, exist_ok=True)
    many = {f"/usr/share/jackspot/jackspot/part{n}.py": f"{version} {n}\n" for n in range(40)}
    debs = [
        make_deb(folder, "jackspot-common", version, {COMMAND: program} | many, **fields),
        make_deb(
            folder, "jackspot", version, {"/usr/lib/systemd/system/jackspot.service": version},
            Depends=f"jackspot-common (= {version})",
        ),
    ]  # fmt: skip
    file = folder / f"jackspot-{version}.update"
    release.write(file, version, debs, signer.sign)
    return file


SYSTEMCTL = """#!/bin/sh
# Stands for systemd's: a service is up when the program that is installed says so.
root=${1#--root=}
verb=$2
shift 2
states=$root/run/units
mkdir -p "$states"
for unit; do
    case $verb in
    start | restart)
        echo "$verb $unit" >>"$root/run/calls"
        if "$root/usr/bin/jackspot" starts; then
            echo active >"$states/$unit"
        else
            echo failed >"$states/$unit"
            exit 1
        fi ;;
    stop) echo "stop $unit" >>"$root/run/calls"; echo inactive >"$states/$unit" ;;
    show)
        case $unit in --*) continue ;; esac
        echo "ActiveState=$(cat "$states/$unit" 2>/dev/null || echo inactive)"
        echo "NRestarts=$("$root/usr/bin/jackspot" restarts)" ;;
    esac
done
"""

PROGRAM = """#!/bin/sh
# {version}
case $1 in
starts) {starts} ;;
restarts) {restarts} ;;
doctor) echo '{{"findings": [{findings}]}}' ;;
backup | restore | update)
    export PYTHONPATH={path}
    exec {python} -c "from jackspot.commands import main; main()" "$@" ;;
esac
"""


def program(
    version: str, starts: str = "exit 0", restarts: str = "echo 0", findings: str = ""
) -> str:
    """Return a board's program that behaves so; it backs up and restores like the real one."""
    return PROGRAM.format(
        version=version, starts=starts, restarts=restarts, findings=findings,
        path=":".join(sys.path), python=sys.executable,
    )  # fmt: skip
