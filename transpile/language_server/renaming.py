"""Renames parameters, resources, conditions, outputs and mappings in all files that use them.

Invariant: either all places of a name change, or `RenameRefused` says why none does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode, SequenceNode

from transpile.front.yaml_reader import plain_tag
from transpile.language_server import places, symbols, tree
from transpile.model.printable import printable
from transpile.model.records import node
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from transpile.language_server.documents import Document
    from transpile.language_server.symbols import Symbol
    from transpile.language_server.tree import Spot
    from transpile.language_server.workspace import Workspace

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,254}")
COMPUTED = {  # the functions whose argument may be a computed name, by the kind of name
    places.PARAMETER: ("get_param", "Ref"),
    places.RESOURCE: ("get_resource", "get_attr", "Ref", "Fn::GetAtt"),
    places.MAPPING: ("Fn::FindInMap",),
}


class Refused(Exception):
    """The name cannot be changed; the message says why."""


@final
@node
class Change(Placed):
    """A new text for a span of a document."""

    document: Document
    span: Span
    text: str


def prepare(document: Document, workspace: Workspace, offset: int) -> tuple[Span, str]:
    """The span and the text of the name at an offset. Raises RenameRefused."""
    found = document.at(offset)
    name = symbols.of(document, workspace, *found) if found is not None else None
    if found is None or name is None:
        raise Refused("There is no name here that can be changed.")
    check(name)
    return inside(document, found[0]), name.name


def check(name: Symbol) -> None:
    """Raises RenameRefused unless the name is declared in a template that can be parsed."""
    if not name.home.whole:
        raise Refused("The template cannot be read as it is. Correct its syntax first.")
    if name.kind == places.PARAMETER and name.name in name.home.version.pseudo:
        raise Refused(f"{name.name} is one of Heat's own parameters.")
    if name.home.declaration(name.kind, name.name) is None:
        raise Refused(f"The template has no {name.kind} {printable(name.name)}.")


def rename(document: Document, workspace: Workspace, offset: int, new: str) -> list[Change]:
    """The changes that rename the symbol at an offset. Raises RenameRefused."""
    name = symbols.symbol(document, workspace, offset)
    if name is None:
        raise Refused("There is no name here that can be changed.")
    check(name)
    if new == name.name:
        return []
    allowed(name, new)
    computed(name)
    found = {}
    for one in workspace.environments(name.home):
        shared(one, name, workspace)
    for one in workspace.users(name.home):
        if name.kind == places.RESOURCE and f"resource.{name.name}" in one.text:
            raise Refused(f"{one.name} refers to resource.{printable(name.name)}. Change that by hand first.")
        for environment in workspace.environments(one):
            if name.kind == places.PARAMETER and by_default(environment, name):
                raise Refused(f"{environment.name} sets {name.name} by parameter_defaults. Change it by hand.")
    for where, spot, _ in symbols.occurrences(name, workspace):
        if not where.whole:
            raise Refused(f"{where.name} cannot be read as it is. Correct its syntax first.")
        span = inside(where, spot)
        found[where.uri, span.at] = Change(where, span, new)
    return list(found.values())


def allowed(name: Symbol, new: str) -> None:
    """Raises RenameRefused for a text that is no name, and for a name that is taken."""
    if NAME.fullmatch(new) is None or plain_tag(new) != "tag:yaml.org,2002:str":
        what = "letters, digits, underscores, dots and dashes, and begins with a letter or underscore"
        raise Refused(f"{printable(new)!r} cannot be a name. A name has {what}, and is no word like true or null.")
    taken = {name.kind}
    if name.kind in (places.PARAMETER, places.RESOURCE):
        taken = {places.PARAMETER, places.RESOURCE}  # Heat refuses the same name for both
    for kind in sorted(taken):
        if new in name.home.names(f"{kind}s"):
            raise Refused(f"The template has a {kind} {new} already.")
    if new in name.home.version.pseudo:
        raise Refused(f"{new} is one of Heat's own parameters.")


def computed(name: Symbol) -> None:
    """Raises RenameRefused if a function takes a computed name, which may be this one: `get_param: {…}`."""
    home = name.home
    for function in COMPUTED.get(name.kind, ()):
        for spot, place in home.uses(function):
            if not spot.key or place.kind != places.FUNCTION:
                continue
            given = tree.node_at(home.root, spot.path)
            first = given.value[0] if isinstance(given, SequenceNode) and given.value else given
            if isinstance(first, MappingNode):
                line = home.positions.line_at(spot.at) + 1
                raise Refused(f"Line {line} computes a name, which may be {name.name}. Change the name by hand.")


def shared(environment: Document, name: Symbol, workspace: Workspace) -> None:
    """Raises RenameRefused if the same entry of an environment also sets a parameter of another template."""
    others = [template for template, _ in workspace.templates(environment)]
    if not any(place.kind == name.kind for _, place in environment.uses(name.name)):
        return
    for template in others:
        if template.uri != name.home.uri and template.declaration(name.kind, name.name) is not None:
            raise Refused(f"{environment.name} sets {name.name} for {template.name}, too. Change it by hand.")
    if name.kind != places.PARAMETER or not by_default(environment, name):
        return
    for template in workspace.others(environment):
        if template.uri != name.home.uri and template.declaration(name.kind, name.name) is not None:
            where = f"{environment.name} sets {name.name} by parameter_defaults"
            raise Refused(f"{where}, which may also count for {template.name}. Change it by hand.")


def by_default(environment: Document, name: Symbol) -> bool:
    """Whether an environment sets a parameter in `parameter_defaults`, which counts for nested templates, too."""
    return tree.key_at(environment.root, ("parameter_defaults", name.name)) is not None


def inside(document: Document, spot: Spot) -> Span:
    """The span of a name inside its scalar: without quotes, an anchor or a tag. Raises RenameRefused for a scalar with
    escapes.
    """
    text = document.text[spot.at : spot.end].rstrip()
    end = spot.at + len(text)
    if text[-1:] in ("'", '"') and text[:-1].endswith(spot.text):
        end -= 1
    elif not text.endswith(spot.text):
        raise Refused(f"{printable(spot.text)} is spelled in a way that cannot be changed.")
    before = document.text[spot.at : end - len(spot.text)]
    if before and not before.endswith(("'", '"', " ")):
        raise Refused(f"{printable(spot.text)} is spelled in a way that cannot be changed.")
    return Span(end - len(spot.text), end)
