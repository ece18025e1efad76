"""Where a board is played: its hall, its number there, and how it reaches the broker."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from jackspot.festival.connection import Login
from jackspot.festival.messages import MOST_BYTES, PREFIX
from jackspot.festival.names import board_id
from jackspot.festival.section import FestivalSection
from jackspot.festival.users import doctor_of, password


class Hall(Struct, frozen=True):
    """Where a board is played: the hall's name, the board's number, the broker, key and CA.

    ``addresses`` are the broker's, tried in turn. ``home_assistant``: at each connect the board
    publishes how Home Assistant can show it.
    """

    name: str
    number: int
    addresses: tuple[tuple[str, int], ...]
    key: str | None = None
    ca: str | Path | None = None
    home_assistant: bool = False

    @classmethod
    def of(cls, section: FestivalSection) -> Hall:
        """Return the hall of a table of the config that has a number."""
        assert section.number is not None, "who has no number is in no hall"
        return cls(
            section.hall, section.number, section.addresses, section.key, section.ca,
            section.home_assistant,
        )  # fmt: skip

    @property
    def board(self) -> str:
        """The board's id."""
        return board_id(self.number)

    def topic(self, leaf: str) -> str:
        """Return a topic of this board's own."""
        return f"{PREFIX}/{self.name}/board/{self.board}/{leaf}"

    @property
    def logins(self) -> tuple[Login, ...]:
        """How the board connects, for each address; its password is derived from the hall's key."""
        return self._logins(self.board)

    @property
    def doctors_logins(self) -> tuple[Login, ...]:
        """How the board's doctor connects, which disconnects nobody."""
        return self._logins(doctor_of(self.board))

    def _logins(self, user: str) -> tuple[Login, ...]:
        made = "" if self.key is None else password(self.key, user)
        return tuple(
            Login(*address, user, made, MOST_BYTES, self.ca, self.name)
            for address in self.addresses
        )
