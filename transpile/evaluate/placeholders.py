"""Finds the placeholders of `str_replace` in a text, and the order in which Heat replaces them.

Heat splits the text at its first placeholder, splits each piece at the next placeholder, and so on. This module
searches the whole text for each placeholder, and ignores a match that overlaps the match of an earlier placeholder. The
result is the same, and the cost does not grow with the number of pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

MANY = 64  # from so many placeholders of one length on, one pass over the text is cheaper than a search for each


def sort_placeholders(placeholders: Any) -> list[str]:
    """Sorts placeholders as Heat does: longest first, then by character. `["a", "c", "ab"]` -> `["ab", "a", "c"]`"""
    return sorted(placeholders, key=lambda placeholder: (-len(placeholder), placeholder))


def split_at_placeholders(text: str, keys: Iterable[str], pay: Callable[[int], None] = lambda steps: None) -> list[str]:
    """Splits a text at its placeholders: pieces of text and placeholders alternate in the result, which begins and ends
    with a piece. The empty placeholder is ignored.

    The text `"a-b"` with the keys `["a", "b"]` -> `["", "a", "-", "b", ""]`. `pay` is called with a number of steps
    before they are done.
    """
    matches: list[tuple[int, str]] = []
    taken = bytearray(len(text))  # 1 at each character that belongs to a placeholder
    for key, places in occurring_placeholders(text, sort_placeholders({*keys} - {""}), pay):
        known = iter(places)
        at = next(known, -1) if places else text.find(key)
        while at >= 0:
            pay(1)
            end = at + len(key)
            other = taken.rfind(1, at, end)
            if other < 0:
                matches.append((at, key))
                taken[at:end] = b"\1" * len(key)
                other = end - 1
            at = next((place for place in known if place > other), -1) if places else text.find(key, other + 1)
    matches.sort()
    out, last = [], 0
    for at, key in matches:
        out += [text[last:at], key]
        last = at + len(key)
    return [*out, text[last:]]


def occurring_placeholders(
    text: str, keys: list[str], pay: Callable[[int], None] = lambda steps: None
) -> Iterator[tuple[str, list[int]]]:
    """Yields those of the keys that occur in the text, in the order of the keys, with their places if these are known.

    Thousands of keys would need thousands of searches of the whole text. Keys of one length are therefore looked up
    together among all parts of the text that have this length, if there are `MANY` of them.
    """
    counts = Counter(map(len, keys))
    places_by_length: dict[int, dict[str, list[int]]] = {}
    for key in keys:
        length = len(key)
        if counts[length] < MANY:
            pay(2 + len(text) // 512)
            if key in text:
                yield key, []
            continue
        if length not in places_by_length:
            pay(len(text) * (1 + length // 64))
            places: dict[str, list[int]] = {candidate: [] for candidate in keys if len(candidate) == length}
            for at in range(len(text) - length + 1):
                if (known := places.get(text[at : at + length])) is not None:
                    known.append(at)
            places_by_length[length] = places
        if places_by_length[length][key]:
            yield key, places_by_length[length][key]


def replacement_order(parts: list[str]) -> list[str]:
    """The distinct placeholders of a split text, in the order in which Heat finishes replacing them.

    `parts` is a result of `split_at_placeholders`. Heat splits at the placeholders one after the other, longest first,
    and joins the pieces when all that is inside them is replaced. Of two placeholders next to each other, the one at
    which Heat splits last is therefore finished first: `["", "long", "-", "s", ""]` -> `["s", "long"]`. The order
    matters where evaluating a value can fail: the first failure is reported.
    """
    occurrences = parts[1::2]
    rank = {key: number for number, key in enumerate(sort_placeholders(set(occurrences)))}
    ends: dict[str, int] = {}
    seen: set[str] = set()
    # Open placeholders by ascending rank, each with whether this is its first occurrence. A placeholder of a lower rank
    # ends the piece in which those of higher ranks occur, so they are finished there.
    waiting: list[tuple[str, bool]] = []
    for at, key in enumerate([*occurrences, None]):
        while waiting and (key is None or rank[waiting[-1][0]] > rank[key]):
            other, first = waiting.pop()
            if first:
                ends[other] = at
        if key is not None:
            waiting.append((key, key not in seen))
            seen.add(key)
    return sorted(ends, key=lambda key: (ends[key], -rank[key]))
