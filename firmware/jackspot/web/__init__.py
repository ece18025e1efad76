"""The board on the network: the live state, its stream, presses from pages, and the pages.

An ASGI application (starlette) in a server (uvicorn) that has a thread and an event loop
of its own. To the board it is one more display: it is handed views and shows them; what
people press on its pages goes back through a callback. It imports nothing of the other
displays.

- ``server.py``: the thread, start and stop, the port
- ``serving.py``: the server in that thread, with the libraries that only it needs
- ``door.py``: who is let in at the port, as connections are accepted
- ``live.py``: the newest view and everything needed to say it
- ``app.py``: the routes
- ``guard.py``: who may ask, how much and how often
- ``state.py``: a view as JSON; ``state_types.py``: its shape, and the published schema
- ``banner.py``: the event's name and logo above the score
- ``feed.py``: the newest view, handed from the game's thread to many slow readers
- ``stream.py``: server-sent events
- ``presses.py``: what a page may press
- ``api/``: the interface described for programs, as an OpenAPI document and a page
- ``files.py``: the pages' files
"""
