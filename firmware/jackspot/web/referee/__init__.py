"""The referee's page: who may press on it, and what it needs beyond the live state.

It has no rule and no dialogue of its own: what is tapped becomes the events that buttons make.

- ``kept.py``: the PIN and the signing key, kept in a file that only the board reads
- ``patience.py``: wrong PINs, slowed down
- ``sessions.py``: signed cookies, and how long they hold
- ``access.py``: the three together: may this request write?
- ``clock.py``: the time of day, from a referee's phone
- ``routes.py``: signing in and out, the page's stream, the match record
"""
