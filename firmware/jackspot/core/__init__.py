"""What a match is: pieces, strokes, rules, the match and its record.

Pure. It imports only the pure parts of the standard library and itself: no clock, no file, no
thread, no random number, no logging, no environment.
"""
