"""Wires that stay at an end of the readable range: a short, a loose wire, a head in the sun."""

LOW, HIGH = 600, 64_900
"""Beyond these is an end; a disc at rest is between them, and so is the dark before a head."""
STAYS_US = 1_000_000
"""A hard knock reaches an end for milliseconds only, and the sun comes and goes."""


class Ends:
    """Follows wires by their names; ``low`` says whether their lower end counts too."""

    def __init__(self, names: "list[str]", words: str, low: bool) -> None:
        self._errors = ["%s_%s" % (each, words) for each in names]
        self._since_us = [-1] * len(names)
        self._low = LOW if low else -1
        self.told: list[str] = []
        """What is wrong now."""

    def step(self, now_us: int, readings: "list[int]") -> None:
        """Take the readings of the wires."""
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
