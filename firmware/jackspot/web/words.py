"""The words of the pages: the language that a reader is served, and its catalogue as JSON.

A page sends the languages that its reader prefers; the first that the board has is served, else
the board's own. The JSON is built together with the catalogues (``pages.json`` beside each), so
only the letters on discs are computed here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from functools import cache

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jackspot.core.phrases import Translate
from jackspot.core.pieces import Piece, Side
from jackspot.core.rules import facts_of, has_jack
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.preferences import LANGUAGES as NAMES
from jackspot.dialogue.words.wording import piece_letter, side_letter
from jackspot.displays.words import LANGUAGES, LOCALE, translator
from jackspot.web.live import compact

PAGES = "pages.json"
"""The file that the board's own pages are sent."""
MOST_PREFERRED = 20
"""How many of a reader's languages are looked at."""


def words(
    own: Callable[[], str], files: tuple[str, ...] = (PAGES,)
) -> Callable[[Request], Awaitable[Response]]:
    """Make the endpoint of the words: ``?prefer=de-CH,de,en``.

    ``own`` returns the language for readers with none that the board has; ``files`` are the files
    beside each catalogue that are served together.
    """

    async def answer(request: Request) -> Response:
        preferred = request.query_params.get("prefer", "").split(",")[:MOST_PREFERRED]
        content = catalogue(choose(preferred, own()), files)
        etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        headers = {"etag": etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type="application/json")

    return answer


def asked_language(request: Request) -> str | None:
    """Return the requested ``lang``, None for the board's own; 422 if the board lacks it."""
    language = request.query_params.get("lang")
    if language is not None and language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise HTTPException(422, f"lang={language[:20]}: the languages are {known}")
    return language


def choose(preferred: list[str], own: str) -> str:
    """Return the first preferred language that is here (``de`` for ``de-CH``), else the board's."""
    spoken = (one.strip().lower().partition("-")[0] for one in preferred)
    return next((one for one in spoken if one in LANGUAGES), own)


@cache
def catalogue(language: str, files: tuple[str, ...] = (PAGES,)) -> bytes:
    """Return what pages are sent in a language; the English one has no sentences."""
    made: dict[str, dict[str, object]] = {"plural": {}, "words": {}}
    for path in (LOCALE / language / "LC_MESSAGES" / file for file in files):
        if path.exists():
            for part, content in json.loads(path.read_text("utf-8")).items():
                made[part] |= content
    translate = translator(language)
    letters = {each.value: piece_letter(each).render(translate) for each in Piece}
    letters |= {side.value: side_letter(side).render(translate) for side in (Side.ONE, Side.TWO)}
    systems = {each.value: _system(each, translate) for each in RuleSystem}
    sent = {
        "language": language, "languages": dict(NAMES), "letters": letters, "systems": systems,
        **made,
    }  # fmt: skip
    return compact(sent).encode()


def _system(system: RuleSystem, translate: Translate) -> dict[str, object]:
    """Return what pages must know about a rule system.

    ``jack``: it has a jack, else a queen; ``points``: a match is counted in points; ``late``: a
    board has its own points only once it is over.
    """
    facts = facts_of(system)
    return {
        "name": facts.name.render(translate),
        "jack": has_jack(system),
        "points": facts.match_points,
        "late": facts.points_at_the_end or not facts.match_points,
    }
