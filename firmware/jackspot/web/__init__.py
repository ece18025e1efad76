"""The board on the network: the live state, its stream, presses from pages, and the pages.

It is an ASGI application (starlette) in a server (uvicorn) with a thread and an event loop of its
own. To the board it is one more display: it is given views and shows them, and presses on its
pages go back through a callback. It imports nothing from the other displays.

- ``server.py``: the thread, start and stop, the port
- ``serving.py``: the server in that thread, with the libraries that only it needs
- ``connections.py``: which connections are accepted at the port
- ``live.py``: the newest view and everything needed to serve it
- ``app.py``: the routes
- ``guard.py``: who may send requests, how much and how often
- ``state.py``: a view as JSON; ``state_types.py``: its shape, and the published schema
- ``banner.py``: the event's name and logo above the score
- ``feed.py``: the newest view, passed from the game's thread to many slow readers
- ``stream.py``: server-sent events
- ``presses.py``: presses on pages
- ``api/``: the description of the interface for programs, as an OpenAPI document and a page
- ``files.py``: the pages' files
"""
