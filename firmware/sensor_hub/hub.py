"""What the hub sends and receives, without pins and without a clock of its own.

Everything is queued in bounded lists. Whatever finds no room is counted, and the count is reported.
Nothing here waits.
"""

from sensor_hub.lines import LONGEST, NUMBERS, read, write

PROGRAM = 1
"""The number of this program; a board that was made for another one reports that."""
ROOM = 256
"""Frames and knocks that can wait to be sent: five pieces that fall at once."""
HELLO_US = 10_000_000
HEALTH_US = 1_000_000
ERROR_US = 5_000_000
"""How often an error is repeated while it lasts; the board forgets it after twice as long."""
MOST_ERRORS = 4
WRAP_US = 1 << 30
"""Where MicroPython's microseconds wrap to 0."""
HIGHEST = 65535
LONGEST_AGO_US = 10_000_000


class Ticks:
    """Microseconds since the start, from a counter that wraps to 0 again and again."""

    def __init__(self, counter_us: int) -> None:
        self._counter_us = counter_us
        self.now_us = 0

    def move_on(self, counter_us: int) -> int:
        """Take the counter's value, at least once in a quarter of an hour; return the time."""
        self.now_us += (counter_us - self._counter_us) % WRAP_US
        self._counter_us = counter_us
        return self.now_us


class Hub:
    """One hub: its chip's number, a tag for this start, and the heads and discs that it has.

    ``heads`` are some of ne, se, sw, nw and ``discs`` some of n, e, s, w, in this order.
    """

    def __init__(self, chip: str, tag: str, heads: "list[str]", discs: "list[str]") -> None:
        self.see = 400
        self.knock_above = 900
        self.busy = 0
        self._chip = chip
        self._tag = tag
        self._heads = heads
        self._discs = discs
        self._number = 0
        self._waiting: list[tuple[int, str, str]] = []
        self._errors: dict[str, int] = {}
        self._hello_us = -HELLO_US
        self._health_us = 0
        self._lost = 0
        self._unread = 0
        self._heard = b""

    def frame(self, at_us: int, place: int, red: int, green: int, blue: int, dark: int) -> None:
        """Queue what a head saw."""
        seen = "%d %d %d %d" % (red, green, blue, dark)
        self._keep(at_us, "frame " + self._heads[place], seen)

    def knock(self, at_us: int, peaks: "list[tuple[int, int]]") -> None:
        """Queue a knock: for each disc that exists, how high and how late."""
        told = dict(zip(self._discs, peaks))
        self._keep(at_us, "knock", " ".join("%d %d" % told.get(each, (0, 0)) for each in "nesw"))

    def wrong(self, errors: "list[str]") -> None:
        """Set what is wrong now: lower-case letters, digits, ``_``; at most 60 of each.

        Each error is reported at once, and again while it lasts.
        """
        last_us = self._errors
        self._errors = {words: last_us.get(words, -ERROR_US) for words in errors[:MOST_ERRORS]}

    def _keep(self, at_us: int, before: str, after: str) -> None:
        if len(self._waiting) >= ROOM:
            self._lost += 1
        else:
            self._waiting.append((at_us, before, after))

    def hear(self, data: bytes) -> None:
        """Take bytes from the board as they come."""
        lines = (self._heard + data).split(b"\n")
        self._heard = lines.pop()[-LONGEST - 1 :]
        for line in lines:
            self._obey(read(line))

    def _obey(self, words: "list[str] | None") -> None:
        if words == ["ask"]:
            self._hello_us = -HELLO_US
            self._errors = dict.fromkeys(self._errors, -ERROR_US)
        elif words is not None and len(words) == 3 and words[0] == "set":
            self.see, self.knock_above = (min(int(each), HIGHEST) for each in words[1:])
            self._hello_us = -HELLO_US
        else:
            self._unread += 1

    def line(self, now_us: int) -> bytes:
        """Return the next line that is due, or nothing."""
        words = self._words(now_us)
        if not words:
            return b""
        number, self._number = self._number, (self._number + 1) % NUMBERS
        return write(self._tag, number, now_us, words)

    def _words(self, now_us: int) -> str:
        if now_us - self._hello_us >= HELLO_US:
            self._hello_us = now_us
            heads, discs = ",".join(self._heads) or "-", ",".join(self._discs) or "-"
            levels = "%d %d" % (self.see, self.knock_above)
            return " ".join(("hello", self._chip, str(PROGRAM), heads, discs, levels))
        if now_us - self._health_us >= HEALTH_US:
            self._health_us = now_us
            return "health %d %d %d" % (self.busy, self._lost, self._unread)
        for words, told_us in self._errors.items():
            if now_us - told_us >= ERROR_US:
                self._errors[words] = now_us
                return "error " + words
        if self._waiting:
            at_us, before, after = self._waiting.pop(0)
            ago_us = min(now_us - at_us, LONGEST_AGO_US)
            return "%s %d %s" % (before, ago_us, after)
        return ""
