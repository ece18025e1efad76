"""The sensor hub's program, in MicroPython: a Raspberry Pi Pico that sees colours and hears knocks.

Only ``main.py`` knows pins. The rest is plain Python that MicroPython and CPython read alike: no
``typing``, no ``dataclasses``, no third-party library. FORMATS.md describes the lines that it
sends.
"""
