"""Evaluates expressions that are known before a stack is created.

Invariant: hidden parameters have no value here, so nothing that depends on them can be shown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from transpile.evaluate.interpreter import ABSENT, Interpreter
from transpile.evaluate.partial import before_creation, partial
from transpile.evaluate.pure import EvaluationError, NotKnown
from transpile.model import heat_types, ir
from transpile.model.meter import Exceeded
from transpile.model.printable import escaped
from transpile.model.records import replace
from transpile.resolve.environments import merge
from transpile.resolve.registry import read_registry
from transpile.resolve.stack import known_parameters
from transpile.schema.properties import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.language_server.documents import Document
    from transpile.language_server.workspace import Use, Workspace
    from transpile.model.ir import Expr, Template

LONGEST = 400  # characters of a value that are shown
CONSTANT = frozenset(("AWS::Region",))  # the pseudo parameters that are the same in every stack
ZONES = "Fn::GetAZs"  # a function whose result depends on the cloud


def interpreter(template: Template, use: Use) -> Interpreter:
    """An interpreter with the parameters of a stack, except hidden ones, and with its resources of type
    OS::Heat::Value.
    """
    given, _ = merge(template.parameters, use.environments, use.parameters)
    encrypted = {name for one in use.environments for name in listed(one.other.get("encrypted_param_names"))}
    hidden = {param.name for param in template.parameters.values() if param.hidden} | encrypted
    known = {name: value for name, value in known_parameters(template, given).items() if name not in hidden}
    world = before_creation(known)
    version = replace(template.version, pseudo=template.version.pseudo & CONSTANT)
    found = Interpreter(replace(template, version=version), world)

    def attribute(name: str, path: tuple[Any, ...]) -> Any:
        """The attribute `value` of an OS::Heat::Value, which is its property. Raises NotKnown for all others."""
        owner = template.resources.get(name)
        properties = owner.properties if owner is not None and kind_of(owner, use) == heat_types.VALUE else None
        if properties is None or path != ("value",) or properties.get("type") is not None:
            raise NotKnown("The value is known only in a stack")
        expr = properties.get("value")
        value = known_value(found, expr) if expr is not None else UNKNOWN
        if value is UNKNOWN:
            raise NotKnown("The value is known only in a stack")
        return value

    found.world = replace(world, attribute=attribute)
    return found


def kind_of(resource: ir.Resource, use: Use) -> str:
    """The type of a resource, which an environment of the stack may have an alias for."""
    registered = read_registry(use.environments)[0].find(resource.type, resource.name)
    return registered.kind if registered is not None else resource.type


def listed(entry: ir.Entry | None) -> list[str]:
    found = entry.value if entry is not None else None
    return [str(one.value) for one in found.items if isinstance(one, ir.Lit)] if isinstance(found, ir.Seq) else []


def known_value(by: Interpreter, expr: Expr) -> Any:
    """The value of an expression; UNKNOWN if any part of it is known only at run time."""
    if any(isinstance(one, ir.Call) and one.fn == ZONES for one in ir.walk(expr)):
        return UNKNOWN
    try:
        found = by.value(expr) if isinstance(expr, ir.AttrRef) else partial(by, expr)
    except (EvaluationError, Exceeded, RecursionError):
        return UNKNOWN
    return UNKNOWN if found is ABSENT or incomplete(found) else found


def incomplete(value: Any) -> bool:
    """Whether a value has parts that are not known."""
    if isinstance(value, dict):
        return any(map(incomplete, value.values()))
    if isinstance(value, list):
        return any(map(incomplete, value))
    return not isinstance(value, (str, int, float, bool, type(None)))


def shown(value: Any) -> str:
    """A value as JSON, cut off if it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return escaped(text if len(text) <= LONGEST else f"{text[:LONGEST]} …")


def values(document: Document, workspace: Workspace, template: Template, expr: Expr) -> Iterator[tuple[str, str]]:
    """The different values of an expression in the stacks of a template: the label of the environments, and the value
    as JSON. The hover text shows them.
    """
    seen = set()
    for use in workspace.uses(document):
        found = known_value(interpreter(template, use), expr)
        if found is not UNKNOWN and (text := shown(found)) not in seen:
            seen.add(text)
            yield use.label, text


def around(template: Template, at: int) -> Expr | None:
    """The innermost function or reference of a template around an offset; None if there is none."""
    owners: list[Expr] = [c.value for c in template.conditions.values()]
    for resource in template.resources.values():
        parts = (resource.properties, resource.metadata, resource.condition)
        owners += [part for part in parts if part is not None]
    owners += [output.value for output in template.outputs.values()]
    owners += [output.condition for output in template.outputs.values() if output.condition is not None]
    found: Expr | None = None
    for owner in owners:
        if owner.at <= at <= owner.end:
            here: Expr | None = owner
            while here is not None:
                if not isinstance(here, (ir.Lit, ir.Seq, ir.Map, ir.ErrorNode)):
                    found = here
                here = next((one for one in ir.children(here) if one.at <= at <= one.end), None)
    return found
