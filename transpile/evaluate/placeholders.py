"""Where placeholders occur in a text, as Heat finds them.

Heat splits a text at the first placeholder, then only the pieces at the next one, and so on. Here each placeholder is
looked for in the whole text, and what overlaps an earlier one is left out, so that the cost does not depend on the
number of pieces.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MANY = 64  # placeholders of one length, for which it is worth to look at each part of that length in the text


def in_order(keys: Any) -> list[str]:
    """Placeholders in Heat's order: longest first, then by character."""
    return sorted(keys, key=lambda k: (-len(k), k))


def parted(text: str, keys: Iterable[str], pay: Callable[[int], None] = lambda steps: None) -> list[str]:
    """The text in parts: pieces at even places, and at odd places the placeholders between them. Without the empty
    placeholder. `pay`: is called with the number of steps before they are done.
    """
    found: list[tuple[int, str]] = []
    taken = bytearray(len(text))  # 1 where a placeholder was found
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
    """The placeholders that occur at all, in order. A search for each of thousands would read the text as often."""
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
    """The placeholders of a text in parts, each once, in the order in which Heat is done with the pieces around them:
    of a placeholder, with the piece between two that come before it in order.
    """
    found = parts[1::2]
    rank = {key: number for number, key in enumerate(in_order(set(found)))}
    ends: dict[str, int] = {}
    seen: set[str] = set()
    waiting: list[tuple[str, bool]] = []  # with ascending ranks, and whether it is the first of its kind
    for at, key in enumerate([*found, None]):
        while waiting and (key is None or rank[waiting[-1][0]] > rank[key]):
            other, first = waiting.pop()
            if first:
                ends[other] = at
        if key is not None:
            waiting.append((key, key not in seen))
            seen.add(key)
    return sorted(ends, key=lambda key: (ends[key], -rank[key]))
