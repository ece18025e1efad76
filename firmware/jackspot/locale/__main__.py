"""Command line of the translations: ``python -m jackspot.locale COMMAND``."""

from __future__ import annotations

import sys
from pathlib import Path

from jackspot.displays.words import DOMAIN, LANGUAGES, LOCALE
from jackspot.locale.catalogue import BadCatalogue, check, collect, read_po, write_mo, write_po

PACKAGE = Path(__file__).resolve().parent.parent
USAGE = f"""usage: python -m jackspot.locale COMMAND

  template       write {DOMAIN}.pot from the sentences in the code
  begin LANG     begin a translation ({", ".join(LANGUAGES[1:])})
  update LANG    bring a translation up to date with the sentences; it keeps what is translated
  compile        check every translation and make the files that the board reads
"""


def template() -> str:
    """Give the template as it must be now."""
    return write_po(collect(PACKAGE))


def po_path(language: str) -> Path:
    """Give the place of a language's .po file."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _begin(language: str) -> str:
    path = po_path(language)
    if path.exists():
        raise BadCatalogue(f"{path} exists; update it, or remove it first")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_po(collect(PACKAGE)), encoding="utf-8")
    return f"wrote {path}"


def _update(language: str) -> str:
    path = po_path(language)
    known = read_po(path.read_text(encoding="utf-8"), str(path))
    path.write_text(write_po(collect(PACKAGE), known), encoding="utf-8")
    return f"updated {path}"


def _compile() -> str:
    made = []
    for path in sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        catalogue = read_po(path.read_text(encoding="utf-8"), str(path))
        check(catalogue, str(path))
        path.with_suffix(".mo").write_bytes(write_mo(catalogue))
        made.append(str(path.with_suffix(".mo")))
    return "\n".join(made) or "there are no translations yet; begin one with: begin LANG"


def main(arguments: list[str]) -> int:
    """Do what was asked; 0, or 1 with the reason, or 2 with the usage."""
    try:
        match arguments:
            case ["template"]:
                (LOCALE / f"{DOMAIN}.pot").write_text(template(), encoding="utf-8")
                said = f"wrote {LOCALE / f'{DOMAIN}.pot'}"
            case ["begin", language] if language in LANGUAGES[1:]:
                said = _begin(language)
            case ["update", language] if language in LANGUAGES[1:]:
                said = _update(language)
            case ["compile"]:
                said = _compile()
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
