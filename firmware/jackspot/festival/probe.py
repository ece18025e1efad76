"""A look at the way to a hall's broker, step by step, until one fails: for the doctor."""

from __future__ import annotations

import socket
import ssl
import threading
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from jackspot.festival.connection import CONNECTS_S, Login


class ProbeStep(StrEnum):
    """The steps, in their order."""

    NAME = "name"
    """The broker's name is known."""
    NETWORK = "network"
    """Its machine is reached."""
    PORT = "port"
    """Something listens there."""
    CERTIFICATE = "certificate"
    """It is this hall's."""
    PASSWORD = "password"
    """It lets this board in."""
    RIGHTS = "rights"
    """It takes what this board says."""


@dataclass(frozen=True, slots=True)
class Failed(Exception):
    """The first step that failed, and what was found."""

    step: ProbeStep
    found: str


def probe(login: Login, topic: str) -> None:
    """Go all the way, and say something under a topic that nobody keeps; Failed says how far.

    It goes by a client id of its own, so that a board that is connected stays.
    """
    where = f"{login.host} port {login.port}"
    try:
        socket.getaddrinfo(login.host, login.port)
    except socket.gaierror as error:
        raise Failed(ProbeStep.NAME, f"{login.host} is not known here: {error.strerror}") from error
    try:
        with socket.create_connection((login.host, login.port), CONNECTS_S) as reached:
            _shake_hands(login, reached)
    except (ssl.SSLError, FileNotFoundError) as error:
        why = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else error
        raise Failed(ProbeStep.CERTIFICATE, f"{where}: {why}") from error
    except ConnectionRefusedError as error:
        raise Failed(ProbeStep.PORT, f"nothing listens at {where}") from error
    except OSError as error:
        raise Failed(ProbeStep.NETWORK, f"{where} is not reached: {error}") from error
    _say(login, topic)


def _shake_hands(login: Login, reached: socket.socket) -> None:
    if login.ca is not None:
        context = ssl.create_default_context(cafile=str(login.ca))
        with context.wrap_socket(reached, server_hostname=login.host):
            pass


def _say(login: Login, topic: str) -> None:
    """Sign in and publish; Failed where the broker refuses either."""
    answered = threading.Event()
    said: dict[ProbeStep, str] = {}

    def connected(_client: Any, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            said[ProbeStep.PASSWORD] = f"{login.user} is not let in: {str(code).lower()}"
            answered.set()

    def published(_client: Any, _data: Any, _number: int, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            said[ProbeStep.RIGHTS] = f"{login.user} may not say anything: {str(code).lower()}"
        answered.set()

    client = mqtt.Client(
        CallbackAPIVersion.VERSION2, f"{login.user}-doctor", protocol=mqtt.MQTTv5,
        reconnect_on_failure=False,
    )  # fmt: skip
    client.on_connect, client.on_publish = connected, published
    client.username_pw_set(login.user, login.password)
    if login.ca is not None:
        client.tls_set(str(login.ca))
    client.connect(login.host, login.port)
    client.loop_start()
    client.publish(topic, b"{}", 1)
    in_time = answered.wait(CONNECTS_S)
    client.disconnect()
    client.loop_stop()
    for step, found in said.items():
        raise Failed(step, found)
    if not in_time:
        raise Failed(
            ProbeStep.PORT, f"what listens at {login.host} port {login.port} does not answer"
        )
