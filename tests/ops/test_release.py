"""The signed file of a release: what is accepted, and everything that is refused."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import zipfile
from pathlib import Path

import pytest

from jackspot.ops.update.release import LIST, SIGNATURE, ReleaseError, only_one, read, unpack
from tests.ops.update_bench import Signer, make_release

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("gpg", "gpgv", "dpkg-deb"))), reason="needs gpg and dpkg-deb"
)


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("key") / "home")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, signer: Signer) -> Path:
    return make_release(tmp_path_factory.mktemp("made"), "1.1", signer)


def test_a_release_gives_its_version_and_its_packages(
    tmp_path: Path, file: Path, signer: Signer
) -> None:
    found = read(file, [signer.keyring])
    assert found.version == "1.1"
    debs = unpack(file, found, tmp_path)
    assert [path.name for path in debs] == ["jackspot-common_1.1_all.deb", "jackspot_1.1_all.deb"]
    for path in debs:
        assert path.read_bytes() == (file.parent / path.name).read_bytes()


def test_another_makers_release_is_refused_until_that_key_is_there(
    tmp_path: Path, file: Path, signer: Signer
) -> None:
    other = Signer(tmp_path / "other")
    with pytest.raises(ReleaseError, match="not by a key that this machine trusts"):
        read(file, [other.keyring])
    assert read(file, [other.keyring, signer.keyring]).version == "1.1"


def test_without_any_key_the_places_for_one_are_named(tmp_path: Path, file: Path) -> None:
    with pytest.raises(ReleaseError, match=r"expected the public key .* at .*no\.gpg"):
        read(file, [tmp_path / "no.gpg"])


def test_a_board_whose_clock_is_behind_takes_a_release_all_the_same(tmp_path: Path) -> None:
    """A Pi without a network has the time at which it was last switched off."""
    signer = Signer(tmp_path / "later", "--faked-system-time", "20500101T000000!")
    file = make_release(tmp_path / "made", "9", signer)
    assert read(file, [signer.keyring]).version == "9"


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_torn_file_is_refused(tmp_path: Path, file: Path, signer: Signer, part: float) -> None:
    whole = file.read_bytes()
    torn = tmp_path / "torn.update"
    torn.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(ReleaseError, match="copy it again"):
        read(torn, [signer.keyring])


@pytest.mark.parametrize("seed", range(40))
def test_a_byte_that_differs_is_noticed_or_gives_the_same_packages(
    tmp_path: Path, file: Path, signer: Signer, seed: int
) -> None:
    """Some bytes of a zip mean nothing, such as a file's time."""
    whole = bytearray(file.read_bytes())
    at = random.Random(seed).randrange(len(whole))
    whole[at] ^= 1 << random.Random(seed).randrange(8)
    changed = tmp_path / "changed.update"
    changed.write_bytes(whole)
    try:
        debs = unpack(changed, read(changed, [signer.keyring]), tmp_path)
    except ReleaseError:
        return
    for path in debs:
        assert path.read_bytes() == (file.parent / path.name).read_bytes(), f"byte {at}"


def repacked(file: Path, target: Path, **changed: bytes) -> Path:
    """Return the same archive with other contents under some names."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, changed.get(name, old.read(name)))
    return target


def test_an_exchanged_package_is_refused_and_so_is_a_list_that_was_written_again(
    tmp_path: Path, file: Path, signer: Signer
) -> None:
    name = "jackspot_1.1_all.deb"
    with zipfile.ZipFile(file) as archive:
        evil, said = archive.read("jackspot-common_1.1_all.deb"), json.loads(archive.read(LIST))
    changed = repacked(file, tmp_path / "a.update", **{name: evil})
    with pytest.raises(ReleaseError, match=f"{name} in it is not what was signed"):
        unpack(changed, read(changed, [signer.keyring]), tmp_path)
    said["release"] = "99"
    rewritten = repacked(file, tmp_path / "b.update", **{LIST: json.dumps(said).encode()})
    with pytest.raises(ReleaseError, match="signature"):
        read(rewritten, [signer.keyring])
    unsigned = repacked(file, tmp_path / "c.update", **{SIGNATURE: b""})
    with pytest.raises(ReleaseError, match="signature"):
        read(unsigned, [signer.keyring])


def test_a_signed_list_that_names_a_path_or_a_later_form_is_refused(
    tmp_path: Path, file: Path, signer: Signer
) -> None:
    def signed(said: object) -> Path:
        text, signature = tmp_path / "list", tmp_path / "list.sig"
        text.write_text(json.dumps(said), encoding="utf-8")
        signature.unlink(missing_ok=True)
        signer.sign(text, signature)
        return repacked(
            file, tmp_path / "new.update",
            **{LIST: text.read_bytes(), SIGNATURE: signature.read_bytes()},
        )  # fmt: skip

    with zipfile.ZipFile(file) as archive:
        said = json.loads(archive.read(LIST))
    one = next(iter(said["files"].values()))
    wrongs: tuple[object, ...] = (
        said | {"files": {"../x_1_all.deb": one}},
        said | {"files": {}},
        said | {"form": "other"},
        said | {"files": {"a_1_all.deb": one | {"size": -1}}},
        said | {"files": []},
        [],
    )
    for wrong in wrongs:
        with pytest.raises(ReleaseError, match="cannot be read by this version"):
            read(signed(wrong), [signer.keyring])
    with pytest.raises(ReleaseError, match="form 2, known up to 1"):
        read(signed(said | {"version": 2}), [signer.keyring])


def test_what_a_mac_leaves_on_a_stick_is_no_second_release(tmp_path: Path) -> None:
    for name in ("jackspot-1.1.update", "._jackspot-1.1.update"):
        (tmp_path / name).touch()
    (tmp_path / "folder.update").mkdir()
    assert only_one(tmp_path, tmp_path) == tmp_path / "jackspot-1.1.update"


def test_no_room_to_check_a_signature_is_said(
    tmp_path: Path, file: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ReleaseError, match="its signature cannot be checked: No space left"):
        read(file, [signer.keyring])


def test_a_folder_and_a_missing_file_are_refused_by_name(tmp_path: Path, signer: Signer) -> None:
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(ReleaseError, match=str(place)):
            read(place, [signer.keyring])
