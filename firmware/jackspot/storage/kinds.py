"""The kinds of entries a board's journal holds, with what checks each body."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType

from jackspot.storage.entries import Kinds
from jackspot.table.entries import Kind, check

KINDS: Kinds = MappingProxyType({kind.value: partial(check, kind.value) for kind in Kind})
"""Every kind of :class:`jackspot.table.entries.Kind`."""
