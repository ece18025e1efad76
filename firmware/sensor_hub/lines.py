"""The lines between hub and board, as the hub writes and reads them; FORMATS.md has the grammar."""

from binascii import crc32

VERSION = "js1"
BOARD = "pi"
LONGEST = 160
NUMBERS = 65536


def write(who: str, number: int, ticks_us: int, words: str) -> bytes:
    """Return a line with its end; ``words`` are the kind of message and its fields."""
    text = "%s %s %d %d %s" % (VERSION, who, number, ticks_us, words)
    return ("%s %08x\n" % (text, crc32(text.encode()))).encode()


def read(line: bytes) -> "list[str] | None":
    """Return kind and fields of a line from the board, without its end; None if it is none."""
    if len(line) > LONGEST:
        return None
    cut = line.rfind(b" ")
    try:
        whole = cut > 0 and crc32(line[:cut]) == int(line[cut + 1 :], 16)
        words = line[:cut].decode().split(" ")
    except (ValueError, UnicodeError):
        return None
    if not whole or len(line) - cut != 9 or len(words) < 5:
        return None
    return words[4:] if words[:2] == [VERSION, BOARD] else None
