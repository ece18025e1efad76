"""Who may do what at a hall's broker, as Mosquitto 2.0 and 2.1 read it: pure.

- A board writes below its own topics and reads what is said to it and to all.
- The hub reads and writes everything of the hall.
- Walls read what is public, and a Home Assistant what boards show it.
- The hub's doctor reads what it examines.

Each board's password is made from the hall's key and its id, so nobody types a hundred of them.
Whoever has the key can be any board. The other users' passwords are not made from it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping

from jackspot.festival.home_assistant import discovery_topic
from jackspot.festival.messages import AROUND_BYTES, MOST_BYTES, PREFIX
from jackspot.festival.names import board_id

HUB, WALL, HOME = "hub", "wall", "home"
HUB_DOCTOR = "hub-doctor"
"""The user that examines the hall beside a running hub: as the hub it would disconnect that."""
OWN = (HUB, WALL, HOME, HUB_DOCTOR)
"""Users with passwords of their own that cannot be derived."""
ROUNDS = 101
"""As many as ``mosquitto_passwd`` makes.

The passwords have 128 random bits, and hashing them for a hundred boards that come at once must not
take long.
"""
SALT_BYTES = 12
QUEUES = ("max_queued_messages 10000", "max_queued_bytes 16777216")
"""For a client that reads more slowly than boards send, of which 999 may come back at once.

Mosquitto drops anything beyond that and, by default, anything beyond 1,000 messages.
"""


def password(key: str, user: str) -> str:
    """Return the password of a user in a hall with this key, of 32 hexadecimal digits."""
    return hmac.new(key.encode(), user.encode(), hashlib.sha256).hexdigest()[:32]


def doctor_of(board: str) -> str:
    """Return the user of a board's doctor: as the board itself it would disconnect the board."""
    return f"{board}-doctor"


def board_passwords(key: str, boards: int) -> dict[str, str]:
    """Return the password of each board and of its doctor."""
    ids = [board_id(number) for number in range(1, boards + 1)]
    return {user: password(key, user) for board in ids for user in (board, doctor_of(board))}


def password_file(passwords: Mapping[str, str], salt: Callable[[int], bytes]) -> str:
    """Return Mosquitto's password file; ``salt`` returns that many random bytes."""
    return "".join(
        f"{user}:{_hashed(secret, salt(SALT_BYTES))}\n" for user, secret in passwords.items()
    )


def wrong_passwords(text: str, passwords: Mapping[str, str]) -> list[str]:
    """Return the users whose password differs in a Mosquitto password file, or is missing."""
    kept = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return [user for user, secret in passwords.items() if not _fits(kept.get(user, ""), secret)]


def _fits(kept: str, secret: str) -> bool:
    parts = kept.split("$")
    try:
        return kept == _hashed(secret, base64.b64decode(parts[3], validate=True))
    except (IndexError, ValueError):
        return False


def _hashed(secret: str, salt: bytes) -> str:
    made = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, ROUNDS)
    texts = [base64.b64encode(each).decode() for each in (salt, made)]
    return f"$7${ROUNDS}${texts[0]}${texts[1]}"


def access_list(hall: str, boards: int) -> str:
    """Return Mosquitto's access list."""
    root = f"{PREFIX}/{hall}"
    lines = [f"user {HUB}", f"topic readwrite {root}/#", ""]
    lines += [f"user {WALL}", f"topic read {root}/public/#", ""]
    lines += [f"user {HUB_DOCTOR}", f"topic write {root}/doctor", f"topic read {root}/#", ""]
    told = [f"topic read {root}/board/+/{each}" for each in ("status", "state", "match")]
    lines += [f"user {HOME}", "topic read homeassistant/#", *told, ""]
    for number in range(1, boards + 1):
        board = board_id(number)
        lines += [
            f"user {board}",
            f"topic write {root}/board/{board}/#",
            f"topic write {discovery_topic(board)}",
            f"topic read {root}/board/{board}/status",
            f"topic read {root}/board/{board}/twice",
            f"topic read {root}/to/{board}/#",
            f"topic read {root}/all/#",
            "",
            f"user {doctor_of(board)}",
            f"topic write {root}/board/{board}/doctor",
            f"topic write {root}/board/{board}/twice",
            f"topic read {root}/board/{board}/status",
            "",
        ]
    return "\n".join(lines)


def boards_in(access: str) -> int:
    """Return how many boards an access list is for."""
    return access.count("\nuser b") // 2  # each with its doctor


def broker_config(folder: str, port: int, owner: str) -> str:
    """Return Mosquitto's config for a hall.

    ``folder`` is where the other files are, ``owner`` who may read them. Every option is accepted
    by both 2.0 and 2.1 without a warning.
    """
    return "\n".join(
        (
            f"user {owner}",
            f"listener {port}",
            f"certfile {folder}/server.crt",
            f"keyfile {folder}/server.key",
            f"cafile {folder}/hall.crt",
            "# A client id is taken from whoever has it; so everybody's is their user.",
            "use_username_as_clientid true",
            "allow_anonymous false",
            f"password_file {folder}/passwords",
            f"acl_file {folder}/access",
            f"max_packet_size {MOST_BYTES + AROUND_BYTES}",
            *QUEUES,
            "# Nothing that counts rests here: boards and hub say everything anew.",
            "persistence false",
            "",
        )
    )
