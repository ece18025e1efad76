"""The translations, and the tool that keeps them in step with the sentences in the code.

- ``jackspot.pot`` lists every sentence of the firmware and of the simulated table: ``_("...")`` in
  Python, ``say("...")`` in the pages' modules, elements marked ``data-say`` in the pages
  themselves. ``python -m jackspot.locale template`` makes it, and a test checks that it is up to
  date.
- ``LANGUAGE/LC_MESSAGES/jackspot.po`` is what a translator writes; ``TRANSLATING.md`` beside the
  package says how. ``python -m jackspot.locale update`` updates it.
- ``jackspot.mo`` beside it is what the board reads, with Python's own ``gettext``, and
  ``pages.json`` what it serves to its pages; ``sim.json`` is sent to the simulated table's page in
  addition. ``python -m jackspot.locale compile`` makes them.

The tool uses Babel, which is needed only to change sentences, never by a board.
"""
