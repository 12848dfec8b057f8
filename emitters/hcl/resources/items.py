"""Blocks for a list that is known only at run time: one block in Terraform's program, for any number of items.

Invariant: an item may lack a field, or have it as null; both mean that the argument is not set. A field that only Heat
supports keeps the resource in Heat, because an item may have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import final

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.paths import select_literal_step
from emitters.hcl.resources import joined
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Part, Written, add_parts
from emitters.hcl.tables.mapping import (
    ArgumentRule,
    BlockRule,
    DropRule,
    EmbedRule,
    Rule,
    TextRule,
    properties_in_texts,
)
from emitters.hcl.tables.reader import field_schemas
from emitters.hcl.tree.nodes import (
    Argument,
    Block,
    Cond,
    Expr,
    Fn,
    ForTuple,
    Object,
    Op,
    Traversal,
    Tuple,
    expression_from_data,
)
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import node
from transpile.model.span import Located

ITEM, PART = Traversal(("item",)), Traversal(("part",))


@final
@node
class Items:
    """A list known only at run time, and the name for one of its items inside the block.

    expr: the list in the template. over: the same list in Terraform. It uses no iterator of a block around it, so that
    a data source can use it too. item: the iterator (`range.value`). place: where diagnostics point.
    """

    expr: ir.Expr
    over: Expr
    item: Traversal
    place: Located


def write_dynamic_block(
    writer: Writer,
    path: str,
    rule: BlockRule,
    expr: ir.Expr,
    over: Expr,
    guard: Expr | None = None,
    where: str = "",
) -> Written:
    """Writes a `dynamic` block. over: the list, which `expr` was lowered to. where: the path of the block in the
    resource, if it is inside another one.
    """
    dynamic = Block("dynamic", (rule.block,), span=expr.span)
    dynamic.add_argument("for_each", over if guard is None else Cond(guard, over, Tuple(())))
    items = Items(expr, over, Traversal((rule.block, "value")), expr)
    add_parts(dynamic.add_block("content"), write_fields_of_item(writer, path, rule.fields, items))
    why = "one block for each item of the list, with the same values"
    return Written((dynamic,)) + Written.fate(path, where or rule.block, "derived", why)


def write_fields_of_item(writer: Writer, path: str, rules: Mapping[str, Rule], items: Items) -> Iterator[Part]:
    """Writes the arguments and blocks for one item. path: that of the list."""
    schemas, keys = field_schemas(writer.schema_at(path)), known_keys(items.over)
    aliases: dict[str, list[str]] = {}
    for word, schema in schemas.items():
        aliases.setdefault(schema.get("alias", word), []).append(word)
    for key in sorted(keys or ()):
        if not any(
            key in words for field, words in aliases.items() if field in rules or field in properties_in_texts(rules)
        ):
            why = f"the items of {path} are known only at run time, and have an unknown key {key}"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, items.expr)
    for field, rule in rules.items():
        spellings = sorted(aliases.get(field, [field]), key=lambda word: word != field)
        words = [word for word in spellings if keys is None or word in keys]
        match rule:
            case TextRule():
                text = joined.joined_text_of_item(rule.text, items.item, schemas, keys)
                if text is None:
                    why = f"{rule.to} is made of several fields, and the items of {path} are known only at run time"
                    raise CannotSay(codes.ONLY_AT_RUN_TIME, why, items.expr, writer.resource.name)
                yield Argument(rule.path_in_block, text)
            case EmbedRule() if words:
                raise CannotSay(codes.KEPT_IN_HEAT, rule.why, items.expr, writer.resource.name)
            case DropRule() if words:
                subject = f"{field} of {path} of {writer.resource.name}"
                message = f"{subject} is dropped, if an item has it: {rule.why}."
                writer.emission.log.add_diagnostic(
                    rule.code, message, items.place, note=f"{field} is dropped: {rule.why}."
                )
            case ArgumentRule() if words:
                value = field_value(writer, items, words, rule, certain=keys is not None)
                yield Argument(rule.path_in_block, value)
            case ArgumentRule() if rule.write is not None:
                yield Argument(rule.path_in_block, expression_from_data(rule.write))
            case BlockRule() if words:
                yield write_blocks_of_item(writer, f"{path}.{field}", rule, items, words)
            case _:
                pass  # implied, or no item has it


def write_blocks_of_item(writer: Writer, path: str, rule: BlockRule, items: Items, words: Sequence[str]) -> Block:
    """Writes the `dynamic` block for a field that becomes blocks again: its items may lack it, or have null there."""
    listed = "items" in writer.schema_at(path)
    dynamic = Block("dynamic", (rule.block,), span=items.expr.span)
    dynamic.add_argument("for_each", maps_in(items.item, words, listed=listed))
    over = Fn("flatten", (ForTuple(ITEM.parts, items.over, maps_in(ITEM, words, listed=listed)),))
    inner = Items(items.expr, over, Traversal((rule.block, "value")), items.place)
    add_parts(dynamic.add_block("content"), write_fields_of_item(writer, path, rule.fields, inner))
    return dynamic


def maps_in(item: Traversal, words: Sequence[str], *, listed: bool) -> Expr:
    """The maps in a field of an item, as a list without nulls. words: the spellings of the field. A `for` over null or
    over a missing field fails, and then `try` gives its last argument, the empty list.
    """
    there = Op("!=", PART, None)
    if listed:
        return Fn(
            "try", (*(ForTuple(PART.parts, select_literal_step(item, word), PART, there) for word in words), Tuple(()))
        )
    single = Fn("try", (*(select_literal_step(item, word) for word in words), None))
    return ForTuple(PART.parts, Tuple((single,)), PART, there)


def field_value(writer: Writer, items: Items, words: Sequence[str], rule: ArgumentRule, *, certain: bool) -> Expr:
    """A field of an item. Names are looked up unless they are known only after apply."""
    field: Expr = select_literal_step(items.item, words[0])
    if not certain:
        field = Fn(
            "try", (*(select_literal_step(items.item, word) for word in words), expression_from_data(rule.write))
        )
    if rule.lookup is None or writer.emission.unit.is_unknown_before_apply(items.expr):
        return field
    return writer.emission.data.resolve_field(writer.lowering, items.over, field, items.item, rule.lookup)


def known_keys(expr: Expr) -> set[str] | None:
    """The keys of the items of a list, if the expression shows that all have the same; otherwise None."""
    if isinstance(expr, ForTuple):
        value = expr.value
        return (
            {str(k) for k, _ in value.entries}
            if isinstance(value, Object) and all(isinstance(k, str) for k, _ in value.entries)
            else known_keys(value)
        )
    if isinstance(expr, Fn) and expr.name in ("flatten", "concat", "try") and expr.args:
        of_arguments = [known_keys(a) for a in expr.args if not isinstance(a, Tuple) or a.items]
        return of_arguments[0] if of_arguments and all(keys == of_arguments[0] for keys in of_arguments) else None
    if isinstance(expr, Tuple) and expr.items and all(isinstance(i, Object) for i in expr.items):
        of_items = [{str(k) for k, _ in i.entries} for i in expr.items if isinstance(i, Object)]
        return of_items[0] if all(keys == of_items[0] for keys in of_items) else None
    return None
