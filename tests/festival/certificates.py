"""A hall's certificates, made by openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Certificates:
    """A CA of its own in ``ca``, and a broker's certificate with its key in ``server``."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.ca = folder / "ca.crt"
        self.server = (folder / "server.crt", folder / "server.key", self.ca)
        key = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
               "-nodes", "-days", "2")  # fmt: skip
        authority = ("-CA", str(self.ca), "-CAkey", str(folder / "ca.key"))
        _openssl(
            *key, "-subj", "/CN=hall", "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", str(folder / "ca.key"), "-out", str(self.ca),
        )  # fmt: skip
        _openssl(
            *key, *authority, "-subj", "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1",
            "-addext", "basicConstraints=critical,CA:FALSE",
            "-addext", "authorityKeyIdentifier=keyid",
            "-keyout", str(self.server[1]), "-out", str(self.server[0]),
        )  # fmt: skip


def _openssl(*words: str) -> None:
    done = subprocess.run(("openssl", *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
