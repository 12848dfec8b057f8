"""Hooks of types that only hold values: OS::Heat::Value and OS::Heat::None.

Heat converts a value to its type more strictly than a parameter: "yes" is not a boolean.
"""

from __future__ import annotations

import contextlib

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import resources_referred_by_id
from emitters.hcl.resources.handles import LocalHandle, NativeHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.resources.writer import Writer, begin_writer
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Traversal
from emitters.hcl.tree.types import ANY, BOOL, JSON, NUMBER, STRING, STRINGS, HclType, TypedValue, is_scalar_literal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate
from transpile.schema import parameters

TYPES: dict[str, HclType] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOL,
    "comma_delimited_list": STRINGS,
    "json": JSON,
}
IGNORED_BY_NONE = make_fate("implied", why="Heat accepts any property of this type and ignores it")
CONVERT = {"string": "tostring", "number": "tonumber", "boolean": "tobool"}


def existence_facts(resource: ir.Resource) -> frozenset[ir.Expr]:
    """The conditions that are true where a resource exists: its own, if it has one."""
    return frozenset(resource.conditions)


# OS::Heat::Value


@resource_hook("value")
def prepare_value(emission: Emission, resource: ir.Resource) -> Prepared:
    """The handle of a value. The first reference writes the local, so that its type is known wherever it is used."""

    def read_local(lowering: HclLowering) -> TypedValue:
        write_value_local(emission, resource, lowering)
        name, of = emission.symbols.folded[resource.name]
        return TypedValue(name, of, resource.is_conditional)

    handle = LocalHandle(emission, resource, ("value",), read_local, text=False)
    return Prepared(handle, lambda: write_value_local(emission, resource, emission.lowering))


def write_value_local(emission: Emission, resource: ir.Resource, lowering: HclLowering) -> None:
    """Writes a local, converted to the declared type. The first reference writes it."""
    if resource.name in emission.symbols.folded:
        return
    entry = resource.find_entry("value")
    declared = resource.value_of("type")
    of = str(declared.value) if isinstance(declared, ir.Lit) else ""
    if declared != ir.NULL and of not in TYPES:
        why = "the type of a value is known only at run time"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, declared, resource.name)
    label = emission.names.locals.reserve_name(snake_case(resource.name))
    emission.symbols.folded[resource.name] = (
        Traversal(("local", label)),
        TYPES.get(of, ANY),
    )  # before the value is lowered, which may reference other values
    inner = lowering.with_owner(label, facts=existence_facts(resource), resource=resource.name)
    inner = inner if entry is None else inner.with_position(entry)
    value = inner.lower_value(entry.value) if entry is not None else TypedValue(None, ANY, True)
    expr = value.expr
    if of in CONVERT and expr is not None and value.type != TYPES[of]:
        expr = convert_to_type(expr, of)
    if lowering.decide_condition(resource.condition) is None:
        expr = Cond(lowering.with_owner(label).lower_condition(resource.condition), expr, None)
    emission.symbols.folded[resource.name] = (Traversal(("local", label)), TYPES.get(of) or value.type)
    report = emission.log.resource_report(resource)
    report.treatment, report.addresses = "folded", [f"local.{label}"]
    emission.blocks.add_local(label, expr, resource)
    for property_entry in resource.entries:
        if property_entry.key == "value":
            report.properties["value"] = make_fate("value", f"local.{label}", label)
        else:
            report.properties[property_entry.key] = make_fate(
                "derived",
                f"local.{label}",
                label,
                "the local is converted to this type" if of in CONVERT else "the local has this type",
            )


def convert_to_type(expr: Expr, of: str) -> Expr:
    """Converts a value to another type: now if it is a literal, else in Terraform."""
    if is_scalar_literal(expr):
        with contextlib.suppress(ValueError):
            result: Expr = parameters.convert_value(of, expr)
            return result
    return Fn(CONVERT[of], (expr,))


# OS::Heat::None


@resource_hook("none")
def prepare_none(emission: Emission, resource: ir.Resource) -> Prepared:
    kind = emission.mapping_of(resource)
    address = (kind.resource, emission.names.reserve_label(kind.resource, snake_case(resource.name)))
    handle = NativeHandle(emission, resource, kind, address, counted=emission.unit.has_count(resource))
    return Prepared(handle, lambda: write_none(handle))


def write_none(handle: NativeHandle) -> None:
    """Writes the random ID that Heat gives it, if anything refers to it; otherwise it becomes nothing."""
    emission, resource = handle.emission, handle.resource
    if resource.name not in emission.unit.plan.get_index(resources_referred_by_id):
        emission.log.resource_report(resource).became_nothing(resource, handle.kind.why, IGNORED_BY_NONE)
        write_resource_keys(emission, resource, [], nothing=True)
        return
    writer = begin_writer(handle)
    write_random_id(writer)
    writer.finish_resource()


def write_random_id(writer: Writer) -> None:
    """Writes the ID of one OS::Heat::None, which ignores its properties."""
    writer.write_repetition()
    writer.block.comments.append(f" {writer.kind.name}: Heat makes nothing but this ID.")
    for entry in writer.entries.values():
        writer.record_fate(entry.key, IGNORED_BY_NONE)
