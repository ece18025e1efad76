"""The hub's pins: a Raspberry Pi Pico with one multiplexer, three lights, heads and discs.

A 74HC4051 connects eight wires to GP26 (ADC0), selected by GP2, GP3 and GP4: 0 to 3 are the
photodiodes of the heads NE, SE, SW and NW, 4 to 7 the discs N, E, S and W. GP6, GP7 and GP8 switch
the red, green and blue lights of all heads. Lines go over USB. If you have fewer heads or discs,
take the missing ones out of HEADS and DISCS: the others stay on their wires. Copy this file to the
Pico as ``main.py``, beside the folder ``sensor_hub``. All files but this one are tested in
MicroPython; this one has not run on a Pico yet.
"""

import sys

import machine
import micropython
import uos
import uselect
import utime

from sensor_hub.ends import Ends
from sensor_hub.hub import Hub, Ticks
from sensor_hub.knocks import Knocks
from sensor_hub.strobe import BLUE, DARK, GREEN, RED, Strobe

WIRES = ["ne", "se", "sw", "nw", "n", "e", "s", "w"]
"""What is on each of the multiplexer's wires."""
HEADS = ["ne", "se", "sw", "nw"]
DISCS = ["n", "e", "s", "w"]

STEP_US = 1_000
"""How long each light shines; a frame takes four steps."""
SETTLE_US = 20
"""How long the multiplexer and the photodiodes need after a change."""
WATCHDOG_MS = 2_000


def hexadecimal(data: bytes) -> str:
    """Return bytes as hex digits."""
    return "".join("%02x" % each for each in data)


class Wires:
    """The multiplexer's eight wires, read one by one."""

    def __init__(self) -> None:
        self._select = [machine.Pin(number, machine.Pin.OUT) for number in (2, 3, 4)]
        self._adc = machine.ADC(26)

    def read(self, wires: "list[int]") -> "list[int]":
        """Return what is on some of them, each from 0 to 65535."""
        found = []
        for wire in wires:
            for bit, pin in enumerate(self._select):
                pin.value(wire >> bit & 1)
            utime.sleep_us(SETTLE_US)
            found.append(int(self._adc.read_u16()))
        return found


def run() -> None:
    """Look, feel and report for ever; the watchdog restarts the chip if that ends."""
    micropython.kbd_intr(-1)  # no byte from the board interrupts the program
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    wires = Wires()
    heads, discs = [WIRES.index(each) for each in HEADS], [WIRES.index(each) for each in DISCS]
    lights = {RED: machine.Pin(6, machine.Pin.OUT), GREEN: machine.Pin(7, machine.Pin.OUT),
              BLUE: machine.Pin(8, machine.Pin.OUT)}  # fmt: skip
    poll = uselect.poll()
    poll.register(sys.stdin, uselect.POLLIN)
    hub = Hub(hexadecimal(machine.unique_id()), hexadecimal(uos.urandom(2)), HEADS, DISCS)
    strobe, knocks = Strobe(len(HEADS)), Knocks(len(DISCS))
    blinded = Ends(["head_" + each for each in HEADS], "is_blinded", False)
    stuck = Ends(["disc_" + each for each in DISCS], "is_stuck_at_an_end", True)
    ticks = Ticks(utime.ticks_us())
    began_us, worked_us, due_us = 0, 0, 0
    while True:
        now_us = ticks.move_on(utime.ticks_us())
        if now_us < due_us:
            continue
        due_us = now_us + STEP_US
        watchdog.feed()
        seen, felt = wires.read(heads), wires.read(discs)
        if strobe.light == DARK:
            blinded.step(now_us, seen)
            stuck.step(now_us, felt)
            hub.wrong(blinded.told + stuck.told)
        for frame in strobe.step(seen, hub.see):
            hub.frame(now_us, *frame)
        for light, pin in lights.items():
            pin.value(light == strobe.light)
        knock = knocks.step(now_us, felt, hub.knock_above)
        if knock:
            hub.knock(*knock)
        while poll.poll(0):
            hub.hear(sys.stdin.buffer.read(1))
        line = hub.line(ticks.move_on(utime.ticks_us()))
        if line:
            sys.stdout.buffer.write(line)
        done_us = ticks.move_on(utime.ticks_us())
        worked_us += done_us - now_us
        if done_us - began_us >= 1_000_000:
            hub.busy = min(1_000 * worked_us // (done_us - began_us), 1_000)
            began_us, worked_us = done_us, 0


run()
