"""Hooks of types that only hold values: OS::Heat::Value and OS::Heat::None.

Heat converts a value to its type more strictly than a parameter: "yes" is not a boolean.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.namespace import snake
from emitters.hcl.resources.handles import Local, Nothing
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Name
from emitters.hcl.tree.types import ANY, BOOL, JSON, NUMBER, STRING, STRINGS, Type, Value, literal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import fate
from transpile.schema import parameters

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind

TYPES: dict[str, Type] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOL,
    "comma_delimited_list": STRINGS,
    "json": JSON,
}
CONVERT = {"string": "tostring", "number": "tonumber", "boolean": "tobool"}


def prop(resource: ir.Resource, name: str) -> ir.Entry | None:
    """A property that is set and not null."""
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key == name and entry.value != ir.NULL:
            return entry
    return None


def facts(resource: ir.Resource) -> frozenset[ir.Expr]:
    """The conditions that are true where a resource exists: its own, if it has one."""
    return frozenset(() if resource.condition is None else (resource.condition,))


# OS::Heat::Value


@prepare_hook("value")
def prepare_value(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    """The handle of a value. The first reference writes the local, so that its type is known wherever it is used."""

    def get(lowering: Lowering) -> Value:
        write(emission, resource, lowering)
        name, of = emission.symbols.folded[resource.name]
        return Value(name, of, resource.condition is not None)

    return Local(emission, resource, ("value",), get, text=False)


@write_hook("value")
def write_value(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    write(emission, resource, emission.lowering)


def write(emission: Emission, resource: ir.Resource, lowering: Lowering) -> None:
    """Writes a local, converted to the declared type. The first reference writes it."""
    if resource.name in emission.symbols.folded:
        return
    entry = prop(resource, "value")
    declared = prop(resource, "type")
    of = str(declared.value.value) if declared is not None and isinstance(declared.value, ir.Lit) else ""
    if declared is not None and of not in TYPES:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL,
            "the type of a value is known only at run time",
            declared.value,
            resource.name,
        )
    label = emission.names.locals.take(snake(resource.name))
    emission.symbols.folded[resource.name] = (
        Name(("local", label)),
        TYPES.get(of, ANY),
    )  # before the value is lowered, which may reference other values
    inner = lowering.owned(label, facts=facts(resource), resource=resource.name)
    found = inner.value(entry.value) if entry is not None else Value(None, ANY, True)
    expr = found.expr
    if of in CONVERT and expr is not None and found.type != TYPES[of]:
        expr = converted(expr, of)
    if resource.condition is not None and lowering.known(resource.condition) is None:
        expr = Cond(lowering.owned(label).condition(resource.condition), expr, None)
    emission.symbols.folded[resource.name] = (Name(("local", label)), TYPES.get(of) or found.type)
    report = emission.log.resource_report(resource)
    report.treatment, report.addresses = "folded", [f"local.{label}"]
    emission.blocks.add_local(label, expr, resource)
    for one in resource.properties.entries if resource.properties is not None else ():
        if one.key == "value":
            report.properties["value"] = fate("value", f"local.{label}", label)
        else:
            report.properties[one.key] = fate(
                "derived",
                f"local.{label}",
                label,
                "the local is converted to this type" if of in CONVERT else "the local has this type",
            )


def converted(expr: Expr, of: str) -> Expr:
    """Converts a value to another type: now if it is a literal, else in Terraform."""
    if literal(expr):
        with contextlib.suppress(ValueError):
            found: Expr = parameters.convert(of, expr)
            return found
    return Fn(CONVERT[of], (expr,))


# OS::Heat::None


@prepare_hook("none")
def prepare_none(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return Nothing(resource)


@write_hook("none")
def write_none(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    each = fate("implied", why="OS::Heat::None accepts any property and ignores it")
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)
