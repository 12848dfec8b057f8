"""Saves the facts about a file as a text, so that a later survey need not parse the file again.

Invariant: the key of a text is made of the file's name and content and of the version of hot2tf, so a text is never out
of date.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from transpile.model.records import EMPTY
from transpile.repository.contents import EnvironmentFacts, Other, TemplateFacts, same
from transpile.repository.walking import shown
from transpile.version import __version__

if TYPE_CHECKING:
    from transpile.repository.contents import Facts


def key(path: str, data: bytes) -> str:
    """The key under which the facts about a file are kept."""
    return hashlib.sha256(f"{__version__}\0{shown(path)}\0".encode() + data).hexdigest()


def remembered(facts: Facts | None) -> str:
    """Facts as a text for `load_facts`."""
    if isinstance(facts, TemplateFacts):
        said: list[object] = ["template", sorted(facts.parameters), facts.types, facts.files, facts.problem]
    elif isinstance(facts, EnvironmentFacts):
        names = sorted(facts.parameters), sorted(facts.defaults)
        said = ["environment", *names, list(facts.types.items()), facts.files]
    else:
        said = ["other", facts.what] if facts is not None else []
    return json.dumps(said, separators=(",", ":"))


def recalled(path: str, text: str) -> Facts | None:
    """The facts in a text of `dump_facts`. Raises ValueError for any other text."""
    try:
        kind, *said = json.loads(text) or [""]
        if kind == "template":
            parameters, types, files, problem = said
            return TemplateFacts(path, same(frozenset(parameters)), same(tuple(types)), same(tuple(files)), problem)
        if kind == "environment":
            parameters, defaults, types, files = said
            given, given_defaults = same(frozenset(parameters)), same(frozenset(defaults))
            return EnvironmentFacts(path, given, given_defaults, dict(types) or EMPTY, same(tuple(files)))
        return Other(path, *said) if kind else None
    except (TypeError, RecursionError) as e:
        raise ValueError(str(e)) from None
