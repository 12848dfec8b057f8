"""Adds fixes to diagnostics about the version of a template: functions that were removed, and sections or keys that the
version does not have yet.

Invariant: a fix is certain only if Heat refuses the template and the new spelling means the same. A map that is a
function only in later versions means data today, so raising the version is offered as a fix that is not certain.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Edit, Fix
from transpile.model.intrinsics import (
    DATES,
    HOT,
    SEVERAL_LISTS,
    Version,
    find_template_version,
    look_up_template_version,
)
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import Span

SAME_ARGUMENT = {  # functions that only got a new name; upgrade.py rewrites others, too
    "Fn::Join": "list_join",
    "Fn::Split": "str_split",
    "Fn::GetAtt": "get_attr",
    "Fn::ResourceFacade": "resource_facade",
}
CALL = compile_lazily(r"""\{?\s*["']?(?P<name>Fn::\w+)["']?\s*:""")
WORD = compile_lazily(r"""["']?(?P<name>\w+)""")
VERSION = compile_lazily(rf"""^["']?{HOT}["']?[ \t]*:[ \t]*["']?(?P<name>[\w-]+)""", re.M)
OWNERS = {"Resource": "resource", "Output": "output", "Parameter": "parameter"}


def add_fixes(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics, with a fix if this module has one and they have none. Rendered sources get none, because the
    edit would be in the rendered text.
    """
    for diagnostic in diagnostics:
        if (
            diagnostic.fix is None
            and diagnostic.code in REPAIRS
            and diagnostic.source is not None
            and diagnostic.source.rendered_from is None
        ):
            yield replace(diagnostic, fix=REPAIRS[diagnostic.code](diagnostic, diagnostic.source))
        else:
            yield diagnostic


def fix_removed_function(diagnostic: Diagnostic, source: Source) -> Fix | None:
    """The fix for a function that the template's version no longer has; None if there is no simple one."""
    call, now = CALL.match(source.text, diagnostic.at), find_declared_version(source)
    new = SAME_ARGUMENT.get(call["name"]) if call is not None else None
    if call is None or new is None or now is None or new not in now[0].functions:
        return None
    return Fix(f"Replace {call['name']} by {new}", (Edit(Span(*call.span("name")), new),))


def fix_section(diagnostic: Diagnostic, source: Source) -> Fix | None:
    """The fix for a section that only later versions have."""
    word = WORD.match(source.text, diagnostic.at)
    return raise_version(source, operator.attrgetter("dialect.sections"), word["name"]) if word is not None else None


def fix_key(diagnostic: Diagnostic, source: Source) -> Fix | None:
    """The fix for a key of a resource, output or parameter that only later versions have."""
    word, owner = WORD.match(source.text, diagnostic.at), OWNERS.get(diagnostic.message.partition(" ")[0])
    if word is None or owner is None:
        return None
    return raise_version(source, operator.attrgetter(f"dialect.{owner}"), word["name"])


def fix_lookalike(diagnostic: Diagnostic, source: Source) -> Fix | None:
    """The fix for a map that later versions read as a function."""
    name = diagnostic.message.partition(" ")[0]
    fix = raise_version(source, operator.attrgetter("functions"), name)
    return replace(fix, certain=False) if fix is not None else None


def fix_form(diagnostic: Diagnostic, source: Source) -> Fix | None:
    """The fix for a form of a call that only later versions have."""
    words = SEVERAL_LISTS.words
    if words not in diagnostic.message:
        return None
    return raise_version(source, lambda version: (words,) if version.has_form(SEVERAL_LISTS) else (), words)


def raise_version(source: Source, words: Callable[[Version], Container[str]], word: str) -> Fix | None:
    """The fix that raises the version to the first later one with a word. `words`: the words of a version."""
    now = find_declared_version(source)
    if now is None:
        return None
    current, place = now
    new = next((date for date in DATES if date > current.date and word in words(look_up_template_version(date))), None)
    return Fix(f"Raise the version to {new}, which has {word}", (Edit(place, new),)) if new is not None else None


def find_declared_version(source: Source) -> tuple[Version, Span] | None:
    """The version of a HOT template, and its span; None if it is not written once."""
    written = list(VERSION.finditer(source.text))
    declared_version = find_template_version(HOT, written[0]["name"]) if len(written) == 1 else None
    return (declared_version, Span(*written[0].span("name"))) if declared_version is not None else None


REPAIRS: Mapping[str, Callable[[Diagnostic, Source], Fix | None]] = {
    codes.REMOVED_FUNCTION: fix_removed_function,
    codes.UNKNOWN_SECTION: fix_section,
    codes.UNKNOWN_KEY: fix_key,
    codes.MAP_LOOKS_LIKE_CALL: fix_lookalike,
    codes.FORM_OF_LATER_VERSION: fix_form,
}
