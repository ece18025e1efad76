"""Who may what at a hall's broker, as Mosquitto 2.0 and 2.1 read it: pure.

A board writes below its own topics and reads what is said to it and to all; the hub everything of
the hall; walls what is public, a Home Assistant what boards show it, and the doctor of the hub
reads what it looks over. Each board's password is
made of the hall's key and its id, so nobody types a hundred of them: whoever has the key can be any
board. Those of the others are not made of it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping

from jackspot.festival.home_assistant import discovery_topic
from jackspot.festival.messages import MOST_BYTES, PREFIX
from jackspot.festival.names import board_id

HUB, WALL, HOME = "hub", "wall", "home"
HUB_DOCTOR = "hub-doctor"
"""Who looks the hall over, beside a hub that runs: as the hub it would throw that out."""
OWN = (HUB, WALL, HOME, HUB_DOCTOR)
"""Users with passwords of their own, that nothing else gives."""
ROUNDS = 101
"""As many as ``mosquitto_passwd`` makes: the passwords have 128 bits of chance, and hashing them
for a hundred boards that come at once must not take long."""
SALT_BYTES = 12
AROUND_BYTES = 1_024
"""What a packet has beside its message, its topic above all, is less."""
QUEUES = ("max_queued_messages 10000", "max_queued_bytes 16777216")
"""For whoever reads more slowly than boards tell, of which 999 may come back at once: Mosquitto
drops what is more, and by itself what is more than 1,000 messages."""


def password(key: str, user: str) -> str:
    """Return the password of a user in a hall with this key, of 32 hexadecimal digits."""
    return hmac.new(key.encode(), user.encode(), hashlib.sha256).hexdigest()[:32]


def doctor_of(board: str) -> str:
    """Return as whom the doctor of a board connects: as the board it would throw the board out."""
    return f"{board}-doctor"


def board_passwords(key: str, boards: int) -> dict[str, str]:
    """Return the password of each board and of its doctor."""
    ids = [board_id(number) for number in range(1, boards + 1)]
    return {user: password(key, user) for board in ids for user in (board, doctor_of(board))}


def password_file(passwords: Mapping[str, str], salt: Callable[[int], bytes]) -> str:
    """Return Mosquitto's file of passwords; ``salt`` gives that many random bytes."""
    return "".join(
        f"{user}:{_hashed(secret, salt(SALT_BYTES))}\n" for user, secret in passwords.items()
    )


def wrong_passwords(text: str, passwords: Mapping[str, str]) -> list[str]:
    """Return the users whose password is another in a file of Mosquitto's, or is not in it."""
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
    """Return for how many boards an access list is."""
    return access.count("\nuser b") // 2  # each with its doctor


def broker_config(folder: str, port: int, owner: str) -> str:
    """Return Mosquitto's config for a hall.

    ``folder`` is where the other files lie, ``owner`` who may read them. Every option is one that
    both 2.0 and 2.1 take without a warning.
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
