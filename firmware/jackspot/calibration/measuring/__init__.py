"""Measure and fit how long pieces break the beams of one board.

:mod:`measured` has the values, :mod:`fit` makes width models of them, :mod:`doubts` says whether a
drop was a single piece, :mod:`telling_apart` how surely kinds are told apart, and :mod:`walk`
guides a person through it. Pure; files and terminals are in the package around it.
"""
