"""Finds the placeholders of `str_replace` in a text, and the order in which Heat replaces them.

Heat splits the text at its first placeholder, splits each piece at the next placeholder, and so on. This module
searches the whole text for each placeholder, and ignores a match that overlaps the match of an earlier placeholder. The
result is the same, and the cost does not grow with the number of pieces.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MANY = 64  # from so many placeholders of one length on, one pass over the text is cheaper than a search for each


def in_order(keys: Any) -> list[str]:
    """Sorts placeholders as Heat does: longest first, then by character. `["a", "c", "ab"]` -> `["ab", "a", "c"]`"""
    return sorted(keys, key=lambda k: (-len(k), k))


def parted(text: str, keys: Iterable[str], pay: Callable[[int], None] = lambda steps: None) -> list[str]:
    """Splits a text at its placeholders: pieces of text and placeholders alternate in the result, which begins and ends
    with a piece. The empty placeholder is ignored.

    The text `"a-b"` with the keys `["a", "b"]` -> `["", "a", "-", "b", ""]`. `pay` is called with a number of steps
    before they are done.
    """
    found: list[tuple[int, str]] = []
    taken = bytearray(len(text))  # 1 at each character that belongs to a placeholder
    for key in occurring(text, in_order({*keys} - {""}), pay):
        pay(1 + len(text) // 1024)
        at = text.find(key)
        while at >= 0:
            pay(1)
            end = at + len(key)
            other = taken.rfind(1, at, end)
            if other < 0:
                found.append((at, key))
                taken[at:end] = b"\1" * len(key)
                other = end - 1
            at = text.find(key, other + 1)
    found.sort()
    out, last = [], 0
    for at, key in found:
        out += [text[last:at], key]
        last = at + len(key)
    return [*out, text[last:]]


def occurring(text: str, keys: list[str], pay: Callable[[int], None]) -> Iterator[str]:
    """Yields those of the keys that occur in the text, in the order of the keys.

    Thousands of keys would need thousands of searches of the whole text. Keys of one length are therefore looked up
    together in the set of all parts of the text that have this length, if there are `MANY` of them.
    """
    counts = Counter(map(len, keys))
    there: dict[int, set[str]] = {}
    for key in keys:
        length = len(key)
        if counts[length] < MANY:
            pay(1 + len(text) // 1024)
            if key in text:
                yield key
            continue
        if length not in there:
            pay(len(text) * (1 + length // 64))
            wanted = {one for one in keys if len(one) == length}
            parts = (text[at : at + length] for at in range(len(text) - length + 1))
            there[length] = {part for part in parts if part in wanted}
        if key in there[length]:
            yield key


def met(parts: list[str]) -> list[str]:
    """The distinct placeholders of a split text, in the order in which Heat finishes replacing them.

    `parts` is a result of `split_at_placeholders`. Heat splits at the placeholders one after the other, longest first,
    and joins the pieces when all that is inside them is replaced. Of two placeholders next to each other, the one at
    which Heat splits last is therefore finished first: `["", "long", "-", "s", ""]` -> `["s", "long"]`. The order
    matters where evaluating a value can fail: the first failure is reported.
    """
    found = parts[1::2]
    rank = {key: number for number, key in enumerate(in_order(set(found)))}
    ends: dict[str, int] = {}
    seen: set[str] = set()
    # Open placeholders by ascending rank, each with whether this is its first occurrence. A placeholder of a lower rank
    # ends the piece in which those of higher ranks occur, so they are finished there.
    waiting: list[tuple[str, bool]] = []
    for at, key in enumerate([*found, None]):
        while waiting and (key is None or rank[waiting[-1][0]] > rank[key]):
            other, first = waiting.pop()
            if first:
                ends[other] = at
        if key is not None:
            waiting.append((key, key not in seen))
            seen.add(key)
    return sorted(ends, key=lambda key: (ends[key], -rank[key]))
