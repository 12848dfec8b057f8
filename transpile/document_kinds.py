"""Kinds of documents that do not belong to Heat, and the functions that handle them.

The core knows only that such documents exist, how to distinguish them from Heat's, and which functions handle them. A
kind is registered in the entry-point group `hot2tf.documents`, by the key that its documents have at their top level.
Its converters to targets are registered in `hot2tf.converters` (`transpile.targets.Converter`). docs/python.md has an
example.

Invariant: a kind is imported only when a text with its key is read, so Heat templates do not pay for it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from transpile import registrations
from transpile.diagnostics import codes, registry
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import Rule
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_log_line
from transpile.model.records import EMPTY, field, node, record
from transpile.model.source import Source
from transpile.resolve.secrets import Secrets
from transpile.text.source import Root

HEAT_AT_TOP = compile_lazily(rf"""^["']?(?:{"|".join(VERSION_KEYS)})["']?[ \t]*:""", re.MULTILINE)


@record
class DocumentReading:
    """The inputs, besides the text, with which a kind reads a document.

    `parameters`: values by name. `environments`: paths or texts with more values; `parameters` take precedence over
    them. `root`: the files that the document may name. `options`: the values of the options that the kind has
    registered. `secrets`: collects the Heat templates that the document contains, so that no diagnostic shows their
    hidden values.
    """

    parameters: Mapping[str, Any] = EMPTY
    environments: Sequence[str | os.PathLike[str]] = ()
    root: Root = field(default_factory=lambda: Root(None))
    options: Mapping[str, Any] = EMPTY
    secrets: Secrets = field(default_factory=Secrets)


@node
class DocumentKind:
    """A kind of documents, and the functions that handle its documents.

    `name`: the name of one document in messages. `plural`: the name of several. `read`: makes from a text the data for
    converters (None if the text has errors) and the diagnostics. `recognizes`: whether a text with the key inside a
    line is such a document, as JSON may be; without this function only a key at the beginning of a line counts.
    `check`: the diagnostics for `hot2tf check` and the language server; by default those of `read`. `format`: the
    canonical text for `hot2tf fmt` and editors, or the unchanged text with diagnostics that give the reason; without
    this function the documents are not formatted. `rules`: diagnostics with codes of its own. `purpose`: a clause for
    `hot2tf migrate`, which explains why it leaves such a file out.
    """

    name: str
    plural: str
    read: Callable[[Source, DocumentReading], tuple[Any | None, Sequence[Diagnostic]]]
    recognizes: Callable[[Source], bool] | None = None
    check: Callable[[Source, DocumentReading], Sequence[Diagnostic]] | None = None
    format: Callable[[Source], tuple[str, Sequence[Diagnostic]]] | None = None
    rules: tuple[Rule, ...] = ()
    purpose: str = "it makes no stack"

    @property
    def article(self) -> str:
        """The name with its article: `an address plan`."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"


def document_keys() -> list[str]:
    """The keys at the top level of documents of all kinds."""
    return list(registrations.registered(registrations.DOCUMENTS))


def claiming_key(source: Source) -> str:
    """The key of the kind that a text belongs to; empty for Heat's documents and everything else.

    If a text has a version key of Heat, only hot2tf's own keys are looked for, which avoids a search for packages.
    """
    heat = HEAT_AT_TOP.search(source.text) is not None
    for key in registrations.OWN[registrations.DOCUMENTS] if heat else document_keys():
        if key in source.text:
            if re.search(rf"""^["']?{re.escape(key)}["']?[ \t]*:""", source.text, re.MULTILINE):
                return key
            recognizes = find_kind(key).recognizes
            if recognizes is not None and recognizes(source):
                return key
    return ""


@functools.cache
def find_kind(key: str) -> DocumentKind:
    """The kind that is registered for a key. If the kind cannot be used, the result reads nothing and has a diagnostic
    with the reason.
    """
    entry = registrations.registered(registrations.DOCUMENTS)[key]
    try:
        kind = entry.load()
        if not isinstance(kind, DocumentKind):
            raise TypeError(f"{entry.value} is not a transpile.document_kinds.DocumentKind")
        registry.declare_rules(kind.rules, f"the document kind {key}")
    except (Exception, SystemExit) as e:  # code of other packages may raise anything
        why = make_log_line(f"{type(e).__name__}: {e}")
        message = f"The package for documents with {make_log_line(key)} cannot be used: {why}."
        unusable = Diagnostic(codes.UNUSABLE_PACKAGE, message, forced="error")
        return DocumentKind(f"document with {key}", f"documents with {key}", lambda *_: (None, [unusable]))
    return kind


def all_kinds() -> Iterator[DocumentKind]:
    """Every kind, those of hot2tf first."""
    return map(find_kind, document_keys())


def check_document(key: str, source: Source, reading: DocumentReading) -> list[Diagnostic]:
    """The diagnostics of a document."""
    kind = find_kind(key)
    diagnostics: list[Diagnostic] = []
    with RunGuard(diagnostics, source, "Values"):
        diagnostics += kind.check(source, reading) if kind.check is not None else kind.read(source, reading)[1]
    return diagnostics
