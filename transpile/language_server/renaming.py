"""Renames parameters, resources, conditions, outputs and mappings in all files that use them.

Invariant: either all places of a name change, or `RenameRefused` says why none does.
"""

from __future__ import annotations

from typing import final

from yaml.nodes import MappingNode, SequenceNode

from transpile.front.yaml_reader import plain_tag
from transpile.language_server import places, symbols, tree
from transpile.language_server.documents import TextDocument
from transpile.language_server.symbols import Symbol
from transpile.language_server.tree import Spot
from transpile.language_server.workspace import Workspace
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_printable
from transpile.model.records import node
from transpile.model.span import Span, WithSpan

NAME = compile_lazily(r"[A-Za-z_][A-Za-z0-9_.-]{0,254}")
COMPUTED = {  # the functions whose argument may be a computed name, by the kind of name
    places.PARAMETER: ("get_param", "Ref"),
    places.RESOURCE: ("get_resource", "get_attr", "Ref", "Fn::GetAtt"),
    places.MAPPING: ("Fn::FindInMap",),
}


class RenameRefused(Exception):
    """The name cannot be changed; the message says why."""


@final
@node
class DocumentChange(WithSpan):
    """A new text for a span of a document."""

    document: TextDocument
    span: Span
    text: str


def find_renamable_name(document: TextDocument, workspace: Workspace, offset: int) -> tuple[Span, str]:
    """The span and the text of the name at an offset. Raises RenameRefused."""
    target = document.find_target(offset)
    symbol = symbols.resolve_symbol(document, workspace, *target) if target is not None else None
    if target is None or symbol is None:
        raise RenameRefused("There is no name here that can be changed.")
    check_renamable(symbol)
    return span_of_name(document, target[0]), symbol.name


def check_renamable(symbol: Symbol) -> None:
    """Raises RenameRefused unless the name is declared in a template that can be parsed."""
    if not symbol.declared_in.is_readable:
        raise RenameRefused("The template cannot be read as it is. Correct its syntax first.")
    if symbol.kind == places.PARAMETER and symbol.name in symbol.declared_in.version.pseudo:
        raise RenameRefused(f"{symbol.name} is one of Heat's own parameters.")
    if symbol.declared_in.find_declaration(symbol.kind, symbol.name) is None:
        raise RenameRefused(f"The template has no {symbol.kind} {make_printable(symbol.name)}.")


def rename_symbol(document: TextDocument, workspace: Workspace, offset: int, new_name: str) -> list[DocumentChange]:
    """The changes that rename the symbol at an offset. Raises RenameRefused."""
    symbol = symbols.find_symbol(document, workspace, offset)
    if symbol is None:
        raise RenameRefused("There is no name here that can be changed.")
    check_renamable(symbol)
    if new_name == symbol.name:
        return []
    check_new_name(symbol, new_name)
    check_no_computed_name(symbol)
    changes = {}
    for environment_document in workspace.environments_of_template(symbol.declared_in):
        check_not_shared(environment_document, symbol, workspace)
    for user in workspace.find_users(symbol.declared_in):
        if symbol.kind == places.RESOURCE and f"resource.{symbol.name}" in user.text:
            raise RenameRefused(
                f"{user.name} refers to resource.{make_printable(symbol.name)}. Change that by hand first."
            )
        for environment in workspace.environments_of_template(user):
            if symbol.kind == places.PARAMETER and is_parameter_default(environment, symbol):
                raise RenameRefused(f"{environment.name} sets {symbol.name} by parameter_defaults. Change it by hand.")
    for where, spot, _ in symbols.find_occurrences(symbol, workspace):
        if not where.is_readable:
            raise RenameRefused(f"{where.name} cannot be read as it is. Correct its syntax first.")
        span = span_of_name(where, spot)
        changes[where.uri, span.at] = DocumentChange(where, span, new_name)
    return list(changes.values())


def check_new_name(symbol: Symbol, new_name: str) -> None:
    """Raises RenameRefused for a text that is no name, and for a name that is taken."""
    if NAME.fullmatch(new_name) is None or plain_tag(new_name) != "tag:yaml.org,2002:str":
        rule = "letters, digits, underscores, dots and dashes, and begins with a letter or underscore"
        raise RenameRefused(
            f"{make_printable(new_name)!r} cannot be a name. A name has {rule}, and is not a word like true or null."
        )
    taken = {symbol.kind}
    if symbol.kind in (places.PARAMETER, places.RESOURCE):
        taken = {places.PARAMETER, places.RESOURCE}  # Heat refuses the same name for both
    for kind in sorted(taken):
        if new_name in symbol.declared_in.declared_names(f"{kind}s"):
            raise RenameRefused(f"The template has a {kind} {new_name} already.")
    if new_name in symbol.declared_in.version.pseudo:
        raise RenameRefused(f"{new_name} is one of Heat's own parameters.")


def check_no_computed_name(symbol: Symbol) -> None:
    """Raises RenameRefused if a function takes a computed name, which may be this one: `get_param: {…}`."""
    document = symbol.declared_in
    for function in COMPUTED.get(symbol.kind, ()):
        for spot, place in document.find_uses(function):
            if not spot.is_key or place.kind != places.FUNCTION:
                continue
            argument = tree.node_at(document.root, spot.path)
            first = argument.value[0] if isinstance(argument, SequenceNode) and argument.value else argument
            if isinstance(first, MappingNode):
                line = document.positions.line_at(spot.at) + 1
                raise RenameRefused(
                    f"Line {line} computes a name, which may be {symbol.name}. Change the name by hand."
                )


def check_not_shared(environment: TextDocument, symbol: Symbol, workspace: Workspace) -> None:
    """Raises RenameRefused if the same entry of an environment also sets a parameter of another template."""
    others = [template for template, _ in workspace.templates_of_environment(environment)]
    if not any(place.kind == symbol.kind for _, place in environment.find_uses(symbol.name)):
        return
    for template in others:
        if template.uri != symbol.declared_in.uri and template.find_declaration(symbol.kind, symbol.name) is not None:
            raise RenameRefused(f"{environment.name} sets {symbol.name} for {template.name}, too. Change it by hand.")
    if symbol.kind != places.PARAMETER or not is_parameter_default(environment, symbol):
        return
    for template in workspace.list_nested_templates(environment):
        if template.uri != symbol.declared_in.uri and template.find_declaration(symbol.kind, symbol.name) is not None:
            where = f"{environment.name} sets {symbol.name} by parameter_defaults"
            raise RenameRefused(f"{where}, which may also count for {template.name}. Change it by hand.")


def is_parameter_default(environment: TextDocument, symbol: Symbol) -> bool:
    """Whether an environment sets a parameter in `parameter_defaults`, which counts for nested templates, too."""
    return tree.key_at(environment.root, ("parameter_defaults", symbol.name)) is not None


def span_of_name(document: TextDocument, spot: Spot) -> Span:
    """The span of a name inside its scalar: without quotes, an anchor or a tag. Raises RenameRefused for a scalar with
    escapes.
    """
    text = document.text[spot.at : spot.end].rstrip()
    end = spot.at + len(text)
    if text[-1:] in ("'", '"') and text[:-1].endswith(spot.text):
        end -= 1
    elif not text.endswith(spot.text):
        raise RenameRefused(f"{make_printable(spot.text)} is spelled in a way that cannot be changed.")
    before = document.text[spot.at : end - len(spot.text)]
    if before and not before.endswith(("'", '"', " ")):
        raise RenameRefused(f"{make_printable(spot.text)} is spelled in a way that cannot be changed.")
    return Span(end - len(spot.text), end)
