"""The strobe: each light in turn shines at what is before the heads, and then none does.

What a head sees without a light, mostly the sun, is reported beside what it sees with each. It is
subtracted to decide whether anything is there.
"""

DARK, RED, GREEN, BLUE = range(4)
"""The lights in the order of their turns."""


class Strobe:
    """Puts frames together, one head a place: ``light`` is what shines until the next step."""

    def __init__(self, heads: int) -> None:
        self.light = DARK
        self._seen = [[0, 0, 0, 0] for _ in range(heads)]

    def step(self, readings: "list[int]", see: int) -> "list[tuple[int, int, int, int, int]]":
        """Take what each head sees by ``light``, and switch to the next one.

        Return the frames in which a colour is more than ``see`` above dark: the head's place, then
        red, green, blue and dark.
        """
        light = self.light
        for place, reading in enumerate(readings):
            self._seen[place][light] = reading
        self.light = (light + 1) % 4
        if light != BLUE:
            return []
        return [
            (place, seen[RED], seen[GREEN], seen[BLUE], seen[DARK])
            for place, seen in enumerate(self._seen)
            if max(seen[RED], seen[GREEN], seen[BLUE]) - seen[DARK] > see
        ]
