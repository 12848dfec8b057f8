"""Arguments of a block, from a property or a field with a rule `to`.

Invariant: no argument has a value that the provider would refuse, or never send. The resource then stays with Heat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.rewrites import negate_condition, or_default
from emitters.hcl.resources import joined, stored_forms
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, PathFate, Written, join_written, path_in_block
from emitters.hcl.tables.mapping import ArgumentRule, HookRule, Rule, TextRule
from emitters.hcl.tables.provider import find_refusal
from emitters.hcl.tables.reader import field_schemas
from emitters.hcl.tree.nodes import Argument, Cond, Expr, Fn, Object, Op, Tuple, expression_from_data
from emitters.hcl.tree.types import (
    LISTS,
    MAP_OF_STRINGS,
    MAPS,
    NUMBER,
    STRING,
    HclType,
    TypedValue,
    convert_to_type,
    is_scalar_literal,
)
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import NOWHERE

ValueAndFates: TypeAlias = tuple[Expr, tuple[PathFate, ...]]


def write_argument(writer: Writer, path: str, rule: ArgumentRule, entry: ir.Entry, block_path: str = "") -> Written:
    """Writes a property as an argument. block_path: the path of the block in the resource, for the report
    (`persistence.0`).
    """
    expr = entry.value
    name, where = rule.path_in_block, join_path(block_path, path_in_block(rule.path_in_block))
    if expr != ir.NULL and not (rule.empty and expr in (ir.Lit(""), ir.Seq(()))):
        value, fates = argument_value(writer, rule, expr, path, where)
        return Written((Argument(name, value, entry.span),), fates)
    if rule.generated:
        why = "the name that Heat sends if there is none"
        return Written.argument(name, without_name(writer, rule), entry) + Written.fate(path, where, "derived", why)
    if rule.write is None:
        return Written.default(path)
    return Written.argument(name, expression_from_data(rule.write), entry) + Written.default(path)


def write_absent(writer: Writer, rule: Rule) -> Written:
    """Writes an argument that is needed although the template does not set the property."""
    rule = rule.argument_rule if type(rule) is HookRule else rule
    if type(rule) is not ArgumentRule or not rule.to or not (rule.generated or rule.write is not None):
        return NOTHING
    return Written.argument(
        rule.path_in_block, writer.made_up_name() if rule.generated else expression_from_data(rule.write)
    )


def write_text(
    writer: Writer,
    name: str,
    rule: TextRule,
    rules: Mapping[str, Rule],
    entries: Mapping[str, ir.Entry],
    path: str = "",
    block_path: str = "",
) -> Written:
    """Writes an argument that is a text made of several properties, or fields. name: the property with the rule. path:
    for fields, the path of the property that contains them.
    """
    schema = field_schemas(writer.schema_at(path))
    parts = [
        entries[word] for word in rule.text.property_names if word in entries and (word == name or word not in rules)
    ]
    if joined.names_without_value(rule.text, entries, schema) and not joined.any_is_set(rule.text, entries):
        return join_written(Written.default(join_path(path, entry.key)) for entry in parts)
    value = joined.lower_joined_text(writer.lowering, rule.text, entries, schema, writer.resource, rule.to)
    place = entries.get(name) or next(iter(parts), None)
    if not path:  # a map is checked with its fields
        for entry in parts:
            writer.check_value(entry)
    where, why = join_path(block_path, path_in_block(rule.path_in_block)), "a part of the text"
    return Written(
        (Argument(rule.path_in_block, convert_to_type(value, rule.type).expr, place.span if place else NOWHERE),),
        tuple(PathFate(join_path(path, entry.key), "derived", where, why) for entry in parts),
    )


def join_path(path: str, name: str) -> str:
    """The path of a name inside a block or a property: `pools.0` and `start` -> `pools.0.start`. The path of the
    resource itself is empty.
    """
    return f"{path}.{name}" if path else name


def how_written(expr: ir.Expr) -> str:
    """The fate of a value that is written as it is."""
    return "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value"


# names that Heat makes up


def without_name(writer: Writer, rule: ArgumentRule) -> Expr:
    """The name that Heat sends in place of null: an empty one, or a made-up one if an empty name means no name."""
    return writer.made_up_name() if rule.empty else ""


def or_without_name(writer: Writer, value: TypedValue, rule: ArgumentRule, expr: ir.Expr) -> Expr:
    """A name that may be null or empty at run time, with the name that Heat sends in its place."""
    name = value.expr
    if not (value.null or (rule.empty and can_be_empty(writer, expr))):
        return name
    if isinstance(expr, ir.If) and not rule.empty:
        return conditional_name(writer, rule, expr)
    if not rule.empty:  # the service takes null for an empty name, too
        facts = writer.providers.find_argument(writer.kind.resource, rule.to)
        return Cond(Op("==", name, None), "", name) if facts.get("required") else name
    return Fn("coalesce", (name, writer.made_up_name()))


def conditional_name(writer: Writer, rule: ArgumentRule, expr: ir.Expr | None) -> Expr:
    """A name that conditions choose. None: the property is left out, so Heat makes a name up. Null is an empty name."""
    if expr is None:
        return writer.made_up_name()
    if not isinstance(expr, ir.If):
        value = convert_to_type(writer.lowering.lower_value(expr, rule.type), rule.type)
        return without_name(writer, rule) if value.is_null else or_without_name(writer, value, rule, expr)
    holds = writer.lowering.decide_condition(expr.condition)
    if holds is not None:
        return conditional_name(writer, rule, expr.then if holds else expr.orelse)
    then = conditional_name(writer.with_fact(expr.condition), rule, expr.then)
    other = conditional_name(writer.with_fact(negate_condition(expr.condition)), rule, expr.orelse)
    return Cond(writer.lowering.lower_condition(expr.condition), then, other)


# values


def argument_value(writer: Writer, rule: ArgumentRule, expr: ir.Expr, path: str, where: str) -> ValueAndFates:
    """The value of an argument, and its fate or those of its parts."""

    def with_fate(value: Expr, how: str, why: str = "") -> ValueAndFates:
        return value, (PathFate(path, how, where, why),)

    if rule.lookup is not None:
        value, how = writer.emission.data.resolve_name(
            writer.lowering, expr, rule.lookup, rule.result, rule.lookup.noun.replace(" ", "_")
        )
        return with_fate(null_if_empty(writer, expr, value, rule).expr if rule.empty else value.expr, how)
    if isinstance(expr, ir.Lit) and str(expr.value).lower() in rule.values:
        return with_fate(rule.values[str(expr.value).lower()], "derived", f"the provider's name for {expr.value}")
    if rule.unsent is not None:
        check_sent(writer, rule.to, expr, rule.unsent, rule.type)
    if isinstance(expr, ir.Seq) and rule.type.kind in LISTS:
        return list_value(writer, rule, expr, path, where)
    if isinstance(expr, ir.Map) and rule.type.kind == "map":
        return map_value(writer, rule, expr, path, where)
    value = convert_to_type(writer.lowering.lower_value(expr, rule.type), rule.type)
    check_accepted(writer, rule, value, expr)
    if isinstance(rule.write, (bool, int, float, str)):
        value = value._replace(expr=or_default(value, rule.write))
    if rule.stored:
        stored = stored_forms.to_stored_form(rule.stored, writer.lowering, expr, value.expr)
        if stored != value.expr:
            return with_fate(stored, "derived", stored_forms.WORDS[rule.stored])
    if rule.generated and (name := or_without_name(writer, value, rule, expr)) != value.expr:
        return with_fate(name, "derived", "with the name that Heat sends if there is none")
    return with_fate(value.expr, how_written(expr))


def list_value(writer: Writer, rule: ArgumentRule, expr: ir.Seq, path: str, where: str) -> ValueAndFates:
    """A literal list, with a fate for each item."""
    of_items = rule.type.of or STRING
    if any(map(ir.is_optional, expr.items)):
        return writer.lowering.lower_value(expr, rule.type).expr, (PathFate(path, "value", where),)
    if rule.stored == "networks":
        return networks_value(writer, expr, path, where)
    out, fates = [], []
    for i, item in enumerate(expr.items):
        value = writer.lowering.lower_value(item, of_items)
        if (value.type.kind in MAPS or value.type.kind in LISTS) and of_items.kind != "any":
            value = TypedValue(Fn("jsonencode", (value.expr,)), STRING)
        stored_value = (
            stored_forms.to_stored_form(rule.stored, writer.lowering, item, value.expr) if rule.stored else value.expr
        )
        out.append(stored_value)
        how, why = how_written(item), ""
        if stored_value != value.expr:
            how, why = "derived", stored_forms.WORDS[rule.stored]
        fates.append(PathFate(f"{path}.{i}", how, f"{where}.{i}", why))
    return Tuple(tuple(out)), tuple(fates) or (PathFate(path, "value", where),)


def networks_value(writer: Writer, expr: ir.Seq, path: str, where: str) -> ValueAndFates:
    """A literal list of networks, which Neutron sorts and merges."""
    items = [writer.lowering.lower_expression(item, STRING) for item in expr.items]
    texts = [text for text in items if isinstance(text, str)]
    merged = stored_forms.merge_networks(texts) if len(texts) == len(items) else texts
    if merged == texts:
        return Tuple(tuple(items)), (PathFate(path, "value", where),)
    return Tuple(tuple(merged)), (PathFate(path, "derived", where, stored_forms.WORDS["networks"]),)


def map_value(writer: Writer, rule: ArgumentRule, expr: ir.Map, path: str, where: str) -> ValueAndFates:
    """A literal map of strings, with a fate for each entry."""
    if any(ir.is_optional(entry.value) for entry in expr.entries):
        return writer.lowering.lower_value(expr, MAP_OF_STRINGS).expr, (PathFate(path, "value", where),)
    out: list[tuple[Expr, Expr]] = []
    fates: list[PathFate] = []
    for entry in expr.entries:
        here, to = f"{path}.{entry.key}", f"{where}.{entry.key}"
        if entry.value == ir.NULL:
            empty, form = ("null", "as JSON") if rule.json else ("", "as an empty string")
            out.append((writer.lowering.lower_map_key(entry.key), empty))
            fates.append(PathFate(here, "derived", to, f"null is sent {form}"))
            continue
        out.append((writer.lowering.lower_map_key(entry.key), writer.lowering.lower_map_value(entry.value, True)))
        fates.append(PathFate(here, how_written(entry.value), to))
    return Object(tuple(out)), tuple(fates) or (PathFate(path, "value", where),)


def null_if_empty(writer: Writer, expr: ir.Expr, value: TypedValue, rule: ArgumentRule) -> TypedValue:
    """Null in place of a lookup if a parameter may be "", which means "not set". Arguments without a lookup take ""
    as absent, or reject it as Heat does.
    """
    if value.null or is_scalar_literal(value.expr) or not can_be_empty(writer, expr):
        return value
    plain = writer.lowering.lower_value(expr)
    if plain.type.kind not in ("string", "any"):
        return value
    set_ = convert_to_type(TypedValue(value.expr, value.type), rule.type).expr
    return TypedValue(Cond(Op("==", plain.expr, ""), None, set_), value.type, True)


def can_be_empty(writer: Writer, expr: ir.Expr) -> bool:
    """Whether a value may be an empty string or list at run time."""
    if isinstance(expr, ir.ParamRef):
        param = writer.emission.unit.template.parameters.get(expr.name)
        if param is None:
            return False
        if expr.path:  # a path without a value gives ""
            return True
        return param.type in ("string", "json", "comma_delimited_list") and any(
            value in ("", []) for value in environment_values_of(writer, param)
        )
    return isinstance(expr, ir.If) and any(
        branch == ir.Lit("") or can_be_empty(writer, branch) for branch in expr.branches
    )


def environment_values_of(writer: Writer, param: ir.Param) -> list[Any]:
    """The literal values of a parameter: the one in the environments, and its default."""
    return [*writer.emission.unit.stack.bound_values(param.name), *param.default_data]


# values that the provider refuses, or does not send


def check_accepted(writer: Writer, rule: ArgumentRule, value: TypedValue, expr: ir.Expr) -> None:
    """Raises CannotSay if the provider's own validation would reject a literal, or one in a branch."""
    for literal in literals_in_branches(value.expr):
        if why := find_refusal(writer.providers.find_argument(writer.address[0], rule.to), literal):
            raise CannotSay(
                codes.VALUE_REJECTED_BY_PROVIDER, f"the provider rejects {literal!r} for {rule.to}: {why}", expr
            )


def literals_in_branches(expr: Expr) -> Iterator[Expr]:
    """The literals that a value may be, without null."""
    if isinstance(expr, Cond):
        yield from literals_in_branches(expr.yes)
        yield from literals_in_branches(expr.no)
    elif expr is not None and is_scalar_literal(expr):
        yield expr


def check_sent(writer: Writer, argument: str, expr: ir.Expr, unsent: Any, kind: HclType) -> None:
    """Raises CannotSay if a known value is one that the provider does not send."""
    if may_have_value(writer, expr, unsent, kind):
        printed_value = str(unsent).lower() if isinstance(unsent, bool) else unsent
        why = f"the provider never sends {argument} = {printed_value}, so it would have no effect"
        raise CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, why, expr, writer.resource.name)
    if unsent is False and not isinstance(expr, ir.Lit):
        report_false_sent_later(writer, expr, argument)


def report_false_sent_later(writer: Writer, expr: ir.Expr, argument: str) -> None:
    """Reports that the provider does not send false on creation."""
    message = f"The provider does not send {argument} = false when it creates the resource; a second apply does."
    writer.emission.log.report_difference(codes.DIFFERENT_BEHAVIOUR, message, expr)


def may_have_value(writer: Writer, expr: ir.Expr, value: Any, kind: HclType) -> bool:
    """Whether an expression is a certain value, or a parameter that has it among its known values."""
    expr = writer.lowering.settle_branches(expr)
    if isinstance(expr, ir.Lit):
        return expr.value is not None and writer.lowering.lower_literal(expr, kind).expr == value
    if isinstance(expr, ir.If):
        return any(may_have_value(writer, branch, value, kind) for branch in expr.branches)
    if isinstance(expr, ir.ParamRef) and not expr.path:
        values = [v for v in writer.emission.unit.values_of_parameter(expr.name) if isinstance(v, (str, int, float))]
        return any(
            convert_to_type(TypedValue(v, STRING if isinstance(v, str) else NUMBER), kind).expr == value for v in values
        )
    return False
