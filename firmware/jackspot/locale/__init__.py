"""The translations, and the tool that keeps them in step with the sentences in the code.

- ``jackspot.pot`` lists every sentence (``_("...")``) of the firmware. It is made by
  ``python -m jackspot.locale template`` and must be up to date: a test compares.
- ``LANGUAGE/LC_MESSAGES/jackspot.po`` is what a translator writes. Begin one with
  ``python -m jackspot.locale begin de``, or with any gettext editor from the template; bring
  one up to date with ``python -m jackspot.locale update de``.
- ``jackspot.mo`` beside it is what the board reads: ``python -m jackspot.locale compile``.

Words in braces, as in ``{side} pays {n}``, are blanks: a translation has the same ones, in any
order. The usual tools of gettext (xgettext, msgmerge, msgfmt, pybabel) read all these files.
"""
