"""References as TOSCA values, and the nodes that hold functions TOSCA lacks.

Invariant: every reference becomes an edge of its owner, or of the expression node that contains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.model import SERVER, literal_path
from emitters.tosca.shapes import FUNCTIONS
from transpile.model import ir
from transpile.model.records import field, record
from transpile.report import Fate, leaf_paths, make_fate
from transpile.text.source import UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from emitters.tosca.model import Model
    from transpile.model.span import Span

EXPRESSION, CONDITION = "hot.nodes.Expression", "hot.nodes.Condition"


class CannotBeNative(Exception):
    """TOSCA has no function for this expression."""


@final
@record
class Owner:
    """The owner of the value being written: a name prefix for expression nodes, its edges, its artifacts, and fates.

    `is_node`: it is a node, which may refer to its own artifacts. `path`: the prefix of its properties inside the
    resource.
    """

    name: str
    is_node: bool = True
    path: str = ""
    edges: dict[str, str] = field(default_factory=dict)
    artifacts: dict[str, str] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)

    def edge(self, to: str, how: str = "reference") -> None:
        self.edges.setdefault(to, how)


class References:
    """Translates the references of one template.

    `file` adds a file to the archive and returns its path. `locates` reports that an artifact gives a path. `lifted`
    holds the expression nodes created so far, in order.
    """

    def __init__(self, model: Model, file: Callable[[str], str], locates: Callable[[ir.FileRef], None]) -> None:
        self.model, self.file, self.locates = model, file, locates
        self.inputs = model.inputs
        self.lifted: dict[str, dict[str, Any]] = {}
        self.places: list[Span] = []  # places of the expressions in `lifted`

    def input_path(self, expr: ir.ParamRef) -> Any:
        """Translates get_param with a path, which TOSCA supports only inside a string."""
        steps = [s.value for s in expr.path if isinstance(s, ir.Lit)]
        if len(steps) < len(expr.path) or self.inputs.kind(expr.name) not in ("list", "map"):
            raise CannotBeNative
        return {"get_input": [expr.name, *[int(str(s)) if str(s).isdecimal() else s for s in steps]]}

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

    def readable(self, expr: ir.FileRef) -> str:
        try:
            return self.file(expr.name)
        except UnreadableFile:
            raise CannotBeNative from None

    # expression nodes

    def lift(self, expr: ir.Expr, owner: Owner, path: tuple[str, ...], quiet: bool = False) -> Any:
        """Creates a node for an expression. Returns a reference to that node's value."""
        node = self.expression(expr, names.part("_".join([owner.name, *path])), EXPRESSION)
        self.places.append(expr.span)
        owner.edge(node)
        for where in () if quiet else leaf_paths(expr, ".".join(path)):
            owner.fates[where] = make_fate("value", node, "properties.expression")
        return {"get_attribute": [node, "value"]}

    def expression(self, expr: ir.Expr, wanted: str, kind: str, metadata: dict[str, str] | None = None) -> str:
        name = self.model.names.take(wanted)
        self.lifted[name] = self.expression_node(name, expr, kind, metadata)
        return name

    def expression_node(
        self, name: str, expr: ir.Expr, kind: str, metadata: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Builds the node of an expression: its text, and the TOSCA value of each reference inside it."""
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
        if len(arguments) == 1 and not FUNCTIONS.isdisjoint(arguments):  # it would be read as a function call
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

    def undo(self, owner: Owner, lifted: int, edges: int, artifacts: int) -> None:
        """Removes everything that was added after these counts."""
        for name in without_last(self.lifted, lifted):
            self.places.pop()
            self.model.names.give_back(name)
        without_last(owner.edges, edges)
        without_last(owner.artifacts, artifacts)


def without_last(found: dict[str, Any], count: int) -> list[str]:
    """Removes all but the first entries; their keys, in order."""
    return [found.popitem()[0] for _ in range(len(found) - count)][::-1]


def artifact(file: str) -> dict[str, str]:
    return {"type": "tosca.artifacts.File", "file": file}
