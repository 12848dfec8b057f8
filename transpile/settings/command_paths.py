"""The paths of a command line, as files that the command makes name them in their first lines.

Invariant: no path is absolute, so that a line says nothing about the machine. Everything is plain data, because it is
sent to other processes.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable
from typing import final

from transpile.model.records import node


@final
@node
class CommandPaths:
    """The paths of a command line. `source`, `output`: the template or directory, and the place for the
    output; empty if nothing names them. `options`: options with a path or another place, by flag. `words`: the other
    options that change the output, as they were typed.
    """

    source: str = ""
    output: str = ""
    options: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


def describe_paths(source: str, output: str, options: Iterable[tuple[str, str]] = ()) -> CommandPaths:
    """The paths of a command line. `-` stands for a stream, which has no name."""
    first, last = ("" if path == "-" else shorten_path(path) for path in (source, output))
    return CommandPaths(first, last, tuple((flag, shorten_path(path)) for flag, path in options))


def shorten_path(path: str | os.PathLike[str]) -> str:
    """A path as it was typed. An absolute one is shortened to the part below the working directory, or else to its last
    name. Addresses keep their host, without a user or a query.
    """
    text = os.fspath(path)
    if "://" in text:
        scheme, _, rest = text.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"
    if "\n" in text:  # it is no path but a text
        return "FILE"
    plain = pathlib.Path(os.path.normpath(text))
    if not plain.is_absolute():
        return plain.as_posix()
    here = pathlib.Path.cwd()
    if here != here.parent and plain.is_relative_to(here):
        return plain.relative_to(here).as_posix()
    return plain.name
