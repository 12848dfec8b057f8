"""Thresholds: the forms that the texts allow, those that HAS reads, and one spelling for all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.homing import thresholds
from transpile.homing.model import RANGE, QuantityThreshold
from transpile.homing.thresholds import NotAThreshold

# text, base unit: operator, lower end, upper end. Written by hand from "Threshold Values" of the specification.
MEANINGS = [
    ("250", "km", "=", 250.0, 250.0),
    ("< 250 km", "km", "<", None, 250.0),
    ("<250km", "km", "<", None, 250.0),
    (" >=\t1000 Mbps ", "Mbps", ">=", 1000.0, None),
    ("<= 2 Gbps", "Mbps", "<=", None, 2000.0),
    ("> 500 Kbps", "Mbps", ">", 0.5, None),
    ("< 1.5 sec", "ms", "<", None, 1500.0),
    ("< 50 ms", "ms", "<", None, 50.0),
    ("= 5 USD", "USD", "=", 5.0, 5.0),
    ("100 mi", "km", "=", 160.9344, 160.9344),
    ("10-20 km", "km", RANGE, 10.0, 20.0),
    ("20 - 10 km", "km", RANGE, 10.0, 20.0),
    ("-5--2 km", "km", RANGE, -5.0, -2.0),
    ("0-10", "km", RANGE, 0.0, 10.0),
    ("1e3 km", "km", "=", 1000.0, 1000.0),
    (".5 km", "km", "=", 0.5, 0.5),
]
NONE = [
    *[
        *("", " ", "km", "<", "< km", "5 6 km", "5 km 6", "== 5", "=< 5", "!= 5", "5 < km", "1,000 km"),
        *("0x10 km", "inf km"),
    ],
    *["nan", "inf km", "< 10-20 km", "= 10-20 km", "10 -20 km", "10-abc km", "5 km mi", "< 5 KM", "< 5 m", "five"],
    "1e999 km",
    "5" * 300,
]


@pytest.mark.parametrize(("text", "base", "operator", "low", "high"), MEANINGS)
def test_thresholds_that_the_texts_allow(
    text: str, base: str, operator: str, low: float | None, high: float | None
) -> None:
    threshold = thresholds.parse_text_threshold(text, base)
    assert (threshold.operator, threshold.unit) == (operator, base)
    assert threshold.low == (-math.inf if low is None else pytest.approx(low))
    assert threshold.high == (math.inf if high is None else pytest.approx(high))


@pytest.mark.parametrize("text", NONE)
def test_texts_that_are_no_thresholds(text: str) -> None:
    with pytest.raises(NotAThreshold):
        thresholds.parse_text_threshold(text, "km")


@pytest.mark.parametrize(("unit", "base"), [("ms", "km"), ("km", "ms"), ("USD", "Mbps"), ("Mbps", "USD")])
def test_units_of_something_else_are_refused(unit: str, base: str) -> None:
    with pytest.raises(NotAThreshold, match=f"{unit} is not a unit"):
        thresholds.parse_text_threshold(f"< 5 {unit}", base)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5 km mi", "= 8.04672 km"),
        ("10-abc 5 km", "= 5 km"),
        ("10 -20 km", "= 10 km"),
        ("= 10-20 km", "10-20 km"),
        ("< -5 km", "< -5 km"),
    ],
)
def test_has_reads_further_forms(text: str, meant: str) -> None:
    assert thresholds.show_threshold(thresholds.parse_engine_threshold(text, "km")) == meant


@pytest.mark.parametrize("text", ["<5 km", "5km", "0 km", "0-10 km", "10 - 20 km", "10-20km", "5 ms", "5 6", "km 5"])
def test_forms_that_has_refuses(text: str) -> None:
    with pytest.raises(NotAThreshold):
        thresholds.parse_engine_threshold(text, "km")


def test_ends() -> None:
    assert QuantityThreshold("<", -math.inf, 5.0, "km").holds(4.9)
    assert not QuantityThreshold("<", -math.inf, 5.0, "km").holds(5.0)
    assert QuantityThreshold("<=", -math.inf, 5.0, "km").holds(5.0)
    assert not QuantityThreshold(">", 5.0, math.inf, "km").holds(5.0)
    assert QuantityThreshold(">=", 5.0, math.inf, "km").holds(5.0)
    assert QuantityThreshold(RANGE, 5.0, 6.0, "km").holds(5.0)
    assert QuantityThreshold(RANGE, 5.0, 6.0, "km").holds(6.0)
    assert QuantityThreshold("=", 5.0, 5.0, "km").holds(5.0 + 1e-12)
    assert not QuantityThreshold("=", 5.0, 5.0, "km").holds(5.001)


# any threshold

BLANK = st.text(" \t\u00a0", max_size=2)
UNITS = {unit: (base, factor) for base, units in thresholds.UNITS.items() for unit, factor in units.items()}
NUMBER = st.one_of(
    st.integers(0, 10**6).map(str), st.floats(0, 1e6, allow_nan=False).map(repr), st.integers(-99, -1).map(str)
)


@given(BLANK, st.sampled_from(thresholds.OPERATORS), BLANK, NUMBER, BLANK, st.sampled_from([*UNITS]), BLANK)
def test_blanks_may_stand_between_all_parts(
    first: str, operator: str, second: str, number: str, third: str, unit: str, last: str
) -> None:
    base, factor = UNITS[unit]
    text = f"{first}{operator}{second}{number}{third}{unit}{last}"
    threshold = thresholds.parse_text_threshold(text, base)
    ends = {threshold.low, threshold.high} - {-math.inf, math.inf}
    assert threshold.operator == operator
    assert ends == {float(number) * factor}
    spelled = thresholds.canonical_threshold(text)
    assert spelled == f"{operator} {number} {unit}"
    assert thresholds.canonical_threshold(spelled) == spelled
    assert thresholds.parse_text_threshold(spelled, base) == threshold
    if float(number):
        assert thresholds.parse_engine_threshold(spelled, base) == threshold


@given(NUMBER, st.sampled_from(["", " "]), NUMBER, st.sampled_from(["", " km", "mi"]))
def test_ranges(first_number: str, blank: str, other: str, unit: str) -> None:
    text = f"{first_number}{blank}-{blank}{other}{unit}"
    threshold = thresholds.parse_text_threshold(text, "km")
    factor = 1.609344 if unit == "mi" else 1.0
    assert (threshold.low, threshold.high) == tuple(sorted((float(first_number) * factor, float(other) * factor)))
    spelled = thresholds.canonical_threshold(text)
    assert spelled is not None
    assert thresholds.canonical_threshold(spelled) == spelled
    assert thresholds.parse_text_threshold(spelled, "km") == threshold


@given(st.text("<>= -+.0159eEkmis\u00a0Kbps", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Never an exception of another kind, and one spelling never changes again."""
    for read in (thresholds.parse_text_threshold, thresholds.parse_engine_threshold):
        try:
            threshold = read(text, "km")
        except NotAThreshold:
            continue
        assert threshold.unit == "km"
    spelled = thresholds.canonical_threshold(text)
    if spelled is not None:
        assert thresholds.canonical_threshold(spelled) == spelled
