"""Slows down wrong PINs, for each address and for all of them together.

A few tries are free, for slips of the finger. After that each wrong PIN doubles the wait, and a PIN
that comes before the wait is over is not even looked at, right or wrong. So a PIN of six digits
outlasts anybody who guesses, from any number of addresses. Guessing by others does not keep anybody
waiting who has signed in already, whose device did with the same PIN, or whose address has free
tries left. The free tries of all addresses are limited (:data:`FREE_AT_ONCE`) and grow back.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct, field


class Patience(Struct, frozen=True):
    """How patient the board is with wrong PINs. Durations are in seconds.

    ``free`` wrong PINs cost nothing; after them the wait is ``first_s``, doubled with each further
    one up to ``most_s``. They are forgotten ``forget_s`` after the last.
    """

    free: int
    first_s: float
    most_s: float
    forget_s: float


ONE_ADDRESS = Patience(free=3, first_s=2.0, most_s=300.0, forget_s=1_800.0)
ALL_ADDRESSES = Patience(free=20, first_s=1.0, most_s=10.0, forget_s=600.0)
FREE_AT_ONCE = 800
"""How many wrong PINs of addresses with free tries wait for nobody: three of each in a house."""
FREE_PER_S = 1 / 20
"""How fast free tries grow back: 180 an hour, so that a million PINs last for months."""
ADDRESSES = 1_024
"""How many addresses are remembered; the least recently seen are forgotten."""


class _Wrong(Struct):
    count: int = 0
    last_s: float = 0.0
    until_s: float = 0.0


class WrongPins(Struct):
    """Counts wrong PINs and how long to wait; ``clock`` returns seconds that only increase."""

    clock: Callable[[], float] = time.monotonic
    _by_address: OrderedDict[str, _Wrong] = field(default_factory=OrderedDict)
    _all: _Wrong = field(default_factory=_Wrong)
    _free: float = FREE_AT_ONCE
    _free_s: float = 0.0

    def wait_s(self, whose: str, *, known: bool = False) -> float:
        """Return for how many seconds no PIN from this address is looked at; 0: it may try.

        ``known``: the device has signed in before, with the current PIN.
        """
        own, now_s = self._own(whose), self.clock()
        alone = known or (own.count < ONE_ADDRESS.free and self._free_at(now_s) >= 1)
        return max(0.0, own.until_s - now_s, 0.0 if alone else self._all.until_s - now_s)

    def wrong(self, whose: str, *, known: bool = False) -> None:
        """Note a wrong PIN."""
        own, now_s = self._own(whose), self.clock()
        self._by_address.pop(whose, None)
        self._by_address[whose] = own
        if len(self._by_address) > ADDRESSES:
            self._by_address.popitem(last=False)
        if not known and own.count < ONE_ADDRESS.free:
            self._free, self._free_s = max(0.0, self._free_at(now_s) - 1), now_s
        _note(own, ONE_ADDRESS, now_s)
        if not known:
            _note(self._all, ALL_ADDRESSES, now_s)

    def right(self, whose: str) -> None:
        """Forget the wrong PINs of an address whose PIN was right."""
        self._by_address.pop(whose, None)

    def _own(self, whose: str) -> _Wrong:
        """Return the recent wrong PINs of an address."""
        own = self._by_address.get(whose)
        long_ago = own is not None and self.clock() - own.last_s > ONE_ADDRESS.forget_s
        return _Wrong() if own is None or long_ago else own

    def _free_at(self, now_s: float) -> float:
        """Return how many free tries there are for all addresses together."""
        return min(FREE_AT_ONCE, self._free + (now_s - self._free_s) * FREE_PER_S)


def _note(wrong: _Wrong, patience: Patience, now_s: float) -> None:
    if now_s - wrong.last_s > patience.forget_s:
        wrong.count = 0
    wrong.count += 1
    wrong.last_s = now_s
    over = wrong.count - patience.free
    if over > 0:
        doubled = min(over - 1, 30)
        wrong.until_s = now_s + min(patience.most_s, patience.first_s * 2**doubled)
