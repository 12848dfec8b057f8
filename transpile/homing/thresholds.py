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

UNITS: Mapping[str, Mapping[str, float]] = {  # by base unit, which is the default: the factor of each unit
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
    low = number if operator in ("=", ">", ">=") else -math.inf
    high = number if operator in ("=", "<", "<=") else math.inf
    return QuantityThreshold(operator, low, high, base)


def parse_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotAThreshold("its number is not finite")
    return number


def parse_text_threshold(text: str, base: str) -> QuantityThreshold:
    """A threshold as the texts describe it. Raises NotAThreshold."""
    return build_threshold(split_threshold(text), base)


# the reading of HAS


def parse_engine_threshold(text: str, base: str) -> QuantityThreshold:
    """The threshold that HAS reads in a text, which it splits at white space. Raises NotAThreshold if HAS refuses it.

    HAS skips a piece with one dash that is not a range, and of several units the last one counts.
    """
    operator = unit = ""
    number = 0.0  # HAS treats zero as missing
    ends: tuple[float, ...] = ()
    for piece in text.split():
        dashed = parse_range(piece)
        bound = 0.0 if dashed else parse_number_or_zero(piece)
        if piece in OPERATORS and not operator and not number and not ends:
            operator = piece
        elif dashed:
            if number or ends or operator not in ("", "="):
                raise NotAThreshold(f"HAS refuses {piece}")
            ends = dashed
        elif bound and not number:
            if ends:
                raise NotAThreshold(f"HAS refuses {piece}")
            number = bound
        elif piece.count("-") == 1 and (not bound or number):
            continue
        elif piece in ALL:
            if not number and not ends:
                raise NotAThreshold(f"HAS refuses {piece} before a number")
            if piece not in UNITS[base]:
                raise NotAThreshold(f"HAS fails on the unit {piece}")
            unit = piece
        else:
            raise NotAThreshold(f"HAS refuses {piece}")
    factor = UNITS[base][unit or base]
    if ends:
        return QuantityThreshold(RANGE, ends[0] * factor, ends[1] * factor, base)
    if not number:
        raise NotAThreshold("it has no number")
    return threshold_of_number(operator or "=", number * factor, base)


def parse_range(piece: str) -> tuple[float, ...]:
    """The ends of a range of two numbers that are not zero; empty if a piece is not a range."""
    if piece.count("-") != 1:
        return ()
    first, second = map(parse_number_or_zero, piece.split("-"))
    return (min(first, second), max(first, second)) if first and second else ()


def parse_number_or_zero(piece: str) -> float:
    """A number as Python reads it, or zero if it is not a number."""
    try:
        return float(piece)
    except ValueError:
        return 0.0


def show_threshold(threshold: QuantityThreshold) -> str:
    """A threshold in words, in its base unit."""
    if threshold.operator == RANGE:
        return f"{threshold.low:.12g}-{threshold.high:.12g} {threshold.unit}"
    return f"{threshold.operator} {threshold.number:.12g} {threshold.unit}"


def canonical_threshold(text: str) -> str | None:
    """The canonical spelling of a threshold. None if the texts do not allow the threshold, or if HAS would read the new
    spelling differently.
    """
    try:
        spelled = split_threshold(text).canonical_spelling
        return spelled if split_threshold(spelled) == split_threshold(text) else None
    except NotAThreshold:
        return None
