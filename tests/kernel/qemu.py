"""A machine in QEMU: its processes and wires, and what may be asked of it from outside.

It knows nothing about Jackspot. A machine is started either from nothing, or from a saved state,
which takes about a second; its disk is a layer over an image that is never written. Commands
run in the guest over a serial port of their own (``guest/tools/shell.py``), and devices are
plugged and pulled through QEMU's monitor.

Everything is emulated in software (TCG) and never by the host's virtualisation. So it works the
same on any host, all of them can read a saved state, and time can be counted in what the guest
does.
"""

from __future__ import annotations

import base64
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

PATIENCE_S = 900.0
"""How long anything may take before it counts as failed. Nothing ever waits a fixed time."""

ARCH = os.environ.get("JACKSPOT_GUEST", "amd64")
"""The machine's processor, as Debian calls it."""

QEMU, MACHINE, CPU, CONSOLE, SERIAL, SERIAL_PORT = {
    "amd64": (
        "qemu-system-x86_64", "q35", "Nehalem", "ttyS0", ("-serial", "file:{}"), "/dev/ttyS1",
    ),
    "arm64": (
        "qemu-system-aarch64", "virt", "cortex-a72",
        # Without the machine's own pins: a Raspberry Pi's are the first chip.
        "ttyAMA0 initcall_blacklist=pl061_gpio_driver_init",
        ("-chardev", "file,id=second,path={}", "-device", "pci-serial,chardev=second"),
        "/dev/ttyS0",
    ),
}[ARCH]  # fmt: skip
"""What differs by processor; the last two are its second serial port, outside and inside."""

HARDWARE = (
    "-M", MACHINE, "-nodefaults", "-no-user-config", "-display", "none", "-m", "512",
    "-cpu", CPU, "-accel", "tcg,thread=single", "-icount", "shift=1,sleep=on,align=off",
    "-device", "virtio-serial-pci", "-device", "qemu-xhci,id=usb",
    "-device", "pcie-root-port,id=slot1,chassis=1,slot=1",
    "-device", "pcie-root-port,id=slot2,chassis=2,slot=2",
    "-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile=",
)  # fmt: skip
"""What every machine has: one processor, 512 MB, USB ports, two slots for more disks, and a
network on which it finds this machine as ``GATEWAY``.

Its time is counted in instructions, two nanoseconds each; while it has nothing to do, time
passes as outside. So nothing in the guest is late because the host is busy: a start that may take
a minute may take a minute of its own work.
"""
GATEWAY = "10.0.2.2"
KERNEL_LINE = f"root=/dev/vda rw console={CONSOLE} quiet mitigations=off"

T = TypeVar("T")


class MachineError(Exception):
    """The machine did not do what was asked; the message says what, and what was seen."""


class Ended(Struct, frozen=True):
    """A command that ended in the guest. ``status`` is None if its time was over."""

    status: int | None
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """What it printed, without the last line's end."""
        return self.out.decode(errors="replace").rstrip("\n")


def wait_until(
    what: str, look: Callable[[], T | None], *, patience_s: float = PATIENCE_S, every_s: float = 0.1
) -> T:
    """Look again and again until something true is seen, and return it.

    Raises MachineError, naming ``what`` was waited for and what was seen last.
    """
    end = time.monotonic() + patience_s
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() >= end:
            raise MachineError(f"waited {patience_s:g} s for {what}; last seen: {seen!r}")
        time.sleep(every_s)


class _Lines:
    """JSON objects, one a line, over a socket that QEMU listens on."""

    def __init__(self, path: Path, alive: Callable[[], None]) -> None:
        self._alive = alive
        self._waiting = b""
        self._socket = socket.socket(socket.AF_UNIX)
        wait_until(f"QEMU to listen at {path.name}", lambda: self._connects(path), patience_s=30)

    def _connects(self, path: Path) -> bool:
        self._alive()
        try:
            self._socket.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        return True

    def send(self, said: dict[str, Any]) -> None:
        """Send one object."""
        self._socket.settimeout(PATIENCE_S)
        self._socket.sendall(json.dumps(said).encode() + b"\n")

    def receive(self, end: float) -> dict[str, Any]:
        """Return the next object; MachineError at the monotonic second ``end``."""
        while b"\n" not in self._waiting:
            left = end - time.monotonic()
            self._alive()
            if left <= 0:
                raise MachineError("no answer in time")
            self._socket.settimeout(min(left, 1.0))
            try:
                got = self._socket.recv(1 << 20)
            except TimeoutError:
                continue
            if not got:
                raise MachineError("QEMU closed the line")
            self._waiting += got
        line, self._waiting = self._waiting.split(b"\n", 1)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Let go."""
        self._socket.close()


class Monitor:
    """QEMU's own control (QMP)."""

    def __init__(self, path: Path, alive: Callable[[], None]) -> None:
        self._lines = _Lines(path, alive)
        self._events: list[dict[str, Any]] = []
        self._lines.receive(time.monotonic() + PATIENCE_S)
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: Any) -> Any:
        """Run one command, and return what it returns."""
        names = {key.replace("_", "-"): value for key, value in arguments.items()}
        self._lines.send({"execute": command, "arguments": names})
        end = time.monotonic() + PATIENCE_S
        while True:
            answer = self._lines.receive(end)
            if "event" in answer:
                self._events.append(answer)
            elif "error" in answer:
                raise MachineError(f"{command}: {answer['error']['desc']}")
            else:
                return answer["return"]

    def event(self, name: str, **data: Any) -> dict[str, Any]:
        """Wait for an event with this data; one that came before counts, once."""
        end = time.monotonic() + PATIENCE_S
        while True:
            for event in self._events:
                if event["event"] == name and data.items() <= event.get("data", {}).items():
                    self._events.remove(event)
                    return event
            self._events.append(self._lines.receive(end))

    def close(self) -> None:
        """Let go."""
        self._lines.close()


class Source(Struct, frozen=True):
    """What a machine starts from: kernel, early user space, and a disk that stays as it is.

    ``state`` is a machine's saved state that belongs to that disk; None: it starts from
    nothing. ``format`` is the disk's, as QEMU calls it.
    """

    kernel: Path
    initrd: Path
    disk: Path
    format: str
    state: Path | None = None


class Machine:
    """One running machine, a context manager: at its end QEMU is killed and all is removed.

    ``options`` are further options for QEMU, such as a second disk; a state can only be resumed
    with the options it was saved with. ``disk`` replaces the machine's own layer by a disk that
    outlives it and is written. With ``forced``, a power cut leaves on it only what the guest has
    forced to it; otherwise the host's memory is in between, which is faster. ``folder`` keeps what
    QEMU writes (serial ports, sockets).
    """

    def __init__(
        self, source: Source, *, options: Sequence[str] = (), disk: Path | None = None,
        forced: bool = False,
    ) -> None:  # fmt: skip
        self.folder = Path(tempfile.mkdtemp(prefix="jackspot-guest-"))
        self.console = self.folder / "console"
        self.serial = self.folder / "ttyS1"
        """What the guest has sent to its second serial port."""
        self._asked = 0
        self._log = self.folder / "qemu.log"
        try:
            layer = disk or make_layer(source, self.folder / "disk.qcow2")
            with self._log.open("wb") as log:
                self.process = subprocess.Popen(
                    self._command(source, layer, "none" if forced else "unsafe", options),
                    stdout=log, stderr=log,
                    stdin=subprocess.DEVNULL,
                )  # fmt: skip
            self.monitor = Monitor(self.folder / "monitor", self._alive)
            self._shell = _Lines(self.folder / "shell", self._alive)
            if source.state is not None:
                self._go_on()
        except BaseException:
            self.close()
            raise

    def _command(
        self, source: Source, layer: Path, cache: str, options: Sequence[str]
    ) -> list[str]:
        at = self.folder
        command = [
            # It ends with the tests, however they end.
            "setpriv", "--pdeathsig", "KILL", "--",
            QEMU, *HARDWARE,
            "-kernel", str(source.kernel), "-initrd", str(source.initrd),
            "-append", KERNEL_LINE,
            "-drive", f"file={layer},format=qcow2,if=virtio,cache={cache}",
            "-qmp", f"unix:{at}/monitor,server=on,wait=off",
            "-chardev", f"socket,id=shell,path={at}/shell,server=on,wait=off",
            "-device", "virtserialport,chardev=shell,name=jackspot.test.shell",
            "-serial", f"file:{self.console}", *(word.format(self.serial) for word in SERIAL),
            *options,
        ]  # fmt: skip
        if source.state is not None:
            command += ["-incoming", f"exec:cat {shlex.quote(str(source.state))}"]
        return command

    def _go_on(self) -> None:
        wait_until(
            "the saved state to be read",
            lambda: self.monitor.ask("query-status")["status"] != "inmigrate",
        )
        self.monitor.ask("cont")

    def _alive(self) -> None:
        if self.process.poll() is not None:
            log = self._log.read_text(errors="replace")
            raise MachineError(f"QEMU ended ({self.process.returncode}): {log}")

    # --- in the guest -----------------------------------------------------------------

    def run(
        self, *argv: str, given: bytes | str = b"", timeout_s: float = 60.0, check: bool = True
    ) -> Ended:
        """Run a command as root in the guest, wait for its end and return what it printed.

        Raises MachineError if it fails or does not end in ``timeout_s``, unless ``check`` is
        false. One word with blanks is a line for the shell.
        """
        if len(argv) == 1 and " " in argv[0]:
            argv = ("bash", "-c", argv[0])
        data = given.encode() if isinstance(given, str) else given
        self._asked += 1
        self._shell.send(
            {
                "id": self._asked,
                "argv": list(argv),
                "input": base64.b64encode(data).decode(),
                "timeout_s": timeout_s,
            }
        )
        end = time.monotonic() + timeout_s + PATIENCE_S
        while True:
            try:
                answer = self._shell.receive(end)
            except MachineError as error:
                raise MachineError(f"guest, {shlex.join(argv)}: {error}") from error
            if answer["id"] == self._asked:
                break
        ended = Ended(
            answer["status"], base64.b64decode(answer["out"]), base64.b64decode(answer["err"])
        )
        if check and ended.status != 0:
            why = "took too long" if ended.status is None else f"ended with {ended.status}"
            said = (ended.out + ended.err).decode(errors="replace")
            raise MachineError(f"guest, {shlex.join(argv)} {why}: {said}")
        return ended

    def read(self, path: str) -> bytes:
        """Return a file of the guest."""
        return self.run("cat", path).out

    def write(self, path: str, data: bytes | str) -> None:
        """Write a file of the guest, and its folders."""
        self.run("sh", "-c", 'mkdir -p "${1%/*}" && cat >"$1"', "sh", path, given=data)

    def wait_for_boot(self) -> None:
        """Wait until the guest has started everything that starts with it."""
        state = self.run("systemctl", "is-system-running", "--wait", timeout_s=300, check=False)
        if state.text != "running":
            failed = self.run(
                "systemctl --failed --no-legend; journalctl -b -p warning", check=False
            )
            raise MachineError(f"the guest is {state.text!r} after starting: {failed.text}")

    # --- outside ----------------------------------------------------------------------

    def join_network(self) -> None:
        """Have the guest use its network, which it does not when it starts."""
        self.run("systemctl", "start", "systemd-networkd")

    def plug_network(self, present: bool) -> None:
        """Plug the network's cable in, or pull it out."""
        self.monitor.ask("set_link", name="net", up=present)

    def plug_serial(self, name: str, serial: str) -> Path:
        """Plug in a USB serial adapter; return the file that receives what is sent to it."""
        out = self.folder / f"{name}-{time.monotonic_ns()}"
        backend = {"type": "file", "data": {"out": str(out)}}
        self.monitor.ask("chardev-add", id=name, backend=backend)
        self.monitor.ask(
            "device_add", driver="usb-serial", id=name, chardev=name, bus="usb.0", serial=serial
        )
        return out

    def plug_talking_serial(self, name: str, serial: str) -> socket.socket:
        """Plug in a USB serial adapter; return its far end, to read and to write."""
        path = str(self.folder / f"{name}-{time.monotonic_ns()}")
        address = {"type": "unix", "data": {"path": path}}
        backend = {"type": "socket", "data": {"addr": address, "server": True, "wait": False}}
        self.monitor.ask("chardev-add", id=name, backend=backend)
        far = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        far.connect(path)
        self.monitor.ask(
            "device_add", driver="usb-serial", id=name, chardev=name, bus="usb.0", serial=serial
        )
        return far

    def pull(self, name: str) -> None:
        """Pull out what was plugged in under this name."""
        self.monitor.ask("device_del", id=name)
        self.monitor.event("DEVICE_DELETED", device=name)
        self.monitor.ask("chardev-remove", id=name)

    def save(self, state: Path) -> None:
        """Stop the machine for good and write its state into a file."""
        self.monitor.ask("stop")
        self.monitor.ask("migrate", uri=f"exec:cat >{shlex.quote(str(state))}")
        try:
            wait_until("the machine's state to be written", self._is_written, patience_s=300)
        except MachineError as error:
            raise MachineError(f"{error}; {self.monitor.ask('query-migrate')}") from error
        self.monitor.ask("quit")
        self.process.wait(PATIENCE_S)

    def _is_written(self) -> bool:
        status = self.monitor.ask("query-migrate")["status"]
        if status == "failed":
            raise MachineError("the machine's state was not written")
        return bool(status == "completed")

    def kill(self) -> None:
        """Cut the power: QEMU is killed at this instant."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)

    def close(self) -> None:
        """End the machine and remove what it wrote."""
        for part in ("monitor", "_shell"):
            if hasattr(self, part):
                getattr(self, part).close()
        if hasattr(self, "process"):
            self.process.kill()
            self.process.wait(PATIENCE_S)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_layer(source: Source, layer: Path) -> Path:
    """Make an empty layer over a source's disk, and return its path."""
    subprocess.run(
        [
            "qemu-img", "create", "-q", "-f", "qcow2", "-F", source.format,
            "-b", os.fspath(source.disk.resolve()), os.fspath(layer),
        ],
        check=True,
    )  # fmt: skip
    return layer
