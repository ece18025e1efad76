"""Wires that stay at an end of what can be read: a short, a wire that is off, a head in the sun."""

LOW, HIGH = 600, 64_900
"""What is beyond is an end; a disc rests between, and so does the dark before a head."""
STAYS_US = 1_000_000
"""A hard knock is at an end for milliseconds, and the sun comes and goes."""


class Ends:
    """Follows some wires by their names; ``low`` says whether their lower end counts, too."""

    def __init__(self, names: "list[str]", words: str, low: bool) -> None:
        self._errors = ["%s_%s" % (each, words) for each in names]
        self._since_us = [-1] * len(names)
        self._low = LOW if low else -1
        self.told: list[str] = []
        """What is wrong now."""

    def step(self, now_us: int, readings: "list[int]") -> None:
        """Take what is on the wires."""
        for place, reading in enumerate(readings):
            if self._low < reading < HIGH:
                self._since_us[place] = -1
            elif self._since_us[place] < 0:
                self._since_us[place] = now_us
        self.told = [
            words
            for words, since_us in zip(self._errors, self._since_us)
            if since_us >= 0 and now_us - since_us >= STAYS_US
        ]
