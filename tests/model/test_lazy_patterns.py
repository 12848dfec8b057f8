"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import importlib
import pathlib
import re

import pytest

import transpile
from transpile.model.lazy_patterns import LazyPattern, compile_lazily


def test_lazy_patterns_are_valid() -> None:
    """A pattern that is compiled lazily would raise only where it is used: so each is used here once."""
    folder = pathlib.Path(transpile.__file__).parent.parent
    files = [file for name in ("transpile", "emitters") for file in sorted((folder / name).rglob("*.py"))]
    names = [".".join(file.relative_to(folder).with_suffix("").parts) for file in files if file.stem != "__main__"]
    patterns = [
        value
        for name in names
        for value in vars(importlib.import_module(name.removesuffix(".__init__"))).values()
        if isinstance(value, LazyPattern)
    ]
    assert len(patterns) > 100
    for pattern in patterns:
        assert pattern.pattern == pattern.text


def test_a_lazy_pattern_matches_as_a_compiled_one() -> None:
    pattern, compiled = compile_lazily(r"(\w)b", re.IGNORECASE), re.compile(r"(\w)b", re.IGNORECASE)
    for text in ("", "ab", "xAB, ab", "b"):
        assert pattern.findall(text) == compiled.findall(text)
        assert pattern.sub(r"<\1>", text) == compiled.sub(r"<\1>", text)
        assert (pattern.fullmatch(text) is None) == (compiled.fullmatch(text) is None)
    assert (pattern.flags, pattern.groups) == (compiled.flags, compiled.groups)


def test_an_invalid_pattern_raises_when_it_is_used() -> None:
    pattern = compile_lazily("(")
    with pytest.raises(re.error):
        pattern.match("")
