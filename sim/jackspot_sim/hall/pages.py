"""The list of a hall's boards in a browser; a board's own pages are served once it is chosen."""

from __future__ import annotations

from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from jackspot.dialogue.state.view import BoardView, SideView
from jackspot.dialogue.words.tally import score
from jackspot.festival.names import board_id
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.hall.boards import SimHall

LIST = """<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta http-equiv="refresh" content="5"><title>{title}</title><h1>{title}</h1>
<table>{rows}</table></html>"""


class BoardsPage:
    """The routes of the list: ``/``, and ``/b007`` which leads to the pages of board 7."""

    def __init__(self, hall: SimHall) -> None:
        self._hall = hall

    def display(self, port: int) -> WebDisplay:
        """Return what serves the list, for this machine alone; port 0: any that is free."""
        routes = [Route("/", self._list), Route("/b{number:int}", self._board)]
        nobodys = LiveBoard(lambda: 0, lambda _event: None)
        return WebDisplay(nobodys, WebSettings(port=port), extra_routes=routes)

    async def _list(self, _: Request) -> Response:
        boards = sorted(self._hall.boards.items())
        rows = "".join(_row(number, board.people.view) for number, board in boards)
        return HTMLResponse(LIST.format(title=f"{len(boards)} boards", rows=rows))

    async def _board(self, request: Request) -> Response:
        board = self._hall.boards.get(request.path_params["number"])
        if board is None:
            raise HTTPException(404)
        return RedirectResponse(board.pages.open())


def _row(number: int, view: BoardView | None) -> str:
    board = board_id(number)
    cells = [f'<a href="/{board}">{board}</a>']
    if view is not None:
        first, second = (_who(side) for side in view.sides)
        cells += [view.phase, first, f"{score(view, 0)} : {score(view, 1)}", second]
    return f"<tr>{''.join(f'<td>{cell}' for cell in cells)}"


def _who(side: SideView) -> str:
    seats = zip(side.names, side.seats, strict=True)
    return escape(" + ".join(name or seat for name, seat in seats))
