"""How long pieces break the beams of one board, measured and fitted.

:mod:`measured` are the values, :mod:`fit` makes width models of them, :mod:`doubts` says of a
drop that it was no single piece, :mod:`telling` how surely kinds are told apart, :mod:`walk`
leads a person through it. Pure; files and terminals are in the room around it.
"""
