"""The changes that a command would make to a file, for people to read.

Invariant: control characters are made visible, so that each line shows what it contains. Hidden values are masked,
unless somebody asks for them: a difference often stands in the log of a pipeline.
"""

from __future__ import annotations

import io
import re

from transpile.model import printable
from transpile.resolve.masked_lines import mask_lines

HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def unified_difference(name: str, before: str, after: str, *, show_secrets: bool = False) -> str:
    """A unified diff between two texts of a file. Lines that differ only in a hidden value are shown, too."""
    import difflib  # rarely needed

    old, new = io.StringIO(before).readlines(), io.StringIO(after).readlines()
    shown = {} if show_secrets or before == after else {"-": mask_lines(before), "+": mask_lines(after)}
    numbers = {"-": 0, "+": 0}  # of the next line of each text, from 0
    out = []
    for number, line in enumerate(difflib.unified_diff(old, new, name, name)):
        words = line.removesuffix("\n")
        if number > 1 and (match := HUNK.match(line)) is not None:
            numbers = {"-": max(int(match[1]) - 1, 0), "+": max(int(match[2]) - 1, 0)}
        elif number > 1:
            side = "-" if line.startswith("-") else "+"
            if shown:
                words = line[0] + shown[side][numbers[side]]
            for other in "-+" if line.startswith(" ") else side:
                numbers[other] += 1
        out.append(printable.make_log_line(words))
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file")
    return "".join(f"{line}\n" for line in out)
