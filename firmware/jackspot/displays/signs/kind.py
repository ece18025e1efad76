"""``[sign]`` and ``[template]`` of the config, and the serial LED sign made from them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from jackspot.displays.kind import DisplayKind, Flawed, Mount, Tables
from jackspot.displays.signs.serial_line import (
    ALPHA,
    Flow,
    Parity,
    SerialSettings,
    what_is_wrong,
    with_defaults,
)
from jackspot.displays.signs.template_fields import FIELDS
from jackspot.displays.signs.template_text import Encoding, Script, TemplateMistake, read_frame
from jackspot.sensing.limits import SECOND
from jackspot.settings.mistakes import written
from jackspot.settings.section import Blame, Section, pick
from jackspot.settings.values import Frames, Repeat, Text, Wait, WriteTimeout

if TYPE_CHECKING:
    from jackspot.displays.thread import Display


class SignKind(StrEnum):
    """The serial LED scoreboard."""

    NONE = "none"
    ALPHA = "alpha"
    """Alpha and BetaBrite signs."""
    OPENSEGMENT = "opensegment"
    """SparkFun OpenSegment and Serial7Segment."""
    TEMPLATE = "template"
    """Any other; ``[template]`` defines its bytes."""


class SignSection(Section, frozen=True):
    """``[sign]``: the serial LED scoreboard."""

    kind: SignKind = SignKind.NONE
    """Its protocol; template: the bytes written in [template]; none: there is no sign."""
    port: Text | None = None
    """A ``/dev/serial/by-id`` path, or a URL of pyserial's (``socket://host:port``)."""
    baud: Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200] = 9600
    """Bits a second."""
    bits: Literal[5, 6, 7, 8] | None = None
    """Data bits; unset, like the next two: those of such signs (alpha 7E1, others 8N1)."""
    parity: Parity | None = None
    """The parity bit; unset: that of such signs."""
    stop: Literal[1, 2] | None = None
    """Stop bits; unset: those of such signs."""
    flow: Flow = Flow.NONE
    """How the sign reports that it can take no more: by wires or by bytes that it sends."""
    write_timeout_ns: WriteTimeout = SECOND
    """How long a sign may accept nothing before it counts as gone."""


class TemplateSection(Section, frozen=True):
    """``[template]``: what a sign of ``kind = "template"`` is sent."""

    frames: Frames = ()
    """A frame, or a list of them; each is sent when its bytes change."""
    start: Frames = ()
    """What is sent first after each connection."""
    dark: Frames = ()
    """What is sent instead of the frames while the displays are dark; none: empty frames."""
    encoding: Encoding = "ascii"
    """How the frames' text becomes bytes; shift_jis is Windows' (cp932), as signs have it."""
    repeat_ns: Repeat = 30 * SECOND
    """The frames are sent again this often, as one may be lost and a sign may forget; 0: never."""
    gap_ns: Wait = 0
    """How long the sign needs after a frame before it listens again."""


def _check(tables: Tables, flawed: Flawed) -> Iterator[Blame]:
    """Check that a sign has a valid port, and that every frame can be read."""
    sign = pick(tables.values(), SignSection)
    template = pick(tables.values(), TemplateSection)
    if sign.port is not None:
        if wrong := what_is_wrong(sign.port):
            yield Blame("sign", "port", f"= {written(sign.port)}: expected {wrong}")
    elif sign.kind is not SignKind.NONE and "port" not in flawed["sign"]:
        yield Blame(
            "sign",
            "port",
            f"is missing: expected the path or URL of the {sign.kind} sign, such as "
            '"/dev/serial/by-id/usb-FTDI_FT232R-if00-port0"',
        )
    needed = sign.kind is SignKind.TEMPLATE and "frames" not in flawed["template"]
    if needed and not template.frames:
        yield Blame(
            "template", "frames",
            "is missing: expected what the sign is sent, such as "
            "'{left.count:2}{right.count:2}\\r'",
        )  # fmt: skip
    if "encoding" in flawed["template"]:
        return  # which letters the frames may have is not known
    for key in ("frames", "start", "dark"):
        texts: tuple[str, ...] = getattr(template, key)
        for number, text in enumerate(texts, 1):
            try:
                read_frame(text, FIELDS, template.encoding)
            except TemplateMistake as mistake:
                which = f"{number}, " if len(texts) > 1 else ""
                yield Blame("template", key, f": {which}character {mistake.character}: {mistake}")


def _make(mount: Mount) -> Display | None:
    sign, template = mount.of(SignSection), mount.of(TemplateSection)
    port = mount.ports.get("sign") or sign.port
    if sign.kind is SignKind.NONE or not port:
        return None
    own = ALPHA if sign.kind is SignKind.ALPHA else SerialSettings()
    line = with_defaults(
        own, baud=sign.baud, data_bits=sign.bits, parity=sign.parity, stop_bits=sign.stop,
        flow=sign.flow, write_timeout_s=sign.write_timeout_ns / 1e9,
    )  # fmt: skip
    if sign.kind is SignKind.ALPHA:
        from jackspot.displays.signs.alpha import AlphaSign

        waits = mount.unhurried and "sign" not in mount.ports
        return AlphaSign(port, line=line, settle_s=1.0 if waits else 0.0, clock=mount.clock)
    if sign.kind is SignKind.OPENSEGMENT:
        from jackspot.displays.signs.segment import SegmentDisplay

        return SegmentDisplay(port, line=line, clock=mount.clock)
    from jackspot.displays.signs.template_sign import TemplateSign

    script = Script(
        template.frames, template.start, template.dark, template.encoding, template.repeat_ns,
        template.gap_ns if mount.unhurried else 0,
    )  # fmt: skip
    return TemplateSign(port, script, line=line, clock=mount.clock)


SIGN = DisplayKind(
    "sign", MappingProxyType({"sign": SignSection, "template": TemplateSection}), _make, _check
)
