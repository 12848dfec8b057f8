"""Text to `Environment`.

Invariant: environments have no functions, so everything in them is data. Every entry keeps its place, because the
report names each of them.
"""

from __future__ import annotations

import os
import pathlib

from yaml.nodes import MappingNode, Node, ScalarNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.diagnostics.spelling import guess_name
from transpile.front import claims, documents, nodes
from transpile.front.expressions import ExpressionReader
from transpile.front.nodes import span_of
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS, look_up_template_version
from transpile.model.ir import Entry, Environment, ErrorNode, Expr, Lit, Map, Seq, replace_errors_by_null
from transpile.model.source import Source
from transpile.text import source as sources
from transpile.text.source import UnreadableFile, diagnose_unreadable

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


def load_environment(
    source: str | os.PathLike[str], diagnostics: list[Diagnostic], name: str | None = None, *, budget: Budget
) -> Environment | None:
    """The environment in a file, or in a text, which is a string with a newline; None if it cannot be read. Its
    diagnostics are appended to `diagnostics`. `name`: its name in diagnostics.
    """
    path = isinstance(source, os.PathLike) or "\n" not in source
    folder = pathlib.Path(source).parent if path else None
    display_name = name or (os.path.basename(source) if path else "environment")
    try:
        if path:
            text = sources.load_source(pathlib.Path(source), display_name, budget)
        else:
            text = sources.from_text(str(source), display_name, budget)
    except UnreadableFile as e:
        diagnostics.append(diagnose_unreadable(e, display_name))
        return None
    try:
        environment, sink = read_environment_text(text, folder)
    except TooManyErrors as e:
        diagnostics += e.sink.diagnostics
        return None
    diagnostics += sink.diagnostics
    return environment


def read_environment_text(source: Source, folder: pathlib.Path | None = None) -> tuple[Environment | None, Sink]:
    """The environment in a text, and its diagnostics. `folder`: where its files are."""
    sink = Sink(source)
    try:
        if not source.text.strip():
            return Environment(source), sink
        return read_environment_document(sink, documents.compose_document(sink, source.name), folder), sink
    except nodes.UnreadableDocument:
        return None, sink


def read_environment_document(sink: Sink, root: Node, folder: pathlib.Path | None = None) -> Environment | None:
    """The environment in a document. Raises UnreadableDocument, with the reason in the sink."""
    source = sink.source
    reader = ExpressionReader(sink, look_up_template_version("2013-05-23"), frozenset())
    if isinstance(root, ScalarNode) and root.tag == nodes.NULL:
        return Environment(source)
    if not isinstance(root, MappingNode):
        sink.add(codes.MALFORMED_ENVIRONMENT, "An environment must be a map.", span_of(root))
        return None
    places: dict[str, int] = {}
    sections: dict[str, dict[str, Entry]] = {name: {} for name in (*MAPS.values(), "other")}
    for word, key, value in reader.read_pairs(root):
        span = span_of(key)
        if word in VERSION_KEYS:
            sink.add(codes.MALFORMED_ENVIRONMENT, "This is a template, not an environment.", span)
        elif word not in SECTIONS:
            sink.add(
                codes.MALFORMED_ENVIRONMENT,
                f"Environments have no section {word}.",
                span,
                guess_name(word, SECTIONS) or f"The sections are {', '.join(SECTIONS)}.",
            )
        else:
            section = reader.read_plain_value(value)
            if isinstance(section, ErrorNode):
                continue
            section = replace_errors_by_null(section)
            places[word] = span.at
            if section == Lit(None):
                sink.add(
                    codes.MALFORMED_ENVIRONMENT, f"The section {word} is empty.", span, "Remove it, or write {} or []."
                )
            elif word not in MAPS:
                check_list_section(sink, word, section)
                sections["other"][word] = Entry(word, section, span.at)
            elif not isinstance(section, Map):
                sink.add(codes.MALFORMED_ENVIRONMENT, f"The section {word} must be a map.", span)
            elif word == "requires":
                sections["requires"] = claims.read_claims(sink, section, "A requirement", null=True)
            else:
                sections[MAPS[word]] = {entry.key: entry for entry in section.entries}
    from transpile.front import comments  # imported late, because most commands read no environment

    written = comments.read_comments(source.text, root)
    return Environment(source, **sections, comments=written, order=tuple(places), folder=folder, places=places)


def check_list_section(sink: Sink, word: str, section: Expr) -> None:
    """Checks encrypted_param_names and event_sinks: both are lists. Heat validates the items of event_sinks only."""
    if not isinstance(section, Seq):
        sink.add(codes.MALFORMED_ENVIRONMENT, f"The section {word} must be a list.", section)
        return
    for item in section.items if word == "event_sinks" else ():
        kind = item.get("type") if isinstance(item, Map) else None
        if not isinstance(kind, Lit) or kind.value not in SINKS:
            span = item.span if kind is None else kind.span
            sink.add(
                codes.UNKNOWN_HOOK_OR_EVENT_SINK, "Unknown event sink.", span, f"Heat supports {', '.join(SINKS)}."
            )
