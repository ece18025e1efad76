"""What is said in a hall, as an AsyncAPI 3 document made from the types: pure."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from jackspot import __version__
from jackspot.festival.home_assistant import DiscoveryMessage, discovery_topic
from jackspot.festival.messages import PREFIX, What, adapter
from jackspot.festival.public import PUBLIC, QOS, RETAINED, PublicPart, public_topic

SCHEMAS = "#/components/schemas/{model}"
HOME = "home_assistant"
"""The message in another program's form."""
PARAMETERS = {
    "hall": {"description": "The hall's name: small letters, digits and hyphens."},
    "board": {"description": "The board's id: b001 to b999."},
    "number": {"description": "A board's number: 1 to 999."},
    "contest": {"description": "A contest's name: `singles`."},
    "table": {"description": "A table's name, as its contest has it: `singles-A`."},
    "section": {"description": "A table or a bracket: `singles-A`, `singles-ko`."},
    "round": {"description": "The round's number in its section."},
}


class _Untitled(GenerateJsonSchema):
    """Gives fields no titles: their names say as much."""

    def field_title_should_be_set(self, _schema: object) -> bool:
        return False


def schema_of(kind: Any, template: str = "#/$defs/{model}") -> dict[str, Any]:
    """Return the JSON Schema of a message or a type; others are referenced at ``template``."""
    return adapter(kind).json_schema(ref_template=template, schema_generator=_Untitled)


def description() -> dict[str, Any]:
    """Return the whole document: channels, who sends what into them, messages and schemas."""
    schemas: dict[str, Any] = {}
    messages, channels, operations = {}, {}, {}
    told: list[tuple[str, str, Any, bool, int, str]] = [
        (
            what.leaf, what.topic("{hall}", "{board}"), what.kind, what.retained, what.qos,
            what.branch,
        )
        for what in What
    ]  # fmt: skip
    told += [
        (f"{PUBLIC}_{each.leaf}", public_topic("{hall}", each.pattern), each.kind, RETAINED, QOS,
         PUBLIC)
        for each in PublicPart
    ]  # fmt: skip
    told.append((HOME, discovery_topic("{board}"), DiscoveryMessage, True, 1, "board"))
    for name, address, kind, retained, qos, branch in told:
        made = schema_of(kind, SCHEMAS)
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
            "description": f"What a board sends and receives below {PREFIX}, and what of an event "
            f"anybody may receive, below {PUBLIC}/.",
        },
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas},
    }
