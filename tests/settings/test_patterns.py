"""Patterns for a walk that begins further below mean the same paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.repository import ignoring
from transpile.settings import model


@pytest.mark.parametrize(
    ("pattern", "below"),
    [
        ("*.yaml", ["*.yaml"]),
        ("old/", ["old/"]),
        ("src/a/*.yaml", ["/a/*.yaml"]),
        ("/src/a/", ["/a/"]),
        ("!src/a", ["!/a"]),
        ("s*/a", ["/a"]),
        ("other/a", []),
        ("src/", ["src/"]),
        ("/src/", []),
        ("**/a/b", ["/**/a/b"]),
        ("src/**/b", ["/**/b"]),
    ],
)
def test_below_a_directory(pattern: str, below: list[str]) -> None:
    assert list(model.patterns_below([pattern], "src")) == below


PARTS = st.sampled_from(["a", "b", "src", "*", "a*", "**"])


@given(
    st.lists(
        st.builds(
            lambda sign, first, parts, last: f"{sign}{first}{'/'.join(parts)}{last}",
            st.sampled_from(["", "!"]), st.sampled_from(["", "/"]), st.lists(PARTS, min_size=1, max_size=4),
            st.sampled_from(["", "/"]),
        ),
        max_size=4,
    ),
    st.lists(st.sampled_from(["a", "b", "ab", "src", "c.yaml"]), min_size=1, max_size=4),
)  # fmt: skip
def test_they_match_the_same_as_before(words: list[str], path: list[str]) -> None:
    """Except that a walk never leaves out where it begins."""
    outer = ignoring.compile_patterns([word for word in words if ignoring.compile_patterns([word]) is not None])
    if outer is None:
        return
    if outer.check_file("src/").include:
        return
    inner = ignoring.compile_patterns(
        list(model.patterns_below([word for word in words if ignoring.compile_patterns([word]) is not None], "src"))
    )
    expected = outer.check_file("/".join(["src", *path])).include
    actual = inner.check_file("/".join(path)).include if inner is not None else None
    assert bool(actual) is bool(expected)
