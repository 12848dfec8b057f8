"""Compares a text with a regular expression as Python does, here or as a service for patterns that may take long."""

from __future__ import annotations

import re
import warnings
from typing import Any


def run_pattern(pattern: str, text: str | None, flags: int, *, search: bool) -> dict[str, Any]:
    """The result as JSON has it: `span`, `groups` and `names` of the match, `wrong` with the reason if this is no
    pattern, or nothing. `text`: None only reads the pattern; `search`: the match may begin anywhere.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # patterns that other versions of Python read differently
            compiled = re.compile(pattern, flags)
    except (re.error, ValueError, OverflowError, RecursionError) as e:
        return {"wrong": str(e)}
    if text is None:
        return {}
    match = compiled.search(text) if search else compiled.match(text)
    if match is None:
        return {}
    return {"span": list(match.span()), "groups": list(match.groups()), "names": match.groupdict()}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    return run_pattern(request["pattern"], request["text"], request["flags"], search=request["search"])
