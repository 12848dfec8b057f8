"""Translates references to TOSCA values, and creates nodes for functions that TOSCA lacks.

Invariant: every reference becomes an edge, so the order of deployment is kept. The edge begins at the owner of the
value, or at the expression node that contains the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.model import SERVER, NodeModel, literal_path
from emitters.tosca.shapes import ANY, FUNCTIONS
from transpile.model import ir
from transpile.model.records import field, record
from transpile.model.span import Span
from transpile.report import Fate, leaf_paths, make_fate
from transpile.text.source import UnreadableFile

EXPRESSION, CONDITION = "hot.nodes.Expression", "hot.nodes.Condition"


class CannotBeNative(Exception):
    """TOSCA has no function for this expression."""


@final
@record
class ValueOwner:
    """The owner of the value being written, for example a node or an output.

    `name`: the prefix for the names of its expression nodes. `is_node`: the owner is a node, which may refer to its own
    artifacts. `path`: the prefix of its properties inside the resource. `edges`: the kind of each edge, by its target;
    edges for `depends_on` and conditions have the prefix "dependency " or "condition ".
    """

    name: str
    is_node: bool = True
    path: str = ""
    edges: dict[str, str] = field(default_factory=dict)
    artifacts: dict[str, str] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)

    def add_edge(self, to: str, how: str = "reference") -> None:
        self.edges.setdefault(to, how)


class ReferenceTranslation:
    """Translates the references of one template.

    `file` adds a file to the archive and returns its path. `locates` reports that an artifact gives a path. `lifted`
    holds the expression nodes created so far, in order.
    """

    def __init__(self, model: NodeModel, file: Callable[[str], str], locates: Callable[[ir.FileRef], None]) -> None:
        self.model, self.file, self.locates = model, file, locates
        self.inputs = model.inputs
        self.lifted: dict[str, dict[str, Any]] = {}
        self.places: list[Span] = []  # places of the expressions in `lifted`

    def input_path(self, expr: ir.ParamRef) -> Any:
        """Translates get_param with a path, which TOSCA supports only inside a string."""
        steps = [s.value for s in expr.path if isinstance(s, ir.Lit)]
        if len(steps) < len(expr.path) or self.inputs.shape_kind(expr.name) not in ("list", "map"):
            raise CannotBeNative
        return {"get_input": [expr.name, *[int(str(s)) if str(s).isdecimal() else s for s in steps]]}

    def translate_reference(self, expr: ir.ResourceRef, owner: ValueOwner) -> Any:
        node = self.model.node_names.get(expr.name)
        if node is None:
            raise CannotBeNative
        owner.add_edge(node)
        return {"get_attribute": [node, "id"]}

    def translate_attribute(self, expr: ir.AttrRef, texts: bool, owner: ValueOwner, inside: bool = False) -> Any:
        name, path = literal_path(expr)
        node = self.model.nodes.get(expr.name)
        if name is None or path is None or node is None or name == "id":
            raise CannotBeNative
        real = node.type.aliased_type
        if real.kind == SERVER and name == "networks":
            if len(path) > 2 or not all(isinstance(p, str) for p in path[:1]):
                raise CannotBeNative
            path = (*path[:1], "addresses", *path[1:]) if path else path
        elif path and not inside and real.attributes.get(name, ANY).kind == "any":
            if not texts:
                raise CannotBeNative
            owner.add_edge(node.name)
            return {"concat": [{"get_attribute": [node.name, name, *path]}]}
        owner.add_edge(node.name)
        return {"get_attribute": [node.name, name, *path]}

    def add_readable_file(self, expr: ir.FileRef) -> str:
        try:
            return self.file(expr.name)
        except UnreadableFile:
            raise CannotBeNative from None

    # expression nodes

    def lift_expression(self, expr: ir.Expr, owner: ValueOwner, path: tuple[str, ...], quiet: bool = False) -> Any:
        """Creates a node for an expression. Returns a reference to that node's value."""
        node = self.add_expression_node(expr, names.name_part("_".join([owner.name, *path])), EXPRESSION)
        self.places.append(expr.span)
        owner.add_edge(node)
        for where in () if quiet else leaf_paths(expr, ".".join(path)):
            owner.fates[where] = make_fate("value", node, "properties.expression")
        return {"get_attribute": [node, "value"]}

    def add_expression_node(
        self, expr: ir.Expr, preferred_name: str, kind: str, metadata: dict[str, str] | None = None
    ) -> str:
        name = self.model.names.reserve_tosca_name(preferred_name)
        self.lifted[name] = self.build_expression_node(name, expr, kind, metadata)
        return name

    def build_expression_node(
        self, name: str, expr: ir.Expr, kind: str, metadata: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Builds the node of an expression: its text, and the TOSCA value of each reference inside it."""
        owner = ValueOwner(name)
        arguments: dict[str, Any] = {}
        for reference in ir.walk(expr):
            if isinstance(reference, ir.ParamRef) and reference.name in self.inputs.by_name:
                arguments[reference.name] = {"get_input": reference.name}
            elif isinstance(reference, ir.ResourceRef) and reference.name in self.model.node_names:
                owner.add_edge(self.model.node_names[reference.name])
                arguments[reference.name] = {"get_attribute": [self.model.node_names[reference.name], "id"]}
            elif isinstance(reference, ir.AttrRef) and reference.name in self.model.node_names:
                node = self.model.node_names[reference.name]
                owner.add_edge(node)
                attribute, _ = literal_path(reference)
                label = reference.name if attribute is None else f"{reference.name}.{attribute}"
                arguments[label] = {"get_attribute": [node, attribute or "id"]}
            elif isinstance(reference, ir.ConditionRef) and reference.name in self.model.conditions:
                owner.add_edge(self.model.conditions[reference.name])
                arguments[f"condition.{reference.name}"] = {
                    "get_attribute": [self.model.conditions[reference.name], "value"]
                }
            elif isinstance(reference, ir.FileRef):
                try:
                    owner.artifacts[f"file{len(owner.artifacts)}"] = self.add_readable_file(reference)
                except CannotBeNative:
                    continue
                arguments[f"file.{reference.name}"] = {
                    "concat": [{"get_artifact": ["SELF", f"file{len(owner.artifacts) - 1}"]}]
                }
        if len(arguments) == 1 and not FUNCTIONS.isdisjoint(arguments):  # it would be read as a function call
            arguments = {f"argument.{key}": value for key, value in arguments.items()}
        out: dict[str, Any] = {"type": kind}
        if metadata:
            out["metadata"] = metadata
        if owner.artifacts:
            out["artifacts"] = {k: file_artifact(v) for k, v in owner.artifacts.items()}
        out["properties"] = {"expression": hotjson.expression_json(expr)}
        if arguments:
            out["properties"]["arguments"] = arguments
        if owner.edges:
            out["requirements"] = [{how: to} for to, how in owner.edges.items()]
        return out

    def undo_additions(self, owner: ValueOwner, lifted: int, edges: int, artifacts: int) -> None:
        """Removes additions of a failed translation. `lifted`, `edges`, `artifacts`: how many entries to keep."""
        for name in remove_last_entries(self.lifted, lifted):
            self.places.pop()
            self.model.names.release_name(name)
        remove_last_entries(owner.edges, edges)
        remove_last_entries(owner.artifacts, artifacts)


def remove_last_entries(entries: dict[str, Any], count: int) -> list[str]:
    """Removes all but the first `count` entries. Returns the keys of the removed entries, in order."""
    return [entries.popitem()[0] for _ in range(len(entries) - count)][::-1]


def file_artifact(file: str) -> dict[str, str]:
    return {"type": "tosca.artifacts.File", "file": file}
