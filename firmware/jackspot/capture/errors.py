"""The error that a capture can raise."""

from __future__ import annotations


class CaptureError(ValueError):
    """A file is not a capture, or cannot be replayed; the message says why."""
