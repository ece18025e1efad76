"""Runs commands in the guest for the tests outside, over a virtio serial port.

One JSON object a line, both ways. Asked is ``{"id", "argv", "input", "timeout_s"}``, answered
``{"id", "status", "out", "err"}``; input and outputs are base64, a status of None says that
the command was ended because its time was over. Several commands may run at once. While
nobody is connected outside, reading gives nothing, and it is tried again.
"""

import base64
import json
import os
import subprocess
import threading
import time
from pathlib import Path

PORT = Path("/dev/virtio-ports/jackspot.test.shell")


def run(asked):
    """Run one command and give its answer."""
    try:
        ended = subprocess.run(
            asked["argv"],
            input=base64.b64decode(asked["input"]),
            capture_output=True,
            timeout=asked["timeout_s"],
            check=False,
        )
        status, out, err = ended.returncode, ended.stdout, ended.stderr
    except subprocess.TimeoutExpired as expired:
        status, out, err = None, expired.stdout or b"", expired.stderr or b""
    except OSError as error:
        status, out, err = 127, b"", str(error).encode()
    return {
        "id": asked["id"],
        "status": status,
        "out": base64.b64encode(out).decode(),
        "err": base64.b64encode(err).decode(),
    }


def main():
    """Answer until the guest stops."""
    while not PORT.exists():
        time.sleep(0.1)
    port = os.open(PORT, os.O_RDWR)
    lock = threading.Lock()

    def answer(asked):
        line = json.dumps(run(asked)).encode() + b"\n"
        with lock:
            while line:
                line = line[os.write(port, line) :]

    waiting = b""
    while True:
        got = os.read(port, 65536)
        if not got:
            time.sleep(0.05)
            continue
        *lines, waiting = (waiting + got).split(b"\n")
        for line in lines:
            threading.Thread(target=answer, args=(json.loads(line),)).start()


if __name__ == "__main__":
    main()
