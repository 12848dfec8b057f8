"""Lines and columns: in all encodings of the protocol, and never outside of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.language_server.positions import UTF8, UTF16, UTF32, Positions

TEXTS = st.lists(st.sampled_from(["a", " ", "é", "€", "🎉", "\n", "\r", "\r\n", "\u2028", "\x0c"]), max_size=30).map(
    "".join
)


@pytest.mark.parametrize(("encoding", "column"), [(UTF8, 6), (UTF16, 4), (UTF32, 3)])
def test_columns_count_the_units_of_the_encoding(encoding: str, column: int) -> None:
    positions = Positions("x\n🎉a b", encoding)
    assert positions.position_at(5) == (1, column)
    assert positions.offset_at(1, column) == 5


def test_a_position_inside_a_character_is_before_it() -> None:
    assert Positions("🎉a").offset_at(0, 1) == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_the_protocol_says(end: str) -> None:
    """Form feeds and Unicode's line separators are characters of a line."""
    positions = Positions(f"a\u2028b\x0c{end}c")
    assert positions.line_text(0) == "a\u2028b\x0c"
    assert positions.position_at(positions.text.index("c")) == (1, 0)


@given(TEXTS, st.sampled_from([UTF8, UTF16, UTF32]))
def test_every_offset_comes_back(text: str, encoding: str) -> None:
    """But for those between a carriage return and its line feed, which no position has."""
    positions = Positions(text, encoding)
    for offset in range(len(text) + 1):
        if text[max(offset - 1, 0) : offset + 1] != "\r\n":
            assert positions.offset_at(*positions.position_at(offset)) == offset


@given(TEXTS, st.integers(-3, 40), st.integers(-3, 40))
def test_every_position_of_a_client_is_inside(text: str, line: int, column: int) -> None:
    assert 0 <= Positions(text).offset_at(line, column) <= len(text)
