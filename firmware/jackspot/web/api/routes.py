"""The description of the interface, served: for programs as JSON, for people as a page.

It is made when it is first asked for, beside the server's loop: that takes a small board a while.
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
