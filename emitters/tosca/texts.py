"""String functions: str_replace, list_join and str_split as concat, join and token.

Invariant: strings are composed as in Heat, longest placeholder first. If a part may be a list or a map, or may
disappear, the whole call becomes an expression node.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from emitters.tosca.model import literal_path
from emitters.tosca.references import CannotBeNative, References
from transpile.evaluate import split_at_placeholders
from transpile.model import ir
from transpile.model.meter import PART, Meter
from transpile.model.records import replace

if TYPE_CHECKING:
    from emitters.tosca.references import Owner

LISTS = frozenset(("list_concat", "list_concat_unique", "filter", "map_merge", "map_replace"))
REPLACE = ("str_replace", "str_replace_strict")


class Texts(References):
    """Translates the string functions of one template."""

    def text(self, expr: ir.Call, owner: Owner) -> dict[str, Any]:
        """Translates a call to concat, join or token."""
        edges: dict[str, str] = {}
        inner = replace(owner, edges=edges)
        arg = expr.arg
        if expr.fn in REPLACE and isinstance(arg, ir.Map):
            parts = self.replaced(expr.fn, arg, inner)
        elif expr.fn == "list_join" and isinstance(arg, ir.Seq) and len(arg.items) > 1:
            if not all(isinstance(one, ir.Seq) for one in arg.items[1:]):
                return self.joined(arg, owner)
            parts = self.listed(arg, inner)
        elif expr.fn == "str_split" and isinstance(arg, ir.Seq) and len(arg.items) == 3:
            return self.token(arg, owner)
        else:
            raise CannotBeNative
        for to, how in edges.items():
            owner.edge(to, how)
        return {"concat": [*parts, "", ""][: max(len(parts), 2)]}  # with one item, the result would not be a string

    def replaced(self, fn: str, arg: ir.Map, owner: Owner) -> list[Any]:
        """The pieces of a literal template, with placeholders replaced in Heat's order."""
        template, params = arg.get("template"), arg.get("params")
        if not isinstance(template, ir.Lit) or not isinstance(template.value, str) or not isinstance(params, ir.Map):
            raise CannotBeNative
        values = {e.key: e.value for e in params.entries}
        if "" in values:
            raise CannotBeNative
        source = self.model.stack.template.source
        found: list[Any] = [*split_at_placeholders(template.value, values, Meter(source, arg).spend_steps)]
        used = {*found[1::2]}
        found[1::2] = [values[key] for key in found[1::2]]
        if fn != "str_replace" and used != set(values):
            raise CannotBeNative
        for key in values.keys() - used:
            if any(isinstance(one, (ir.ResourceRef, ir.AttrRef)) for one in ir.walk(values[key])):
                raise CannotBeNative  # the dependency would be lost
        return self.pieces(found, owner)

    def listed(self, arg: ir.Seq, owner: Owner) -> list[Any]:
        """The items of literal lists, with the delimiter between them."""
        delimiter = arg.items[0]
        if not isinstance(delimiter, ir.Lit) or not isinstance(delimiter.value, str):
            raise CannotBeNative
        meter = Meter(self.model.stack.template.source, arg)
        meter.spend_for_value(len(delimiter.value) * sum(len(ir.children(one)) for one in arg.items[1:]))
        parts: list[Any] = []
        for one in arg.items[1:]:
            for item in ir.children(one):
                if isinstance(item, ir.If) and item.orelse is None:
                    raise CannotBeNative  # the item may disappear
                parts += ([delimiter.value] if parts else []) + [item]
        return self.pieces(parts, owner)

    def pieces(self, parts: list[Any], owner: Owner) -> list[Any]:
        """Strings and expressions as arguments of concat. Adjacent strings are merged."""
        source, found = self.model.stack.template.source, []
        texts_: dict[int, str] = {}  # of expressions that are inserted more than once
        for one in parts:
            text = one if isinstance(one, str) else texts_.get(id(one)) or self.piece(one, owner)
            size = len(text) if isinstance(text, str) else PART
            if not isinstance(one, str):
                Meter(source, one).spend_for_value(size)
            found.append(text)
            if isinstance(text, str):
                texts_[id(one)] = text
        out: list[Any] = []
        for texts, group in itertools.groupby((one for one in found if one != ""), lambda one: isinstance(one, str)):
            together = list(group)
            out += ["".join(together)] if texts else together
        return out

    def piece(self, expr: ir.Expr, owner: Owner) -> Any:
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
            if self.inputs.kind(expr.name) not in ("string", "integer", "float"):
                raise CannotBeNative
            return {"get_input": expr.name}
        if isinstance(expr, ir.ResourceRef):
            return self.reference(expr, owner)
        if isinstance(expr, ir.AttrRef):
            if len(expr.path) == 1 and self.many(expr):
                raise CannotBeNative
            return self.attribute(expr, True, owner, inside=True)
        if isinstance(expr, ir.Call) and expr.fn not in LISTS:
            try:
                return self.text(expr, owner)
            except CannotBeNative:
                if expr.fn == "str_split" or expr.fn in REPLACE or expr.fn == "list_join":
                    raise
                return self.lift(expr, owner, (), quiet=True)
        if isinstance(expr, ir.If):
            return self.lift(expr, owner, (), quiet=True)
        raise CannotBeNative

    def many(self, expr: ir.AttrRef) -> bool:
        """Whether an attribute is known to be a list or a map."""
        name, _ = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        return node is not None and node.type.real.facts.get("attributes", {}).get(name) in ("list", "map")

    def joined(self, arg: ir.Seq, owner: Owner) -> dict[str, Any]:
        """Translates list_join of a single list that is not a literal."""
        delimiter, *lists = arg.items
        if len(lists) != 1 or not isinstance(delimiter, ir.Lit) or not isinstance(delimiter.value, str):
            raise CannotBeNative
        (one,) = lists
        if isinstance(one, ir.ParamRef):
            if one.path or self.inputs.kind(one.name) != "list":
                raise CannotBeNative
            found: Any = {"get_input": one.name}
        elif isinstance(one, ir.AttrRef):
            found = self.attribute(one, False, owner)
        else:
            found = self.lift(one, owner, (), quiet=True)
        return {"join": [found, delimiter.value]}

    def token(self, arg: ir.Seq, owner: Owner) -> dict[str, Any]:
        separator, whole, index = arg.items
        if not isinstance(separator, ir.Lit) or not isinstance(separator.value, str) or len(separator.value) != 1:
            raise CannotBeNative
        at = index.value if isinstance(index, ir.Lit) else None
        if isinstance(at, bool) or not str(at).isdecimal():
            raise CannotBeNative
        return {"token": [self.piece(whole, owner), separator.value, int(str(at))]}
