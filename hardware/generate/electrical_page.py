"""``ELECTRICAL.md``: the sums of :mod:`hardware.generate.electrical` as tables, with words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from hardware.generate import colour, electrical as e, light, sensing
from hardware.generate.additions import ADDITIONS
from hardware.generate.builds import BUILDS
from hardware.generate.electrical import Claim, written
from hardware.generate.step import File, Step, page, text
from hardware.prints.parameters import load
from jackspot.displays.oled.kind import OledSection


def make() -> Iterator[File]:
    """Return the page."""
    tables = {name: "\n".join(_table(claims)) for name, claims in claims_by_section().items()}
    words = page("electrical").format(
        **tables,
        budget="\n".join(_budget()),
        boardless=" and ".join(b.title for b in BUILDS if not e.can_have_boards(b)),
        max7219=e.MAX7219,
        short=written(e.short_ampere("pocket_ne"), "A"),
        noise=written(e.NOISE_S, "s"),
        fall=written(e.SHORTEST_FALL_S, "s"),
        low=f"{e.LOW_MOST:g} V",
        high=f"{e.HIGH_LEAST:g} V",
        button_longest=f"{_button_longest_m():.0f} m",
        i2c_longest=f"{e.i2c_longest_m(e.I2C_FAST_RISE):.1f} m",
        i2c_slow_longest=f"{e.i2c_longest_m(e.I2C_SLOW_RISE):.1f} m",
        **_colour_heads(),
        pico=written(colour.PICO_AMPERE, "A"),
        pico_source=colour.PICO,
        matrix_bright=f"{e.matrix_ampere(15):.1f} A",
    )
    yield text("ELECTRICAL.md", words)


def _colour_heads() -> dict[str, str]:
    """Return what heads at random come to."""
    found = colour.heads()
    dim = sum(max(each.darkest.values()) < colour.SEES_ABOVE for each in found) / len(found)
    full = sum(max(each.lightest.values()) > colour.room() for each in found)
    apart = sorted(max(e.lightest.values()) / min(e.lightest.values()) for e in found)
    return {
        "see": f"{colour.SEES_ABOVE}",
        "heads_drawn": f"{len(found)}",
        "heads_dim": f"{dim:.1%}",
        "heads_full": f"{full}",
        "heads_apart": f"{apart[len(apart) // 2]:.1f}",
        "heads_most_apart": f"{apart[len(apart) * 99 // 100]:.1f}",
    }


def claims_by_section() -> dict[str, list[Claim]]:
    """Return every sum of the page."""
    return {
        "beams": list(_beams()),
        "boards": list(_boards()),
        "edges": list(_edges()),
        "gpio": list(_gpio()),
        "outputs": list(_outputs()),
        "power": list(_power()),
        "i2c": list(_i2c()),
        "spi": list(_spi()),
        "discs": list(sensing.discs()),
        "heads": list(colour.claims()),
    }


def _table(claims: Iterable[Claim]) -> Iterator[str]:
    yield "| what | sum | result | must be | source |"
    yield "|---|---|---|---|---|"
    for claim in claims:
        what = f"{claim.what} | {claim.working} | **{claim.result}** | {claim.limit}"
        yield f"| {what} | {claim.source} |"


def _beams() -> Iterator[Claim]:
    sunk = e.V3 / e.PULL_UP + e.V3 / e.CHIP_PULL_UP_LEAST
    yield Claim(
        "receiver sinks, beam broken", f"3.3 V / 10 kohm + 3.3 V / {e.ohm(e.CHIP_PULL_UP_LEAST)}",
        written(sunk, "A"), f"below {written(e.MADE_SINK, 'A')}", sunk < e.MADE_SINK, e.ADAFRUIT,
    )  # fmt: skip
    leak = (e.V3 - e.HIGH_LEAST) / e.PULL_UP / 2
    yield Claim(
        "two receivers on one wire (crossed beams): each may leak, beams whole",
        f"(3.3 - {e.HIGH_LEAST:g}) V / 10 kohm / 2", written(leak, "A"),
        f"above what a receiver leaks, some µA {e.TBC}", leak > 10e-6, e.PI_DOC,
    )  # fmt: skip
    yield Claim(
        "home-made: current of the emitter",
        f"({e.V5:g} - {e.EMITTER_FORWARD:g}) V / {e.ohm(e.EMITTER_SERIES)}",
        written(e.EMITTER_AMPERE, "A"), "below 100 mA", e.EMITTER_AMPERE < 0.1, e.TSAL6100,
    )  # fmt: skip
    heat = e.EMITTER_AMPERE**2 * e.EMITTER_SERIES
    yield Claim(
        "home-made: heat in its resistor",
        f"({written(e.EMITTER_AMPERE, 'A')})² x {e.ohm(e.EMITTER_SERIES)}", written(heat, "W"),
        "below 250 mW", heat < 0.25, "the resistor's rating",
    )  # fmt: skip
    yield from _home_made_light()
    stray = (e.V3 - e.HIGH_LEAST) / e.PULL_UP / e.DETECTOR_PER_IRRADIANCE[1]
    shade = round(e.SUN_IN_BAND / stray, -1)
    clear = (e.V3 - e.HIGH_LEAST) / e.PULL_UP / light.typical_ampere(light.drawn())
    yield Claim(
        "home-made: most light that a piece may let through and still break a typical beam",
        f"(3.3 - {e.HIGH_LEAST:g}) V / 10 kohm / "
        f"{written(light.typical_ampere(light.drawn()), 'A')}", f"{clear:.1%}",
        "wood and filled plastic pass none; a clear or tinted striker passes most of it, and is "
        "not seen", holds=True, source=f"{e.TSAL6100}; {e.BPV11F}",
    )  # fmt: skip
    yield Claim(
        "home-made: most stray infrared with which a broken beam still reads as broken",
        f"(3.3 - {e.HIGH_LEAST:g}) V / 10 kohm / {written(e.DETECTOR_PER_IRRADIANCE[1], 'A')} per "
        "mW/cm²", f"{stray * 1e3:.2g} µW/cm²",
        f"kept by the shroud: one part in {shade:g} of full sun {e.TBC}", stray > 0.001, e.BPV11F,
    )  # fmt: skip
    pocket = e.pocket_ampere(BUILDS[2])
    shift = e.core_ohm(e.length_m("pocket_ne")) * pocket
    yield Claim(
        "ground at the far end is higher by",
        f"{e.length_m('pocket_ne'):g} m x {e.COPPER:g} / {e.CORE_MM2:g} mm² x "
        f"{written(pocket, 'A')} (two pairs)",
        written(shift, "V"), f"well below {e.LOW_MOST:g} V", shift < e.LOW_MOST / 10, e.PI_DOC,
    )  # fmt: skip


def _home_made_light() -> Iterator[Claim]:
    sizes = load()[1]
    through, beam = light.drawn(), sizes.beam
    yield Claim(
        "share of the light that passes the holes before both lenses",
        f"({beam.opening_mm(1):g} mm / {beam.led_mm:g} mm)⁴", f"{through.share:.0%}",
        "used below; a test counts the rays of the model", holds=True,
        source="prints/parameters.toml and the drawing",
    )  # fmt: skip
    weak = light.worst_ampere(through)
    yield Claim(
        "home-made: current of the worst phototransistor, beam whole",
        f"{e.EMITTER_PER_AMPERE[0]:g} W/sr/A x {written(e.EMITTER_AMPERE, 'A')} x "
        f"{through.share:.0%} / ({through.way_m * 1000:g} mm)² x "
        f"{written(e.DETECTOR_PER_IRRADIANCE[0], 'A')} per mW/cm²",
        written(weak, "A"),
        f"at least twice {written(e.PULLED_LOW, 'A')}, which pulls the wire low",
        weak > 2 * e.PULLED_LOW, f"{e.TSAL6100}; {e.BPV11F}, least value {e.TBC}",
    )  # fmt: skip
    usual = light.typical_ampere(through)
    yield Claim(
        "the same, typical", "with the typical values of both", written(usual, "A"),
        "several times as much", usual > 5 * e.PULLED_LOW, f"{e.TSAL6100}; {e.BPV11F}",
    )  # fmt: skip
    found = light.margins(through)
    unseen = light.unseen_share(found)
    yield Claim(
        f"home-made: of {light.BEAMS:,} beams at random, whole but read as broken",
        "supply 4.7 to 5.25 V, fuse, resistors of 5 %, both parts from least to most, 10 to 50 °C, "
        "a fifth lost by age, up to half by powder, aim off by 2.5 degrees (one sigma)",
        f"{unseen:.2%}", f"below 0.1 %; the middle one has {found[len(found) // 2]:.1f} times the "
        "current that it needs, one in a hundred less than "
        f"{found[len(found) // 100]:.1f} times", unseen < 1e-3, "computed, seed in the program",
    )  # fmt: skip
    crossed = light.light(sizes, 2)
    reach = (e.MADE_REACH / crossed.way_m) ** 2 * crossed.share
    yield Claim(
        "ready-made, behind the smaller holes of crossed beams: light compared with what they need",
        f"({e.MADE_REACH * 1000:g} mm / {crossed.way_m * 1000:g} mm)² x {crossed.share:.0%}",
        f"{reach:.1f} times", "at least 3 times", reach > 3, e.ADAFRUIT,
    )  # fmt: skip
    boxed = light.closed(sizes)
    reach = (e.MADE_REACH / boxed.way_m) ** 2 * boxed.share
    yield Claim(
        "the same in a closed box: through the shroud in its wall, and the hole in the fence",
        f"({e.MADE_REACH * 1000:g} mm / {boxed.way_m * 1000:.3g} mm)² x {boxed.share:.0%}",
        f"{reach:.1f} times", "at least 3 times", reach > 3, e.ADAFRUIT,
    )  # fmt: skip


def _boards() -> Iterator[Claim]:
    """Yield the sums of the printed board at a pocket."""
    sizes, pull_up = load()[1], e.ohm(e.BOARD_PULL_UP)
    needed = (e.V5 - e.BASE_OFF[0]) / e.BOARD_PULL_UP
    for what, through in (
        ("one beam", light.drawn()),
        ("crossed beams", light.light(sizes, 2)),
        ("a closed box", light.closed(sizes)),
    ):
        weak, found = light.worst_ampere(through), light.margins(through, needed=light.on_a_board)
        yield Claim(
            f"{what}: current of the worst phototransistor, beam whole",
            f"{e.EMITTER_PER_AMPERE[0]:g} W/sr/A x {written(e.EMITTER_AMPERE, 'A')} x "
            f"{through.share:.0%} / ({through.way_m * 1000:.3g} mm)² x "
            f"{written(e.DETECTOR_PER_IRRADIANCE[0], 'A')} per mW/cm²",
            written(weak, "A"),
            f"at least twice the {written(needed, 'A')} of {pull_up} at 5 V; of "
            f"{light.BEAMS:,} at random {light.unseen_share(found):.2%} read as broken, one in "
            f"a hundred has less than {found[len(found) // 100]:.1f} times what it needs",
            weak > 2 * needed and light.unseen_share(found) < 1e-3, f"{e.TSAL6100}; {e.BPV11F}",
        )  # fmt: skip
    base = (e.SUPPLY_LEAST - e.FUSE_OHM[1] * e.FUSE_HOLDS / 2 - e.BASE_EMITTER) / e.BOARD_PULL_UP
    sunk = e.V3 / e.PULL_UP + e.V3 / e.CHIP_PULL_UP_LEAST
    yield Claim(
        "beam broken: the transistor can sink",
        f"{e.BOARD_GAIN_LEAST} x {written(base, 'A')} through {pull_up}",
        written(e.BOARD_GAIN_LEAST * base, "A"), f"at least ten times {written(sunk, 'A')}",
        e.BOARD_GAIN_LEAST * base > 10 * sunk, e.BC847,
    )  # fmt: skip
    spare = base - sunk / e.BOARD_GAIN_LEAST
    passes = spare / light.typical_ampere(light.drawn())
    yield Claim(
        "most light that a piece may let through and still break a typical beam",
        f"({written(base, 'A')} - {written(sunk, 'A')} / {e.BOARD_GAIN_LEAST}) / "
        f"{written(light.typical_ampere(light.drawn()), 'A')}", f"{passes:.1%}",
        "wood and filled plastic pass none", passes > 0.01, f"{e.TSAL6100}; {e.BPV11F}; {e.BC847}",
    )  # fmt: skip
    slow = e.BOARD_PULL_UP * e.DETECTOR_GAIN * e.DETECTOR_FARAD
    yield Claim(
        "the phototransistor goes dark within about",
        f"{pull_up} x {e.DETECTOR_GAIN} x {written(e.DETECTOR_FARAD, 'F')}", written(slow, "s"),
        f"below a tenth of {written(e.SHORTEST_FALL_S, 's')}, the shortest fall",
        slow < e.SHORTEST_FALL_S / 10, f"{e.BPV11F} {e.TBC}",
    )  # fmt: skip
    able = [build for build in BUILDS if e.can_have_boards(build)]
    most = max(e.fused_ampere(build, boards=True) for build in able)
    yield Claim(
        "through the fuse, the build that takes most of those that can have boards",
        f"{written(e.EMITTER_AMPERE, 'A')} a beam, and buzzer", written(most, "A"),
        f"below {e.FUSE_HOLDS / 2:.2g} A: half of what it holds at 23 °C",
        most < e.FUSE_HOLDS / 2, e.MF_R,
    )  # fmt: skip


def _edges() -> Iterator[Claim]:
    for what, name, ohms in (
        ("beam's wire, NE", "pocket_ne", e.PULL_UP),
        ("button's wire, seat N", "seat_n", e.CHIP_PULL_UP_MOST),
    ):
        metres = e.length_m(name)
        farads = metres * e.CABLE_PER_METRE + e.PAD
        seconds = e.rise_s(ohms, farads)
        yield Claim(
            f"{what}: from low to high",
            f"{e.ohm(ohms)} x ({metres:g} m x {written(e.CABLE_PER_METRE, 'F')} + "
            f"{written(e.PAD, 'F')}) x ln(3.3 / (3.3 - {e.HIGH_LEAST:g}))",
            written(seconds, "s"), f"below a tenth of {written(e.NOISE_S, 's')}",
            seconds < e.NOISE_S / 10, f"{e.PI_DOC}; cable: {e.LIYY}",
        )  # fmt: skip
    metres = e.length_m("seat_n")
    farads = metres * e.CABLE_PER_METRE + e.PAD
    dip = (e.V5 - e.SATURATED) * (metres * e.CABLE_PER_METRE / 2) / farads
    seconds = max(0.0, e.CHIP_PULL_UP_MOST * farads * math.log(dip / (e.V3 - e.HIGH_LEAST)))
    yield Claim(
        "a lamp is switched beside a button's wire: the wire dips by",
        f"{e.V5 - e.SATURATED:g} V x half of the cable's capacitance", written(dip, "V"),
        "may reach low, for a moment", holds=True, source=e.LIYY,
    )  # fmt: skip
    yield Claim(
        "and is high again after",
        f"{e.ohm(e.CHIP_PULL_UP_MOST)} x {written(farads, 'F')} x ln of dip and threshold",
        written(seconds, "s"), f"below {written(e.NOISE_S, 's')}, which is taken for noise",
        seconds < e.NOISE_S, e.PI_DOC,
    )  # fmt: skip


def _button_longest_m() -> float:
    """Return the cable on which a button's edge takes a tenth of what counts as noise."""
    farads = e.NOISE_S / 10 / e.rise_s(e.CHIP_PULL_UP_MOST, 1)
    return (farads - e.PAD) / e.CABLE_PER_METRE


def _gpio() -> Iterator[Claim]:
    low = e.V3 * e.SERIES / (e.SERIES + e.CHIP_PULL_UP_LEAST)
    yield Claim(
        "a pressed button's level behind 1 kohm",
        f"3.3 V x 1 kohm / (1 + {e.CHIP_PULL_UP_LEAST / 1e3:g}) kohm", written(low, "V"),
        f"below {e.LOW_MOST:g} V", low < e.LOW_MOST, e.PI_DOC,
    )  # fmt: skip
    wrong = (e.V5 - e.V3 - 0.6) / e.SERIES
    yield Claim(
        "5 V on an input by mistake: current into the chip's clamp",
        "(5 - 3.3 - 0.6) V / 1 kohm", written(wrong, "A"),
        "the chip's makers name no limit; a few mA are usually survived", wrong < 5e-3,
        f"{e.PI_DOC} {e.TBC}",
    )  # fmt: skip
    short = e.V3 / e.SERIES
    yield Claim(
        "an input set as a high output by mistake, and its button pressed", "3.3 V / 1 kohm",
        written(short, "A"), f"below {written(e.GPIO_MOST, 'A')}", short < e.GPIO_MOST, e.PSU_DOC,
    )  # fmt: skip
    total = e.gpio_output_ampere()
    yield Claim(
        "all outputs high at once, full build", "5 x (3.3 - 0.7) V / 1 kohm", written(total, "A"),
        f"below {written(e.ALL_GPIOS_MOST, 'A')} for all pins", total < e.ALL_GPIOS_MOST, e.PSU_DOC,
    )  # fmt: skip


def _outputs() -> Iterator[Claim]:
    yield Claim(
        "current of a lamp",
        f"({e.V5:g} - {e.LAMP_FORWARD:g} - {e.SATURATED:g}) V / {e.ohm(e.LAMP_SERIES)}",
        written(e.LAMP_AMPERE, "A"), "at most 20 mA", e.LAMP_AMPERE <= 20e-3,
        f"the LED's rating {e.TBC}; {e.BC337}",
    )  # fmt: skip
    yield Claim(
        "base current, the weakest Pi", f"({e.GPIO_HIGH_LEAST:g} - {e.BASE_EMITTER:g}) V / 1 kohm",
        written(e.BASE_LEAST, "A"), "a tenth of the lamp's current or more",
        e.BASE_LEAST >= e.LAMP_AMPERE / 10, f"{e.PI_DOC} (BCM2711 at 4 mA)",
    )  # fmt: skip
    yield Claim(
        "current of the buzzer while it is on",
        f"({e.V5:g} - {e.SATURATED:g}) V / ({e.COIL:g} + {e.COIL_SERIES:g}) ohm",
        written(e.BUZZER_AMPERE, "A"), f"below {e.GAIN_LEAST} x base current / 5",
        e.BUZZER_AMPERE < e.GAIN_LEAST * e.BASE_LEAST / 5, f"{e.CEM}; {e.BC337}",
    )  # fmt: skip
    volts = e.BUZZER_AMPERE * e.COIL
    yield Claim(
        "voltage at its coil", f"{written(e.BUZZER_AMPERE, 'A')} x {e.COIL:g} ohm",
        written(volts, "V"), f"at most {e.COIL_VOLTS:g} V", volts <= e.COIL_VOLTS, e.CEM,
    )  # fmt: skip
    energy = e.COIL_HENRY * e.BUZZER_AMPERE**2 / 2
    seconds = e.COIL_HENRY / (e.COIL + e.COIL_SERIES)
    yield Claim(
        "energy that the diode absorbs at each switching-off",
        f"1/2 x {written(e.COIL_HENRY, 'H', 3)} x ({written(e.BUZZER_AMPERE, 'A')})²",
        written(energy, "J"),
        f"gone after some {written(seconds, 's')} (L/R); without the diode it goes into the "
        "transistor",
        seconds < 1 / 2000 / 2, e.CEM,
    )  # fmt: skip


def _power() -> Iterator[Claim]:
    for build in BUILDS:
        amps = e.fused_ampere(build)
        yield Claim(
            f"through the fuse, {build.title.lower()}", "beams, lamps and buzzer together",
            written(amps, "A"), f"below {e.FUSE_HOLDS / 2:.2g} A: half of what it holds at 23 °C",
            amps < e.FUSE_HOLDS / 2, e.MF_R,
        )  # fmt: skip
    amps = max(e.fused_ampere(build) for build in BUILDS)
    new, tripped = (ohm * amps for ohm in e.FUSE_OHM)
    left = e.SUPPLY_LEAST - tripped
    yield Claim(
        "voltage lost in the fuse, the build that takes most",
        f"{e.FUSE_OHM[0]:g} to {e.FUSE_OHM[1]:g} ohm x {written(amps, 'A')}",
        f"{new * 1e3:.0f} to {tripped * 1e3:.0f} mV",
        f"of {e.SUPPLY_LEAST:g} V at the least {left:.2f} V stay; receivers work with "
        f"{e.RECEIVER_VOLTS:g} V, and the home-made beams above are computed with it",
        left > e.RECEIVER_VOLTS + 1, f"{e.MF_R} {e.TBC}",
    )  # fmt: skip
    yield Claim(
        "through the display's own fuse", "every dot lit", written(e.OLED_AMPERE, "A"),
        f"below {e.FUSE_V3_HOLDS / 2:.2g} A: half of what it holds at 23 °C",
        e.OLED_AMPERE < e.FUSE_V3_HOLDS / 2, f"{e.MF_R} {e.TBC}",
    )  # fmt: skip
    low = e.V3 - e.FUSE_V3_OHM[1] * e.OLED_AMPERE
    yield Claim(
        "3.3 V behind the display's own fuse, every dot lit",
        f"3.3 V - {e.FUSE_V3_OHM[1]:g} ohm x {written(e.OLED_AMPERE, 'A')}",
        written(low, "V"), f"at least {e.OLED_VOLTS:g} V", low >= e.OLED_VOLTS, f"{e.MF_R} {e.TBC}",
    )  # fmt: skip
    crossed = e.pocket_ampere(BUILDS[2])
    for name, ampere, square, metres in (
        ("to pocket NE, crossed beams", crossed, e.CORE_MM2, e.length_m("pocket_ne")),
        ("to seat N, lamp lit", e.LAMP_AMPERE, e.CORE_MM2, e.length_m("seat_n")),
        ("to the matrix, every dot lit at intensity 15", e.matrix_ampere(15), e.THICK_MM2,
         e.MATRIX_M),
    ):  # fmt: skip
        drop = 2 * e.core_ohm(metres, square) * ampere
        yield Claim(
            f"voltage lost {name}",
            f"2 x {metres:g} m x {e.COPPER:g} / {square:g} mm² x {written(ampere, 'A')}",
            written(drop, "V"), "below 0.1 V", drop < 0.1, "copper at 20 °C",
        )  # fmt: skip


def _budget() -> Iterator[str]:
    titles = [build.title.lower() for build in BUILDS]
    shares = [e.consumers(build) for build in BUILDS]
    yield f"| takes, at the most | {' | '.join(titles)} |"
    yield f"|---|{'---|' * len(titles)}"
    for who in dict.fromkeys(who for share in shares for who in share):
        cells = (written(share[who], "A") if who in share else "-" for share in shares)
        yield f"| {who} | {' | '.join(cells)} |"
    sums = (f"**{written(sum(share.values()), 'A')}**" for share in shares)
    yield f"| together | {' | '.join(sums)} |"
    for who, amps in colour.hub_consumers(heads=True).items():
        yield f"| *{who}* | {' | '.join([written(amps, 'A')] * len(BUILDS))} |"
    for addition in ADDITIONS:
        more = sum(colour.hub_consumers(heads=addition.heads).values())
        sums = (f"**{written(sum(share.values()) + more, 'A')}**" for share in shares)
        yield f"| together, with *{addition.title.lower()}* | {' | '.join(sums)} |"
    supplies = (f"{e.pi_of(build)[2]:g} A" for build in BUILDS)
    yield f"| the supply in the bill of materials gives | {' | '.join(supplies)} |"


def _i2c() -> Iterator[Claim]:
    farads = e.i2c_farad(e.OLED_M)
    seconds = 0.8473 * e.I2C_PULL_UP * farads
    yield Claim(
        "rise time, the Pi's pull-ups alone",
        f"0.8473 x 1.8 kohm x ({e.OLED_M:g} m x {written(e.CABLE_PER_METRE, 'F')} + "
        f"{written(e.I2C_PI + e.I2C_MODULE, 'F')})",
        written(seconds, "s", 3), f"at most {written(e.I2C_FAST_RISE, 's')} at 400 kHz",
        seconds <= e.I2C_FAST_RISE, f"{e.I2C_SPEC}; capacitances {e.TBC}",
    )  # fmt: skip
    yield Claim(
        "capacitance of the bus",
        f"{e.OLED_M:g} m x {written(e.CABLE_PER_METRE, 'F')} + "
        f"{written(e.I2C_PI + e.I2C_MODULE, 'F')}", written(farads, "F", 3),
        f"at most {written(e.I2C_MOST_FARAD, 'F')} at either speed", farads <= e.I2C_MOST_FARAD,
        f"{e.I2C_SPEC}; capacitances {e.TBC}",
    )  # fmt: skip
    both = e.parallel(e.I2C_PULL_UP, e.MODULE_PULL_UP)
    sink = (e.V3 - 0.4) / both
    yield Claim(
        "current to pull a line low, with the module's 4.7 kohm beside the Pi's",
        f"(3.3 - 0.4) V / {e.ohm(both)}", written(sink, "A"),
        f"at most {written(e.I2C_SINK, 'A')}", sink <= e.I2C_SINK,
        f"{e.I2C_SPEC}; module's resistors {e.TBC}",
    )  # fmt: skip
    for hertz in (400_000, 100_000):
        seconds = e.FRAME_BYTES * 9 / hertz
        yield Claim(
            f"a whole picture at {hertz // 1000} kHz",
            f"{e.FRAME_BYTES:,} bytes x 9 bits / {hertz // 1000} kHz", written(seconds, "s", 3),
            "as short as can be; the firmware sends only what changed", holds=True,
            source="measured with luma.oled on a bus that counts: 23 to 25 and 93 to 99 ms",
        )  # fmt: skip


def _spi() -> Iterator[Claim]:
    config = BUILDS[3].config
    metres = e.OLED_SPI_M
    bit = 1 / config.of(OledSection).bus_speed_hz
    rise = 2.2 * 50 * (metres * e.CABLE_PER_METRE + e.PAD)
    yield Claim(
        "OLED: an edge against a bit",
        f"2.2 x 50 ohm x ({metres:g} m x {written(e.CABLE_PER_METRE, 'F')} + "
        f"{written(e.PAD, 'F')})",
        written(rise, "s"), f"below a quarter of {written(bit, 's', 3)} "
        f"({config.of(OledSection).bus_speed_hz / 1e6:g} MHz)", rise < bit / 4,
        f"source resistance of a GPIO {e.TBC}",
    )  # fmt: skip
    yield Claim(
        "matrix: level that a MAX7219 at 5 V takes for high", "from its data sheet", "3.5 V",
        "below what drives it: 3.3 V of the Pi is too little, so the level shifter "
        "(takes 2.0 V for high, gives 5 V)", holds=True,
        source=f"data sheets of MAX7219 and SN74AHCT125, electrical characteristics {e.TBC}",
    )  # fmt: skip


STEP = Step("electrical", make, owns=("ELECTRICAL.md",))
