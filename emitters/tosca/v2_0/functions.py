"""Translates expressions to TOSCA 2.0 values, with native functions or functions that the file declares.

A native function is used only if it has the same meaning. Invariant: there are no expression nodes. If a string or key
begins with a dollar sign, a second dollar sign is added: TOSCA reads `$name` as a function call, and `$$name` as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from emitters.tosca import hotjson
from emitters.tosca.model import NodeModel, literal_path
from emitters.tosca.references import CannotBeNative, ValueOwner
from emitters.tosca.shapes import ANY, NoFit, Shape, fit_scalar
from emitters.tosca.v1_3.functions import ValueTranslation
from transpile.model import ir
from transpile.model.span import Located, WithSpan
from transpile.report import leaf_paths, make_fate

LOGIC = {"equals": "equal", "and": "and", "or": "or"}
MOST = 1_000  # the most expressions in a condition, with the conditions that it refers to; they are copied at each use
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
    """A condition is too large to write out, because it includes the conditions that it refers to."""

    def __init__(self, where: Located) -> None:
        super().__init__()
        self.span = where.span


def escape_dollar(text: str) -> str:
    return f"${text}" if text.startswith("$") else text


class ValueTranslation20(ValueTranslation):
    """Translates the values of one template. `used`: the functions that must be declared."""

    def __init__(self, model: NodeModel, file: Callable[[str], str], locates: Callable[[ir.FileRef], None]) -> None:
        super().__init__(model, file, locates)
        self.used: dict[str, None] = {}
        self.sizes: dict[str, int] = {}
        self.written: dict[str, Any] = {}
        self.index = ""  # the text that Heat replaces by a member's index; `%index%`, or the value of `index_var`

    def call_declared_function(self, name: str, *args: Any) -> dict[str, Any]:
        """Returns a call of a function that the file declares."""
        self.used[name] = None
        return {f"${name}": list(args)}

    def translate_value(self, expr: ir.Expr, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        try:
            return self.translate_fitting(expr, shape, owner, path)
        except NoFit:
            for where in leaf_paths(expr, ".".join(path)):
                owner.fates[where] = make_fate("value", owner.name, owner.path + where)
            inner = ValueOwner(owner.name, owner.is_node, owner.path, owner.edges, owner.artifacts)
            if isinstance(expr, (ir.Lit, ir.Seq, ir.Map)):
                return self.call_declared_function("hot_value", self.translate_fitting(expr, ANY, inner, path))
            return self.call_declared_function(
                "hot_expression", escape_dollar(hotjson.expression_json(expr))
            )  # it refers to something that does not exist

    def translate_scalar(self, expr: ir.Lit, shape: Shape, path: tuple[str, ...]) -> Any:
        value = expr.value
        if value is None:
            return None
        fitted = fit_scalar(shape.kind, value)
        if not isinstance(fitted, str):
            return fitted
        if self.index and self.index in fitted:
            return self.call_declared_function(
                "hot_index", escape_dollar(fitted), escape_dollar(self.index), "$node_index"
            )
        return escape_dollar(fitted)

    def translate_mapping(self, expr: ir.Map, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        if not shape.accepts_keys(expr):
            raise NoFit
        return {
            escape_dollar(e.key): self.translate_value(e.value, shape.shape_at(e.key), owner, (*path, e.key))
            for e in expr.entries
        }

    def translate_function(self, expr: ir.Expr, shape: Shape, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        match expr:
            case ir.ParamRef():
                return self.translate_parameter(expr, owner)
            case ir.ResourceRef():
                return self.translate_reference(expr, owner)
            case ir.AttrRef():
                return self.translate_attribute(expr, True, owner)
            case ir.FileRef():
                return self.translate_file(expr, owner, path)
            case ir.If(condition):
                written = [self.translate_argument(branch, owner) for branch in expr.branches]
                return self.call_declared_function("hot_if", self.translate_condition(condition, owner), *written)
            case ir.Repeat(template, for_each, permutations):
                arg = {
                    "for_each": {escape_dollar(e.key): self.translate_argument(e.value, owner) for e in for_each},
                    "template": self.translate_argument(template, owner),
                }
                if permutations is not None:
                    arg["permutations"] = self.translate_argument(permutations, owner)
                return self.call_declared_function("hot_repeat", arg)
            case ir.Call():
                return self.translate_call(expr, owner)
            case ir.ConditionRef():
                return self.translate_condition(expr, owner)
            case _:
                raise NoFit

    def translate_argument(self, expr: ir.Expr, owner: ValueOwner) -> Any:
        """Translates a function argument. It gets no fate, because the enclosing function gets it."""
        inner = ValueOwner(owner.name, owner.is_node, owner.path, owner.edges, owner.artifacts)
        return self.translate_value(expr, ANY, inner, (f"file{len(owner.artifacts)}",))

    def translate_parameter(self, expr: ir.ParamRef, owner: ValueOwner) -> Any:
        template_input = self.inputs.by_name.get(expr.name)
        steps = [self.translate_argument(step, owner) for step in expr.path]
        if template_input is None:
            return self.call_declared_function("hot_get_param", escape_dollar(expr.name), *steps)
        if not steps:
            return {"$get_input": expr.name}
        if (
            template_input.json
            or template_input.shape.kind not in ("list", "map", "record")
            or not all(map(literal_step, expr.path))
        ):
            return self.call_declared_function("hot_get", {"$get_input": expr.name}, *steps)
        return {"$get_input": [expr.name, *steps]}

    def translate_reference(self, expr: ir.ResourceRef, owner: ValueOwner) -> Any:
        node = self.model.node_names.get(expr.name)
        if node is None:
            raise NoFit
        owner.add_edge(node)
        return {"$get_attribute": [node, "id"]}

    def translate_attribute(self, expr: ir.AttrRef, texts: bool, owner: ValueOwner, inside: bool = False) -> Any:
        name, path = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        if node is None:
            raise NoFit
        owner.add_edge(node.name)
        if name is None:
            attributes = self.call_declared_function("hot_attributes", node.name)
            steps = [self.translate_argument(step, owner) for step in expr.path]
            return self.call_declared_function("hot_get", attributes, *steps) if steps else attributes
        word = "id_attribute" if name == "id" else name
        shape = node.type.aliased_type.attributes.get(name, ANY)
        if path is not None and (not path or shape.kind != "any"):
            return {"$get_attribute": [node.name, word, *[escape_dollar(s) if isinstance(s, str) else s for s in path]]}
        steps = [self.translate_argument(step, owner) for step in expr.path[1:]]
        return self.call_declared_function("hot_get", {"$get_attribute": [node.name, word]}, *steps)

    def translate_file(self, expr: ir.FileRef, owner: ValueOwner, path: tuple[str, ...]) -> Any:
        try:
            file = self.add_readable_file(expr)
        except CannotBeNative:
            return self.call_declared_function("hot_file", escape_dollar(expr.name))
        if not owner.is_node:
            return self.call_declared_function("hot_file", escape_dollar(file))
        name = ".".join(path)
        owner.artifacts[name] = file
        self.locates(expr)
        return {"$get_artifact": ["SELF", name]}

    # calls

    def translate_call(self, expr: ir.Call, owner: ValueOwner) -> Any:
        """Translates a call of any other function."""
        arg = expr.arg
        items = arg.items if isinstance(arg, ir.Seq) else ()
        if expr.fn in ("str_replace", "str_replace_strict", "list_join", "str_split"):
            before = len(owner.edges), len(owner.artifacts)
            try:
                translated = self.translate_text(expr, owner)
            except (CannotBeNative, NoFit):
                self.undo_additions(owner, len(self.lifted), *before)
            else:
                ((name, inner),) = translated.items()
                return {f"${name}": inner}
        if expr.fn == "list_join" and len(items) == 2:
            return {"$join": [self.translate_argument(items[1], owner), self.translate_argument(items[0], owner)]}
        if expr.fn in LOGIC or expr.fn in ("not", "contains"):
            return self.translate_condition(expr, owner)
        name = "hot_" + re.sub(r"[^a-z0-9]+", "_", expr.fn.lower()).strip("_")
        if isinstance(arg, ir.Seq):
            return self.call_declared_function(name, *[self.translate_argument(item, owner) for item in items])
        if expr.fn == "yaql" and isinstance(arg, ir.Map):
            parts = [arg.get("expression"), arg.get("data")]
            return self.call_declared_function(
                name, *[self.translate_argument(p, owner) for p in parts if p is not None]
            )
        return self.call_declared_function(name, self.translate_argument(arg, owner))

    def translate_pieces(self, parts: list[Any], owner: ValueOwner) -> list[Any]:
        return [
            self.replace_index(piece) if isinstance(piece, str) else piece
            for piece in super().translate_pieces(parts, owner)
        ]

    def replace_index(self, text: str) -> Any:
        if self.index and self.index in text:
            return self.call_declared_function(
                "hot_index", escape_dollar(text), escape_dollar(self.index), "$node_index"
            )
        return escape_dollar(text)

    def translate_piece(self, expr: ir.Expr, owner: ValueOwner) -> Any:
        if isinstance(expr, ir.Lit):
            return super().translate_piece(expr, owner)
        if isinstance(expr, ir.ParamRef):
            if not expr.path and self.inputs.shape_kind(expr.name) not in ("string", "integer", "float"):
                raise CannotBeNative
            return self.translate_parameter(expr, owner)
        if isinstance(expr, ir.AttrRef) and len(expr.path) == 1 and self.is_collection(expr):
            raise CannotBeNative
        if isinstance(expr, (ir.Seq, ir.Map, ir.Repeat)):
            raise CannotBeNative
        return self.translate_function(expr, ANY, owner, (f"file{len(owner.artifacts)}",))

    def translate_join(self, arg: ir.Seq, owner: ValueOwner) -> dict[str, Any]:
        raise CannotBeNative

    def translate_token(self, arg: ir.Seq, owner: ValueOwner) -> dict[str, Any]:
        translated = super().translate_token(arg, owner)
        whole, separator, index = translated["token"]
        return {
            "token": [whole if not isinstance(whole, str) else escape_dollar(whole), escape_dollar(separator), index]
        }

    # conditions

    def translate_condition(self, expr: ir.Expr, owner: ValueOwner) -> Any:
        """Writes out a condition, including the conditions that it refers to."""
        if isinstance(expr, ir.ConditionRef):
            return self.translate_named_condition(expr, owner)
        if isinstance(expr, ir.Call):
            items = expr.arg.items if isinstance(expr.arg, ir.Seq) else (expr.arg,)
            if expr.fn in LOGIC:
                return {f"${LOGIC[expr.fn]}": [self.translate_condition(i, owner) for i in items]}
            if expr.fn == "not":
                return {"$not": [self.translate_condition(i, owner) for i in items[:1]]}
            if expr.fn == "contains" and len(items) == 2:
                entry = self.is_list(items[1])
                written = [self.translate_argument(items[1], owner), self.translate_argument(items[0], owner)]
                return {"$has_entry" if entry else "$contains": written}
        return self.translate_argument(expr, owner)

    def is_list(self, expr: ir.Expr) -> bool:
        """Whether an expression is known to be a list."""
        return isinstance(expr, ir.Seq) or (
            isinstance(expr, ir.ParamRef) and not expr.path and self.inputs.shape_kind(expr.name) == "list"
        )

    def translate_named_condition(self, ref: ir.ConditionRef, owner: ValueOwner) -> Any:
        condition = self.model.stack.template.conditions.get(ref.name)
        if condition is None or ref.name in self.model.stack.circular_conditions:
            raise NoFit
        if self.condition_size(ref.name) > MOST:
            raise TooLarge(ref)
        if ref.name not in self.written:
            self.written[ref.name] = self.translate_condition(condition.value, owner)
        return self.written[ref.name]

    def condition_size(self, name: str) -> int:
        """The number of expressions in a condition, including the conditions that it refers to."""
        if name not in self.sizes:
            self.sizes[name] = 0  # ends the recursion if conditions refer to each other in a cycle
            condition = self.model.stack.template.conditions.get(name)
            for part in ir.walk(condition.value) if condition is not None else ():
                self.sizes[name] += self.condition_size(part.name) if isinstance(part, ir.ConditionRef) else 1
        return self.sizes[name]


def literal_step(step: ir.Expr) -> bool:
    return isinstance(step, ir.Lit) and isinstance(step.value, (str, int)) and not isinstance(step.value, bool)
