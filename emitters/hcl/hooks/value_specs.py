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
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, HookRule, Rule
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, ForObject, Not, Object, Traversal, Tuple, text_of_bool
from emitters.hcl.tree.types import BOOL, COLLECTIONS, LISTS, MAP_OF_STRINGS
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace

SPREAD = "the keys became arguments of their own, or texts"


@property_hook("value_specs")
def write_value_specs(writer: Writer, entry: ir.Entry) -> Written:
    written, rest = split_specs(writer, writer.rule, entry.key, entry)
    earlier = writer.shared_maps.get("value_specs")
    more = (*(earlier.value.entries if earlier and isinstance(earlier.value, Object) else ()), *written.pairs)
    if not isinstance(rest, Object):
        whole: Expr = Fn("merge", (rest, Object(more))) if more else rest
    else:
        whole = Object((*more, *rest.entries))
    argument = Written.argument("value_specs", whole, entry) if whole != Object(()) else NOTHING
    return replace(written, entries=()) + argument


@property_hook("flag_in_value_specs")
def write_flag(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a flag for which the provider has no argument, under its own name."""
    text = text_of_bool(writer.lowering.lower_expression(entry.value, BOOL))
    fate = Written.fate(entry.key, f"value_specs.{entry.key}", "derived", "value_specs are strings")
    return Written.entry("value_specs", entry.key, text) + fate


def write_port_specs(writer: Writer, path: str, entry: ir.Entry, port: Block) -> tuple[Written, Expr]:
    """Writes value_specs of a NIC for the port that Heat would make for it, and the rest for the argument: the keys
    that have no arguments of their own.
    """
    kind = writer.emission.unit.tables.find_mapping(heat_types.NEUTRON_PORT)
    rule = kind.properties["value_specs"]
    assert isinstance(rule, HookRule)
    written, rest = split_specs(writer.with_block(port), rule, path, entry)
    if isinstance(rest, Object):
        rest = Object((*rest.entries, *written.pairs))
    return replace(written, entries=()), rest


def split_specs(writer: Writer, rule: HookRule, path: str, entry: ir.Entry) -> tuple[Written, Expr]:
    """The keys that have arguments of their own, and the map of the others."""
    expr = entry.value
    shown_map = resolve_map(writer, expr, rule)
    if isinstance(shown_map, ir.Map):
        specs = [write_spec(writer, rule, path, item) for item in shown_map.entries]
        written, rest = join_written(w for w, _ in specs), Object(tuple(pair for _, pairs in specs for pair in pairs))
        if shown_map is expr:
            return written, rest
        names = [name_written(rule.keys[item.key]) for item in shown_map.entries if item.key in rule.keys]
        argument = rule.to if rest.entries else "".join(names[:1])
        return written.without_fates() + Written.fate(path, argument, "derived", SPREAD), rest
    nested = nested_keys(writer, expr)
    if not nested:
        return Written.fate(path, rule.to), writer.lowering.lower_expression(expr, MAP_OF_STRINGS)
    whole = writer.lowering.lower_expression(expr)
    written = join_written(write_nested_key(writer, rule, f"{path}.{key}", entry, key, whole) for key in nested)
    # The map without these keys, which would be sent as texts.
    plain = Not(Fn("contains", (Tuple(tuple(nested)), Traversal(("key",)))))
    rest_of_map = ForObject(("key", "value"), whole, Traversal(("key",)), Traversal(("value",)), plain)
    return written.without_fates() + Written.fate(path, rule.to, "derived", SPREAD), rest_of_map


def name_written(rule: Rule) -> str:
    """The argument or block that the rule of a key writes."""
    return rule.block if isinstance(rule, BlockRule) else rule.to if isinstance(rule, (ArgumentRule, HookRule)) else ""


def write_nested_key(writer: Writer, rule: HookRule, path: str, entry: ir.Entry, key: str, whole: Expr) -> Written:
    """Writes a list or map inside a parameter as the argument that the provider has for it."""
    expr, inner = entry.value, rule.keys.get(key)
    if isinstance(inner, BlockRule):
        return write_dynamic_block(writer, path, inner, expr, Fn("try", (Attr(whole, key), Tuple(()))))
    if isinstance(inner, ArgumentRule) and inner.type.kind in LISTS:
        return Written.argument(inner.to, Fn("try", (Attr(whole, key), None)), entry)
    raise no_argument_error(writer, rule, key, expr)


def write_spec(
    writer: Writer, rule: HookRule, path: str, spec: ir.Entry
) -> tuple[Written, tuple[tuple[Expr, Expr], ...]]:
    """Writes a key as an argument of its own, or else as an entry of the map."""
    where = f"{path}.{spec.key}"
    inner = rule.keys.get(spec.key)
    if inner is not None:
        return write_rule(writer, where, inner, replace(spec, key=where)), ()
    if spec.value == ir.NULL:
        why = "null is sent as an empty string"
        return Written.fate(where, f"{rule.to}.{spec.key}", "derived", why), ((spec.key, ""),)
    if isinstance(spec.value, (ir.Map, ir.Seq)) or writer.lowering.lower_value(spec.value).type.kind in COLLECTIONS:
        raise no_argument_error(writer, rule, spec.key, spec.value)
    value = writer.lowering.lower_map_value(spec.value, True)
    return Written.fate(where, f"{rule.to}.{spec.key}"), ((spec.key, value),)


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
        if resource is not None and resource.kind == heat_types.VALUE and not resource.is_conditional:
            value = resource.find_property("value")
            return resolve_map(writer, value, rule) if isinstance(value, (ir.Map, ir.If)) else expr
    if (settled := writer.lowering.settle_branches(expr)) is not expr:
        return resolve_map(writer, settled, rule)
    if not isinstance(expr, ir.If):
        return expr
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
