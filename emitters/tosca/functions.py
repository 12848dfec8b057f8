"""Expressions as values of TOSCA 1.3: natively where it can say them, else lifted into a node.

The easy rule to break: only what TOSCA has no function for is lifted; every reference becomes an edge of its owner, or
of the node that it was lifted into.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.model import SERVER, literal_path
from emitters.tosca.shapes import FUNCTIONS, SCALARS, NoFit, Shape, call_like, scalar
from transpile import ir
from transpile.evaluate import in_order, replace_keys
from transpile.report import Fate, fate, leaves
from transpile.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from emitters.tosca.model import Model

LISTS = frozenset(("list_concat", "list_concat_unique", "filter", "map_merge", "map_replace"))
REPLACE = ("str_replace", "str_replace_strict")
EXPRESSION, CONDITION = "hot.nodes.Expression", "hot.nodes.Condition"


class CannotBeNative(Exception):
    """TOSCA has no function for this."""


@final
@dataclasses.dataclass(slots=True)
class Owner:
    """Whose value is written: the prefix of lifted nodes' names, its edges, its artifacts, and the fates of its parts.

    `selfish`: it is a node, which may name its own artifacts; `path`: where its properties stand in the resource.
    """

    name: str
    selfish: bool = True
    path: str = ""
    edges: dict[str, str] = dataclasses.field(default_factory=dict)
    artifacts: dict[str, str] = dataclasses.field(default_factory=dict)
    fates: dict[str, Fate] = dataclasses.field(default_factory=dict)

    def edge(self, to: str, how: str = "reference") -> None:
        self.edges.setdefault(to, how)


class Functions:
    """Writes the values of one template. `file`: the path that a file gets in the archive, and its name in Heat's
    words; `lifted`: the nodes that were made, in order.
    """

    def __init__(self, model: Model, file: Callable[[str], str], locates: Callable[[ir.FileRef], None]) -> None:
        self.model, self.file, self.locates = model, file, locates
        self.inputs = model.inputs
        self.lifted: dict[str, dict[str, Any]] = {}
        self.places: list[tuple[int, int]] = []  # of what was lifted

    # values in their shapes

    def value(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        """A value; without a shape any will do."""
        before = len(self.lifted), len(owner.edges), len(owner.artifacts)
        try:
            return self.fitting(expr, shape, owner, path)
        except (NoFit, CannotBeNative):
            self.undo(owner, *before)
            return self.lift(expr, owner, path)

    def undo(self, owner: Owner, lifted: int, edges: int, artifacts: int) -> None:
        """What was begun comes to nothing."""
        for name in list(self.lifted)[lifted:]:
            del self.lifted[name]
            self.places.pop()
            self.model.names.taken.discard(name)
        for name in list(owner.edges)[edges:]:
            del owner.edges[name]
        for name in list(owner.artifacts)[artifacts:]:
            del owner.artifacts[name]

    def fitting(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if isinstance(expr, ir.Lit):
            found = self.scalar(expr, shape, path)
        elif isinstance(expr, ir.Seq):
            found = self.sequence(expr, shape, owner, path)
            if expr.items:
                return found
        elif isinstance(expr, ir.Map):
            found = self.mapping(expr, shape, owner, path)
            if expr.entries:
                return found
        else:
            found = self.native(expr, shape, owner, path)
            self.fated(expr, owner, path)
            return found
        owner.fates[".".join(path)] = fate("value", owner.name, owner.path + ".".join(path))
        return found

    def fated(self, expr: ir.Expr, owner: Owner, path: tuple[str, ...]) -> None:
        where = ".".join(path)
        if isinstance(expr, ir.FileRef):
            why = "an artifact: get_artifact gives where the file is, get_file what it holds"
            owner.fates[where] = fate("derived", owner.name, owner.path + where, why, "HOT703")
        else:
            how = "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value"
            owner.fates[where] = fate(how, owner.name, owner.path + where)

    def scalar(self, expr: ir.Lit, shape: Shape | None, path: tuple[str, ...]) -> Any:
        if expr.value is None:
            if shape is not None and shape.kind == "string" and len(path) == 1:
                return None
            raise NoFit
        if shape is None:
            return expr.value
        return scalar(shape.kind, expr.value)

    def sequence(self, expr: ir.Seq, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if shape is not None and shape.kind != "list":
            raise NoFit
        entry = None if shape is None else shape.entry
        return [self.value(item, entry, owner, (*path, str(i))) for i, item in enumerate(expr.items)]

    def mapping(self, expr: ir.Map, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if call_like(expr):
            raise NoFit
        if shape is None:
            return {e.key: self.value(e.value, None, owner, (*path, e.key)) for e in expr.entries}
        if shape.kind == "map":
            return {e.key: self.value(e.value, shape.entry, owner, (*path, e.key)) for e in expr.entries}
        if shape.kind != "record" or any(e.key not in shape.fields for e in expr.entries):
            raise NoFit
        return {e.key: self.value(e.value, shape.fields[e.key], owner, (*path, e.key)) for e in expr.entries}

    # functions

    def native(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        """A function in TOSCA's words; raises CannotBeNative."""
        texts = shape is not None and shape.kind == "string"
        nested = len(path) > 1
        if isinstance(expr, ir.ParamRef):
            if expr.name not in self.inputs.all:
                raise CannotBeNative  # nothing has the name: Heat would fail when it comes to it
            if not expr.path:
                return {"get_input": expr.name}
            if not texts:
                raise CannotBeNative
            return {"concat": [self.input_path(expr)]}
        if isinstance(expr, ir.ResourceRef):
            return self.reference(expr, owner)
        if isinstance(expr, ir.AttrRef):
            return self.attribute(expr, texts, owner)
        if isinstance(expr, ir.FileRef):
            found = self.artifact(expr, owner, path)
            return {"concat": [found]} if nested else found
        if isinstance(expr, ir.Call) and (shape is None or shape.kind in SCALARS):
            found = self.text(expr, owner)
            return {"concat": [found]} if nested and "join" in found else found
        raise CannotBeNative

    def input_path(self, expr: ir.ParamRef) -> Any:
        """get_param with a path, which only stands inside a text."""
        steps = [s.value for s in expr.path if isinstance(s, ir.Lit)]
        if len(steps) < len(expr.path) or self.inputs.kind(expr.name) not in ("list", "map"):
            raise CannotBeNative
        return {"get_input": [expr.name, *[int(str(s)) if str(s).isdigit() else s for s in steps]]}

    def reference(self, expr: ir.ResourceRef, owner: Owner) -> Any:
        node = self.model.own.get(expr.name)
        if node is None:
            raise CannotBeNative
        owner.edge(node)
        return {"get_attribute": [node, "id"]}

    def attribute(self, expr: ir.AttrRef, texts: bool, owner: Owner, inside: bool = False) -> Any:
        name, path = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        if name is None or path is None or node is None or name == "id":
            raise CannotBeNative
        real = node.type.real
        if real.kind == SERVER and name == "networks":
            if len(path) > 2 or not all(isinstance(p, str) for p in path[:1]):
                raise CannotBeNative
            path = (*path[:1], "addresses", *path[1:]) if path else path
        elif path and not inside and real.attributes.get(name) is None:
            if not texts:
                raise CannotBeNative
            owner.edge(node.name)
            return {"concat": [{"get_attribute": [node.name, name, *path]}]}
        owner.edge(node.name)
        return {"get_attribute": [node.name, name, *path]}

    def artifact(self, expr: ir.FileRef, owner: Owner, path: tuple[str, ...]) -> Any:
        if not owner.selfish:
            raise CannotBeNative
        file = self.readable(expr)
        name = ".".join(path)
        owner.artifacts[name] = file
        self.locates(expr)
        return {"get_artifact": ["SELF", name]}

    def readable(self, expr: ir.FileRef) -> str:
        try:
            return self.file(expr.name)
        except Unreadable:
            raise CannotBeNative from None

    # texts

    def text(self, expr: ir.Call, owner: Owner) -> dict[str, Any]:
        """A call that makes a text: concat, join or token."""
        edges: dict[str, str] = {}
        inner = dataclasses.replace(owner, edges=edges)
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
        return {"concat": [*parts, "", ""][: max(len(parts), 2)]}  # of one item it would be no text yet

    def replaced(self, fn: str, arg: ir.Map, owner: Owner) -> list[Any]:
        """The pieces of a literal template, placeholders replaced as Heat does it."""
        template, params = arg.get("template"), arg.get("params")
        if not isinstance(template, ir.Lit) or not isinstance(template.value, str) or not isinstance(params, ir.Map):
            raise CannotBeNative
        values = {e.key: e.value for e in params.entries}
        if "" in values:
            raise CannotBeNative
        used: set[str] = set()

        def join(key: str, pieces: list[list[Any]]) -> list[Any]:
            if len(pieces) > 1:
                used.add(key)
            out = list(pieces[0])
            for one in pieces[1:]:
                out += [values[key], *one]
            return out

        found: list[Any] = replace_keys(template.value, in_order(values), lambda k: k, lambda text: [text], join)
        if fn != "str_replace" and used != set(values):
            raise CannotBeNative
        for key in values.keys() - used:
            if any(isinstance(one, (ir.ResourceRef, ir.AttrRef)) for one in ir.walk(values[key])):
                raise CannotBeNative  # the dependency would be lost
        return self.pieces(found, owner)

    def listed(self, arg: ir.Seq, owner: Owner) -> list[Any]:
        """The items of literal lists, with a delimiter between."""
        delimiter = arg.items[0]
        if not isinstance(delimiter, ir.Lit) or not isinstance(delimiter.value, str):
            raise CannotBeNative
        parts: list[Any] = []
        for one in arg.items[1:]:
            for item in ir.children(one):
                if isinstance(item, ir.If) and item.orelse is None:
                    raise CannotBeNative  # its place may disappear
                parts += ([delimiter.value] if parts else []) + [item]
        return self.pieces(parts, owner)

    def pieces(self, parts: list[Any], owner: Owner) -> list[Any]:
        """Texts and expressions as the arguments of concat, texts beside each other as one."""
        out: list[Any] = []
        for one in parts:
            found = one if isinstance(one, str) else self.piece(one, owner)
            if isinstance(found, str) and out and isinstance(out[-1], str):
                out[-1] += found
            elif found != "":
                out.append(found)
        return out

    def piece(self, expr: ir.Expr, owner: Owner) -> Any:
        """One expression inside a text."""
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
        """Whether an attribute is a list or a map, as far as is known."""
        name, _ = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        return node is not None and node.type.real.facts.get("attributes", {}).get(name) in ("list", "map")

    def joined(self, arg: ir.Seq, owner: Owner) -> dict[str, Any]:
        """list_join of one list that is not written out."""
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
        if isinstance(at, bool) or not str(at).isdigit():
            raise CannotBeNative
        return {"token": [self.piece(whole, owner), separator.value, int(str(at))]}

    # lifting

    def lift(self, expr: ir.Expr, owner: Owner, path: tuple[str, ...], quiet: bool = False) -> Any:
        """Makes a node of an expression; what stands in its place is that node's value."""
        node = self.expression(expr, names.part("_".join([owner.name, *path])), EXPRESSION)
        self.places.append((getattr(expr, "at", -1), getattr(expr, "end", -1)))
        owner.edge(node)
        for where in () if quiet else leaves(expr, ".".join(path)):
            owner.fates[where] = fate("value", node, "properties.expression")
        return {"get_attribute": [node, "value"]}

    def expression(self, expr: ir.Expr, wanted: str, kind: str, metadata: dict[str, str] | None = None) -> str:
        name = self.model.names.take(wanted)
        self.lifted[name] = self.expression_node(name, expr, kind, metadata)
        return name

    def expression_node(
        self, name: str, expr: ir.Expr, kind: str, metadata: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """The node of an expression: its text, and a value of TOSCA's for each reference inside it."""
        me = Owner(name)
        arguments: dict[str, Any] = {}
        for one in ir.walk(expr):
            if isinstance(one, ir.ParamRef) and one.name in self.inputs.all:
                arguments[one.name] = {"get_input": one.name}
            elif isinstance(one, ir.ResourceRef) and one.name in self.model.own:
                me.edge(self.model.own[one.name])
                arguments[one.name] = {"get_attribute": [self.model.own[one.name], "id"]}
            elif isinstance(one, ir.AttrRef) and one.name in self.model.own:
                node = self.model.own[one.name]
                me.edge(node)
                attribute, _ = literal_path(one)
                label = one.name if attribute is None else f"{one.name}.{attribute}"
                arguments[label] = {"get_attribute": [node, attribute or "id"]}
            elif isinstance(one, ir.ConditionRef) and one.name in self.model.conditions:
                me.edge(self.model.conditions[one.name])
                arguments[f"condition.{one.name}"] = {"get_attribute": [self.model.conditions[one.name], "value"]}
            elif isinstance(one, ir.FileRef):
                try:
                    me.artifacts[f"file{len(me.artifacts)}"] = self.readable(one)
                except CannotBeNative:
                    continue
                arguments[f"file.{one.name}"] = {"concat": [{"get_artifact": ["SELF", f"file{len(me.artifacts) - 1}"]}]}
        if len(arguments) == 1 and not FUNCTIONS.isdisjoint(arguments):  # it would be a call
            arguments = {f"argument.{key}": value for key, value in arguments.items()}
        out: dict[str, Any] = {"type": kind}
        if metadata:
            out["metadata"] = metadata
        if me.artifacts:
            out["artifacts"] = {k: artifact(v) for k, v in me.artifacts.items()}
        out["properties"] = {"expression": hotjson.text(expr)}
        if arguments:
            out["properties"]["arguments"] = arguments
        if me.edges:
            out["requirements"] = [{how: to} for to, how in me.edges.items()]
        return out


def artifact(file: str) -> dict[str, str]:
    return {"type": "tosca.artifacts.File", "file": file}
