"""The pages' own files, read once and kept in memory.

Only files in the given folder of a package are served, by their names in it, so a request has no
path to climb out of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jackspot.values import changed

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}


class PageFile(Struct, frozen=True):
    """One file: its path below the page's address, its content, its type.

    ``loads`` identifies what a page loads: the content of all files in its folder.
    """

    path: str
    content: bytes
    media_type: str
    loads: bytes = b""

    @property
    def etag(self) -> str:
        """A tag, with which a browser asks whether this content or what it loads has changed."""
        return f'"{hashlib.sha256(self.content + self.loads).hexdigest()[:16]}"'

    def route(self, prefix: str) -> Route:
        """Return its route in ``prefix``: ``index.html`` at it, ``overlay.html`` at ``overlay``."""
        name = "" if self.path == "index.html" else self.path.removesuffix(".html")
        return Route(prefix + name, self._answer, methods=["GET"])

    async def _answer(self, request: Request) -> Response:
        headers = {"etag": self.etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == self.etag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media_type)


def page_files(package: str, folder: str) -> tuple[PageFile, ...]:
    """Read every file of a known type in a folder of an installed package."""
    files = tuple(_walk(resources.files(package).joinpath(folder), ""))
    loads = hashlib.sha256(b"".join(file.content for file in files)).digest()
    return tuple(
        changed(file, loads=loads) if file.path.endswith(".html") else file for file in files
    )


def _walk(folder: Traversable, prefix: str) -> Iterator[PageFile]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
            continue
        suffix = "." + entry.name.rpartition(".")[2]
        if suffix in TYPES:
            yield PageFile(prefix + entry.name, entry.read_bytes(), TYPES[suffix])
