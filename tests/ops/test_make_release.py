"""``make release`` in a clone: what it refuses, and everything that a release contains.

Building packages needs a network and a Debian 13. Here a script makes small packages instead, and
another one makes a few models.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from jackspot.ops.update.release import read
from tests.ops.update_bench import Signer

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = "systemd/jackspot-update.gpg"
VERSION = "7.1.0"
OLD = "## 0.1\n\n- Old.\n"
DEB = """#!/bin/sh
set -e
git tag --points-at HEAD | grep -qx v7.1.0  # packages are called by it
[ ! -e fail ] || exit 1
mkdir -p dist
for name in jackspot-common jackspot jackspot-hub; do
    mkdir -p build/$name/DEBIAN
    chmod 755 build/$name build/$name/DEBIAN
    (
        echo "Package: $name"
        printf 'Version: 7.1.0\\nArchitecture: all\\nMaintainer: x\\nDescription: x\\n'
    ) >build/$name/DEBIAN/control
    dpkg-deb --root-owner-group --build build/$name dist/${name}_7.1.0_all.deb >/dev/null
done
[ "$1" = card ]
mkdir -p dist/card-arm64
cp dist/jackspot_*.deb dist/jackspot-common_*.deb dist/card-arm64/
"""

MODELS = """import sys
from pathlib import Path
assert sys.argv[1:] == ["--step", "--out", "build/prints"]
Path("build/prints").mkdir(parents=True)
for name in ("one.step", "two.step", "one.stl"):
    (Path("build/prints") / name).write_text(name)
"""

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        not all(map(shutil.which, ("git", "gpg", "gpgv", "dpkg-deb"))),
        reason="needs gpg and dpkg-deb",
    ),
]


class Clone:
    """A clone of this repository with a version that was never released, and the maker's key."""

    def __init__(self, folder: Path, signer: Signer) -> None:
        self.at, self.signer = folder / "clone", signer
        self._run("git", "clone", "--quiet", "--shared", "--no-tags", str(ROOT), str(self.at))
        for name in (".ci/release", "hardware", "firmware/jackspot/ops/update/release.py"):
            source = ROOT / name  # with changes that are not committed yet
            if source.is_file():
                shutil.copy(source, self.at / name)
        (self.at / ".venv/bin").mkdir(parents=True)
        python = self.at / ".venv/bin/python"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        self.write(".ci/deb", DEB)
        self.write("hardware/prints/__main__.py", MODELS)
        self.write(PUBLIC, signer.keyring.read_bytes())
        text = (self.at / "pyproject.toml").read_text(encoding="utf-8")
        old = next(line for line in text.splitlines() if line.startswith("version = "))
        self.write("pyproject.toml", text.replace(old, f'version = "{VERSION}"'))
        self.write(
            "CHANGELOG.md",
            f"# Changelog\n\n## {VERSION} - 2027-05-01\n\n- News.\n\n## 0.1\n\n- Old.\n",
        )
        self.commit()

    def write(self, name: str, said: str | bytes) -> None:
        (self.at / name).write_bytes(said.encode() if isinstance(said, str) else said)

    def commit(self) -> None:
        git = ["git", "-C", str(self.at), "-c", "user.name=x", "-c", "user.email=x@x"]
        self._run(*git, "add", "--update")
        self._run(*git, "add", "--force", "--ignore-removal", "systemd")
        self._run(*git, "commit", "--quiet", "--message", "x")

    def release(self, **more: str) -> subprocess.CompletedProcess[str]:
        """Run it, as `make release` does once everything is set up."""
        who = {f"GIT_COMMITTER_{key}": "x@x" for key in ("NAME", "EMAIL")}
        return subprocess.run(
            [str(self.at / ".ci/release")], check=False, capture_output=True, text=True,
            env=os.environ | who | {"GNUPGHOME": str(self.signer.home), "JACKSPOT_KEY": "maker"}
            | more,
        )  # fmt: skip

    def refused(self, **more: str) -> str:
        done = self.release(**more)
        assert done.returncode != 0, done.stdout
        assert self.tags() == []
        return done.stderr

    def tags(self) -> list[str]:
        return self._run("git", "-C", str(self.at), "tag").split()

    def git(self, *words: str) -> str:
        return self._run("git", "-C", str(self.at), *words)

    def _run(self, *words: str) -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("key") / "home")


@pytest.fixture
def clone(tmp_path: Path, signer: Signer) -> Clone:
    return Clone(tmp_path, signer)


def test_a_release_has_tag_packages_the_file_for_boards_drawings_prints_and_signed_sums(
    clone: Clone, signer: Signer
) -> None:
    done = clone.release()
    assert done.returncode == 0, done.stderr
    assert clone.tags() == [f"v{VERSION}"]
    assert clone.git("cat-file", "-t", f"v{VERSION}").strip() == "tag", "an annotated one"
    assert clone.git("tag", "-l", "--format=%(contents)") == f"Jackspot {VERSION}\n\n- News.\n\n"
    dist = clone.at / "dist"
    debs = [f"{name}_{VERSION}_all.deb" for name in ("jackspot", "jackspot-common", "jackspot-hub")]
    ends = ("-card-arm64.zip", "-drawings.zip", "-prints.zip", ".update")
    made = [f"jackspot-{VERSION}{end}" for end in ends]
    every = sorted([*debs, *made, "SHA256SUMS", "SHA256SUMS.sig", "card-arm64"])
    assert sorted(each.name for each in dist.iterdir()) == every
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert sorted(each.split(":")[0] for each in checked.stdout.splitlines()) == sorted(debs + made)
    gpgv = ["gpgv", "--keyring", str(signer.keyring), "SHA256SUMS.sig", "SHA256SUMS"]
    assert subprocess.run(gpgv, cwd=dist, check=False, capture_output=True).returncode == 0
    found = read(dist / f"jackspot-{VERSION}.update", [clone.at / PUBLIC])
    assert (found.version, sorted(found.files)) == (VERSION, sorted(debs))
    with zipfile.ZipFile(dist / f"jackspot-{VERSION}-card-arm64.zip") as archive:
        assert archive.namelist() == [f"card-arm64/{deb}" for deb in sorted(debs[:2])]
    for name, wanted in (("prints", ".stl"), ("drawings", ".svg"), ("drawings", ".pdf")):
        with zipfile.ZipFile(dist / f"jackspot-{VERSION}-{name}.zip") as archive:
            held = archive.namelist()
        assert any(each.endswith(wanted) for each in held)
        assert f"jackspot-{VERSION}-{name}/hardware/LICENSE" in held
    with zipfile.ZipFile(dist / f"jackspot-{VERSION}-prints.zip") as archive:
        models = [each for each in archive.namelist() if each.endswith(".step")]
        start = f"jackspot-{VERSION}-prints/hardware/prints/step/"
        assert models == [f"{start}one.step", f"{start}two.step"]
        assert archive.read(models[0]) == b"one.step"
    again = clone.release()
    assert again.returncode == 0, "the same commit again: " + again.stderr


def test_a_tree_with_changes_is_refused_and_the_changes_are_named(clone: Clone) -> None:
    clone.write("README.md", "changed")
    said = clone.refused()
    assert "expected everything committed, found changes" in said
    assert " M README.md" in said


def test_a_version_without_a_section_in_the_changelog_is_refused(clone: Clone) -> None:
    clone.write(
        "CHANGELOG.md", f"# Changelog\n\n## Unreleased\n\n- News.\n\n## {VERSION}.1\n\n- x\n"
    )
    clone.commit()
    said = clone.refused()
    assert f'CHANGELOG.md: expected a section "## {VERSION} - ' in said
    clone.write("CHANGELOG.md", f"## {VERSION}\n\n{OLD}")
    clone.commit()
    assert "expected a section" in clone.refused(), "one that says nothing is none"


def test_a_version_that_was_released_is_not_released_again(clone: Clone) -> None:
    assert clone.release().returncode == 0
    clone.write("README.md", "changed")
    clone.commit()
    done = clone.release()
    assert done.returncode != 0
    assert f"{VERSION} was released before, by the tag v{VERSION} at another commit" in done.stderr


def test_without_the_keys_it_is_refused_before_anything_is_done(
    clone: Clone, tmp_path: Path
) -> None:
    assert 'gpg cannot sign with the key "nobody"' in clone.refused(JACKSPOT_KEY="nobody")
    (clone.at / PUBLIC).unlink()
    clone.commit()
    assert f"expected the public key of releases in {PUBLIC}" in clone.refused()
    clone.write(PUBLIC, Signer(tmp_path / "other").keyring.read_bytes())
    clone.commit()
    assert "boards would refuse what it signs" in clone.refused()


def test_where_the_packages_cannot_be_built_the_tag_is_taken_back(clone: Clone) -> None:
    clone.write("fail", "")
    assert f"the tag v{VERSION} was taken back" in clone.refused()
