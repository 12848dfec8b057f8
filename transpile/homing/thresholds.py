"""Parses thresholds: a text like `< 500 km`, or a number, becomes a comparison in a base unit.

Invariant: a threshold that the texts allow (grammars/threshold.lark) has the meaning that the texts give it. Any other
one has the meaning that HAS gives it, if HAS accepts it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import NamedTuple

import grammars
from transpile.homing.model import RANGE, QuantityThreshold

UNITS: Mapping[str, Mapping[str, float]] = {  # by base unit, which is the default: what each unit is in it
    "USD": {"USD": 1.0},
    "ms": {"ms": 1.0, "sec": 1000.0},
    "km": {"km": 1.0, "mi": 1.609344},
    "Mbps": {"Mbps": 1.0, "Kbps": 0.001, "Gbps": 1000.0},
}
BASE = {"cost": "USD", "distance": "km", "latency": "ms", "bandwidth": "Mbps"}  # of properties
ALL = tuple(unit for units in UNITS.values() for unit in units)
OPERATORS = ("<=", ">=", "<", ">", "=")
LONGEST = 200  # characters; longer texts are no thresholds


class NotAThreshold(ValueError):
    """The text is not a threshold. The message is a clause that says why; `unit`: a unit that may have been
    mistyped.
    """

    def __init__(self, why: str, unit: str = "") -> None:
        super().__init__(why)
        self.unit = unit


class ThresholdParts(NamedTuple):
    """A threshold as written. `second`: the other end of a range, whose operator is RANGE."""

    operator: str
    first: str
    second: str
    unit: str

    @property
    def canonical_spelling(self) -> str:
        """The canonical spelling, with numbers as written."""
        if self.operator == RANGE:
            gap = " " if self.second.startswith("-") or self.first.startswith("-") else ""
            number = f"{self.first}{gap}-{gap}{self.second}"
            return f"{number} {self.unit}".rstrip()
        return f"{self.operator} {self.first} {self.unit}".strip()


@functools.lru_cache(maxsize=1 << 14)
def split_threshold(text: str) -> ThresholdParts:
    """The parts of a threshold in the grammar of the texts. Raises NotAThreshold."""
    if len(text) > LONGEST:
        raise NotAThreshold(f"it has more than {LONGEST} characters")
    try:
        tree = grammars.parse("threshold", text)
    except grammars.NotParsed as e:
        rest = text[e.at :].split()
        at = f"at {rest[0][:40]}" if rest else "at its end"
        raise NotAThreshold(f"it cannot be read {at}", rest[0] if rest else "") from None
    words = [str(child) if child is not None else "" for child in tree.children]
    if tree.data == "range":
        return ThresholdParts(RANGE, words[0], words[2], words[3])
    return ThresholdParts(words[0], words[1], "", words[2])


def build_threshold(parts: ThresholdParts, base: str) -> QuantityThreshold:
    """The threshold in the base unit. Raises NotAThreshold for a unit of another quantity."""
    factor = UNITS[base].get(parts.unit or base)
    if factor is None:
        raise NotAThreshold(f"{parts.unit} is not a unit of this property, which has {' and '.join(UNITS[base])}")
    first = parse_number(parts.first) * factor
    if parts.operator == RANGE:
        low, high = sorted((first, parse_number(parts.second) * factor))
        return QuantityThreshold(RANGE, low, high, base)
    return threshold_of_number(parts.operator or "=", first, base)


def threshold_of_number(operator: str, number: float, base: str) -> QuantityThreshold:
    """A threshold with one number."""
    low = number if operator in ("=", ">", ">=") else None
    high = number if operator in ("=", "<", "<=") else None
    return QuantityThreshold(operator, low, high, base)


def parse_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotAThreshold("its number is not finite")
    return number


def parse_text_threshold(text: str, base: str) -> QuantityThreshold:
    """A threshold as the texts describe it. Raises NotAThreshold."""
    return build_threshold(split_threshold(text), base)


# what HAS reads


def parse_engine_threshold(text: str, base: str) -> QuantityThreshold:
    """The threshold that HAS reads in a text, which it splits at white space. Raises NotAThreshold if HAS refuses it.

    HAS skips a piece with one dash that is not a range, and of several units the last one counts.
    """
    operator = unit = ""
    number: float | None = None
    ends: tuple[float, float] | None = None
    for piece in text.split():
        dashed = parse_range(piece)
        bound = None if dashed is not None else parse_nonzero(piece)
        if piece in OPERATORS and not operator and number is None and ends is None:
            operator = piece
        elif dashed is not None:
            if number is not None or ends is not None or operator not in ("", "="):
                raise NotAThreshold(f"HAS refuses {piece}")
            ends = dashed
        elif bound is not None and number is None:
            if ends is not None:
                raise NotAThreshold(f"HAS refuses {piece}")
            number = bound
        elif piece.count("-") == 1 and (bound is None or number is not None):
            continue
        elif piece in ALL:
            if number is None and ends is None:
                raise NotAThreshold(f"HAS refuses {piece} before a number")
            if piece not in UNITS[base]:
                raise NotAThreshold(f"HAS fails on the unit {piece}")
            unit = piece
        else:
            raise NotAThreshold(f"HAS refuses {piece}")
    factor = UNITS[base][unit or base]
    if ends is not None:
        return QuantityThreshold(RANGE, ends[0] * factor, ends[1] * factor, base)
    if number is None:
        raise NotAThreshold("it has no number")
    return threshold_of_number(operator or "=", number * factor, base)


def parse_range(piece: str) -> tuple[float, float] | None:
    """The ends of a range of two numbers that are not zero; None if a piece is not a range."""
    if piece.count("-") != 1:
        return None
    first, second = map(parse_nonzero, piece.split("-"))
    return None if first is None or second is None else (min(first, second), max(first, second))


def parse_nonzero(piece: str) -> float | None:
    """A number as Python reads it; None for zero, because HAS treats zero as missing."""
    try:
        return float(piece) or None
    except ValueError:
        return None


def show_threshold(threshold: QuantityThreshold) -> str:
    """A threshold in words, in its base unit."""
    if threshold.operator == RANGE:
        return f"{threshold.low:.12g}-{threshold.high:.12g} {threshold.unit}"
    number = threshold.high if threshold.low is None else threshold.low
    return f"{threshold.operator} {number:.12g} {threshold.unit}"


def canonical_threshold(text: str) -> str | None:
    """The canonical spelling of a threshold. None if the texts do not allow the threshold, or if HAS would read the new
    spelling differently.
    """
    try:
        spelled = split_threshold(text).canonical_spelling
        return spelled if split_threshold(spelled) == split_threshold(text) else None
    except NotAThreshold:
        return None
