"""Numbers and lists of names in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def count_noun(number: int, noun: str, plural: str = "") -> str:
    """`1 stack`, `2 stacks`. plural: the form for several, if it is not the noun with an s."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def list_first(names: Sequence[str], most: int) -> str:
    """The first names, and the number of the others: `a, b and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Words as a list in a sentence: `a, b and c`."""
    return f" {conjunction} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
