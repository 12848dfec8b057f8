"""Translates the results of the features to the types of the protocol.

Invariant: ranges are made only here, from the positions of the document that they are in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from transpile.diagnostics import codes
from transpile.language_server import completion as completing
from transpile.model.span import Located, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from transpile.diagnostics.model import Diagnostic, Edit
    from transpile.language_server.completion import Item
    from transpile.language_server.documents import Document
    from transpile.language_server.fixes import Action
    from transpile.language_server.hover import Hover
    from transpile.language_server.outline import Entry
    from transpile.language_server.renaming import Change
    from transpile.language_server.symbols import Location

SOURCE = "hot2tf"
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
UNUSED = (codes.UNUSED_PARAMETER, codes.UNUSED_CONDITION, codes.UNUSED_MAPPING)
ICONS = {
    completing.NAME: types.CompletionItemKind.Variable,
    completing.KEYWORD: types.CompletionItemKind.Keyword,
    completing.CALL: types.CompletionItemKind.Function,
    completing.KIND: types.CompletionItemKind.Class,
    completing.FIELD: types.CompletionItemKind.Property,
    completing.WORD: types.CompletionItemKind.EnumMember,
    completing.PLACE: types.CompletionItemKind.File,
}
SYMBOLS = {
    "section": types.SymbolKind.Namespace,
    "parameter": types.SymbolKind.Variable,
    "resource": types.SymbolKind.Class,
    "condition": types.SymbolKind.Boolean,
    "output": types.SymbolKind.Property,
    "mapping": types.SymbolKind.Object,
}


def range_of(document: Document, where: Located) -> types.Range:
    """The range of a span in a document."""
    positions = document.positions
    start = types.Position(*positions.position(where.at))
    return types.Range(start, types.Position(*positions.position(max(where.at, where.end))))


def diagnostic(document: Document, one: Diagnostic) -> types.Diagnostic:
    span = one.span if one.source is not None else Span(0, 0)
    hint = one.help()
    return types.Diagnostic(
        range_of(document, span if span.end > span.at else Span(span.at, word_end(document, span.at))),
        f"{one.message}\n{hint}" if hint else one.message,
        SEVERITIES[one.severity],
        one.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if one.code in UNUSED else None,
    )


def word_end(document: Document, at: int) -> int:
    """The end of the word at an offset. Editors show nothing at an empty range, so a diagnostic gets the word."""
    text = document.text
    end = at
    while end < len(text) and end - at < 100 and not text[end].isspace():
        end += 1
    return end


def diagnostics(document: Document, found: Sequence[Diagnostic]) -> types.PublishDiagnosticsParams:
    listed = [diagnostic(document, one) for one in found]
    return types.PublishDiagnosticsParams(document.uri, listed, document.number)


def hover(document: Document, found: Hover) -> types.Hover:
    content = types.MarkupContent(types.MarkupKind.Markdown, found.text)
    return types.Hover(content, range_of(document, found))


def item(document: Document, one: Item) -> types.CompletionItem:
    return types.CompletionItem(
        one.label,
        kind=ICONS[one.kind],
        detail=one.detail or None,
        sort_text=f"{one.order}{one.label}",
        filter_text=one.label,
        text_edit=types.TextEdit(range_of(document, one), one.text),
        data={"uri": document.uri, "about": one.about} if one.about else None,
    )


def location(one: Location) -> types.Location:
    return types.Location(one.document.uri, range_of(one.document, one))


def edit(document: Document, one: Edit) -> types.TextEdit:
    return types.TextEdit(range_of(document, one), one.text)


def changes(found: Iterable[Change]) -> types.WorkspaceEdit:
    """The changes of several documents, those of each document in order."""
    edits: dict[str, list[types.TextEdit]] = {}
    for one in sorted(found, key=lambda change: (change.document.uri, change.at)):
        made = types.TextEdit(range_of(one.document, one), one.text)
        edits.setdefault(one.document.uri, []).append(made)
    return types.WorkspaceEdit(changes=edits)


def action(document: Document, one: Action) -> types.CodeAction:
    return types.CodeAction(
        one.title,
        types.CodeActionKind.QuickFix,
        [diagnostic(document, one.diagnostic)],
        is_preferred=one.preferred or None,
        edit=types.WorkspaceEdit(changes={document.uri: [edit(document, e) for e in one.edits]}),
    )


def symbol(document: Document, one: Entry) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        one.name,
        SYMBOLS.get(one.kind, types.SymbolKind.Field),
        range_of(document, Span(one.at, one.stop)),
        range_of(document, one),
        detail=one.detail or None,
        children=[symbol(document, inner) for inner in one.inside] or None,
    )
