"""People at a board, without physics: what falls, what the beams see of it, who presses when.

``frequencies`` holds every number, each with its reason, and ``laws`` the distributions they are
drawn from. ``shots``, ``passing`` and ``people`` draw strokes, pulses and presses from them, and
``matches`` plays whole matches. ``ceiling`` computes from the same numbers the best that anybody
could read out of the pulses. Pure values and seeded chance: nothing here has a clock, a board or a
display.
"""
