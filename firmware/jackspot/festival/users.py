"""Who may what at a hall's broker, as Mosquitto 2.0 and 2.1 read it: pure.

A board writes below its own topics and reads what is said to it and to all; the hub everything of
the hall; walls what is public. Each board's password is made of the hall's key and its id, so
nobody types a hundred of them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterator

from jackspot.festival.messages import MOST_BYTES, PREFIX, board_id

HUB, WALL = "hub", "wall"
ROUNDS = 101
"""As many as ``mosquitto_passwd`` makes: the passwords have 128 bits of chance, and hashing them
for a hundred boards that come at once must not take long."""
SALT_BYTES = 12


def password(key: str, user: str) -> str:
    """Return the password of a user in a hall with this key, of 32 hexadecimal digits."""
    return hmac.new(key.encode(), user.encode(), hashlib.sha256).hexdigest()[:32]


def users(boards: int) -> Iterator[str]:
    """Name all users of a hall's broker."""
    yield HUB
    yield WALL
    for number in range(1, boards + 1):
        yield board_id(number)


def password_file(key: str, boards: int, salt: Callable[[int], bytes]) -> str:
    """Return Mosquitto's file of passwords; ``salt`` gives that many random bytes."""
    return "".join(
        f"{user}:{_hashed(password(key, user), salt(SALT_BYTES))}\n" for user in users(boards)
    )


def _hashed(secret: str, salt: bytes) -> str:
    made = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, ROUNDS)
    texts = [base64.b64encode(each).decode() for each in (salt, made)]
    return f"$7${ROUNDS}${texts[0]}${texts[1]}"


def access_list(hall: str, boards: int) -> str:
    """Return Mosquitto's access list."""
    root = f"{PREFIX}/{hall}"
    lines = [f"user {HUB}", f"topic readwrite {root}/#", "topic readwrite homeassistant/#", ""]
    lines += [f"user {WALL}", f"topic read {root}/public/#", ""]
    for number in range(1, boards + 1):
        board = board_id(number)
        lines += [
            f"user {board}",
            f"topic write {root}/board/{board}/#",
            f"topic read {root}/board/{board}/status",
            f"topic read {root}/to/{board}/#",
            f"topic read {root}/all/#",
            "",
        ]
    return "\n".join(lines)


def broker_config(folder: str, port: int, owner: str) -> str:
    """Return Mosquitto's config for a hall.

    ``folder`` is where the other files lie, ``owner`` who may read them.
    """
    return "\n".join(
        (
            f"user {owner}",
            f"listener {port}",
            f"certfile {folder}/server.crt",
            f"keyfile {folder}/server.key",
            f"cafile {folder}/hall.crt",
            "allow_anonymous false",
            f"password_file {folder}/passwords",
            f"acl_file {folder}/access",
            f"message_size_limit {MOST_BYTES}",
            "# Nothing that counts rests here: boards and hub say everything anew.",
            "persistence false",
            "",
        )
    )
