"""Resolves names to symbols, and finds their declarations and uses in all files that belong together.

Invariant: a use is recognised by its meaning, never by its text alone.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import final

from transpile.language_server import places, tree
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE, TextDocument
from transpile.language_server.places import DocumentPlace
from transpile.language_server.tree import Spot
from transpile.language_server.workspace import Workspace
from transpile.model.records import node
from transpile.model.span import Span, WithSpan


@final
class DocumentLocation(WithSpan):
    """A part of a document."""

    __slots__ = ("document", "span")

    def __init__(self, document: TextDocument, span: Span) -> None:
        self.document, self.span = document, span


@final
@node
class Symbol:
    """A name and the document of the template to which it belongs, even if the declaration is missing."""

    kind: str
    name: str
    declared_in: TextDocument

    def is_same(self, other: Symbol) -> bool:
        """Whether both are the same symbol. Documents are compared by URI, since one that is not open is read anew each
        time.
        """
        return (self.kind, self.name, self.declared_in.uri) == (other.kind, other.name, other.declared_in.uri)


def find_symbol(document: TextDocument, workspace: Workspace, offset: int) -> Symbol | None:
    """The symbol at an offset; None if there is none."""
    target = document.find_target(offset)
    return resolve_symbol(document, workspace, *target) if target is not None else None


def resolve_symbol(document: TextDocument, workspace: Workspace, spot: Spot, place: DocumentPlace) -> Symbol | None:
    """The symbol that a scalar names; None if it names none."""
    if document.kind == ENVIRONMENT:
        if place.kind in (places.PARAMETER, places.RESOURCE):
            for template, _ in workspace.templates_of_environment(document):
                if template.find_declaration(place.kind, spot.text) is not None:
                    return Symbol(place.kind, spot.text, template)
        return None
    if (kind := kind_of_symbol(document, spot, place)) is not None:
        return Symbol(kind, spot.text, document)
    inside = find_nested_template(document, workspace, place)
    if inside is not None and place.kind == places.PROPERTY and spot.is_key and len(place.inner) == 1:
        return Symbol(places.PARAMETER, spot.text, inside)
    if inside is not None and place.kind == places.ATTRIBUTE:
        return Symbol(places.OUTPUT, spot.text, inside)
    return None


def kind_of_symbol(document: TextDocument, spot: Spot, place: DocumentPlace) -> str | None:
    """The kind of the symbol that a scalar names in its own template; None if it names none there."""
    if place.kind == places.REF:
        return places.RESOURCE if spot.text in document.declared_names("resources") else places.PARAMETER
    return place.kind if place.kind in places.NAMES else None


def find_nested_template(document: TextDocument, workspace: Workspace, place: DocumentPlace) -> TextDocument | None:
    """The nested template behind the resource of a property or attribute; None if it is no nested template."""
    if place.kind == places.PROPERTY:
        owner: tree.Path = place.owner
    elif place.kind == places.ATTRIBUTE:
        name = tree.text_at(document.root, (*place.owner, 0))
        if name is None:
            return None
        owner = (document.version.dialect.spell_section("resources"), name)
    else:
        return None
    written = document.text_of_part(owner, "type")
    path = workspace.resolve_type(document, written, str(owner[1])).path
    nested = workspace.find_document(path, document) if path else None
    return nested if nested is not None and nested.kind == TEMPLATE else None


def find_definitions(document: TextDocument, workspace: Workspace, offset: int) -> list[DocumentLocation]:
    """Returns the definitions of the word at an offset; empty if there is none in a file."""
    target = document.find_target(offset)
    if target is None:
        return []
    spot, place = target
    if (symbol := resolve_symbol(document, workspace, spot, place)) is not None:
        there = symbol.declared_in.find_declaration(symbol.kind, symbol.name)
        return [DocumentLocation(symbol.declared_in, there.span)] if there is not None else []
    if place.kind in (places.FILE, places.REGISTRY):
        path = workspace.find_file(document, spot.text)
        return locate_file(document, workspace, path or "")
    if place.kind == places.TYPE:
        return find_type_definition(document, workspace, spot, place)
    if place.kind == places.ATTRIBUTE:
        owner = tree.text_at(document.root, (*place.owner, 0)) or ""
        there = document.find_declaration(places.RESOURCE, owner)
        return [DocumentLocation(document, there.span)] if there is not None else []
    return []


def find_type_definition(
    document: TextDocument, workspace: Workspace, spot: Spot, place: DocumentPlace
) -> list[DocumentLocation]:
    """The file of a nested template, else the entry of the environment that maps the type."""
    meaning = workspace.resolve_type(document, spot.text, str(place.owner[1]) if len(place.owner) > 1 else "")
    if meaning.path:
        return locate_file(document, workspace, meaning.path)
    by = meaning.resolution.registration
    if by is None:
        return []
    environment = workspace.find_document(by.environment.source.name, document)
    if environment is None:
        return []
    return [DocumentLocation(environment, by.entry.key_span)]


def locate_file(document: TextDocument, workspace: Workspace, path: str) -> list[DocumentLocation]:
    """The beginning of a file as a location; empty if the file cannot be read."""
    target = workspace.find_document(path, document) if path and pathlib.PurePath(path).is_absolute() else None
    return [DocumentLocation(target, Span(0, 0))] if target is not None else []


def find_references(
    document: TextDocument, workspace: Workspace, offset: int, *, declaration: bool = True, elsewhere: bool = True
) -> list[DocumentLocation]:
    """All uses of the word at an offset. `declaration`: the declaration is included; `elsewhere`: other files are."""
    symbol = find_symbol(document, workspace, offset)
    if symbol is not None:
        occurrences = list(
            find_occurrences(symbol, workspace) if elsewhere else find_own_occurrences(symbol, document, workspace)
        )
        return [
            DocumentLocation(where, spot.span)
            for where, spot, place in occurrences
            if declaration or not place.declares
        ]
    at = document.find_target(offset)
    if at is None or at[1].kind not in (places.TYPE, places.FILE):
        return []
    spot, place = at
    return [
        DocumentLocation(document, use.span) for use, other in document.find_uses(spot.text) if other.kind == place.kind
    ]


def find_occurrences(symbol: Symbol, workspace: Workspace) -> Iterator[tuple[TextDocument, Spot, DocumentPlace]]:
    """All places of a symbol: in its template, in the environments of its stacks, and in templates that nest it."""
    yield from find_own_occurrences(symbol, symbol.declared_in, workspace)
    if symbol.kind not in (places.PARAMETER, places.OUTPUT, places.RESOURCE):
        return
    for other in (*workspace.environments_of_template(symbol.declared_in), *workspace.find_users(symbol.declared_in)):
        yield from find_own_occurrences(symbol, other, workspace)


def find_own_occurrences(
    symbol: Symbol, document: TextDocument, workspace: Workspace
) -> Iterator[tuple[TextDocument, Spot, DocumentPlace]]:
    """The places of a symbol in one document."""
    for spot, place in document.find_uses(symbol.name):
        if document.uri == symbol.declared_in.uri:
            if kind_of_symbol(document, spot, place) == symbol.kind:
                yield document, spot, place
        elif document.kind == ENVIRONMENT:
            if place.kind == symbol.kind:
                yield document, spot, place
        elif (other := resolve_symbol(document, workspace, spot, place)) is not None and other.is_same(symbol):
            yield document, spot, place
