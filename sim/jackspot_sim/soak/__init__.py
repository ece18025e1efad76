"""Whole matches from physics, many of them, before referees, and what is counted of them.

``matches`` plays one match of computer players on a physical board under simulated beams;
``counting`` watches what the firmware makes of it; ``ceilings`` learns what could be read at
best; ``running`` plays many on all processors; ``report`` writes it all down. The command is
``jackspot soak``.
"""
