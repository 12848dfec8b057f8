"""Patterns that TOSCA tools read as Python does.

Invariant: a pattern that another engine of regular expressions rejects, or reads differently, is never written.
"""

from __future__ import annotations

from transpile.guarded.patterns import explain_wrong_pattern
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily

# Regular expression syntax that Go lacks. puccini rejects such patterns.
PYTHON_ONLY_REGEX = compile_lazily(r"\(\?(?:[=!>#(]|<[=!]|P[=>])|\\[1-9Zg]|[*+?}]\+|\{\d{4,}")


def is_python_only_pattern(pattern: str, budget: Budget) -> bool:
    """Whether only Python reads a pattern correctly: other regex engines reject it or read it differently."""
    return bool(PYTHON_ONLY_REGEX.search(pattern) or explain_wrong_pattern(pattern, budget))
