"""The matches that were played on a board: listed, retold, summed up, exported, printed.

:mod:`.chronicle` divides a journal into its matches, :mod:`.index` keeps the list of them,
:mod:`.summary` makes plain data of a match, :mod:`.archive` answers queries on a journal,
:mod:`.export` writes files, :mod:`.slip` is the result to print.
"""
