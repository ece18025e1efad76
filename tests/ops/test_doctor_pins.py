"""The doctor's checks of what reaches the pins, and of a running board."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from jackspot.ops.doctor import Finding, Severity
from jackspot.ops.doctor.pins import check_pins
from jackspot.ops.doctor.running_board import check_running
from jackspot.values import changed
from tests.ops.written_machine import ON_A_PI, Written, config, told

RPIGPIO = {"factory": "rpigpio"}


@pytest.mark.parametrize(
    ("machine", "gpio", "told_of"),
    [
        (Written(), RPIGPIO, "python3-rpi.gpio"),
        (
            Written(modules={"RPi"}, packages={"rpi-lgpio": "0.6"}), RPIGPIO,
            'stamps on arrival: a busy machine',
        ),
        (
            Written(modules={"RPi"}, packages={"RPi.GPIO": "0.7.1"}), RPIGPIO,
            "there is no /dev/gpiomem",
        ),
        (
            Written(
                modules={"RPi"}, packages={"RPi.GPIO": "0.7.1"}, locked={"/dev/gpiomem"},
                files={"/dev/gpiomem": b""}, in_groups=set(),
            ),
            RPIGPIO, "usermod -aG gpio aiko",
        ),
        (
            Written(
                modules={"RPi"}, packages={"RPi.GPIO": "0.7.1"},
                at=changed(ON_A_PI, model="Raspberry Pi 5 Model B Rev 1.0"),
            ),
            RPIGPIO, "rpigpio cannot reach a Raspberry Pi 5",
        ),
        (Written(packages={"rpi-lgpio": "0.6"}), RPIGPIO, "removing RPi.GPIO took its files"),
        (Written(), {"factory": "native"}, "native stamps on arrival"),
        (Written(modules=set()), {}, "sudo apt install python3-lgpio"),
        (Written(), {"chip": 3}, "set [gpio] chip to one of 0"),
    ],
)  # fmt: skip
def test_a_pin_library_that_falls_short_is_told(machine, gpio, told_of):
    found = told(check_pins(machine, config(gpio=gpio)))
    assert any(told_of in f"{each.found} -> {each.remedy}" for each in found), found


def test_a_line_that_is_held_is_told_with_the_gpios_that_are_free():
    settings = config(pins={"lamps": False})
    [finding] = told(check_pins(Written(held={5: "spi0 CS0", 6: "lg"}), settings))
    assert finding.what == "pocket_ne"
    assert 'held by "spi0 CS0"' in finding.found
    assert "pocket_ne = another GPIO (free: 16, 20, 21, 26)" in finding.remedy


class Pages(BaseHTTPRequestHandler):
    """The pages of a running board; its state is an attribute of the server."""

    def do_GET(self) -> None:
        assert self.path == "/api/state"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(vars(self.server)["state"]).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_what_a_running_board_says_is_wrong_is_told(host):
    detail = "2 edges lost on pocket_ne: the kernel did not pass them on"
    fault = {"part": "pocket_ne", "what": "x", "remedy": "compare the counts", "detail": detail}
    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        settings = config(web={"host": host, "port": server.server_port})
        vars(server)["state"] = {"phase": "ready", "faults": [fault]}
        lost = list(check_running(settings))
        vars(server)["state"] = {"phase": "ready", "faults": []}
        fine = list(check_running(settings))
        server.shutdown()
        thread.join()
    says = f"the board says: {detail}"
    assert lost == [Finding(Severity.DOUBTFUL, "pocket_ne", says, "compare the counts")]
    assert fine == [Finding(Severity.WELL, "running board", "ready, no fault")]
    assert list(check_running(settings)) == [], "nobody is there any more"


def test_a_program_at_the_pages_port_that_speaks_no_http_is_no_running_board():
    with socket.create_server(("127.0.0.1", 0)) as other:
        thread = threading.Thread(target=greets, args=(other,))
        thread.start()
        assert list(check_running(config(web={"port": other.getsockname()[1]}))) == []
        thread.join()


def greets(other: socket.socket) -> None:
    """Answer one caller as a server of SSH does."""
    taken, _ = other.accept()
    with taken:
        taken.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
        taken.recv(1024)


def test_the_boards_own_pages_are_asked_through_no_proxy(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")
    monkeypatch.setattr(urllib.request, "_opener", None)
    test_what_a_running_board_says_is_wrong_is_told("127.0.0.1")
