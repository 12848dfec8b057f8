"""The changes that a command would make to a file, for people to read.

Invariant: control characters are made visible, so that each line shows what it contains.
"""

from __future__ import annotations

import io

from transpile.model import printable


def unified_difference(name: str, before: str, after: str) -> str:
    """A unified diff between two texts of a file."""
    import difflib  # rarely needed

    old, new = io.StringIO(before).readlines(), io.StringIO(after).readlines()
    out = []
    for line in difflib.unified_diff(old, new, name, name):
        out.append(printable.make_log_line(line.removesuffix("\n")))
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file")
    return "".join(f"{line}\n" for line in out)
