"""Expressions as TOSCA 2.0 values: native functions with the same meaning, else functions that the file declares.

Invariant: there are no expression nodes. A string or key that begins with a dollar sign gets a second one, because it
would be a function call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from emitters.tosca import hotjson
from emitters.tosca.model import literal_path
from emitters.tosca.references import CannotBeNative, Owner
from emitters.tosca.shapes import NoFit, Shape, scalar
from emitters.tosca.v1_3.functions import Functions
from transpile.model import ir
from transpile.model.span import Located, WithSpan
from transpile.report import leaf_paths, make_fate

if TYPE_CHECKING:
    from collections.abc import Callable

    from emitters.tosca.model import Model

LOGIC = {"equals": "equal", "and": "and", "or": "or"}
MOST = 1_000  # limit for a condition with the conditions that it refers to, in expressions
ABOUT = {
    "hot_if": "[condition, value if true, value if false]",
    "hot_repeat": "the template, repeated for each combination of list items",
    "hot_get": "[value, key or index ...]: the item at a path, as in get_param and get_attr",
    "hot_value": "the value itself, if no type can represent it",
    "hot_index": "[text, index variable, index]: the text with the variable replaced by the index",
    "hot_json": "a value as JSON",
    "hot_expression": "the value of a HOT expression in JSON form that refers to missing items",
    "hot_file": "the content of a file",
    "hot_attributes": "all attributes of a node",
    "hot_get_param": "a parameter that the template does not declare",
}


class TooLarge(WithSpan, Exception):
    """A condition with the conditions that it refers to is too large to write out."""

    def __init__(self, where: Located) -> None:
        super().__init__()
        self.span = where.span


def escaped(text: str) -> str:
    return f"${text}" if text.startswith("$") else text


class Functions20(Functions):
    """Translates the values of one template. `used`: the functions that must be declared."""

    def __init__(self, model: Model, file: Callable[[str], str], locates: Callable[[ir.FileRef], None]) -> None:
        super().__init__(model, file, locates)
        self.used: dict[str, None] = {}
        self.sizes: dict[str, int] = {}
        self.written: dict[str, Any] = {}
        self.index = ""  # the variable that stands for a member's index

    def own(self, name: str, *args: Any) -> dict[str, Any]:
        """A call of a function that the file declares."""
        self.used[name] = None
        return {f"${name}": list(args)}

    def value(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        try:
            return self.fitting(expr, shape, owner, path)
        except NoFit:
            for where in leaf_paths(expr, ".".join(path)):
                owner.fates[where] = make_fate("value", owner.name, owner.path + where)
            inner = Owner(owner.name, owner.is_node, owner.path, owner.edges, owner.artifacts)
            if isinstance(expr, (ir.Lit, ir.Seq, ir.Map)):
                return self.own("hot_value", self.fitting(expr, None, inner, path))
            return self.own("hot_expression", escaped(hotjson.text(expr)))  # it refers to something that does not exist

    def scalar(self, expr: ir.Lit, shape: Shape | None, path: tuple[str, ...]) -> Any:
        value = expr.value
        if value is None:
            return None
        found = value if shape is None else scalar(shape.kind, value)
        if not isinstance(found, str):
            return found
        if self.index and self.index in found:
            return self.own("hot_index", escaped(found), escaped(self.index), "$node_index")
        return escaped(found)

    def mapping(self, expr: ir.Map, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        if shape is not None and (
            shape.kind not in ("map", "record")
            or (shape.kind == "record" and any(e.key not in shape.fields for e in expr.entries))
        ):
            raise NoFit
        out = {}
        for e in expr.entries:
            inner = None if shape is None else shape.entry if shape.kind == "map" else shape.fields[e.key]
            out[escaped(e.key)] = self.value(e.value, inner, owner, (*path, e.key))
        return out

    def native(self, expr: ir.Expr, shape: Shape | None, owner: Owner, path: tuple[str, ...]) -> Any:
        match expr:
            case ir.ParamRef():
                return self.param(expr, owner)
            case ir.ResourceRef():
                return self.reference(expr, owner)
            case ir.AttrRef():
                return self.attribute(expr, True, owner)
            case ir.FileRef():
                return self.artifact(expr, owner, path)
            case ir.If(condition, then, orelse):
                branches = [then] if orelse is None else [then, orelse]
                written = [self.plain(b, owner) for b in branches]
                return self.own("hot_if", self.condition(condition, owner), *written)
            case ir.Repeat(template, for_each, permutations):
                arg = {
                    "for_each": {escaped(e.key): self.plain(e.value, owner) for e in for_each},
                    "template": self.plain(template, owner),
                }
                if permutations is not None:
                    arg["permutations"] = self.plain(permutations, owner)
                return self.own("hot_repeat", arg)
            case ir.Call():
                return self.call(expr, owner)
            case ir.ConditionRef():
                return self.condition(expr, owner)
            case _:
                raise NoFit

    def plain(self, expr: ir.Expr, owner: Owner) -> Any:
        """A value as a function argument. The enclosing function has the fate."""
        inner = Owner(owner.name, owner.is_node, owner.path, owner.edges, owner.artifacts)
        return self.value(expr, None, inner, (f"file{len(owner.artifacts)}",))

    def param(self, expr: ir.ParamRef, owner: Owner) -> Any:
        made = self.inputs.all.get(expr.name)
        steps = [self.plain(step, owner) for step in expr.path]
        if made is None:
            return self.own("hot_get_param", escaped(expr.name), *steps)
        if not steps:
            return {"$get_input": expr.name}
        if made.json or made.shape.kind not in ("list", "map", "record") or not all(map(literal_step, expr.path)):
            return self.own("hot_get", {"$get_input": expr.name}, *steps)
        return {"$get_input": [expr.name, *steps]}

    def reference(self, expr: ir.ResourceRef, owner: Owner) -> Any:
        node = self.model.own.get(expr.name)
        if node is None:
            raise NoFit
        owner.edge(node)
        return {"$get_attribute": [node, "id"]}

    def attribute(self, expr: ir.AttrRef, texts: bool, owner: Owner, inside: bool = False) -> Any:
        name, path = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        if node is None:
            raise NoFit
        owner.edge(node.name)
        if name is None:
            found = self.own("hot_attributes", node.name)
            steps = [self.plain(step, owner) for step in expr.path]
            return self.own("hot_get", found, *steps) if steps else found
        word = "id_attribute" if name == "id" else name
        shape = node.type.real.attributes.get(name)
        if path is not None and (not path or shape is not None):
            return {"$get_attribute": [node.name, word, *[escaped(s) if isinstance(s, str) else s for s in path]]}
        steps = [self.plain(step, owner) for step in expr.path[1:]]
        return self.own("hot_get", {"$get_attribute": [node.name, word]}, *steps)

    def artifact(self, expr: ir.FileRef, owner: Owner, path: tuple[str, ...]) -> Any:
        try:
            file = self.readable(expr)
        except CannotBeNative:
            return self.own("hot_file", escaped(expr.name))
        if not owner.is_node:
            return self.own("hot_file", escaped(file))
        name = ".".join(path)
        owner.artifacts[name] = file
        self.locates(expr)
        return {"$get_artifact": ["SELF", name]}

    # calls

    def call(self, expr: ir.Call, owner: Owner) -> Any:
        """Translates a call of any other function."""
        arg = expr.arg
        items = arg.items if isinstance(arg, ir.Seq) else ()
        if expr.fn in ("str_replace", "str_replace_strict", "list_join", "str_split"):
            before = len(owner.edges), len(owner.artifacts)
            try:
                found = self.text(expr, owner)
            except (CannotBeNative, NoFit):
                self.undo(owner, len(self.lifted), *before)
            else:
                ((name, inner),) = found.items()
                return {f"${name}": inner}
        if expr.fn == "list_join" and len(items) == 2:
            return {"$join": [self.plain(items[1], owner), self.plain(items[0], owner)]}
        if expr.fn in LOGIC or expr.fn in ("not", "contains"):
            return self.condition(expr, owner)
        name = "hot_" + re.sub(r"[^a-z0-9]+", "_", expr.fn.lower()).strip("_")
        if isinstance(arg, ir.Seq):
            return self.own(name, *[self.plain(item, owner) for item in items])
        if expr.fn == "yaql" and isinstance(arg, ir.Map):
            parts = [arg.get("expression"), arg.get("data")]
            return self.own(name, *[self.plain(p, owner) for p in parts if p is not None])
        return self.own(name, self.plain(arg, owner))

    def pieces(self, parts: list[Any], owner: Owner) -> list[Any]:
        return [self.indexed(one) if isinstance(one, str) else one for one in super().pieces(parts, owner)]

    def indexed(self, text: str) -> Any:
        if self.index and self.index in text:
            return self.own("hot_index", escaped(text), escaped(self.index), "$node_index")
        return escaped(text)

    def piece(self, expr: ir.Expr, owner: Owner) -> Any:
        if isinstance(expr, ir.Lit):
            return super().piece(expr, owner)
        if isinstance(expr, ir.ParamRef):
            if not expr.path and self.inputs.kind(expr.name) not in ("string", "integer", "float"):
                raise CannotBeNative
            return self.param(expr, owner)
        if isinstance(expr, ir.AttrRef) and len(expr.path) == 1 and self.many(expr):
            raise CannotBeNative
        if isinstance(expr, (ir.Seq, ir.Map, ir.Repeat)):
            raise CannotBeNative
        return self.native(expr, None, owner, (f"file{len(owner.artifacts)}",))

    def joined(self, arg: ir.Seq, owner: Owner) -> dict[str, Any]:
        raise CannotBeNative

    def token(self, arg: ir.Seq, owner: Owner) -> dict[str, Any]:
        found = super().token(arg, owner)
        whole, separator, index = found["token"]
        return {"token": [whole if not isinstance(whole, str) else escaped(whole), escaped(separator), index]}

    # conditions

    def condition(self, expr: ir.Expr, owner: Owner) -> Any:
        """Writes out a condition, including the conditions that it refers to."""
        if isinstance(expr, ir.ConditionRef):
            return self.named(expr, owner)
        if isinstance(expr, ir.Call):
            items = expr.arg.items if isinstance(expr.arg, ir.Seq) else (expr.arg,)
            if expr.fn in LOGIC:
                return {f"${LOGIC[expr.fn]}": [self.condition(i, owner) for i in items]}
            if expr.fn == "not":
                return {"$not": [self.condition(i, owner) for i in items[:1]]}
            if expr.fn == "contains" and len(items) == 2:
                entry = self.listed_items(items[1])
                written = [self.plain(items[1], owner), self.plain(items[0], owner)]
                return {"$has_entry" if entry else "$contains": written}
        return self.plain(expr, owner)

    def listed_items(self, expr: ir.Expr) -> bool:
        """Whether an expression is known to be a list."""
        return isinstance(expr, ir.Seq) or (
            isinstance(expr, ir.ParamRef) and not expr.path and self.inputs.kind(expr.name) == "list"
        )

    def named(self, ref: ir.ConditionRef, owner: Owner) -> Any:
        condition = self.model.stack.template.conditions.get(ref.name)
        if condition is None or ref.name in self.model.stack.circular_conditions:
            raise NoFit
        if self.size(ref.name) > MOST:
            raise TooLarge(ref)
        if ref.name not in self.written:
            self.written[ref.name] = self.condition(condition.value, owner)
        return self.written[ref.name]

    def size(self, name: str) -> int:
        """The number of expressions in a condition, including the conditions that it refers to."""
        if name not in self.sizes:
            self.sizes[name] = 0  # for cycles
            condition = self.model.stack.template.conditions.get(name)
            for one in ir.walk(condition.value) if condition is not None else ():
                self.sizes[name] += self.size(one.name) if isinstance(one, ir.ConditionRef) else 1
        return self.sizes[name]


def literal_step(step: ir.Expr) -> bool:
    return isinstance(step, ir.Lit) and isinstance(step.value, (str, int)) and not isinstance(step.value, bool)
