"""Text to `Environment`.

Invariant: environments have no functions, so everything in them is data. Every entry keeps its place, because the
report names each of them.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooMany
from transpile.diagnostics.spelling import guess
from transpile.front import claims, documents, nodes
from transpile.front.expressions import Expressions
from transpile.front.nodes import span_of
from transpile.model.intrinsics import VERSION_KEYS, version
from transpile.model.ir import Entry, Environment, ErrorNode, Lit, Map, Seq, as_data
from transpile.text import source as sources
from transpile.text.source import Unreadable, unreadable

if TYPE_CHECKING:
    from transpile.diagnostics.model import Diagnostic
    from transpile.model.budget import Budget
    from transpile.model.ir import Expr
    from transpile.model.source import Source

SECTIONS = (
    "parameters",
    "parameter_defaults",
    "resource_registry",
    "parameter_merge_strategies",
    "encrypted_param_names",
    "event_sinks",
    "requires",
)
SINKS = ("zaqar-queue",)
MAPS = {
    "parameters": "parameters",
    "parameter_defaults": "parameter_defaults",
    "resource_registry": "registry",
    "parameter_merge_strategies": "strategies",
    "requires": "requires",
}


def load(
    source: str | os.PathLike[str], found: list[Diagnostic], name: str | None = None, budget: Budget | None = None
) -> Environment | None:
    """The environment in a file, or in a text, which is a string with a newline; None if it cannot be read. Its
    diagnostics are appended to `diagnostics`. `name`: its name in diagnostics.
    """
    path = isinstance(source, os.PathLike) or "\n" not in source
    folder = pathlib.Path(source).parent if path else None
    shown = name or (os.path.basename(source) if path else "environment")
    try:
        if path:
            text = sources.load(pathlib.Path(source), shown, budget)
        else:
            text = sources.from_text(str(source), shown, budget)
    except Unreadable as e:
        found.append(unreadable(e, shown))
        return None
    try:
        environment, sink = read(text, folder)
    except TooMany as e:
        found += e.sink.found
        return None
    found += sink.found
    return environment


def read(source: Source, folder: pathlib.Path | None = None) -> tuple[Environment | None, Sink]:
    """The environment in a text, and its diagnostics. `folder`: where its files are."""
    sink = Sink(source)
    try:
        if not source.text.strip():
            return Environment(source), sink
        return of(sink, documents.compose(sink, source.name), folder), sink
    except nodes.Unreadable:
        return None, sink


def of(sink: Sink, root: Node, folder: pathlib.Path | None = None) -> Environment | None:
    """The environment in a document. Raises UnreadableDocument, with the reason in the sink."""
    assert sink.source is not None
    source = sink.source
    reader = Expressions(sink, version("2013-05-23"), frozenset())
    if isinstance(root, ScalarNode) and root.tag == nodes.NULL:
        return Environment(source)
    if not isinstance(root, MappingNode):
        sink.say(codes.MALFORMED_ENVIRONMENT, "An environment must be a map.", span_of(root))
        return None
    places: dict[str, int] = {}
    found: dict[str, dict[str, Entry]] = {name: {} for name in (*MAPS.values(), "other")}
    for word, key, value in reader.pairs(root):
        span = span_of(key)
        if word in VERSION_KEYS:
            sink.say(codes.MALFORMED_ENVIRONMENT, "This is a template, not an environment.", span)
        elif word not in SECTIONS:
            sink.say(
                codes.MALFORMED_ENVIRONMENT,
                f"Environments have no section {word}.",
                span,
                guess(word, SECTIONS) or f"The sections are {', '.join(SECTIONS)}.",
            )
        else:
            given = reader.plain(value)
            if isinstance(given, ErrorNode):
                continue
            given = as_data(given)
            places[word] = span.at
            if given == Lit(None):
                sink.say(
                    codes.MALFORMED_ENVIRONMENT, f"The section {word} is empty.", span, "Remove it, or write {} or []."
                )
            elif word not in MAPS:
                listed(sink, word, given)
                found["other"][word] = Entry(word, given, span.at)
            elif not isinstance(given, Map):
                sink.say(codes.MALFORMED_ENVIRONMENT, f"The section {word} must be a map.", span)
            elif word == "requires":
                found["requires"] = claims.entries(sink, given, "A requirement", null=True)
            else:
                found[MAPS[word]] = {entry.key: entry for entry in given.entries}
    from transpile.front import comments  # imported late, because most commands read no environment

    written = comments.read(source.text, root)
    return Environment(source, **found, comments=written, order=tuple(places), folder=folder, places=places)


def listed(sink: Sink, word: str, given: Expr) -> None:
    """Checks encrypted_param_names and event_sinks: both are lists. Heat validates the items of event_sinks only."""
    if not isinstance(given, Seq):
        sink.say(codes.MALFORMED_ENVIRONMENT, f"The section {word} must be a list.", given)
        return
    for item in given.items if word == "event_sinks" else ():
        kind = item.get("type") if isinstance(item, Map) else None
        if not isinstance(kind, Lit) or kind.value not in SINKS:
            span = item.span if kind is None else kind.span
            sink.say(
                codes.UNKNOWN_HOOK_OR_EVENT_SINK, "Unknown event sink.", span, f"Heat supports {', '.join(SINKS)}."
            )
