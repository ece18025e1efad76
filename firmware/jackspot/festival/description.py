"""What boards and hub tell each other, as an AsyncAPI 3 document made of the types: pure."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from jackspot import __version__
from jackspot.festival.home_assistant import DiscoveryMessage, discovery_topic
from jackspot.festival.messages import PREFIX, What, adapter

SCHEMAS = "#/components/schemas/{model}"
HOME = "home_assistant"
"""The message that is in another program's form."""
PARAMETERS = {
    "hall": {"description": "The hall's name: small letters, digits and hyphens."},
    "board": {"description": "The board's id: b001 to b999."},
}


class _Untitled(GenerateJsonSchema):
    """Gives fields no titles: their names say as much."""

    def field_title_should_be_set(self, _schema: object) -> bool:
        return False


def schema_of(what: What | type, template: str = "#/$defs/{model}") -> dict[str, Any]:
    """Return the JSON Schema of one kind of message; ``template`` is where others stand."""
    kind = what.kind if isinstance(what, What) else what
    return adapter(kind).json_schema(ref_template=template, schema_generator=_Untitled)


def description() -> dict[str, Any]:
    """Return the whole document: channels, who sends what into them, messages and schemas."""
    schemas: dict[str, Any] = {}
    messages, channels, operations = {}, {}, {}
    told: list[tuple[str, str, What | type, bool, int, str]] = [
        (what.leaf, what.topic("{hall}", "{board}"), what, what.retained, what.qos, what.branch)
        for what in What
    ]
    told.append((HOME, discovery_topic("{board}"), DiscoveryMessage, True, 1, "board"))
    for name, address, what, retained, qos, branch in told:
        made = schema_of(what, SCHEMAS)
        schemas.update(made.pop("$defs", {}))
        schemas[made["title"]] = made
        messages[name] = {
            "contentType": "application/json",
            "payload": {"$ref": SCHEMAS.format(model=made["title"])},
        }
        channels[name] = {
            "address": address,
            "description": made["description"],
            "parameters": {
                name: each for name, each in PARAMETERS.items() if "{" + name + "}" in address
            },
            "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        }
        sends = "send" if branch == "board" else "receive"
        operations[f"{sends}_{name}"] = {
            "action": sends,
            "channel": {"$ref": f"#/channels/{name}"},
            "bindings": {"mqtt": {"qos": qos, "retain": retained}},
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "A Jackspot board in a hall",
            "version": __version__,
            "description": f"What a board sends and receives below {PREFIX}.",
        },
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas},
    }
