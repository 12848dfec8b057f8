"""Corrections of misspelt names, as a hint and as an edit of the text.

Invariant: a correction is certain only if the closest known name, and no other, differs from the written one as typing
errors do. `port_1` and `port_2` are close, but a wrong digit is seldom an accident.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from typing import final

from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.span import Located, Span

NAME = 200  # characters: longer names are not compared
GLANCES = 100  # names that are looked at for the price of a comparison
CLOSE = 0.7
PLAIN = compile_lazily(r"[A-Za-z_][\w.:-]*", re.ASCII)  # means the same in quotes and without, in YAML and JSON
WORDS = compile_lazily(r"[._:-]+")
SHORTEST, LONG = 4, 9  # letters of a word that may have one typing error, and of one that may have two


@final
@node
class Guess:
    """The known name that is closest to `written`; false if none is close. `certain`: nothing else can be meant."""

    written: str = ""
    meant: str = ""
    certain: bool = False

    def __bool__(self) -> bool:
        return bool(self.meant)

    def __str__(self) -> str:
        return f"Did you mean {self.meant}?" if self.meant else ""

    @property
    def as_suggestion(self) -> Guess:
        """The same guess, but uncertain: the name may be declared later, so the user decides."""
        return Guess(self.written, self.meant)

    def find_written_name(self, text: str, where: Located) -> Span | None:
        """The place of the written name in a part of a text; None unless it occurs exactly once."""
        if not PLAIN.fullmatch(self.written) or not PLAIN.fullmatch(self.meant) or not 0 <= where.at < where.end:
            return None
        alone = re.compile(rf"(?<![\w.:-]){re.escape(self.written)}(?![\w-]|[.:]\w)")
        matches = [
            match
            for match in alone.finditer(text, where.at, where.end + len(self.written))
            if match.start() < where.end
        ]
        return Span(*matches[0].span()) if len(matches) == 1 else None


NOTHING = Guess()


def guess_name(name: str, candidates: Collection[str], closeness: float = CLOSE, budget: Budget | None = None) -> Guess:
    """The candidate that is closest to a name; a false Guess if none is close. `budget`: pays for the comparisons."""
    if len(name) > NAME or (
        budget is not None and not budget.spend_if_affordable("suggestions", 1 + len(candidates) // GLANCES)
    ):
        return NOTHING
    names = [str(k) for k in candidates]
    if same := [n for n in names if n.lower() == name.lower()]:
        return Guess(name, same[-1], len(same) == 1)
    least, most = closeness * len(name) / (2 - closeness) - 1, len(name) * (2 - closeness) / closeness + 1
    near = [candidate for candidate in names if least <= len(candidate) <= most]  # others cannot be so close
    if budget is not None and not budget.spend_if_affordable("suggestions", len(near)):
        return NOTHING
    return find_close_name(name, tuple(near), closeness)


@functools.lru_cache(maxsize=256)
def find_close_name(name: str, near: tuple[str, ...], closeness: float) -> Guess:
    """The closest of some names. Remembered: the same unknown type stands at many resources, in many templates."""
    import difflib  # slow to import, and most templates have no typos

    close = difflib.get_close_matches(name, near, n=1, cutoff=closeness)
    if not close:
        return NOTHING
    alone = is_typing_error(name, close[0]) and not any(is_typing_error(name, n) for n in near if n != close[0])
    return Guess(name, close[0], alone)


def is_typing_error(written: str, meant: str) -> bool:
    """Whether two names differ only as typing errors make them differ: word by word, by a letter or by the separator.
    The letters of short words, the digits, and a single letter as a word tell names apart on purpose.
    """
    ours, theirs = WORDS.split(written.lower()), WORDS.split(meant.lower())
    if "".join(ours) == "".join(theirs):
        return True
    if len(ours) != len(theirs) or find_digits(written) != find_digits(meant):
        return False
    return all(a == b or is_misspelt_word(a, b) for a, b in zip(ours, theirs, strict=True))


def is_misspelt_word(written: str, meant: str) -> bool:
    most = 2 if len(meant) >= LONG else 1
    return len(meant) >= SHORTEST and written[:1] == meant[:1] and edit_distance(written, meant, most) <= most


def find_digits(name: str) -> list[str]:
    return re.findall(r"\d+", name)


def edit_distance(written: str, meant: str, most: int) -> int:
    """The number of letters that were left out, added, replaced, or swapped with the next one; 1 for "prot" and "port".
    If the lengths alone differ by more than `most`, the result is `most + 1`.
    """
    if abs(len(written) - len(meant)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(meant) + 1))
    for i, a in enumerate(written, 1):
        row = [i]
        for j, b in enumerate(meant, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == meant[j - 2] and written[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
