"""The interface described for programs, and the description served: ``/api``.

- ``live.json``, ``referee.json``, ``history.json``: the routes, a file for each group of them
- ``description.py``: the files put together as an OpenAPI document
- ``page.py``: the document as a page for people
- ``routes.py``: both, served
"""
