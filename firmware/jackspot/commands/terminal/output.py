"""What happens to a command whose output cannot be written: one line, and an exit status for it.

Output is buffered, so a full disk is often noticed only when Python ends, and then it exits with
120 and an "Exception ignored". So both streams are flushed before the status is decided:

- standard output cannot be written, or is closed: one line on standard error, status 2;
- a letter that the terminal's encoding lacks is written escaped;
- standard error cannot be written: the command goes on, since it has other work to do than to
  complain; if all else went well the status is 2;
- the reader has gone (a closed pipe): no message, and status 1, as in click.

SIGTERM ends a command as an error does, so that nothing temporary is left behind.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, NoReturn, TextIO, TypeVar, cast

import click

from jackspot.core.printable import visible

NOT_WRITTEN = 2
"""The status of a command whose output could not be written; 1 is for its own failures."""

CLOSED_PIPE = 1


def tell(message: object) -> None:
    """Print a message on standard error; a name from elsewhere in it is only shown."""
    click.echo("\n".join(map(visible, str(message).split("\n"))), err=True)


def fail(message: object) -> NoReturn:
    """Print what is wrong and exit with status 1."""
    tell(message)
    sys.exit(1)


class NotWritten(click.ClickException):
    """The output cannot be written: the disk is full, for example."""

    exit_code = NOT_WRITTEN


class _Output(io.FileIO):
    """Standard output; an error in it is never taken for another file's fault."""

    lost = False

    def write(self, data: Any, /) -> Any:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            self.lost = True
            return self._lose(data, error)

    def _lose(self, _data: Any, error: OSError) -> Any:
        closed = error.errno == errno.EBADF
        why = "standard output is closed" if closed else error.strerror
        raise NotWritten(f"cannot write the output: {why}") from error


class _Errors(_Output):
    """Standard error; if it cannot be written there is nowhere to report that."""

    def _lose(self, data: Any, _error: OSError) -> Any:
        return memoryview(data).nbytes


def end_in_order(run: Callable[[], object]) -> NoReturn:
    """Run a command to its end as :func:`end_with_output`, and end in order on SIGTERM too.

    A waiting parent sees that the signal ended it. Commands that run for long have a handler of
    their own for it.
    """
    terminated = False

    def end(*_: object) -> None:
        nonlocal terminated
        terminated = True
        sys.exit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end)
    try:
        end_with_output(run)
    finally:
        signal.signal(signal.SIGTERM, before)
        if terminated:
            signal.raise_signal(signal.SIGTERM)


def end_with_output(run: Callable[[], object]) -> NoReturn:
    """Run a command to its end, flush its output, and exit with the status of both."""
    out, output = _watched(sys.stdout, sys.__stdout__, _Output)
    err, errors = _watched(sys.stderr, sys.__stderr__, _Errors)
    sys.stdout, sys.stderr = out, err
    status: int | str | None = 0
    try:
        run()
    except SystemExit as ended:
        status = ended.code
    told = output is not None and output.lost  # click has reported what ended the command
    try:
        _write_out(out)
    except BrokenPipeError:
        status = status or CLOSED_PIPE
    except NotWritten as error:
        if not told:
            error.show(err)
        status = NOT_WRITTEN
    try:
        _write_out(err)
    except BrokenPipeError:
        status = status or CLOSED_PIPE
    if errors is not None and errors.lost:
        status = status or NOT_WRITTEN
    sys.exit(status)


_Kind = TypeVar("_Kind", _Output, _Errors)


def _watched(
    stream: TextIO | None, original: TextIO | None, kind: type[_Kind]
) -> tuple[TextIO, _Kind | None]:
    """Return a stream like this one that writes through ``kind``; a stand-in is left as it is."""
    if stream is None:  # how Python marks one that is closed
        nothing = kind(_closed(), "wb")
        return io.TextIOWrapper(io.BufferedWriter(nothing), encoding="utf-8"), nothing
    if stream is not original or not isinstance(stream, io.TextIOWrapper):
        return stream, None
    stream.flush()
    raw = kind(stream.fileno(), "wb", closefd=False)
    # Stays unbuffered if Python was told to buffer nothing.
    binary = cast("BinaryIO", raw if stream.write_through else io.BufferedWriter(raw))
    text = io.TextIOWrapper(
        binary,
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    return text, raw


def _closed() -> int:
    """Return a handle that cannot be written to."""
    return os.open(os.devnull, os.O_RDONLY)


def _write_out(stream: TextIO | None) -> None:
    """Flush a stream; what cannot be written is dropped, and reported here alone."""
    if stream is None:
        return
    try:
        stream.flush()
    except (BrokenPipeError, NotWritten):
        # Python flushes it again when it ends: into nothing, so that it has nothing to report.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        raise
