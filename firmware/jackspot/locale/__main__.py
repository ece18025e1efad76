"""Command line of the translations: ``python -m jackspot.locale COMMAND``."""

from __future__ import annotations

import sys
from pathlib import Path

from jackspot.displays.words import DOMAIN, LANGUAGES, LOCALE

try:
    from babel.messages.catalog import Catalog

    from jackspot.locale.catalogues import (
        PAGE_FILES,
        check,
        missing,
        mo_bytes,
        pages_json,
        po_text,
        read,
    )
    from jackspot.locale.extraction import BadCatalogue, collect
except ModuleNotFoundError as error:
    sys.exit(
        f"this tool needs {error.name}, which a board does not: "
        "set up the working copy with .ci/setup dev, or pip install babel"
    )

_FIRMWARE = Path(__file__).resolve().parents[2]
PACKAGES = (
    _FIRMWARE / "jackspot", _FIRMWARE / "jackspot_hub", _FIRMWARE.parent / "sim" / "jackspot_sim",
)  # fmt: skip
"""Where sentences are: the firmware, the hub, and the simulated table of the working copy."""
TRANSLATED = LANGUAGES[1:]
USAGE = f"""usage: python -m jackspot.locale COMMAND

  template       write {DOMAIN}.pot from the sentences in the code
  begin LANG     begin a translation ({", ".join(TRANSLATED)})
  update         bring the template and every translation up to date; what is translated stays
  compile        check every translation and make the files that the board reads
  missing        list what is not translated yet
"""


def template() -> str:
    """Return the template as it must be now."""
    return po_text(collect(*PACKAGES)).decode()


def po_path(language: str) -> Path:
    """Return the path of a language's .po file."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def begun() -> tuple[str, ...]:
    """Return the languages that have a catalogue."""
    return tuple(language for language in TRANSLATED if po_path(language).exists())


def _begin(language: str) -> str:
    path = po_path(language)
    if path.exists():
        raise BadCatalogue(f"{path} exists; update it, or remove it first")
    path.parent.mkdir(parents=True, exist_ok=True)
    return _written(path, Catalog(project=DOMAIN, locale=language, fuzzy=False))


def _template() -> str:
    path = LOCALE / f"{DOMAIN}.pot"
    path.write_text(template(), encoding="utf-8")
    return f"wrote {path}"


def _update() -> str:
    written = (_written(po_path(each), read(po_path(each), each, revive=True)) for each in begun())
    return "\n".join((_template(), *written))


def _written(path: Path, catalogue: Catalog) -> str:
    catalogue.update(collect(*PACKAGES), no_fuzzy_matching=True)
    path.write_bytes(po_text(catalogue))
    return f"wrote {path}; not translated: {len(missing(catalogue))}"


def _compile() -> str:
    made = []
    for language in begun():
        path = po_path(language)
        catalogue = read(path, language)
        check(catalogue, str(path))
        path.with_suffix(".mo").write_bytes(mo_bytes(catalogue))
        for name, package in PAGE_FILES.items():
            (path.parent / name).write_bytes(pages_json(catalogue, package))
        made.append(f"compiled {path}; not translated: {len(missing(catalogue))}")
    return "\n".join(made) or "there are no translations yet; begin one with: begin LANG"


def _missing() -> str:
    return "\n".join(
        f"{language}: {sentence}"
        for language in begun()
        for sentence in missing(read(po_path(language), language))
    )


def main(arguments: list[str]) -> int:
    """Run a command; return 0, or 1 after the reason, or 2 after the usage."""
    try:
        match arguments:
            case ["template"]:
                said = _template()
            case ["begin", language] if language in TRANSLATED:
                said = _begin(language)
            case ["update"]:
                said = _update()
            case ["compile"]:
                said = _compile()
            case ["missing"]:
                said = _missing()
            case _:
                sys.stderr.write(USAGE)
                return 2
    except (BadCatalogue, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{said}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
