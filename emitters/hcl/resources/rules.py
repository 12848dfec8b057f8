"""Writes a resource by the rules of its mapping table: `write_rule` has the form of each rule.

Invariant: every property that the template sets gets a fate in the report. Properties are written in the order of the
table and reported under the template's names. Conversions that tables cannot describe are in hooks/.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.lowering.rewrites import list_of_branches, negate_expression, or_default
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import join_path, write_absent, write_argument, write_text
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.items import Items, write_dynamic_block, write_fields_of_item
from emitters.hcl.resources.left_out import with_else
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.resources.writer import Writer, begin_writer
from emitters.hcl.resources.written import NOTHING, Written, add_parts, join_written
from emitters.hcl.tables.mapping import (
    ArgumentRule,
    BlockRule,
    DropRule,
    EachRule,
    EmbedRule,
    HookRule,
    ImpliedRule,
    Rule,
    TextRule,
    properties_in_texts,
)
from emitters.hcl.tables.reader import field_schemas
from emitters.hcl.tree.nodes import (
    Argument,
    Block,
    Expr,
    Fn,
    ForObject,
    Op,
    Traversal,
    Tuple,
    condition_of_count,
    expression_from_data,
    for_each_if,
    make_conditional,
)
from emitters.hcl.tree.types import ANY, BOOL, NUMBER, STRING, STRINGS
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import replace
from transpile.model.span import Span

PROPERTIES: HookRegistry[Callable[[Writer, ir.Entry], Written]] = HookRegistry()
FINISH: HookRegistry[Callable[[Writer], None]] = HookRegistry()
VALUE = Traversal(("each", "value"))


def write_native_resource(native: NativeHandle) -> Writer:
    """Writes a resource by the rules of its mapping table."""
    writer = begin_writer(native)
    write_properties(writer)
    writer.finish_resource()
    return writer


def write_properties(writer: Writer) -> None:
    """Writes all properties in the order of the table, then calls the type's `finish` hook."""
    block, kind = writer.block, writer.kind
    writer.write_repetition()
    if kind.provider:
        FINISH["chosen_provider"](writer)
    for argument in kind.named:
        block.add_argument(argument, writer.made_up_name())
    for name, rule in kind.properties.items():
        entry = writer.entries.get(name)
        if type(rule) is TextRule:
            writer.add(write_text(writer, name, rule, kind.properties, writer.entries))
        elif entry is not None:
            write_property(writer, name, rule, entry)
        elif (default := write_absent(writer, rule)) is not NOTHING:
            writer.add(default)
    check_names(writer, "", kind.properties, writer.entries)
    block.body += [argument for name, argument in writer.shared_maps.items() if not block.has_argument(name)]
    place = next((i for i, item in enumerate(block.body) if type(item) is Block), len(block.body))
    block.body[place:place] = [
        Argument(argument, expression_from_data(value)) for argument, value in kind.constants.items()
    ]
    if kind.finish:
        FINISH[kind.finish](writer)
    if kind.differs:
        resource = writer.resource
        message, note = f"{resource.name}: {kind.differs}.", f"{kind.differs}."
        writer.emission.log.add_diagnostic(
            codes.DIFFERENT_BEHAVIOUR, message, resource.name_span, note=note, once=resource.name
        )
    for written in writer.blocks:
        writer.check_block(written)


def write_entry(
    writer: Writer, path: str, rules: Mapping[str, Rule], name: str, entries: Mapping[str, ir.Entry], block_path: str
) -> Written:
    """Writes a property or field by its rule in the table, also if it is absent. path: of the property with the fields;
    empty for the properties of the resource.
    """
    rule, entry = rules[name], entries.get(name)
    if isinstance(rule, TextRule):
        return write_text(writer, name, rule, rules, entries, path, block_path)
    if entry is None:
        return write_absent(writer, rule)
    return write_rule(writer, join_path(path, entry.key), rule, entry, block_path)


def check_names(writer: Writer, path: str, rules: Mapping[str, Rule], entries: Mapping[str, ir.Entry]) -> None:
    """Raises CannotSay for a property, or field, that the table does not have."""
    for name, entry in entries.items():
        if name not in rules and name not in properties_in_texts(rules) and (path or name != writer.kind.provider):
            kind = writer.kind.name
            why = f"{path} of {kind} has no known key {name}" if path else f"{kind} has no known property {name}"
            raise CannotSay(codes.UNKNOWN_PROPERTY, why, entry.key_span, writer.resource.name)


def write_property(writer: Writer, name: str, rule: Rule, entry: ir.Entry) -> None:
    """Writes a property that the template sets."""
    body = writer.block.body
    if entry.value == ir.NULL and isinstance(rule, ArgumentRule) and add_variable_for_null(writer, name, rule, entry):
        return
    writer.lowering = writer.lowering.with_position(entry)
    writer.check_value(entry)
    before = len(body)
    writer.add(write_rule(writer, entry.key, rule, entry))
    for item in body[before : before + 1]:  # a comment above the property goes above its block
        if isinstance(item, Block) and item.at > entry.at:
            item.span = Span(entry.at, item.end)


def write_rule(writer: Writer, path: str, rule: Rule, entry: ir.Entry, block_path: str = "") -> Written:
    """Writes a property or field by a rule. path: of the property in the template. block_path: of the block in the
    resource (`persistence.0`); empty for the resource itself.
    """
    match rule:
        case ArgumentRule():
            return write_argument(writer, path, rule, entry, block_path)
        case BlockRule():
            return write_blocks(writer, path, rule, entry.value, join_path(block_path, rule.block))
        case EachRule():
            return write_resources(writer, path, rule, entry)
        case DropRule():
            if entry.value == ir.NULL or (rule.unless is not None and entry.value == ir.Lit(rule.unless)):
                return Written.implied(path, "without this value nothing changes")
            return writer.drop_property(entry, rule.code, rule.why, path.removesuffix(entry.key).removesuffix("."))
        case ImpliedRule():
            return Written.implied(path, rule.why)
        case EmbedRule():
            if entry.value not in (ir.UNSET if rule.empty else (ir.NULL,)):
                raise CannotSay(codes.KEPT_IN_HEAT, rule.why, entry, writer.resource.name)
            return Written.implied(path, "the value is empty")
        case HookRule():
            return run_hook(writer, rule, entry)
        case TextRule():  # needs several entries, so `write_entry` calls `write_text` for it
            raise AssertionError(rule)


def run_hook(writer: Writer, rule: HookRule, entry: ir.Entry) -> Written:
    """Writes a property by the hook of its rule."""
    if rule.unset and entry.value in ir.UNSET:
        return Written.implied(entry.key, rule.unset)
    if rule.literal and not has_shape(entry.value, rule.shape):
        verb = "are" if rule.literal.endswith("s") else "is"
        raise only_at_run_time(f"the {rule.literal} of {writer.resource.name} {verb}", entry.value)
    writer.rule = rule
    return PROPERTIES[rule.hook](writer, entry)


def has_shape(expr: ir.Expr, shape: str) -> bool:
    """Whether a value is a literal map, a literal list, or a literal list of maps."""
    if shape == "map":
        return isinstance(expr, ir.Map)
    return isinstance(expr, ir.Seq) and (shape != "maps" or len(ir.maps_of(expr)) == len(expr.items))


def write_fields(writer: Writer, path: str, rules: Mapping[str, Rule], expr: ir.Map, block_path: str) -> Written:
    """Writes the fields of a map. path: of the map in the template."""
    schema = field_schemas(writer.schema_at(path))
    entries = {}
    for entry in expr.entries:
        name = schema.get(entry.key, {}).get("alias", entry.key)
        entries[name] = with_else(entry, rules.get(name), schema.get(name, {}))
    written = join_written(write_entry(writer, path, rules, name, entries, block_path) for name in rules)
    check_names(writer, path, rules, entries)
    if expr.entries:
        return written
    each = Written.fate(path, "", "derived", "one resource for each item of the list")
    return written + (Written.fate(path, block_path) if block_path else each)


def add_variable_for_null(writer: Writer, name: str, rule: ArgumentRule, entry: ir.Entry) -> bool:
    """Adds an input variable for a property that is null, if Heat and the provider require the property. Returns
    whether it added one. Heat rejects only a missing property, so authors write null as a blank for the user to fill
    in.
    """
    required = writer.facts.get("properties", {}).get(name, {}).get("required")
    provider_requires = writer.providers.find_argument(writer.kind.resource, rule.to).get("required")
    if not required or not provider_requires or rule.type not in (STRING, NUMBER, BOOL):
        return False
    variable = writer.emission.symbols.open_property_variable(writer.resource, name, rule)
    message = f"{name} of {writer.resource.name} is required, but null; the variable {variable.parts[1]} must set it."
    note = f"{name} is required, but null in the template."
    writer.emission.log.add_diagnostic(codes.REQUIRED_VALUE_LEFT_OPEN, message, entry, note=note)
    why = "it is null in the template, so a variable must set it"
    writer.add(Written.value(entry, rule.path_in_block, variable, "derived", why))
    return True


# nested blocks


def write_blocks(
    writer: Writer, path: str, rule: BlockRule, expr: ir.Expr, where: str = "", guard: Expr | None = None
) -> Written:
    """Writes the nested blocks for a map or a list of maps, `dynamic` ones for values known only at run time. where:
    the path of such blocks in the resource (`a.0.b`). guard: a condition without which there are no blocks.
    """
    where = where or rule.block
    if isinstance(expr, ir.Seq):
        written = NOTHING if expr.items else Written.implied(path, "an empty list means none")
        for i, item in enumerate(expr.items):
            if item != ir.NULL:
                written += write_block(writer, f"{path}.{i}", rule, item, where, len(written.parts), guard)
        return written
    if isinstance(expr, ir.Lit) and expr.value in (None, ""):
        return Written.implied(path, "null means none")
    if isinstance(expr, ir.Map) or "items" not in writer.schema_at(path):
        return write_block(writer, path, rule, expr, where, 0, guard)
    if (listed := list_of_branches(expr)) is not None:
        why = "one block for each item of the branches, present only if its condition holds"
        blocks = write_blocks(writer, path, rule, listed, where, guard).without_fates()
        return blocks + Written.fate(path, where, "derived", why)
    return write_listed_blocks(writer, path, rule, expr, where, guard)


def write_block(
    writer: Writer, path: str, rule: BlockRule, expr: ir.Expr, where: str, index: int, guard: Expr | None
) -> Written:
    """Writes a block for a literal map or an `if` of maps. index: of the block among those of the property."""
    if isinstance(expr, ir.If) and (expr := writer.lowering.settle_branches(expr)) == ir.NULL:
        return NOTHING
    if isinstance(expr, ir.If):
        test, written = writer.lowering.lower_condition(expr.condition), NOTHING
        facts = (expr.condition, ir.Call("not", expr.condition))
        for branch, fact, if_ in zip(expr.branches, facts, (test, negate_expression(test)), strict=False):
            both = Op("&&", guard, if_) if guard is not None else if_
            written += write_blocks(writer.with_fact(fact), path, rule, branch, where, both).without_fates()
        why = "one block for each branch, present only if its condition holds"
        return written + Written.fate(path, where, "derived", why)
    if not isinstance(expr, ir.Map):
        return write_listed_blocks(writer, path, rule, ir.Seq((expr,), expr.span), where, guard)
    inner = write_fields(writer, path, rule.fields, expr, f"{where}.{index}")
    if guard is None:
        return inner.in_block(Block(rule.block, span=expr.span))
    dynamic = Block("dynamic", (rule.block,), span=expr.span)
    dynamic.add_argument("for_each", for_each_if(guard))
    return inner.in_block(Block("content")).in_block(dynamic)


def write_listed_blocks(
    writer: Writer, path: str, rule: BlockRule, expr: ir.Expr, where: str, guard: Expr | None
) -> Written:
    """Writes a `dynamic` block for a list known only at run time."""
    return write_dynamic_block(writer, path, rule, expr, writer.lowering.lower_items(expr), guard, where)


# a resource for each item


def write_resources(
    writer: Writer,
    path: str,
    rule: EachRule,
    entry: ir.Entry,
    label: Callable[[ir.Expr, int], object] = lambda _, index: index,
) -> Written:
    """Writes the resources for a property that is a list: a literal list gives one block for each item, with a word for
    the item at the end of its label.
    """
    expr = entry.value
    if expr in (ir.NULL, ir.Seq(())):
        return Written.implied(path, "the list is empty")
    if not isinstance(expr, ir.Seq):
        return write_resources_at_run_time(writer, path, rule, entry)
    if ir.NULL in expr.items:
        why = f"an item of {path} of {writer.resource.name} is null"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, writer.resource.name)
    if not all(is_certain(item, rule) for item in expr.items):
        return write_resources_at_run_time(writer, path, rule, entry)
    written = NOTHING
    for i, item in enumerate(expr.items):
        block = writer.new_block(rule.resource, snake_case(f"{writer.block.labels[1]}_{label(item, i)}"), item)
        write_owner(writer, rule, block)
        inner, inside = NOTHING, writer.with_block(block)
        if rule.item is not None:
            inner = write_argument(inside, f"{path}.{i}", rule.item, replace(entry, value=item))
        elif isinstance(item, ir.Map):
            inner = write_fields(inside, f"{path}.{i}", rule.fields, item, "")
        written += inner.in_resource(block)
    return written


def is_certain(item: ir.Expr, rule: EachRule) -> bool:
    """Whether an item is surely there, and has fields if it must."""
    if rule.item is None:
        return isinstance(item, ir.Map)
    if isinstance(item, ir.If):
        return len(item.branches) > 1 and all(is_certain(branch, rule) for branch in item.branches)
    return item != ir.NULL


def write_owner(writer: Writer, rule: EachRule, block: Block) -> None:
    """Writes the arguments that do not depend on the item."""
    for argument, attribute in rule.owner.items():
        block.add_argument(argument, writer.self_reference(attribute))
    for argument, value in rule.constants.items():
        block.add_argument(argument, expression_from_data(value))


def write_resources_at_run_time(writer: Writer, path: str, rule: EachRule, entry: ir.Entry) -> Written:
    """Writes a resource with `for_each`, by the index of items with fields and by the value of others: Terraform must
    know these keys before it applies anything.
    """
    expr, item, lowering, data = entry.value, rule.item, writer.lowering, writer.emission.data
    outer = lowering.scope.repeated
    test = condition_of_count(outer) if outer is not None else None
    if (
        lowering.scope.bound
        or (outer is not None and test is None)
        or writer.emission.unit.is_unknown_before_apply(expr)
    ):
        raise only_at_run_time(f"the items of {path} of {writer.resource.name} are", expr)
    if item is not None and item.lookup is not None:
        hint = snake_case(item.lookup.noun)
        listed = or_default(data.resolve_list(lowering, expr, item.lookup, item.result, hint)[0], Tuple(()))
    else:
        listed = lowering.lower_items(expr, STRINGS if item is not None else ANY)
    keys = data.nonsensitive_keys(lowering, listed)
    if item is None:
        over: Expr = ForObject(("index", "member"), keys, Traversal(("index",)), Traversal(("member",)), test)
    else:
        over = Fn("toset", (keys,))
        over = make_conditional(test, over, Fn("toset", (Tuple(()),))) if test is not None else over
    block = writer.new_block(rule.resource, writer.block.labels[1], entry)
    if outer is not None:
        block.body.pop(0)
    block.body.insert(0, Argument("for_each", over))
    write_owner(writer, rule, block)
    if item is None:
        items = Items(expr, listed, VALUE, entry)
        add_parts(block, write_fields_of_item(writer.with_block(block), path, rule.fields, items))
    else:
        block.add_argument(item.to, VALUE)
    return Written.fate(path, "for_each", "derived", "one resource for each item of the list").in_resource(block)
