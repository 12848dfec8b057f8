"""The text that an editor shows about the word under the cursor.

Invariant: neither a hidden value nor a value that depends on one is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.diagnostics.model import MASK
from transpile.language_server import describe, places, tree, values
from transpile.language_server.describe import code, plain
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE
from transpile.model import ir
from transpile.model.records import node
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.language_server.documents import Document
    from transpile.language_server.places import Place
    from transpile.language_server.tree import Spot
    from transpile.language_server.workspace import Workspace
    from transpile.model.ir import Param, Template


@final
@node
class Hover(Placed):
    """Markdown about a part of a text."""

    text: str
    span: Span


def hover(document: Document, workspace: Workspace, offset: int) -> Hover | None:
    """The description of the word at an offset; None if there is nothing to say."""
    found = document.at(offset)
    if found is None:
        spot = tree.spot(document.root, offset) if document.kind == TEMPLATE else None
        said = "\n\n".join(value(document, workspace, spot)) if spot is not None else ""
        return Hover(said, spot.span) if spot is not None and said else None
    spot, place = found
    if document.kind == ENVIRONMENT:
        said = in_environment(document, workspace, spot, place)
    else:
        said = "\n\n".join(part for part in about(document, workspace, spot, place) if part)
    return Hover(said, spot.span) if said else None


def about(document: Document, workspace: Workspace, spot: Spot, place: Place) -> Iterator[str]:
    """The paragraphs about a word of a template; empty ones are to be skipped."""
    kind = place.kind
    if kind == places.REF:
        kind = places.RESOURCE if spot.text in document.names("resources") else places.PARAMETER
    if kind == places.TYPE:
        yield describe.of_type(spot.text, workspace.meaning(document, spot.text, str(place.owner[1])))
    elif kind == places.PROPERTY:
        if (written := document.part(place.owner, "type")) is not None:
            inner = places.plain(place.inner, document.version)
            yield describe.of_property(written, workspace.meaning(document, written, str(place.owner[1])), inner)
    elif kind == places.ATTRIBUTE:
        owner = tree.text_at(document.root, (*place.owner, 0)) or ""
        written = document.part((document.version.dialect.spell("resources"), owner), "type")
        if written is not None:
            yield describe.of_attribute(written, workspace.meaning(document, written, owner), spot.text)
        yield from value(document, workspace, spot)
    elif kind == places.PARAMETER:
        yield from of_parameter(document, workspace, spot)
    elif kind == places.RESOURCE:
        yield f"resource **{plain(spot.text)}**"
        written = document.part((document.version.dialect.spell("resources"), spot.text), "type")
        if written is not None:
            yield describe.of_type(written, workspace.meaning(document, written, spot.text))
    elif kind == places.CONDITION:
        yield f"condition **{plain(spot.text)}**"
        yield from valued(document, workspace, document.excerpt(spot.path), ir.ConditionRef(spot.text))
    elif kind == places.OUTPUT:
        yield f"output **{plain(spot.text)}**"
        template = document.excerpt(spot.path)
        output = template.outputs.get(spot.text) if template is not None else None
        if output is not None:
            yield plain((output.description or "").strip())
            yield from valued(document, workspace, template, output.value)
    elif kind == places.FUNCTION and spot.key and spot.text in document.version.functions | document.version.conditions:
        yield describe.of_function(spot.text, document.version)
        yield from value(document, workspace, spot)
    elif kind == places.FILE:
        path = workspace.file(document, spot.text)
        yield code(path) if path is not None else "This file cannot be read."
    elif kind == places.FUNCTION:
        yield from value(document, workspace, spot)


def of_parameter(document: Document, workspace: Workspace, spot: Spot) -> Iterator[str]:
    """A parameter: its declaration, and its values."""
    if spot.text in document.version.pseudo:
        yield f"pseudo parameter **{plain(spot.text)}**"
        return
    yield f"parameter **{plain(spot.text)}**"
    template = document.excerpt(spot.path)
    param = template.parameters.get(spot.text) if template is not None else None
    if param is None:
        return
    yield plain((param.description or param.label or "").strip())
    yield declared(param)
    yield from valued(document, workspace, template, ir.ParamRef(param.name))


def declared(param: Param) -> str:
    """The type and the default of a parameter."""
    parts = [param.type]
    if param.hidden:
        parts.append("hidden")
    if param.default is not None:
        parts.append(f"default {code(MASK if param.hidden else values.shown(ir.data(param.default)))}")
    return ", ".join(parts)


def value(document: Document, workspace: Workspace, spot: Spot) -> Iterator[str]:
    """The values of the function around a scalar."""
    template = document.excerpt(spot.path)
    expr = values.around(template, spot.at) if template is not None else None
    if expr is not None:
        yield from valued(document, workspace, template, expr)


def valued(document: Document, workspace: Workspace, template: Template | None, expr: ir.Expr) -> Iterator[str]:
    """A line for each value that an expression has in the stacks of the template, with the stack's environments."""
    for label, text in values.values(document, workspace, template, expr) if template is not None else ():
        yield f"Value{f' with {plain(label)}' if label else ''}: {code(text)}"


def in_environment(document: Document, workspace: Workspace, spot: Spot, place: Place) -> str:
    """The description of a word of an environment; empty if there is nothing to say."""
    if place.kind == places.PARAMETER:
        for template, _ in workspace.templates(document):
            param = template.template.parameters.get(spot.text) if template.template is not None else None
            if param is not None:
                about = [f"parameter **{plain(spot.text)}** of {plain(template.path.name if template.path else '')}"]
                about += [plain(param.description.strip())] if param.description else []
                return "\n\n".join([*about, declared(param)])
    if place.kind in (places.TYPE, places.REGISTRY):
        return describe.of_type(spot.text, workspace.meaning(document, spot.text))
    return ""
