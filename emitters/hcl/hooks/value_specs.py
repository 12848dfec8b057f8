"""The property value_specs: keys that Heat adds to its request to Neutron.

The provider sends them as texts, so a list or a map must become the argument that the provider has for it. The tables
say which keys have arguments of their own (`keys`); any other list or map keeps the resource in Heat.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.items import write_dynamic_block
from emitters.hcl.resources.rules import write_rule
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, HookRule, Rule
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, ForObject, Not, Object, Traversal, Tuple
from emitters.hcl.tree.types import COLLECTIONS, LISTS, MAP_OF_STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import make_fate

NOTHING = (ir.NULL, ir.Map(()))
SPREAD = "the keys became arguments of their own, or texts"


@property_hook("value_specs")
def write_value_specs(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    rest = split_specs(writer, rule, entry)
    if isinstance(rest, Object):
        collected_specs(writer).extend(rest.entries)
        finish_specs(writer, entry)
        return
    more = tuple(writer.extra.pop("value_specs", ()))
    whole = Fn("merge", (rest, Object(more))) if more else rest
    writer.block.add_argument("value_specs", whole, entry)


def collected_specs(writer: Writer) -> list[tuple[Expr, Expr]]:
    """The entries collected so far, also from other properties that have no arguments of their own."""
    return writer.extra.setdefault("value_specs", [])


def finish_specs(writer: Writer, entry: ir.Entry | None = None) -> None:
    """Writes the entries that were collected, if any."""
    if entries := writer.extra.pop("value_specs", ()):
        span = entry.span if entry is not None else Span(-1, -1)
        writer.block.add_argument("value_specs", Object(tuple(entries)), span)


def write_port_specs(writer: Writer, path: str, entry: ir.Entry, port: Block) -> Expr:
    """Writes value_specs of a NIC to the port that Heat would make for it. Returns what remains for the argument: the
    keys that have no arguments of their own.
    """
    kind = writer.emission.unit.tables.find_mapping(heat_types.NEUTRON_PORT)
    rule, of_port = kind.properties["value_specs"], writer.with_block(port)
    assert isinstance(rule, HookRule)
    of_port.extra = {}  # not those of the server: the hooks collect entries here
    rest = split_specs(of_port, rule, replace(entry, key=path))
    more = of_port.extra.get("value_specs")
    return Object((*rest.entries, *more)) if more and isinstance(rest, Object) else rest


def split_specs(writer: Writer, rule: HookRule, entry: ir.Entry) -> Expr:
    """Writes the keys that have arguments of their own, and returns the map of the others."""
    expr, path = entry.value, entry.key
    shown_map = resolve_map(writer, expr, rule)
    if isinstance(shown_map, ir.Map):
        target = writer if shown_map is expr else writer.without_fates()
        rest = tuple(entry for item in shown_map.entries for entry in write_spec(target, rule, path, item))
        if shown_map is not expr:
            written = [name_written(rule.keys[item.key]) for item in shown_map.entries if item.key in rule.keys]
            writer.record_fate(path, make_fate("derived", writer.to, rule.to if rest else "".join(written[:1]), SPREAD))
        return Object(rest)
    nested = nested_keys(writer, expr)
    if not nested:
        writer.record_value(path, rule.to)
        return writer.lowering.lower_expression(expr, MAP_OF_STRINGS)
    writer.record_fate(path, make_fate("derived", writer.to, rule.to, SPREAD))
    whole = writer.lowering.lower_expression(expr)
    for key in nested:
        write_nested_key(writer.without_fates(), rule, entry, key, whole)
    # The map without these keys, which would be sent as texts.
    plain = Not(Fn("contains", (Tuple(tuple(nested)), Traversal(("key",)))))
    return ForObject(("key", "value"), whole, Traversal(("key",)), Traversal(("value",)), plain)


def name_written(rule: Rule) -> str:
    """The argument or block that the rule of a key writes."""
    return rule.block if isinstance(rule, BlockRule) else rule.to if isinstance(rule, (ArgumentRule, HookRule)) else ""


def write_nested_key(writer: Writer, rule: HookRule, entry: ir.Entry, key: str, whole: Expr) -> None:
    """Writes a list or map inside a parameter as the argument that the provider has for it."""
    expr, inner = entry.value, rule.keys.get(key)
    if isinstance(inner, BlockRule):
        over = Fn("try", (Attr(whole, key), Tuple(())))
        write_dynamic_block(writer, writer.block, f"{entry.key}.{key}", inner, expr, over)
    elif isinstance(inner, ArgumentRule) and inner.type.kind in LISTS:
        writer.block.add_argument(inner.to, Fn("try", (Attr(whole, key), None)), entry)
    else:
        raise no_argument_error(writer, rule, key, expr)


def write_spec(writer: Writer, rule: HookRule, path: str, spec: ir.Entry) -> tuple[tuple[Expr, Expr], ...]:
    """Writes one key as an argument of its own, or returns it as an entry of the map."""
    where = f"{path}.{spec.key}"
    inner = rule.keys.get(spec.key)
    if inner is not None:
        write_rule(writer, writer.block, where, inner, replace(spec, key=where))
        return ()
    if spec.value == ir.NULL:
        writer.record_value(where, f"{rule.to}.{spec.key}", "derived", why="null is sent as an empty string")
        return ((spec.key, ""),)
    if isinstance(spec.value, (ir.Map, ir.Seq)) or writer.lowering.lower_value(spec.value).type.kind in COLLECTIONS:
        raise no_argument_error(writer, rule, spec.key, spec.value)
    writer.record_value(where, f"{rule.to}.{spec.key}")
    return ((spec.key, writer.lowering.lower_map_value(spec.value, True)),)


def no_argument_error(writer: Writer, rule: HookRule, key: str, expr: ir.Expr) -> CannotSay:
    """The error for a list or map for which the provider has no argument."""
    why = f"the provider sends the values of {rule.to} as texts, and {key} is a list or a map"
    return CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, why, expr, writer.resource.name)


def resolve_map(writer: Writer, expr: ir.Expr, rule: HookRule) -> ir.Expr:
    """The map that an expression means, if the template shows it: in an OS::Heat::Value, or in branches of a condition
    whose keys all have arguments of their own. `{if: [c, {a: 1}, {b: 2}]}` -> `{a: {if: [c, 1, null]}, b: …}`. Returns
    any other expression itself.
    """
    if isinstance(expr, ir.AttrRef) and expr.path == (ir.Lit("value"),):
        resource = writer.lowering.template.resources.get(expr.name)
        if resource is not None and resource.kind == heat_types.VALUE and resource.condition is None:
            value = resource.find_property("value")
            return resolve_map(writer, value, rule) if isinstance(value, (ir.Map, ir.If)) else expr
    if not isinstance(expr, ir.If):
        return expr
    holds = writer.lowering.decide_condition(expr.condition)
    if holds is not None:
        return resolve_map(writer, (expr.then if holds else expr.orelse) or ir.NULL, rule)
    then, orelse = (resolve_map(writer, branch or ir.NULL, rule) for branch in (expr.then, expr.orelse))
    branches = [ir.Map(()) if branch == ir.NULL else branch for branch in (then, orelse)]
    if not all(isinstance(branch, ir.Map) for branch in branches):
        return expr
    first, second = ({e.key: e for e in branch.entries} for branch in branches if isinstance(branch, ir.Map))
    if not set(rule.keys) >= first.keys() | second.keys():
        return expr
    return ir.Map(
        tuple(
            ir.Entry(
                key,
                ir.If(
                    expr.condition,
                    first[key].value if key in first else ir.NULL,
                    second[key].value if key in second else ir.NULL,
                    span=expr.span,
                ),
                expr.at,
            )
            for key in {**first, **second}
        ),
        expr.span,
    )


def nested_keys(writer: Writer, expr: ir.Expr) -> list[str]:
    """The keys of a parameter whose known values are lists or maps."""
    if not isinstance(expr, ir.ParamRef) or expr.path:
        return []
    values = writer.emission.unit.values_of_parameter(expr.name)
    return sorted({k for v in values if isinstance(v, dict) for k, item in v.items() if isinstance(item, (dict, list))})
