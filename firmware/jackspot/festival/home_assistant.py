"""A board as a device of Home Assistant: MQTT's device-based discovery. Pure.

Its form is Home Assistant's own, unlike all other messages
(https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload): no ``v``, and no key
that it does not know. What it shows comes from messages that a board publishes anyway.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from jackspot.festival.messages import AboutMessage, What

CLOSED = ConfigDict(use_attribute_docstrings=True, strict=True, extra="forbid")
ONLINE = "{{ 'online' if value_json.state == 'ready' else 'offline' }}"
FAULTS = "{{ {'faults': value_json.faults} | tojson }}"


@with_config(CLOSED)
class HomeDevice(TypedDict):
    """The board."""

    identifiers: list[str]
    name: str
    manufacturer: str
    model: str
    sw_version: str
    configuration_url: NotRequired[str]
    """One of its pages, if others reach it."""


@with_config(CLOSED)
class HomeOrigin(TypedDict):
    """The program that publishes it."""

    name: str
    sw_version: str


@with_config(CLOSED)
class HomeAvailability(TypedDict):
    """The topic that says whether the board is there, as ``online`` or ``offline``."""

    topic: str
    value_template: str


@with_config(CLOSED)
class HomeComponent(TypedDict):
    """One value to read from it."""

    platform: Literal["sensor", "binary_sensor"]
    unique_id: str
    name: str
    value_template: str
    state_topic: NotRequired[str]
    """Left out: the board's state."""
    icon: NotRequired[str]
    device_class: NotRequired[str]
    entity_category: NotRequired[str]
    json_attributes_topic: NotRequired[str]
    json_attributes_template: NotRequired[str]


@with_config(CLOSED)
class DiscoveryMessage(TypedDict):
    """A board as a device of Home Assistant, in Home Assistant's own form."""

    device: HomeDevice
    origin: HomeOrigin
    availability: list[HomeAvailability]
    state_topic: str
    components: dict[str, HomeComponent]


def discovery_topic(board: str) -> str:
    """Return the topic of a board's discovery: ``homeassistant/device/jackspot_b007/config``."""
    return f"homeassistant/device/jackspot_{board}/config"


def discovery(hall: str, board: str, about: AboutMessage) -> DiscoveryMessage:
    """Return a board as a device: score of both sides, phase, match, and whether it has faults."""
    own, state = f"jackspot_{hall}_{board}", What.STATE.topic(hall, board)
    device: HomeDevice = {
        "identifiers": [own],
        "name": about["name"],
        "manufacturer": "Jackspot",
        "model": "carrom board",
        "sw_version": about["version"],
    }
    if about["pages"]:
        device["configuration_url"] = about["pages"][0]
    components: dict[str, HomeComponent] = {
        f"{own}_score_{number}": {
            "platform": "sensor",
            "unique_id": f"{own}_score_{number}",
            "name": f"Score {number}",
            "value_template": f"{{{{ value_json.sides[{number - 1}].score }}}}",
            "icon": "mdi:counter",
            "json_attributes_topic": state,
            "json_attributes_template": f"{{{{ value_json.sides[{number - 1}] | tojson }}}}",
        }
        for number in (1, 2)
    }
    components[f"{own}_phase"] = {
        "platform": "sensor",
        "unique_id": f"{own}_phase",
        "name": "Phase",
        "value_template": "{{ value_json.phase }}",
        "icon": "mdi:state-machine",
    }
    components[f"{own}_match"] = {
        "platform": "sensor",
        "unique_id": f"{own}_match",
        "name": "Match",
        "value_template": "{{ value_json.state }}",
        "state_topic": What.MATCH.topic(hall, board),
        "icon": "mdi:tournament",
    }
    components[f"{own}_faults"] = {
        "platform": "binary_sensor",
        "unique_id": f"{own}_faults",
        "name": "Faults",
        "value_template": "{{ 'ON' if value_json.faults else 'OFF' }}",
        "device_class": "problem",
        "entity_category": "diagnostic",
        "json_attributes_topic": state,
        "json_attributes_template": FAULTS,
    }
    return {
        "device": device,
        "origin": {"name": "Jackspot", "sw_version": about["version"]},
        "availability": [{"topic": What.STATUS.topic(hall, board), "value_template": ONLINE}],
        "state_topic": state,
        "components": components,
    }
