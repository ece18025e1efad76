"""Reads the sensor hub: a serial line, and a thread of its own that reads it.

The thread opens the line, passes what arrives to
:class:`~jackspot.sensor_link.protocol.hearing.Hearing`, and submits the result. A line that fails
is tried again, less and less often; the board plays on without it. Nobody waits for the thread,
and it waits for nobody: events beyond the bound of the board's queue are counted there.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable

from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.serial_line import SerialSettings
from jackspot.displays.signs.serial_port import SerialPort
from jackspot.displays.thread import Retry
from jackspot.sensing.events import Event, HubDiscs, Trouble
from jackspot.sensor_link.protocol.hearing import Hearing, HubTold
from jackspot.sensor_link.section import SensorHubSection

_logger = logging.getLogger(__name__)

LISTEN_S = 0.5
"""How long the thread waits for input at most before it checks the time."""
STOP_TIMEOUT_S = 1.0


class SensorHubReader:
    """A sensor hub at ``port``. ``submit`` takes events on the reader's thread.

    ``now_ns`` stamps what arrives; ``calibrated`` are the discs of the board's calibration, if any.
    Waits between attempts are in real time.
    """

    def __init__(
        self,
        port: str,
        section: SensorHubSection,
        submit: Callable[[Event], None],
        now_ns: Callable[[], int],
        retry: Retry | None = None,
        calibrated: HubDiscs | None = None,
    ) -> None:
        self._port = SerialPort(port, SerialSettings(section.baud), now_ns, reads=True)
        self._hearing = Hearing(section.see, section.knock, calibrated)
        self._submit = submit
        self._now_ns = now_ns
        self._retry = retry or Retry()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sensor-hub", daemon=True)

    def start(self) -> None:
        """Start the thread; a hub that cannot be reached becomes a fault."""
        self._thread.start()

    def close(self) -> None:
        """End the thread; one that is stuck in a read or write is left behind."""
        self._stopping.set()
        self._port.interrupt()
        if self._thread.is_alive():
            self._thread.join(STOP_TIMEOUT_S)

    def _run(self) -> None:
        wait_ns = self._retry.first_ns
        while not self._stopping.is_set():
            opened_ns = self._now_ns()
            try:
                self._listen()
            except DisplayError as error:
                self._tell(self._hearing.failed(self._now_ns(), error.trouble, str(error)))
            except Exception as error:
                _logger.exception("the sensor hub's reader failed in a way it should not")
                words = f"{type(error).__name__}: {error}"
                self._tell(self._hearing.failed(self._now_ns(), Trouble.GONE, words))
            finally:
                self._port.close()
            if self._now_ns() - opened_ns >= self._retry.steady_ns:
                wait_ns = self._retry.first_ns
            self._stopping.wait(wait_ns / 1e9)
            wait_ns = min(2 * wait_ns, self._retry.longest_ns)

    def _listen(self) -> None:
        """Open the line and read it until it fails or the board stops."""
        self._port.open()
        self._hearing.opened(self._now_ns())
        while not self._stopping.is_set():
            if said := self._hearing.say(self._now_ns()):
                self._port.write(said)
            data = self._port.read(LISTEN_S)
            now_ns = self._now_ns()
            if data:
                self._tell(self._hearing.feed(data, now_ns))
            self._tell(self._hearing.look(now_ns))

    def _tell(self, told: Iterable[HubTold]) -> None:
        for event in told:
            self._submit(event)
