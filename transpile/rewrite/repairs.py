"""Fixes of diagnostics that a newer spelling puts right: functions that were removed, and versions that lack a section
or a key.

Invariant: a fix is certain only where Heat refuses what is written, and what replaces it means the same. A map that
only looks like a function is one today, so a newer version is offered and not certain.
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

from transpile.diagnostics.model import Edit, Fix
from transpile.model.intrinsics import DATES, HOT, find, version
from transpile.model.records import replace
from transpile.model.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.intrinsics import Version
    from transpile.model.source import Source

SAME_ARGUMENT = {  # of the functions that upgrade.py rewrites, those that take the same argument under a new name
    "Fn::Join": "list_join",
    "Fn::Split": "str_split",
    "Fn::GetAtt": "get_attr",
    "Fn::ResourceFacade": "resource_facade",
}
CALL = re.compile(r"""\{?\s*["']?(?P<name>Fn::\w+)["']?\s*:""")
WORD = re.compile(r"""["']?(?P<name>\w+)""")
VERSION = re.compile(rf"""^["']?{HOT}["']?[ \t]*:[ \t]*["']?(?P<name>[\w-]+)""", re.M)
OWNERS = {"Resource": "resource", "Output": "output", "Parameter": "parameter"}


def repaired(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics, with a fix where there is one."""
    for d in found:
        if d.fix is None and d.code in REPAIRS and d.source is not None and d.source.made_of is None:
            yield replace(d, fix=REPAIRS[d.code](d, d.source))
        else:
            yield d


def removed(d: Diagnostic, source: Source) -> Fix | None:
    """A function that the template's version no longer has."""
    call, now = CALL.match(source.text, d.at), declared(source)
    new = SAME_ARGUMENT.get(call["name"]) if call is not None else None
    if call is None or new is None or now is None or new not in now[0].functions:
        return None
    return Fix(f"Replace {call['name']} by {new}", (Edit(Span(*call.span("name")), new),))


def section(d: Diagnostic, source: Source) -> Fix | None:
    """A section that later versions have."""
    word = WORD.match(source.text, d.at)
    return raised(source, operator.attrgetter("dialect.sections"), word["name"]) if word is not None else None


def key(d: Diagnostic, source: Source) -> Fix | None:
    """A key of a resource, an output or a parameter that later versions have."""
    word, owner = WORD.match(source.text, d.at), OWNERS.get(d.message.partition(" ")[0])
    if word is None or owner is None:
        return None
    return raised(source, operator.attrgetter(f"dialect.{owner}"), word["name"])


def lookalike(d: Diagnostic, source: Source) -> Fix | None:
    """A map that later versions take for a function."""
    name = d.message.partition(" ")[0]
    fix = raised(source, operator.attrgetter("functions"), name)
    return replace(fix, certain=False) if fix is not None else None


def raised(source: Source, words: Callable[[Version], Container[str]], word: str) -> Fix | None:
    """The fix that raises the version to the first later one that has a word."""
    now = declared(source)
    if now is None:
        return None
    current, place = now
    new = next((date for date in DATES if date > current.date and word in words(version(date))), None)
    return Fix(f"Raise the version to {new}, which has {word}", (Edit(place, new),)) if new is not None else None


def declared(source: Source) -> tuple[Version, Span] | None:
    """The version of a HOT template, and where it stands."""
    written = list(VERSION.finditer(source.text))
    known = find(HOT, written[0]["name"]) if len(written) == 1 else None
    return (known, Span(*written[0].span("name"))) if known is not None else None


REPAIRS: Mapping[str, Callable[[Diagnostic, Source], Fix | None]] = {
    "HOT131": removed,
    "HOT120": section,
    "HOT122": key,
    "HOT134": lookalike,
}
