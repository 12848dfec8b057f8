"""Translates the results of the features to the types of the protocol.

Invariant: ranges are made only here, from the positions of the document that they are in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Edit
from transpile.language_server import completion as completing
from transpile.language_server.completion import CompletionItem
from transpile.language_server.documents import TextDocument
from transpile.language_server.fixes import Action
from transpile.language_server.hover import Hover
from transpile.language_server.outline import OutlineEntry
from transpile.language_server.renaming import DocumentChange
from transpile.language_server.symbols import DocumentLocation
from transpile.model.span import Located, Span

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


def to_lsp_range(document: TextDocument, where: Located) -> types.Range:
    """The range of a span in a document."""
    positions = document.positions
    start = types.Position(*positions.position_at(where.at))
    return types.Range(start, types.Position(*positions.position_at(max(where.at, where.end))))


def to_lsp_diagnostic(document: TextDocument, diagnostic: Diagnostic) -> types.Diagnostic:
    span = diagnostic.span if diagnostic.source is not None else Span(0, 0)
    hint = diagnostic.help()
    return types.Diagnostic(
        to_lsp_range(document, span if span.end > span.at else Span(span.at, find_word_end(document, span.at))),
        f"{diagnostic.message}\n{hint}" if hint else diagnostic.message,
        SEVERITIES[diagnostic.severity],
        diagnostic.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code in UNUSED else None,
    )


def find_word_end(document: TextDocument, at: int) -> int:
    """The end of the word at an offset. Editors show nothing at an empty range, so a diagnostic gets the word."""
    text = document.text
    end = at
    while end < len(text) and end - at < 100 and not text[end].isspace():
        end += 1
    return end


def to_lsp_diagnostics(document: TextDocument, diagnostics: Sequence[Diagnostic]) -> types.PublishDiagnosticsParams:
    lsp_diagnostics = [to_lsp_diagnostic(document, diagnostic) for diagnostic in diagnostics]
    return types.PublishDiagnosticsParams(document.uri, lsp_diagnostics, document.number)


def to_lsp_hover(document: TextDocument, hover: Hover) -> types.Hover:
    content = types.MarkupContent(types.MarkupKind.Markdown, hover.text)
    return types.Hover(content, to_lsp_range(document, hover))


def to_lsp_item(document: TextDocument, item: CompletionItem) -> types.CompletionItem:
    return types.CompletionItem(
        item.label,
        kind=ICONS[item.kind],
        detail=item.detail,
        sort_text=f"{item.order}{item.label}",
        text_edit=types.TextEdit(to_lsp_range(document, item), item.text),
        data={"uri": document.uri, "about": item.about} if item.about else None,
    )


def to_lsp_location(location: DocumentLocation) -> types.Location:
    return types.Location(location.document.uri, to_lsp_range(location.document, location))


def to_lsp_edit(document: TextDocument, edit: Edit) -> types.TextEdit:
    return types.TextEdit(to_lsp_range(document, edit), edit.text)


def to_lsp_changes(changes: Iterable[DocumentChange]) -> types.WorkspaceEdit:
    """The changes of several documents, those of each document in order."""
    edits: dict[str, list[types.TextEdit]] = {}
    for change in sorted(changes, key=lambda change: (change.document.uri, change.at)):
        text_edit = types.TextEdit(to_lsp_range(change.document, change), change.text)
        edits.setdefault(change.document.uri, []).append(text_edit)
    return types.WorkspaceEdit(changes=edits)


def to_lsp_action(document: TextDocument, action: Action) -> types.CodeAction:
    return types.CodeAction(
        action.title,
        types.CodeActionKind.QuickFix,
        [to_lsp_diagnostic(document, action.diagnostic)],
        is_preferred=action.preferred,
        edit=types.WorkspaceEdit(changes={document.uri: [to_lsp_edit(document, e) for e in action.edits]}),
    )


def to_lsp_symbol(document: TextDocument, entry: OutlineEntry) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        entry.name,
        SYMBOLS.get(entry.kind, types.SymbolKind.Field),
        to_lsp_range(document, Span(entry.at, entry.stop)),
        to_lsp_range(document, entry),
        detail=entry.detail,
        children=[to_lsp_symbol(document, inner) for inner in entry.inside],
    )
