"""Patterns that TOSCA tools read as Python does.

Invariant: a pattern that another engine of regular expressions rejects, or reads differently, is never written.
"""

from __future__ import annotations

import re

# Regular expression syntax that Go lacks. puccini rejects such patterns.
PYTHON_ONLY_REGEX = re.compile(r"\(\?(?:[=!>#(]|<[=!]|P[=>])|\\[1-9Zg]|[*+?}]\+|\{\d{4,}")


def is_python_only_pattern(pattern: str) -> bool:
    """Whether only Python reads a pattern correctly: other regex engines reject it or read it differently."""
    if PYTHON_ONLY_REGEX.search(pattern):
        return True
    try:
        re.compile(pattern)
    except re.error:
        return True
    return False
