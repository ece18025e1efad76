"""The interface described for programs, and the description served: ``/api``.

- ``operations.py``: every request, in groups
- ``types.py``: what is sent beside the live state
- ``description.py``: both as an OpenAPI document
- ``page.py``: the document as a page for people
- ``routes.py``: both, served
"""
