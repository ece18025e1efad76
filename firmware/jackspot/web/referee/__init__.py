"""The referee's page: who may press on it, and what it needs besides the live state.

It has no rules and no dialogue of its own: taps become the events that buttons make.

- ``kept.py``: the PIN and the signing key, kept in a file that only the board reads
- ``patience.py``: slows down wrong PINs
- ``sessions.py``: signed cookies, and how long they are valid
- ``access.py``: the three together: may this request write?
- ``clock.py``: the time of day, from a referee's phone
- ``routes.py``: signing in and out, the page's stream, the match record
"""
