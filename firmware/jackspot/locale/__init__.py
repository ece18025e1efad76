"""The translations, and the tool that keeps them in step with the sentences in the code.

- ``jackspot.pot`` lists every sentence of the firmware and of the simulated table: ``_("...")`` in
  Python, ``say("...")`` in the pages' modules, elements marked ``data-say`` in the pages
  themselves. It is made by ``python -m jackspot.locale template`` and must be up to date: a test
  compares.
- ``LANGUAGE/LC_MESSAGES/jackspot.po`` is what a translator writes; ``TRANSLATING.md`` beside the
  package says how. ``python -m jackspot.locale update`` brings it up to date.
- ``jackspot.mo`` and ``pages.json`` beside it are what the board reads, with Python's own
  ``gettext``, and what it serves to its pages; ``sim.json`` is what the simulated table's page is
  sent besides. ``python -m jackspot.locale compile`` makes them.

The tool stands on Babel, which is needed by those who change sentences, never by a board.
"""
