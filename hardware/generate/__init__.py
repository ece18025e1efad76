"""What makes the drawings, tables and models of ``hardware/`` from the firmware's own tables.

``make hardware`` makes all of it anew; ``python -m hardware.generate --check`` only compares. A
step is a function that gives files (:mod:`hardware.generate.step`), and the list of all steps is
:mod:`hardware.generate.steps`. Nothing here is part of the firmware.
"""
