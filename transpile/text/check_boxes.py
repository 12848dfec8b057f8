"""The check boxes of TODO.md, which a person ticks and a later run keeps.

Invariant: a tick is no edit: a file in which only boxes were ticked is as hot2tf wrote it.
"""

from __future__ import annotations

from transpile.model.lazy_patterns import compile_lazily

FILE = "TODO.md"
OPEN, DONE = "- [ ] ", "- [x] "
TICKED = compile_lazily(r"(?m)^- \[[xX]\] ")
NUMBERS = compile_lazily(r":\d+|\band \d+ more\b")  # which change when other lines of a template change


def untick(text: str) -> str:
    """The text with all boxes open."""
    return TICKED.sub(OPEN, text)


def keep_ticks(text: str, earlier: str) -> str:
    """Returns a list with the ticks of the earlier one. Lines may move, and their numbers change."""
    ticked = {NUMBERS.sub("", line[len(OPEN) :]) for line in earlier.splitlines() if TICKED.match(line)}
    lines = text.split("\n")
    return "\n".join(
        DONE + line[len(OPEN) :] if line.startswith(OPEN) and NUMBERS.sub("", line[len(OPEN) :]) in ticked else line
        for line in lines
    )
