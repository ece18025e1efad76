"""The routes of the history: the list of matches, one match, and a match as a file.

The answers come from outside (:class:`Matches`), from what reads the journal. It is called in
threads beside the server's loop, so that a stream never waits for a disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from jackspot.web.guard import refuse

MOST = 10**9
"""More matches than any journal has."""

KINDS = ("carom", "csv", "json")
"""The kinds of files that a match can be saved as."""


class Matches(Protocol):
    """The matches that were played. Any thread may call the methods."""

    def listed(self, player: str, since: str, until: str) -> dict[str, Any]:
        """Return the list and the statistics; ValueError for an invalid day, OSError."""

    def one(self, number: int) -> dict[str, Any] | None:
        """Return one match, None if there is none; OSError."""

    def file(self, number: int, kind: str) -> tuple[str, str, str] | None:
        """Return a file's name, type and text, None if there is no such match; OSError."""


class MatchRoutes:
    """The routes; ``found_at`` returns the matches, ``write`` writes JSON."""

    def __init__(
        self, found_at: Callable[[], Matches | None], write: Callable[[object], str]
    ) -> None:
        self._found_at = found_at
        self._write = write

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        asked = {"": self._listed, "/{number:int}": self._one, "/{number:int}.{kind}": self._file}
        return [
            Route(f"/api/matches{path}", _told(answer), methods=["GET"])
            for path, answer in asked.items()
        ]

    def _ask(self) -> Matches:
        matches = self._found_at()
        if matches is None:
            raise OSError("this board keeps no history here")
        return matches

    def _listed(self, request: Request) -> Response:
        asked = [request.query_params.get(name, "")[:100] for name in ("player", "since", "until")]
        try:
            return _json(self._write(self._ask().listed(*asked)))
        except ValueError:
            return refuse(422, "since and until are days such as 2026-05-02")

    def _one(self, request: Request) -> Response:
        number = int(request.path_params["number"])
        found = self._ask().one(number) if number <= MOST else None
        return _none(number) if found is None else _json(self._write(found))

    def _file(self, request: Request) -> Response:
        number, kind = int(request.path_params["number"]), str(request.path_params["kind"])
        if kind not in KINDS:
            return refuse(404, f"a match can be had as {', '.join(KINDS)}")
        found = self._ask().file(number, kind) if number <= MOST else None
        if found is None:
            return _none(number)
        name, media_type, text = found
        saved = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=media_type, headers=saved | _FRESH)


def _told(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Answer in a thread of the server; report what is wrong with the journal, if anything is."""

    def told(request: Request) -> Response:
        try:
            return answer(request)
        except OSError as error:
            return refuse(503, str(error), retry_after="5")

    return told


_FRESH = {"cache-control": "no-store"}


def _json(text: str) -> Response:
    return Response(text, media_type="application/json", headers=_FRESH)


def _none(number: int) -> Response:
    return refuse(404, f"there is no match {number}")
