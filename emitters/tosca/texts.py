"""Translates the string functions str_replace, list_join and str_split to concat, join and token.

Invariant: strings are composed as in Heat, longest placeholder first. If a part may be a list or a map, or may
disappear, the whole call becomes an expression node.
"""

from __future__ import annotations

import itertools
from typing import Any

from emitters.tosca.model import literal_path
from emitters.tosca.references import CannotBeNative, ReferenceTranslation, ValueOwner
from transpile.evaluate import split_at_placeholders
from transpile.model import ir
from transpile.model.meter import PART, Meter
from transpile.model.records import replace

LISTS = frozenset(("list_concat", "list_concat_unique", "filter", "map_merge", "map_replace"))
REPLACE = ("str_replace", "str_replace_strict")


class TextTranslation(ReferenceTranslation):
    """Translates the string functions of one template."""

    def translate_text(self, expr: ir.Call, owner: ValueOwner) -> dict[str, Any]:
        """Translates a call to concat, join or token."""
        edges: dict[str, str] = {}
        inner = replace(owner, edges=edges)
        arg = expr.arg
        if expr.fn in REPLACE and isinstance(arg, ir.Map):
            parts = self.replace_placeholders(expr.fn, arg, inner)
        elif expr.fn == "list_join" and isinstance(arg, ir.Seq) and len(arg.items) > 1:
            if not all(isinstance(part, ir.Seq) for part in arg.items[1:]):
                return self.translate_join(arg, owner)
            parts = self.join_literal_lists(arg, inner)
        elif expr.fn == "str_split" and isinstance(arg, ir.Seq) and len(arg.items) == 3:
            return self.translate_token(arg, owner)
        else:
            raise CannotBeNative
        for to, how in edges.items():
            owner.add_edge(to, how)
        return {"concat": [*parts, "", ""][: max(len(parts), 2)]}  # with one item, the result would not be a string

    def replace_placeholders(self, fn: str, arg: ir.Map, owner: ValueOwner) -> list[Any]:
        """Returns the pieces of a literal template, with placeholders replaced in Heat's order."""
        template, params = arg.get("template"), arg.get("params")
        if not isinstance(template, ir.Lit) or not isinstance(template.value, str) or not isinstance(params, ir.Map):
            raise CannotBeNative
        values = {e.key: e.value for e in params.entries}
        if "" in values:
            raise CannotBeNative
        source = self.model.stack.template.source
        pieces: list[Any] = [*split_at_placeholders(template.value, values, Meter(source, arg).spend_steps)]
        used = {*pieces[1::2]}
        pieces[1::2] = [values[key] for key in pieces[1::2]]
        if fn != "str_replace" and used != set(values):
            raise CannotBeNative
        for key in values.keys() - used:
            if any(isinstance(reference, (ir.ResourceRef, ir.AttrRef)) for reference in ir.walk(values[key])):
                raise CannotBeNative  # the dependency would be lost
        return self.translate_pieces(pieces, owner)

    def join_literal_lists(self, arg: ir.Seq, owner: ValueOwner) -> list[Any]:
        """Returns the items of literal lists, with the delimiter between them."""
        delimiter = arg.items[0]
        if not isinstance(delimiter, ir.Lit) or not isinstance(delimiter.value, str):
            raise CannotBeNative
        meter = Meter(self.model.stack.template.source, arg)
        meter.spend_for_value(
            len(delimiter.value) * sum(len(ir.children(literal_list)) for literal_list in arg.items[1:])
        )
        parts: list[Any] = []
        for literal_list in arg.items[1:]:
            for item in ir.children(literal_list):
                if isinstance(item, ir.If) and item.orelse is None:
                    raise CannotBeNative  # the item may disappear
                parts += ([delimiter.value] if parts else []) + [item]
        return self.translate_pieces(parts, owner)

    def translate_pieces(self, parts: list[Any], owner: ValueOwner) -> list[Any]:
        """Strings and expressions as arguments of concat. Adjacent strings are merged."""
        source, arguments = self.model.stack.template.source, []
        texts_: dict[int, str] = {}  # translated texts, by the `id()` of an expression that is inserted more than once
        for part in parts:
            text = part if isinstance(part, str) else texts_.get(id(part)) or self.translate_piece(part, owner)
            size = len(text) if isinstance(text, str) else PART
            if not isinstance(part, str):
                Meter(source, part).spend_for_value(size)
            arguments.append(text)
            if isinstance(text, str):
                texts_[id(part)] = text
        merged: list[Any] = []
        for texts, group in itertools.groupby(
            (argument for argument in arguments if argument != ""), lambda argument: isinstance(argument, str)
        ):
            together = list(group)
            merged += ["".join(together)] if texts else together
        return merged

    def translate_piece(self, expr: ir.Expr, owner: ValueOwner) -> Any:
        """Translates one expression inside a string."""
        if isinstance(expr, ir.Lit):
            if expr.value is None:
                return ""
            if isinstance(expr.value, bool):
                return str(expr.value)
            return expr.value if isinstance(expr.value, str) else str(expr.value)
        if isinstance(expr, ir.ParamRef):
            if expr.path:
                return self.input_path(expr)
            if self.inputs.shape_kind(expr.name) not in ("string", "integer", "float"):
                raise CannotBeNative
            return {"get_input": expr.name}
        if isinstance(expr, ir.ResourceRef):
            return self.translate_reference(expr, owner)
        if isinstance(expr, ir.AttrRef):
            if len(expr.path) == 1 and self.is_collection(expr):
                raise CannotBeNative
            return self.translate_attribute(expr, True, owner, inside=True)
        if isinstance(expr, ir.Call) and expr.fn not in LISTS:
            try:
                return self.translate_text(expr, owner)
            except CannotBeNative:
                if expr.fn == "str_split" or expr.fn in REPLACE or expr.fn == "list_join":
                    raise
                return self.lift_expression(expr, owner, (), quiet=True)
        if isinstance(expr, ir.If):
            return self.lift_expression(expr, owner, (), quiet=True)
        raise CannotBeNative

    def is_collection(self, expr: ir.AttrRef) -> bool:
        """Whether an attribute is known to be a list or a map."""
        name, _ = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        return node is not None and node.type.aliased_type.facts.get("attributes", {}).get(name) in ("list", "map")

    def translate_join(self, arg: ir.Seq, owner: ValueOwner) -> dict[str, Any]:
        """Translates list_join of a single list that is not a literal."""
        delimiter, *lists = arg.items
        if len(lists) != 1 or not isinstance(delimiter, ir.Lit) or not isinstance(delimiter.value, str):
            raise CannotBeNative
        (items,) = lists
        if isinstance(items, ir.ParamRef):
            if items.path or self.inputs.shape_kind(items.name) != "list":
                raise CannotBeNative
            value: Any = {"get_input": items.name}
        elif isinstance(items, ir.AttrRef):
            value = self.translate_attribute(items, False, owner)
        else:
            value = self.lift_expression(items, owner, (), quiet=True)
        return {"join": [value, delimiter.value]}

    def translate_token(self, arg: ir.Seq, owner: ValueOwner) -> dict[str, Any]:
        separator, whole, index = arg.items
        if not isinstance(separator, ir.Lit) or not isinstance(separator.value, str) or len(separator.value) != 1:
            raise CannotBeNative
        at = index.value if isinstance(index, ir.Lit) else None
        if isinstance(at, bool) or not str(at).isdecimal():
            raise CannotBeNative
        return {"token": [self.translate_piece(whole, owner), separator.value, int(str(at))]}
