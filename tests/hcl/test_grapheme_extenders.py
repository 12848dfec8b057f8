"""The table of characters that never begin a grapheme, compared with the package regex, which python-hcl2 needs."""

from __future__ import annotations

import re
import sys
import textwrap
import unicodedata
from collections.abc import Iterator

import pytest

from emitters.hcl.tree.grapheme_extenders import RANGES, character_class


def extenders() -> Iterator[int]:
    regex = pytest.importorskip("regex")
    pattern = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")
    yield from (code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000 and pattern.match(chr(code)))


def ranges_of(codes: Iterator[int]) -> str:
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return " ".join(f"{low:X}" if low == high else f"{low:X}-{high:X}" for low, high in ranges)


def test_the_table_agrees_with_regex() -> None:
    """For the characters that this Python knows: another version of regex may know other ones."""
    table = re.compile(character_class())
    meant = set(extenders())
    wrong = [
        f"{code:X}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) not in ("Cn", "Cs")
        and (table.match(chr(code)) is not None) != (code in meant)
    ]
    lines = textwrap.fill(ranges_of(iter(sorted(meant))), 116, break_on_hyphens=False)
    assert wrong == [], f"RANGES must be:\n{lines}"


def test_ranges_are_in_order() -> None:
    ends = [int(end, 16) for part in RANGES.split() for end in part.split("-")]
    assert ends == sorted(ends)
