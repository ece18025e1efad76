"""The description of the interface for programs, and its routes: ``/api``.

- ``operations.py``: every request, in groups
- ``types.py``: what is sent apart from the live state
- ``description.py``: both as an OpenAPI document
- ``page.py``: the document as a page for people
- ``routes.py``: serves the document and the page
"""
