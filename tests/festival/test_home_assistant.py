"""A board as a device of Home Assistant: the form of its message, and what the device shows."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import jsonschema
import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.config import Sources, load
from jackspot.festival.broker import Broker
from jackspot.festival.description import schema_of
from jackspot.festival.home_assistant import (
    FAULTS,
    ONLINE,
    DiscoveryMessage,
    discovery,
    discovery_topic,
)
from jackspot.festival.messages import AboutMessage, What
from jackspot.values import changed
from tests.conftest import PATIENCE_S
from tests.festival.conftest import in_the_hall, standing
from tests.festival.guests import HALL

ABOUT: AboutMessage = {
    "v": 1, "name": "Board 7", "version": "0.1.0", "rules": [],
    "pages": ["http://192.168.7.27:8080/", "http://192.168.7.27:8080/overlay"], "parts": [],
}  # fmt: skip
DEVICE_KEYS = {
    "identifiers", "connections", "manufacturer", "model", "name", "hw_version", "serial_number",
    "sw_version", "via_device", "suggested_area", "configuration_url",
}  # fmt: skip
ROOT_KEYS = {
    "device", "components", "origin", "availability", "availability_mode", "availability_topic",
    "availability_template", "payload_available", "payload_not_available", "state_topic",
    "command_topic", "qos", "encoding",
}  # fmt: skip
"""All that Home Assistant accepts there; it refuses the whole message if there is anything else
(homeassistant/components/mqtt/schemas.py: DEVICE_DISCOVERY_SCHEMA, MQTT_ENTITY_DEVICE_INFO)."""
AVAILABILITY_KEYS = {"topic", "payload_available", "payload_not_available", "value_template"}
ORIGIN_KEYS = {"name", "sw_version", "support_url"}


def check(said: dict[str, Any]) -> None:
    """Check a message as Home Assistant does, and by its schema."""
    jsonschema.Draft202012Validator(schema_of(DiscoveryMessage)).validate(said)
    assert set(said) <= ROOT_KEYS
    assert set(said["device"]) <= DEVICE_KEYS
    assert said["device"]["identifiers"]
    assert {"name"} <= set(said["origin"]) <= ORIGIN_KEYS
    for each in said["availability"]:
        assert {"topic"} <= set(each) <= AVAILABILITY_KEYS
    for name, component in said["components"].items():
        assert component["platform"] in {"sensor", "binary_sensor"}
        assert component["unique_id"] == name
        assert re.fullmatch("[a-zA-Z0-9_-]+", name)
        assert component.get("state_topic", said["state_topic"])


def shown(template: str, said: Any) -> Any:
    """Return what one of our templates makes of a message."""
    if template == ONLINE:
        return "online" if said["state"] == "ready" else "offline"
    if template == FAULTS:
        return {"faults": said["faults"]}
    if template == "{{ 'ON' if value_json.faults else 'OFF' }}":
        return "ON" if said["faults"] else "OFF"
    found = re.fullmatch(r"{{ value_json((?:\.\w+|\[\d\])+)(?: \| tojson)? }}", template)
    assert found, template
    for key, index in re.findall(r"\.(\w+)|\[(\d)\]", found[1]):
        said = said[key] if key else said[int(index)]
    return said


class Home:
    """What Home Assistant hears from a broker."""

    def __init__(self, broker: Broker) -> None:
        self.heard: dict[str, bytes] = {}
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, "home", protocol=mqtt.MQTTv5)
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_message = self._arrived
        self._client.connect(*broker.address)
        self._client.loop_start()

    def _arrived(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        with self._changed:
            self.heard[message.topic] = bytes(message.payload)
            self._changed.notify_all()

    def said(self, topic: str) -> Any:
        """Wait for a topic; return its message."""
        with self._changed:
            assert self._changed.wait_for(lambda: topic in self.heard, PATIENCE_S), topic
            return json.loads(self.heard[topic])

    def close(self) -> None:
        self._client.loop_stop()
        self._client.disconnect()


@pytest.fixture
def home(broker: Broker) -> Iterator[Home]:
    home = Home(broker)
    yield home
    home.close()


def test_a_board_is_a_device_with_five_things_to_read() -> None:
    said = json.loads(json.dumps(discovery(HALL, "b007", ABOUT)))
    check(said)
    assert discovery_topic("b007") == "homeassistant/device/jackspot_b007/config"
    assert said["device"]["configuration_url"] == "http://192.168.7.27:8080/"
    assert [each["name"] for each in said["components"].values()] == [
        "Score 1", "Score 2", "Phase", "Match", "Faults",
    ]  # fmt: skip
    assert "configuration_url" not in discovery(HALL, "b007", {**ABOUT, "pages": []})["device"]
    assert shown(ONLINE, {"state": "lost"}) == shown(ONLINE, {"state": "disconnected"}) == "offline"


def test_what_is_sent_is_in_its_form_and_shows_what_was_published(tmp_path, broker, home) -> None:
    config = in_the_hall(load(Sources(())), broker)
    festival = changed(config.festival, home_assistant=True)
    with standing(changed(config, festival=festival), tmp_path / "journal.sqlite3"):
        said = home.said(discovery_topic("b007"))
        check(said)
        read = {}
        for component in said["components"].values():
            published = home.said(component.get("state_topic", said["state_topic"]))
            read[component["name"]] = shown(component["value_template"], published)
            if "json_attributes_topic" in component:
                attributes = home.said(component["json_attributes_topic"])
                assert shown(component["json_attributes_template"], attributes)
        assert read == {
            "Score 1": 0, "Score 2": 0, "Phase": "setup", "Match": "none", "Faults": "OFF",
        }  # fmt: skip
        (availability,) = said["availability"]
        assert shown(availability["value_template"], home.said(availability["topic"])) == "online"
    later = Home(broker)
    assert later.said(discovery_topic("b007")) == said, "it is retained"
    later.close()


def test_a_board_says_nothing_of_it_unless_it_is_wanted(tmp_path, broker, home) -> None:
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3"):
        home.said(What.RECORD.topic(HALL, "b007"))
        assert not any(topic.startswith("homeassistant") for topic in home.heard)
