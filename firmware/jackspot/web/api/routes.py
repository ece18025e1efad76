"""The description of the interface, served: for programs as JSON, for people as a page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from jackspot.web.api.description import description
from jackspot.web.api.page import api_page


def api_routes() -> list[BaseRoute]:
    """Return the routes of the description."""
    return [
        Route("/api", _page, methods=["GET"]),
        Route("/api/openapi.json", _document, methods=["GET"]),
    ]


async def _page(_: Request) -> Response:
    return Response(api_page(), media_type="text/html; charset=utf-8")


async def _document(_: Request) -> Response:
    return JSONResponse(description())
