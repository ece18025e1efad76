"""What can be wrong with a capture."""

from __future__ import annotations


class CaptureError(ValueError):
    """A file that is no capture, or one that cannot be replayed; the message says why."""
