"""A probe of the way to a hall's broker, step by step, until one fails: for the doctor."""

from __future__ import annotations

import queue
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from jackspot.festival.connection import CONNECTS_S, Login, trusting

MISMATCHES = (62, 64)
"""OpenSSL's errors for a certificate that is for other names or addresses (x509_vfy.h)."""


class ProbeStep(StrEnum):
    """The steps, in their order."""

    CA = "ca"
    """The file of the hall's certificate can be read."""
    NAME = "name"
    """The broker's name is known."""
    NETWORK = "network"
    """Its machine can be reached."""
    PORT = "port"
    """A broker listens there."""
    TLS = "tls"
    """It speaks TLS, as this board does."""
    PLAIN = "plain"
    """It speaks without TLS, as this board does."""
    CERTIFICATE = "certificate"
    """It is this hall's."""
    ADDRESS = "address"
    """Its certificate is for the address by which this board reaches it."""
    PASSWORD = "password"
    """It lets this board in."""
    NUMBER = "number"
    """It knows this board's number."""
    RIGHTS = "rights"
    """It takes what this board says."""


@dataclass(frozen=True, slots=True)
class Failed(Exception):
    """The first step that failed, and what was found."""

    step: ProbeStep
    found: str


def probe(login: Login, topic: str) -> None:
    """Try every step, and publish under a topic that is not retained; Failed says how far it got.

    ``login`` is the doctor's own, so that a connected board stays connected.
    """
    context = None if login.ca is None else _trusting(login.ca)
    try:
        socket.getaddrinfo(login.host, login.port)
    except socket.gaierror as error:
        raise Failed(ProbeStep.NAME, f"{login.host} is not known here: {error.strerror}") from error
    try:
        reached = socket.create_connection((login.host, login.port), CONNECTS_S)
    except ConnectionRefusedError as error:
        raise Failed(ProbeStep.PORT, f"nothing listens at {login.where}") from error
    except OSError as error:
        raise Failed(ProbeStep.NETWORK, f"{login.where} is not reached: {error}") from error
    with reached:
        if context is not None:
            _shake_hands(login, context, reached)
    _say(login, topic)


def _trusting(ca: str | Path) -> ssl.SSLContext:
    try:
        return trusting(ca)
    except OSError as error:
        raise Failed(ProbeStep.CA, f"{ca} is not read: {error.strerror or error}") from error


def _shake_hands(login: Login, context: ssl.SSLContext, reached: socket.socket) -> None:
    try:
        with context.wrap_socket(reached, server_hostname=login.host):
            pass
    except ssl.SSLCertVerificationError as error:
        is_another = error.verify_code in MISMATCHES
        step = ProbeStep.ADDRESS if is_another else ProbeStep.CERTIFICATE
        raise Failed(step, f"{login.where}: {error.verify_message}") from error
    except TimeoutError as error:
        raise _silent(login) from error
    except OSError as error:
        found = f"what listens at {login.where} speaks no TLS: {error}"
        raise Failed(ProbeStep.TLS, found) from error


def _silent(login: Login) -> Failed:
    return Failed(ProbeStep.PORT, f"what listens at {login.where} does not answer")


def _say(login: Login, topic: str) -> None:
    """Sign in and publish; Failed if the broker refuses either."""
    answers: queue.SimpleQueue[Failed | None] = queue.SimpleQueue()
    cut = Failed(ProbeStep.PORT, f"what listens at {login.where} ends the connection")

    def connected(_client: Any, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        found = f"{login.user} is not let in: {str(code).lower()}"
        answers.put(Failed(ProbeStep.PASSWORD, found) if code.is_failure else None)

    def published(_client: Any, _data: Any, _number: int, code: ReasonCode, _more: Any) -> None:
        found = f"{login.user} may not say anything at {topic}: {str(code).lower()}"
        answers.put(Failed(ProbeStep.RIGHTS, found) if code.is_failure else None)

    def ended(_client: Any, _data: Any, _flags: Any, _code: ReasonCode, _more: Any) -> None:
        answers.put(cut)

    def answered() -> Failed | None:
        with suppress(queue.Empty):
            return answers.get(timeout=CONNECTS_S)
        return _silent(login)

    client = mqtt.Client(
        CallbackAPIVersion.VERSION2, login.user, protocol=mqtt.MQTTv5, reconnect_on_failure=False
    )
    client.on_connect, client.on_publish, client.on_disconnect = connected, published, ended
    client.username_pw_set(login.user, login.password)
    if login.ca is not None:
        client.tls_set_context(trusting(login.ca))
    try:
        client.connect(login.host, login.port)
    except OSError as error:
        raise Failed(ProbeStep.NETWORK, f"{login.where} is not reached: {error}") from error
    client.loop_start()
    answer = answered()
    if answer is None:  # publishing before the broker answers would hide its refusal
        client.publish(topic, b"{}", 1)
        answer = answered()
    client.disconnect()
    client.loop_stop()
    if answer is cut and login.ca is None and _speaks_tls(login):
        answer = Failed(ProbeStep.PLAIN, f"what listens at {login.where} speaks TLS")
    if answer is not None:
        raise answer


def _speaks_tls(login: Login) -> bool:
    """Whether TLS is spoken there, whoever it may be: nothing is said to them."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with suppress(OSError):
        reached = socket.create_connection((login.host, login.port), CONNECTS_S)
        with reached, context.wrap_socket(reached):
            return True
    return False
