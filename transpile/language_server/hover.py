"""The text that an editor shows about the word under the cursor.

Invariant: neither a hidden value nor a value that depends on one is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from transpile.diagnostics.model import MASK
from transpile.language_server import describe, places, tree, values
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE, TextDocument
from transpile.language_server.places import DocumentPlace
from transpile.language_server.tree import Spot
from transpile.language_server.workspace import Workspace
from transpile.model import ir
from transpile.model.ir import Param, Template
from transpile.model.records import node
from transpile.model.span import Span, WithSpan
from transpile.text.markdown import escape_markdown_line, format_code


@final
@node
class Hover(WithSpan):
    """Markdown about a part of a text."""

    text: str
    span: Span


def describe_at(document: TextDocument, workspace: Workspace, offset: int) -> Hover | None:
    """The description of the word at an offset; None if there is nothing to say."""
    target = document.find_target(offset)
    if target is None:
        spot = tree.find_spot(document.root, offset) if document.kind == TEMPLATE else None
        markdown = "\n\n".join(describe_values_around(document, workspace, spot)) if spot is not None else ""
        return Hover(markdown, spot.span) if spot is not None and markdown else None
    spot, place = target
    if document.kind == ENVIRONMENT:
        markdown = describe_in_environment(document, workspace, spot, place)
    else:
        markdown = "\n\n".join(part for part in describe_place(document, workspace, spot, place) if part)
    return Hover(markdown, spot.span) if markdown else None


def describe_place(document: TextDocument, workspace: Workspace, spot: Spot, place: DocumentPlace) -> Iterator[str]:
    """The paragraphs about a word of a template; empty ones are to be skipped."""
    kind = place.kind
    if kind == places.REF:
        kind = places.RESOURCE if spot.text in document.declared_names("resources") else places.PARAMETER
    if kind == places.TYPE:
        yield describe.describe_type(spot.text, workspace.resolve_type(document, spot.text, str(place.owner[1])))
    elif kind == places.PROPERTY:
        if written := document.text_of_part(place.owner, "type"):
            inner = places.strip_functions(place.inner, document.version)
            yield describe.describe_property(
                written, workspace.resolve_type(document, written, str(place.owner[1])), inner
            )
    elif kind == places.ATTRIBUTE:
        owner = tree.text_at(document.root, (*place.owner, 0)) or ""
        written = document.text_of_part((document.version.dialect.spell_section("resources"), owner), "type")
        if written:
            yield describe.describe_attribute(written, workspace.resolve_type(document, written, owner), spot.text)
        yield from describe_values_around(document, workspace, spot)
    elif kind == places.PARAMETER:
        yield from describe_parameter(document, workspace, spot)
    elif kind == places.RESOURCE:
        yield f"resource **{escape_markdown_line(spot.text)}**"
        written = document.text_of_part((document.version.dialect.spell_section("resources"), spot.text), "type")
        if written:
            yield describe.describe_type(written, workspace.resolve_type(document, written, spot.text))
    elif kind == places.CONDITION:
        yield f"condition **{escape_markdown_line(spot.text)}**"
        yield from describe_values(document, workspace, document.read_excerpt(spot.path), ir.ConditionRef(spot.text))
    elif kind == places.OUTPUT:
        yield f"output **{escape_markdown_line(spot.text)}**"
        template = document.read_excerpt(spot.path)
        output = template.outputs.get(spot.text) if template is not None else None
        if output is not None:
            yield escape_markdown_line((output.description or "").strip())
            yield from describe_values(document, workspace, template, output.value)
    elif (
        kind == places.FUNCTION
        and spot.is_key
        and spot.text in document.version.functions | document.version.conditions
    ):
        yield describe.describe_function(spot.text, document.version)
        yield from describe_values_around(document, workspace, spot)
    elif kind == places.FILE:
        path = workspace.find_file(document, spot.text)
        yield format_code(path) if path is not None else "This file cannot be read."
    elif kind == places.FUNCTION:
        yield from describe_values_around(document, workspace, spot)


def describe_parameter(document: TextDocument, workspace: Workspace, spot: Spot) -> Iterator[str]:
    """A parameter: its declaration, and its values."""
    if spot.text in document.version.pseudo:
        yield f"pseudo parameter **{escape_markdown_line(spot.text)}**"
        return
    yield f"parameter **{escape_markdown_line(spot.text)}**"
    template = document.read_excerpt(spot.path)
    parameter = template.parameters.get(spot.text) if template is not None else None
    if parameter is None:
        return
    yield escape_markdown_line((parameter.description or parameter.label or "").strip())
    yield describe_declaration(parameter)
    yield from describe_values(document, workspace, template, ir.ParamRef(parameter.name))


def describe_declaration(parameter: Param) -> str:
    """The type and the default of a parameter."""
    parts = [parameter.type]
    if parameter.hidden:
        parts.append("hidden")
    if parameter.default is not None:
        parts.append(
            f"default {format_code(MASK if parameter.hidden else values.format_value(ir.to_data(parameter.default)))}"
        )
    return ", ".join(parts)


def describe_values_around(document: TextDocument, workspace: Workspace, spot: Spot) -> Iterator[str]:
    """The values of the function around a scalar."""
    template = document.read_excerpt(spot.path)
    expression = values.find_expression_at(template, spot.at) if template is not None else None
    if expression is not None:
        yield from describe_values(document, workspace, template, expression)


def describe_values(
    document: TextDocument, workspace: Workspace, template: Template | None, expression: ir.Expr
) -> Iterator[str]:
    """A line for each value that an expression has in the stacks of the template, with the stack's environments."""
    for label, text in (
        values.evaluate_in_stacks(document, workspace, template, expression) if template is not None else ()
    ):
        yield f"Value{f' with {escape_markdown_line(label)}' if label else ''}: {format_code(text)}"


def describe_in_environment(document: TextDocument, workspace: Workspace, spot: Spot, place: DocumentPlace) -> str:
    """The description of a word of an environment; empty if there is nothing to say."""
    if place.kind == places.PARAMETER:
        for template, _ in workspace.templates_of_environment(document):
            parameter = template.template.parameters.get(spot.text) if template.template is not None else None
            if parameter is not None:
                file = escape_markdown_line(template.path.name if template.path else "")
                about = [f"parameter **{escape_markdown_line(spot.text)}** of {file}"]
                about += [escape_markdown_line(parameter.description.strip())] if parameter.description else []
                return "\n\n".join([*about, describe_declaration(parameter)])
    if place.kind in (places.TYPE, places.REGISTRY):
        return describe.describe_type(spot.text, workspace.resolve_type(document, spot.text))
    return ""
