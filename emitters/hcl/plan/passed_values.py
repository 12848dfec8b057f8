"""The values that calls of modules pass, as far as the conversion knows them: the values themselves, or their shape.

Invariant: a fact holds for every call, through all callers. A parameter that one call leaves out has its default there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, final

from transpile.model import ir
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import FlowNode
from transpile.resolve.origins import Origins
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

UNSURE = ""  # the shape of a value that may be anything


class DeclaredValues(NamedTuple):
    """The values in the declaration of a parameter. default: a list of at most one value. param: kept alive, as
    its id() is a key.
    """

    param: ir.Param
    allowed: list[Any]
    default: list[Any]


class PassedItem(NamedTuple):
    """An item of a list, in the stack where it stands. caller: the resource that passes the list."""

    stack: Stack
    caller: ir.Resource | None
    value: ir.Map


@final
class PassedValues:
    """The known values of parameters, in a stack and in those nested in it."""

    def __init__(self, flow: ValueFlow, origins: Origins) -> None:
        self.flow, self.origins = flow, origins
        self.declared_by_id: dict[int, DeclaredValues] = {}  # by id() of the parameter
        self.values: Analysis[FlowNode, list[Any] | None] = Analysis(self.sources_of, self.values_of_parameter, [])
        self.shapes = Analysis(self.sources_of, self.shapes_of_parameter, frozenset[str]())

    def sources_of(self, node: FlowNode) -> Iterator[FlowNode]:
        """The parameters of callers that a parameter gets its values from."""
        for definition in self.flow.definitions(node):
            origin = self.origins.trace_origin(definition.stack, definition.value)
            if isinstance(origin, ir.ParamRef) and origin.name in definition.stack.template.parameters:
                yield self.flow.parameter(definition.stack, origin.name)

    # values

    def known_values(self, stack: Stack, expr: ir.Expr) -> list[Any] | None:
        """The known values of an expression: a literal, or those of a parameter (passed, default, allowed). None if a
        caller passes a value that is known only at run time.
        """
        return self.values_of_expression(stack, expr, self.values.value_of)

    def values_of_expression(
        self, stack: Stack, expr: ir.Expr, look_up: Callable[[FlowNode], list[Any] | None]
    ) -> list[Any] | None:
        match self.origins.trace_origin(stack, expr):
            case ir.Lit(value):
                return [value]
            case ir.ParamRef(name, path) if name in stack.template.parameters:
                steps = [step.value for step in path if isinstance(step, ir.Lit)]
                if len(steps) < len(path) or (values := look_up(self.flow.parameter(stack, name))) is None:
                    return None
                return [value_at_path(value, steps) for value in values]
        return None

    def values_of_parameter(self, node: FlowNode, look_up: Callable[[FlowNode], list[Any] | None]) -> list[Any] | None:
        stack, calls = self.flow.stacks[node.stack], self.flow.calls[node.stack]
        declared = self.declared_values(stack.template.parameters[node.name])
        every = list(declared.allowed)
        for call in calls:
            if node.name in call.arguments:
                values = self.values_of_expression(call.stack, call.arguments[node.name], look_up)
                if values is None:
                    return None
                every += values
        if not calls or any(node.name not in call.arguments for call in calls):
            every += [*stack.bound_values(node.name), *declared.default]
        return every

    def declared_values(self, param: ir.Param) -> DeclaredValues:
        """The values in the declaration of a parameter, converted to data once for all references to it."""
        key = id(param)
        if key not in self.declared_by_id:
            allowed = [c.value for c in param.constraints if c.kind == "allowed_values"]
            values = [data for seq in allowed if isinstance(seq, ir.Seq) for data in ir.to_data(seq)]
            default = list(param.default_data)
            self.declared_by_id[key] = DeclaredValues(param, values, default)
        return self.declared_by_id[key]

    def literal_items(self, stack: Stack, expr: ir.Expr) -> list[PassedItem] | None:
        """The items of a list that all callers write out, map by map; None if one of them passes anything else."""
        items: list[PassedItem] = []
        waiting: list[tuple[Stack, ir.Resource | None, ir.Expr]] = [(stack, None, expr)]
        seen = set[FlowNode]()
        while waiting:
            where, caller, value = waiting.pop()
            match self.origins.trace_origin(where, value):
                case ir.Seq(listed) if all(isinstance(item, ir.Map) for item in listed):
                    items += [PassedItem(where, caller, item) for item in listed if isinstance(item, ir.Map)]
                case ir.ParamRef(name, ()) if name in where.template.parameters:
                    node = self.flow.parameter(where, name)
                    definitions = list(self.flow.definitions(node)) if node not in seen else ()
                    if not definitions and node not in seen:
                        return None
                    seen.add(node)
                    waiting += [(d.stack, d.caller, d.value) for d in definitions]
                case _:
                    return None
        return items

    # shapes

    def shape_of_value(self, stack: Stack, expr: ir.Expr) -> str:
        """Whether a value is a list or a map ("list", "map") in all calls; "" if that is not known."""
        shapes = self.shapes_of_expression(stack, expr, self.shapes.value_of)
        return next(iter(shapes)) if len(shapes) == 1 else UNSURE

    def shapes_of_expression(
        self, stack: Stack, expr: ir.Expr, look_up: Callable[[FlowNode], frozenset[str]]
    ) -> frozenset[str]:
        match self.origins.trace_origin(stack, expr):
            case ir.Seq():
                return frozenset({"list"})
            case ir.Map():
                return frozenset({"map"})
            case ir.ParamRef(name, ()) if name in stack.template.parameters:
                return look_up(self.flow.parameter(stack, name))
        return frozenset({UNSURE})

    def shapes_of_parameter(self, node: FlowNode, look_up: Callable[[FlowNode], frozenset[str]]) -> frozenset[str]:
        if self.flow.stacks[node.stack].template.parameters[node.name].type == "comma_delimited_list":
            return frozenset({"list"})
        shapes = [self.shapes_of_expression(d.stack, d.value, look_up) for d in self.flow.definitions(node)]
        return frozenset[str]().union(*shapes) or frozenset({UNSURE})


def value_at_path(value: Any, path: Sequence[Any]) -> Any:
    """The value at a path; None if there is none."""
    for key in path:
        try:
            value = value[int(key) if isinstance(value, list) else key]
        except (LookupError, TypeError, ValueError):
            return None
    return value
