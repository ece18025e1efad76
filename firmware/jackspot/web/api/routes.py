"""Serves the description of the interface: to programs as JSON, to people as a page.

It is made at the first request, in a thread beside the server's loop, as that takes a small board
a while.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route


def api_routes() -> list[BaseRoute]:
    """Return the routes of the description."""
    return [
        Route("/api", _page, methods=["GET"]),
        Route("/api/openapi.json", _document, methods=["GET"]),
    ]


def _page(_: Request) -> Response:
    from jackspot.web.api.page import api_page

    return Response(api_page(), media_type="text/html; charset=utf-8")


def _document(_: Request) -> Response:
    from jackspot.web.api.description import description

    return JSONResponse(description())
