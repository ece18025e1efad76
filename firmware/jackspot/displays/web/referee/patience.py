"""Wrong PINs, slowed down: for each address, and for all of them together.

A few tries are free, for fingers that slip. After that each wrong one doubles the wait, and
what comes before the wait is over is not even looked at, right or wrong. So a PIN of six
digits outlasts anybody who guesses, from however many addresses. Who has signed in already
is not kept waiting by it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Patience:
    """How patient the board is with wrong PINs. Durations are in seconds.

    ``free`` wrong ones cost nothing; after them the wait is ``first_s``, doubled with each
    further one up to ``most_s``. They are forgotten ``forget_s`` after the last.
    """

    free: int
    first_s: float
    most_s: float
    forget_s: float


ONE_ADDRESS = Patience(free=3, first_s=2.0, most_s=300.0, forget_s=1_800.0)
ALL_ADDRESSES = Patience(free=20, first_s=1.0, most_s=10.0, forget_s=600.0)
ADDRESSES = 256
"""How many addresses are remembered; the least recently seen are forgotten."""


@dataclass(slots=True)
class _Wrong:
    count: int = 0
    last_s: float = 0.0
    until_s: float = 0.0


@dataclass(slots=True)
class WrongPins:
    """Counts wrong PINs and says how long to wait; ``clock`` gives seconds that only grow."""

    clock: Callable[[], float] = time.monotonic
    _by_address: OrderedDict[str, _Wrong] = field(default_factory=OrderedDict)
    _all: _Wrong = field(default_factory=_Wrong)

    def wait_s(self, address: str) -> float:
        """Say for how many seconds nothing from this address is looked at; 0: it may try."""
        own = self._by_address.get(address, _Wrong())
        return max(0.0, max(own.until_s, self._all.until_s) - self.clock())

    def wrong(self, address: str) -> None:
        """Note a wrong PIN."""
        own = self._by_address.pop(address, None) or _Wrong()
        self._by_address[address] = own
        if len(self._by_address) > ADDRESSES:
            self._by_address.popitem(last=False)
        now_s = self.clock()
        _note(own, ONE_ADDRESS, now_s)
        _note(self._all, ALL_ADDRESSES, now_s)

    def right(self, address: str) -> None:
        """Forget the wrong ones of an address whose PIN was right."""
        self._by_address.pop(address, None)


def _note(wrong: _Wrong, patience: Patience, now_s: float) -> None:
    if now_s - wrong.last_s > patience.forget_s:
        wrong.count = 0
    wrong.count += 1
    wrong.last_s = now_s
    over = wrong.count - patience.free
    if over > 0:
        doubled = min(over - 1, 30)
        wrong.until_s = now_s + min(patience.most_s, patience.first_s * 2**doubled)
