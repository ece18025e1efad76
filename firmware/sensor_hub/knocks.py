"""Knocks, found in what the discs feel: when one begins, how high it peaks at each, which is first.

A disc rests somewhere between its ends, and its rest drifts with temperature. So the rest is
followed slowly while nothing knocks. A knock begins when any disc is further from rest than it may
be. For a while all peaks belong to it. Then it is reported, and the next can begin once the board
has been quiet. A disc that is still far from rest long after that rests elsewhere now, as after a
start while it rang or with a loose wire: then too the rests are followed, until it is quiet.
"""

WINDOW_US = 20_000
"""How long after a knock begins peaks belong to it: sound crosses a board in less than that."""
QUIET_US = 10_000
"""How long every disc must be quiet before the next knock."""
LONGEST_US = 500_000
"""No knock rings for so long."""
SLOWLY = 6
"""A rest moves by one part in 2 ** SLOWLY of its error."""
HIGHEST = 65535


class Knocks:
    """Follows some discs."""

    def __init__(self, discs: int) -> None:
        self._rests = [-1] * discs
        self._peaks = [0] * discs
        self._delays = [0] * discs
        self._began_us = -1
        self._rang_us = -QUIET_US
        self._is_told = False

    def step(
        self, now_us: int, readings: "list[int]", above: int
    ) -> "tuple[int, list[tuple[int, int]]] | None":
        """Take what the discs feel; return a knock that is over: its begin, and peak and delay."""
        rings = False
        moved = self._is_told and now_us - self._began_us >= LONGEST_US
        for disc, reading in enumerate(readings):
            if self._rests[disc] < 0:
                self._rests[disc] = reading << SLOWLY
            off = abs(reading - (self._rests[disc] >> SLOWLY))
            if off > above:
                rings = True
                self._feel(now_us, disc, off)
            if moved or self._began_us < 0:
                self._rests[disc] += reading - (self._rests[disc] >> SLOWLY)
        if rings:
            self._rang_us = now_us
        return self._over(now_us)

    def _feel(self, now_us: int, disc: int, off: int) -> None:
        if self._began_us < 0:
            self._began_us = now_us
        if self._is_told:
            return
        if not self._peaks[disc]:
            self._delays[disc] = min(now_us - self._began_us, HIGHEST)
        self._peaks[disc] = min(max(self._peaks[disc], off), HIGHEST)

    def _over(self, now_us: int) -> "tuple[int, list[tuple[int, int]]] | None":
        if self._began_us < 0:
            return None
        knock = None
        if not self._is_told and now_us - self._began_us >= WINDOW_US:
            self._is_told = True
            knock = (self._began_us, list(zip(self._peaks, self._delays)))
        if self._is_told and now_us - self._rang_us >= QUIET_US:
            discs = len(self._rests)
            self._peaks, self._delays = [0] * discs, [0] * discs
            self._began_us, self._is_told = -1, False
        return knock
