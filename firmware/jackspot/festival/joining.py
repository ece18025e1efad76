"""How a board joins a hall: festival.toml, which the organiser hands out, and what is kept.

The file has one table, ``[festival]``: the hall's name, the broker's addresses, the hall's key and
its certificate. It comes on a stick, or as a text in a QR code, and is completely checked before
anything is kept. What is kept is beside the journal: ``festival.toml``, the file as it was taken,
and ``hall.json``, what people set at the board itself: its number, and the hall that it has left.
Each is written in place of the one before, so that a power cut leaves either the old or the new.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import tomllib
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from jackspot.festival.names import MOST_BOARDS
from jackspot.festival.section import PEM, FestivalSection, with_port
from jackspot.files import atomic_write, from_json, read_bytes, read_text, toml, toml_quoted
from jackspot.settings.mistakes import ConfigError, Mistake, told_key, told_table
from jackspot.settings.section import keys_of, read_section
from jackspot.values import changed

NAME = "festival.toml"
TABLE = "festival"
MOST_BYTES = 1 << 14
"""Most bytes of a file; a real one has less than two thousand."""
PREFIX = "JSH1."
"""How the text of a code begins."""
OWNERS_ALONE = 0o600
"""The permissions of a file with a key in it."""
REMEDY = "bring the file that `jackspot hub keys` wrote, as it is"


# --- the file ----------------------------------------------------------------------------


def read_file(path: Path) -> FestivalSection:
    """Read a file that was handed out; ConfigError with every mistake in it."""
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _wrong(str(path), f"is not UTF-8 at byte {error.start + 1}; {REMEDY}") from None
    except OSError as error:
        raise _wrong(str(path), f"cannot be read: {error.strerror}; {REMEDY}") from None
    return read(text, str(path), path.parent)


def read(text: str, name: str, beside: Path | None = None) -> FestivalSection:
    """Read a file's text; ConfigError, which calls the file ``name``, with every mistake in it.

    A certificate that it names is taken from the folder ``beside``.
    """
    try:
        said = toml(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(name, f"is not TOML: {error}; {REMEDY}") from None
    except ValueError as error:
        raise _wrong(name, f"cannot be understood: {error}; {REMEDY}") from None
    found = [
        Mistake(
            name,
            "",
            f"[{told_table(key, inside, (TABLE,))}]",
            f"is not a table here; expected [{TABLE}] alone",
        )
        for key, inside in said.items()
        if key != TABLE
    ]
    table = said.get(TABLE)
    if not isinstance(table, dict):
        found.append(Mistake(name, "", f"[{TABLE}]", f"is missing; {REMEDY}"))
        raise ConfigError(found)
    return _checked(table, name, found, beside)


def _wrong(name: str, words: str) -> ConfigError:
    return ConfigError([Mistake(name, "", "", words)])


def _checked(
    table: Mapping[str, object], name: str, found: list[Mistake], beside: Path | None
) -> FestivalSection:
    """Check the table; every mistake in it is added to those that were found."""

    def blame(key: str, words: str) -> None:
        found.append(Mistake(name, TABLE, key, words))

    keys = dict(table)
    if "number" in keys:
        blame(
            "number", "is not the hall's but each board's, and set in its menu; take the line out"
        )
        del keys["number"]
    for needed in ("hall", "broker", "key", "ca"):
        if not keys.get(needed) and not (needed in {"key", "ca"} and _only_here(keys)):
            blame(needed, f"is missing; {REMEDY}")
            keys.pop(needed, None)
    section, wrong = read_section(FestivalSection, keys)
    for key, (words, *_) in wrong.items():
        blame(told_key(key, keys[key], keys_of(FestivalSection)), words)
    if wrong:
        raise ConfigError(found)
    if isinstance(section.ca, Path):
        section = _with_its_certificate(section, section.ca, beside, blame)
    if found:
        raise ConfigError(found)
    return section


def _only_here(keys: Mapping[str, object]) -> bool:
    """Whether the broker is on this machine, the only one boards may talk to in the clear."""
    section, wrong = read_section(FestivalSection, {"broker": keys.get("broker")})
    return not wrong and all(_is_here(host) for host, _ in section.broker)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_file_name(ca: object) -> bool:
    """Whether a certificate is given by the name of a file beside the table's."""
    return isinstance(ca, str) and "\n" not in ca and ca not in ("", ".", "..") and "/" not in ca


def _with_its_certificate(
    section: FestivalSection,
    ca: Path,
    beside: Path | None,
    blame: Callable[[str, str], None],
) -> FestivalSection:
    """Put the certificate from the named file into the table itself."""
    if beside is None or not is_file_name(str(ca)):
        blame("ca", f'= "{ca}": expected the certificate as text, or the name of a file beside it')
        return section
    try:
        text = read_text(beside / ca, MOST_BYTES, "ascii")
        read_ca = read_section(FestivalSection, {"ca": text})[0].ca
    except (OSError, UnicodeDecodeError):
        read_ca = None
    if not isinstance(read_ca, str):
        blame("ca", f'= "{ca}" is no certificate that can be read there; put hall.crt beside it')
    return changed(section, ca=read_ca)


def write(section: FestivalSection) -> str:
    """Return the file's text: the same for every board of a hall, without a number."""
    brokers = [toml_quoted(with_port(*each)) for each in section.broker]
    lines = [f"[{TABLE}]", f"hall = {toml_quoted(section.hall)}"]
    lines.append(f"broker = [{', '.join(brokers)}]")
    if section.key is not None:
        lines.append(f"key = {toml_quoted(section.key)}")
    if section.ca is not None:
        lines.append(f'ca = """\n{section.ca}"""')
    return "\n".join((*lines, ""))


# --- the text of a code ------------------------------------------------------------------


def compact(section: FestivalSection) -> str:
    """Return the same as one word for a code: letters, digits, ``-``, ``_`` and one dot.

    After the prefix it has, in base64url: the CRC-32 of the rest, a JSON list of hall, addresses
    and key, a zero byte, and the certificate as DER.
    """
    brokers = [with_port(*each) for each in section.broker]
    said = json.dumps([section.hall, brokers, section.key], separators=(",", ":"))
    from ssl import PEM_cert_to_DER_cert

    der = PEM_cert_to_DER_cert(str(section.ca)) if section.ca is not None else b""
    body = said.encode() + b"\0" + der
    whole = zlib.crc32(body).to_bytes(4, "big") + body
    return PREFIX + base64.urlsafe_b64encode(whole).decode().rstrip("=")


def read_compact(text: str, name: str = "the text") -> FestivalSection:
    """Read the text of a code, ignoring white space and an address before it; ConfigError."""
    words = "".join(text.split())
    _, prefix, coded = words.rpartition(PREFIX)
    if not prefix or len(coded) > 2 * MOST_BYTES:
        raise _wrong(name, f"is none of a hall: expected {PREFIX} and what follows in the code")
    try:
        said, _, der = _proven(coded).partition(b"\0")
        hall, broker, key = from_json(said.decode())
        from ssl import DER_cert_to_PEM_cert

        ca = DER_cert_to_PEM_cert(der) if der else None
    except (ValueError, TypeError) as error:
        raise _wrong(name, f"is not whole: {error}; copy all of it, or scan it again") from None
    given = {"hall": hall, "broker": broker, "key": key, "ca": ca}
    return _checked({k: v for k, v in given.items() if v is not None}, name, [], None)


def _proven(coded: str) -> bytes:
    """Return the bytes that follow a text's checksum; ValueError if that does not match."""
    try:
        whole = base64.b64decode(coded + "=" * (-len(coded) % 4), b"-_", validate=True)
    except ValueError:
        raise ValueError("letters are missing, or are not those of a code") from None
    if zlib.crc32(whole[4:]) != int.from_bytes(whole[:4], "big"):
        raise ValueError("its check sum is another")
    return whole[4:]


def read_either(text: str, name: str = "the text") -> FestivalSection:
    """Read a file's text or that of a code; ConfigError."""
    if PREFIX in text and PEM not in text:
        return read_compact(text, name)
    return read(text, name)


# --- what is kept at the board -----------------------------------------------------------


class SetHere(Struct, frozen=True):
    """What people set at the board: its number, and the name of the hall that it has left."""

    number: int | None = None
    left: str = ""


class HallHere(Struct, frozen=True):
    """The hall of a board: its table with the board's number, and where it comes from.

    ``left``: people have left it at the board. ``troubles`` say what was kept but cannot be read.
    """

    festival: FestivalSection
    left: bool = False
    source: str = ""
    troubles: tuple[str, ...] = ()

    @property
    def is_in(self) -> bool:
        """Whether the board is to report to its hall."""
        return bool(self.festival.hall) and not self.left and self.festival.number is not None


class KeptHall(Struct, frozen=True):
    """What a board keeps of its hall beside its journal; ``configured`` is the config's table."""

    journal: Path
    configured: FestivalSection

    @property
    def joined(self) -> Path:
        """The hall's file, as it was taken."""
        return self.journal.with_name(NAME)

    @property
    def here(self) -> Path:
        """What was set at the board."""
        return self.journal.with_name("hall.json")

    def now(self) -> HallHere:
        """Return the current hall: what was set at the board overrides the config."""
        festival, source, troubles = self.configured, "the config", []
        if self.joined.exists():
            try:
                festival, source = read_file(self.joined), str(self.joined)
            except ConfigError as error:
                troubles.append(str(error))
        try:
            here = self._set_here()
        except ValueError as error:
            here = SetHere()
            troubles.append(str(error))
        number = here.number or self.configured.number
        festival = changed(festival, number=number)
        left = bool(festival.hall) and here.left == festival.hall
        return HallHere(festival, left, source, tuple(troubles))

    def join(self, section: FestivalSection) -> None:
        """Keep a hall's file that was read, and cancel that the board left it. OSError."""
        atomic_write(self.joined, write(section), OWNERS_ALONE)
        self.rejoin()

    def set_number(self, number: int) -> None:
        """Keep the board's number. OSError if that fails."""
        self._write(changed(self._set_or_none(), number=number))

    def leave(self) -> None:
        """Keep that the board has left its hall. OSError if that fails."""
        self._write(changed(self._set_or_none(), left=self.now().festival.hall))

    def rejoin(self) -> None:
        """Cancel that the board has left its hall. OSError if that fails."""
        if self._set_or_none().left:
            self._write(changed(self._set_or_none(), left=""))

    def _set_or_none(self) -> SetHere:
        with suppress(ValueError):
            return self._set_here()
        return SetHere()

    def _set_here(self) -> SetHere:
        """Read what was set at the board; ValueError says what is wrong with it."""
        if not self.here.exists():
            return SetHere()
        try:
            said = from_json(read_text(self.here, MOST_BYTES))
            number, left = said["number"], said["left"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.here}: is not read: {error}; set the number again") from None
        if number is not None and (type(number) is not int or not 1 <= number <= MOST_BOARDS):
            raise ValueError(f"{self.here}: number: expected 1 to {MOST_BOARDS}, found {number!r}")
        return SetHere(number, str(left))

    def _write(self, here: SetHere) -> None:
        said = {"number": here.number, "left": here.left}
        atomic_write(self.here, json.dumps(said) + "\n")
