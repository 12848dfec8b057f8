"""Resolves names to symbols, and finds their declarations and uses in all files that belong together.

Invariant: a use is recognised by its meaning, never by its text alone.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, final

from transpile.language_server import places, tree
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE, Document
from transpile.model.records import node
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.language_server.places import Place
    from transpile.language_server.tree import Spot
    from transpile.language_server.workspace import Workspace


@final
class Location(Placed):
    """A part of a document."""

    __slots__ = ("document", "span")

    def __init__(self, document: Document, span: Span) -> None:
        self.document, self.span = document, span


@final
@node
class Symbol:
    """A name and the document of the template to which it belongs, even if the declaration is missing."""

    kind: str
    name: str
    home: Document

    def same(self, other: Symbol) -> bool:
        """Whether both are the same symbol. Documents are compared by URI, since one that is not open is read anew each
        time.
        """
        return (self.kind, self.name, self.home.uri) == (other.kind, other.name, other.home.uri)


def symbol(document: Document, workspace: Workspace, offset: int) -> Symbol | None:
    """The symbol at an offset; None if there is none."""
    found = document.at(offset)
    return of(document, workspace, *found) if found is not None else None


def of(document: Document, workspace: Workspace, spot: Spot, place: Place) -> Symbol | None:
    """The symbol that a scalar names; None if it names none."""
    if document.kind == ENVIRONMENT:
        if place.kind in (places.PARAMETER, places.RESOURCE):
            for template, _ in workspace.templates(document):
                if template.declaration(place.kind, spot.text) is not None:
                    return Symbol(place.kind, spot.text, template)
        return None
    if (kind := named(document, spot, place)) is not None:
        return Symbol(kind, spot.text, document)
    inside = nested(document, workspace, place)
    if inside is not None and place.kind == places.PROPERTY and spot.key and len(place.inner) == 1:
        return Symbol(places.PARAMETER, spot.text, inside)
    if inside is not None and place.kind == places.ATTRIBUTE:
        return Symbol(places.OUTPUT, spot.text, inside)
    return None


def named(document: Document, spot: Spot, place: Place) -> str | None:
    """The kind of the symbol that a scalar names in its own template; None if it names none there."""
    if place.kind == places.REF:
        return places.RESOURCE if spot.text in document.names("resources") else places.PARAMETER
    return place.kind if place.kind in places.NAMES else None


def nested(document: Document, workspace: Workspace, place: Place) -> Document | None:
    """The nested template behind the resource of a property or attribute; None if it is no nested template."""
    if place.kind == places.PROPERTY:
        owner: tree.Path = place.owner
    elif place.kind == places.ATTRIBUTE:
        name = tree.text_at(document.root, (*place.owner, 0))
        if name is None:
            return None
        owner = (document.version.dialect.spell("resources"), name)
    else:
        return None
    written = document.part(owner, "type")
    path = workspace.meaning(document, written, str(owner[1])).path if written is not None else ""
    found = workspace.document(path, document) if path else None
    return found if found is not None and found.kind == TEMPLATE else None


def definitions(document: Document, workspace: Workspace, offset: int) -> list[Location]:
    """Where the word at an offset is defined; empty if that is not in a file."""
    found = document.at(offset)
    if found is None:
        return []
    spot, place = found
    if (name := of(document, workspace, spot, place)) is not None:
        there = name.home.declaration(name.kind, name.name)
        return [Location(name.home, there.span)] if there is not None else []
    if place.kind in (places.FILE, places.REGISTRY):
        path = workspace.file(document, spot.text)
        return beginning(document, workspace, path or "")
    if place.kind == places.TYPE:
        return of_type(document, workspace, spot, place)
    if place.kind == places.ATTRIBUTE:
        owner = tree.text_at(document.root, (*place.owner, 0)) or ""
        there = document.declaration(places.RESOURCE, owner)
        return [Location(document, there.span)] if there is not None else []
    return []


def of_type(document: Document, workspace: Workspace, spot: Spot, place: Place) -> list[Location]:
    """The file of a nested template, else the entry of the environment that maps the type."""
    meaning = workspace.meaning(document, spot.text, str(place.owner[1]) if len(place.owner) > 1 else "")
    if meaning.path:
        return beginning(document, workspace, meaning.path)
    by = meaning.found.by if meaning.found is not None else None
    if by is None:
        return []
    environment = workspace.document(by.environment.source.name, document)
    if environment is None:
        return []
    return [Location(environment, by.entry.key_span)]


def beginning(document: Document, workspace: Workspace, path: str) -> list[Location]:
    """The beginning of a file as a location; empty if the file cannot be read."""
    found = workspace.document(path, document) if path and pathlib.PurePath(path).is_absolute() else None
    return [Location(found, Span(0, 0))] if found is not None else []


def references(
    document: Document, workspace: Workspace, offset: int, *, declaration: bool = True, elsewhere: bool = True
) -> list[Location]:
    """All uses of the word at an offset. `declaration`: the declaration is included; `elsewhere`: other files are."""
    name = symbol(document, workspace, offset)
    if name is not None:
        found = list(occurrences(name, workspace) if elsewhere else own(name, document, workspace))
        return [Location(where, spot.span) for where, spot, place in found if declaration or not place.declares]
    at = document.at(offset)
    if at is None or at[1].kind not in (places.TYPE, places.FILE):
        return []
    spot, place = at
    return [Location(document, one.span) for one, other in document.uses(spot.text) if other.kind == place.kind]


def occurrences(name: Symbol, workspace: Workspace) -> Iterator[tuple[Document, Spot, Place]]:
    """All places of a symbol: in its template, in the environments of its stacks, and in templates that nest it."""
    yield from own(name, name.home, workspace)
    if name.kind not in (places.PARAMETER, places.OUTPUT, places.RESOURCE):
        return
    for other in (*workspace.environments(name.home), *workspace.users(name.home)):
        yield from own(name, other, workspace)


def own(name: Symbol, document: Document, workspace: Workspace) -> Iterator[tuple[Document, Spot, Place]]:
    """The places of a symbol in one document."""
    for spot, place in document.uses(name.name):
        if document.uri == name.home.uri:
            if named(document, spot, place) == name.kind:
                yield document, spot, place
        elif document.kind == ENVIRONMENT:
            if place.kind == name.kind:
                yield document, spot, place
        elif (other := of(document, workspace, spot, place)) is not None and other.same(name):
            yield document, spot, place
