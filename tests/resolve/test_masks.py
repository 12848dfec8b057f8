"""Hidden values are replaced in messages alike, however many there are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from transpile.resolve import masks
from transpile.resolve.masks import Mask

VALUES = st.text(st.sampled_from("ab1 .\\*'\"\né,"), min_size=1, max_size=12)


@given(st.lists(VALUES, max_size=8), st.lists(VALUES, max_size=8).map("".join), st.booleans())
def test_many_values_are_replaced_as_each_alone_would_be(values: list[str], text: str, escaped: bool) -> None:
    text = repr(text) if escaped else text
    mask = Mask(values, ["a1"], ["b"])
    expected = mask.mask_text(text)
    before = masks.MANY
    masks.MANY = 0
    try:
        assert mask.mask_text(text) == expected
    finally:
        masks.MANY = before
