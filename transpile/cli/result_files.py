"""The files that a user names for results, such as `--report FILE`: whether they can be written.

Invariant: a command asks before it writes anything. So a report that cannot be written is wrong usage, and then there
is no output without its report.
"""

from __future__ import annotations

import itertools
import os
import pathlib
from collections.abc import Iterable, Mapping

from transpile.cli import options

STANDARD = "-"  # standard output, or standard input


def check_result_files(
    files: Mapping[str, str | None], *, outputs: Mapping[str, str | None] | None = None, inputs: Iterable[str] = ()
) -> None:
    """Ends the command if a result cannot be written, if two have the same path, or if one would replace an input.

    `files`: the paths of results by their flags; None if a flag is not given. `outputs`: the paths of the output
    itself, which the command checks in its own way, but which no result may replace. `inputs`: the files that the
    command reads.
    """
    named = {flag: path for flag, path in files.items() if path is not None and path != STANDARD}
    for flag, path in named.items():
        from transpile.text import output  # most runs write no results

        if (problem := output.find_user_file_problem(path) or output.try_user_file(path)) is not None:
            raise options.usage_error(f"{flag} {path} cannot be written: {problem.message}")
    others = {flag: path for flag, path in (outputs or {}).items() if path is not None and path != STANDARD}
    for (flag, path), (other, there) in itertools.combinations({**named, **others}.items(), 2):
        if is_same_path(path, there) and (flag in named or other in named):
            raise options.usage_error(f"{flag} and {other} name the same file: {path}")
    read = [path for path in inputs if path != STANDARD]
    for flag, path in named.items():
        if any(is_same_path(path, name) for name in read):
            raise options.usage_error(f"{flag} would replace {path}, which the command reads")


def is_same_path(path: str, other: str) -> bool:
    """Whether two paths lead to the same regular file. A device, such as /dev/null, may be named twice."""
    if os.path.realpath(path) != os.path.realpath(other):
        return False
    return pathlib.Path(path).is_file() or not pathlib.Path(path).exists()
