"""Saves the facts about a file as a text, so that a later survey need not parse the file again.

Invariant: the key of a text is made of the file's name and content and of the version of hot2tf, so a text is never out
of date.
"""

from __future__ import annotations

import hashlib
import json

from transpile.model.records import EMPTY
from transpile.repository.contents import EnvironmentFacts, Facts, OtherFile, TemplateFacts, intern_names
from transpile.repository.walking import escape_path
from transpile.version import __version__


def make_memory_key(path: str, data: bytes) -> str:
    """The key under which the facts about a file are kept."""
    return hashlib.sha256(f"{__version__}\0{escape_path(path)}\0".encode() + data).hexdigest()


def dump_facts(facts: Facts | None) -> str:
    """Facts as a text for `load_facts`."""
    if isinstance(facts, TemplateFacts):
        parts: list[object] = ["template", sorted(facts.parameters), facts.types, facts.files, facts.problem]
        parts.append(sorted(facts.hidden))
    elif isinstance(facts, EnvironmentFacts):
        names = sorted(facts.parameters), sorted(facts.defaults)
        parts = ["environment", *names, list(facts.types.items()), facts.files]
    else:
        parts = ["other", facts.what] if facts is not None else []
    return json.dumps(parts, separators=(",", ":"))


def load_facts(path: str, text: str) -> Facts | None:
    """The facts in a text of `dump_facts`. Raises ValueError for any other text."""
    facts = parse_facts(path, text)
    if dump_facts(facts) != text:
        raise ValueError("dump_facts writes the same facts in another way")
    return facts


def parse_facts(path: str, text: str) -> Facts | None:
    """The facts in a text. Raises ValueError."""
    try:
        kind, *parts = json.loads(text) or [""]
        if kind == "template":
            parameters, types, files, problem, hidden = parts
            return TemplateFacts(
                path,
                intern_names(frozenset(parameters)),
                intern_names(tuple(types)),
                intern_names(tuple(files)),
                problem,
                hidden=intern_names(frozenset(hidden)),
            )
        if kind == "environment":
            parameters, defaults, types, files = parts
            parameter_names, default_names = intern_names(frozenset(parameters)), intern_names(frozenset(defaults))
            return EnvironmentFacts(
                path, parameter_names, default_names, dict(types) or EMPTY, intern_names(tuple(files))
            )
        return OtherFile(path, *parts) if kind else None
    except (TypeError, RecursionError) as e:
        raise ValueError(str(e)) from None
