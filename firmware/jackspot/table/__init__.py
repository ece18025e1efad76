"""What the board senses and how people confirm it.

Pure, like :mod:`jackspot.core`, which is all it imports. Time comes only from events.
"""
