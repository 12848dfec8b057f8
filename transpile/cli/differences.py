"""The changes that a command would make to a file, for people to read.

Invariant: control characters are made visible, so that each line shows what it contains. Hidden values are masked,
unless somebody asks for them, and of an output file that holds some, nothing is shown: a difference often stands in the
log of a pipeline.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterable

from transpile.diagnostics.model import MASK
from transpile.model import printable
from transpile.model.lazy_patterns import compile_lazily
from transpile.resolve.masked_lines import mask_lines

HUNK = compile_lazily(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def unified_difference(name: str, before: str, after: str, *, show_secrets: bool = False) -> str:
    """A unified diff between two texts of a file. Lines that differ only in a hidden value are shown, too."""
    import difflib  # rarely needed

    old, new = io.StringIO(before).readlines(), io.StringIO(after).readlines()
    masked_lines = {} if show_secrets or before == after else {"-": mask_lines(before), "+": mask_lines(after)}
    numbers = {"-": 0, "+": 0}  # of the next line of each text, from 0
    out = []
    for number, line in enumerate(difflib.unified_diff(old, new, name, name)):
        words = line.removesuffix("\n")
        if number > 1 and (match := HUNK.match(line)) is not None:
            numbers = {"-": max(int(match[1]) - 1, 0), "+": max(int(match[2]) - 1, 0)}
        elif number > 1:
            side = "-" if line.startswith("-") else "+"
            if masked_lines:
                words = line[0] + masked_lines[side][numbers[side]]
            for other in "-+" if line.startswith(" ") else side:
                numbers[other] += 1
        out.append(printable.make_log_line(words))
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file")
    return "".join(f"{line}\n" for line in out)


SECRET_WORDS = "passw|secret|token|private_?key|credential"


def mask_file_difference(
    name: str,
    before: bytes,
    after: bytes,
    *,
    private: bool,
    hidden_names: Collection[str] = (),
    conceal: Callable[[str], str] = str,
) -> str:
    """A unified diff between two contents of a file, without hidden values. `private`: the file holds some.
    `hidden_names`: of variables with hidden values. `conceal`: masks the known values in a text.
    """
    try:
        texts = before.decode("utf-8"), after.decode("utf-8")
    except UnicodeDecodeError:
        return f"{name}: its content changes, and is no text.\n"
    words = "|".join([SECRET_WORDS, *(rf"\b{re.escape(hidden)}\b" for hidden in sorted(hidden_names))])
    assignment = re.compile(rf"(?im)^([ +-]?[^\S\n]*[\"']?[\w.-]*(?:{words})[\w.-]*[\"']?[^\S\n]*[:=][^\S\n]*)(\S.*)$")
    spread = any(match[2][0] in "<[{(|>" for text in texts for match in assignment.finditer(text))
    if private or (spread and name.endswith("tfvars")):
        counts = [len(text.splitlines()) for text in texts]
        return (
            f"{name}: changes. It holds hidden values, so its lines are not shown ({counts[0]} → {counts[1]} lines).\n"
        )
    difference = unified_difference(name, *map(conceal, texts), show_secrets=True)  # masked here
    return "".join(mask_values(assignment, difference.splitlines(keepends=True)))


def mask_values(assignment: re.Pattern[str], lines: Iterable[str]) -> Iterable[str]:
    """The lines of a diff. Values with a name that speaks of a secret are masked where they are literals."""
    for line in lines:
        match = assignment.match(line.rstrip("\n"))
        literal = match is not None and (match[2][0] in "\"'0123456789" or ":" in match[1])
        yield f"{match[1]}{MASK}\n" if match is not None and literal else line
