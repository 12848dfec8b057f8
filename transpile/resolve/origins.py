"""Finds the origin of a value: the expression behind an output, a parameter of a nested stack or an OS::Heat::Value.

An origin is an expression of the same stack, in Heat's own syntax: a resource inside a nested stack is
`{get_attr: [outer, resource.inner]}`, as Heat reads it.

Invariant: an origin has the same value as the expression. An expression that the outer stack cannot have (a condition
or a file of the nested stack) is not followed.
"""

from __future__ import annotations

from typing import final

from transpile.model import heat_types, ir
from transpile.model.attribute_paths import TEMPLATE, GroupMember, parse_attribute_path, path_to_member
from transpile.model.records import replace
from transpile.resolve.groups import nested_parameter_values
from transpile.resolve.lookup_places import ANY_TYPE, Types
from transpile.resolve.stack import NestedStack, Stack

DEPTH = 16  # steps through outputs, parameters and values
MOST = 1000  # named resources of a stack and those nested in it; beyond that none is known by name
NAMES = ((ir.Lit("name"),), (ir.Lit("show"), ir.Lit("name")))  # attributes that are the resource's name
Named = dict[tuple[str, ir.Expr], "ir.ResourceRef | ir.AttrRef | None"]


# The graph of values (value_flow.py) does not say this: an origin is an expression, rewritten for one call, and not a
# fact about a node that all calls share.
@final
class Origins:
    """The origins of the expressions of a stack and of those nested in it."""

    def __init__(self) -> None:
        self.traced: dict[tuple[int, ir.Expr], ir.Expr] = {}
        self.named_resources: dict[int, Named] = {}
        self.alive: list[Stack] = []  # keeps the stacks alive whose id() is a key, or Python could reuse the id

    def trace_origin(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> ir.Expr:
        """The expression that an expression takes its value from, in the same stack; the expression itself if it has no
        other origin. `depth`: steps that may be followed.
        """
        if isinstance(expr, ir.AttrRef) and depth:
            key = id(stack), expr
            if key not in self.traced:
                self.alive.append(stack)
                self.traced[key] = self.attribute(stack, expr, depth) or expr
            return self.traced[key]
        return expr

    def attribute(self, stack: Stack, ref: ir.AttrRef, depth: int) -> ir.Expr | None:
        resource = stack.template.resources.get(ref.name)
        first = ref.path[0] if ref.path else None
        if resource is None or not isinstance(first, ir.Lit):
            return None
        if resource.kind == heat_types.VALUE and first.value == "value" and not resource.is_conditional:
            value = resource.find_property("value")
            kind = resource.find_property("type")
            if value is None or (kind not in (None, ir.Lit("string")) and not isinstance(value, (ir.Seq, ir.Map))):
                return None
            return self.select_literal_path(stack, self.trace_origin(stack, value, depth - 1), ref.path[1:], depth)
        nested = stack.nested.get((resource.name, resource.type))
        if nested is None:
            return None
        output = nested.stack.template.outputs.get(str(first.value))
        if output is None or output.is_conditional:
            return None
        inner = self.trace_origin(nested.stack, output.value, depth - 1)
        lifted = self.lift_expression(stack, resource, nested, inner, depth - 1)
        return self.select_literal_path(stack, lifted, ref.path[1:], depth) if lifted is not None else None

    def select_literal_path(
        self, stack: Stack, expr: ir.Expr | None, path: tuple[ir.Expr, ...], depth: int
    ) -> ir.Expr | None:
        """The value at a literal path in lists and maps that are written out."""
        for i, step in enumerate(path):
            if not isinstance(step, ir.Lit):
                return None
            if isinstance(expr, ir.Map) and isinstance(step.value, str):
                expr = expr.get(step.value)
            elif isinstance(expr, ir.Seq) and type(step.value) is int and -1 < step.value < len(expr.items):
                expr = expr.items[step.value]
            elif isinstance(expr, ir.AttrRef):
                return self.trace_origin(stack, replace(expr, path=(*expr.path, *path[i:])), depth - 1)
            else:
                return None
            expr = self.trace_origin(stack, expr, depth - 1) if expr is not None else None
        return expr

    def lift_expression(
        self, stack: Stack, resource: ir.Resource, nested: NestedStack, expr: ir.Expr, depth: int
    ) -> ir.Expr | None:
        """An expression of a nested stack as one of the outer stack: `{get_param: p}` -> the value that the outer
        resource passes for p. None if the outer stack cannot express it.
        """
        if not depth:
            return None
        match expr:
            case ir.Lit():
                return expr
            case ir.ParamRef(name, path):
                return self.select_literal_path(
                    stack, self.find_argument(stack, resource, nested, name, depth), path, depth
                )
            case ir.ResourceRef(name):
                return lift_reference(resource.name, expr) if name in nested.stack.types else None
            case ir.AttrRef(_, path):
                return (
                    lift_reference(resource.name, expr) if path and all(isinstance(p, ir.Lit) for p in path) else None
                )
            case ir.Seq() | ir.Map() | ir.Call():
                whole = True

                def lift_part(part: ir.Expr) -> ir.Expr:
                    nonlocal whole
                    followed = self.trace_origin(nested.stack, part, depth - 1)
                    lifted = self.lift_expression(stack, resource, nested, followed, depth - 1)
                    whole = whole and lifted is not None
                    return lifted if lifted is not None else part

                rebuilt = ir.rebuilt(expr, lift_part)
                return rebuilt if whole else None
        return None

    def find_argument(
        self, stack: Stack, resource: ir.Resource, nested: NestedStack, name: str, depth: int
    ) -> ir.Expr | None:
        """Returns the value for a parameter of a nested stack, as an expression of the outer stack."""
        param = nested.stack.template.parameters.get(name)
        if param is None:
            return None
        properties = nested_parameter_values(resource, resource.type)
        value = properties.get(name)
        if value is not None:
            plain = param.type in ("string", "json") or isinstance(value, (ir.Seq, ir.AttrRef, ir.ParamRef))
            return self.trace_origin(stack, value, depth - 1) if plain and value != ir.NULL else None
        values = list_default_values(nested.stack, param)
        return values[0] if len(values) == 1 and not param.hidden else None

    # resources by their names

    def find_resource_of_name(self, stack: Stack, expr: ir.Expr, kinds: Types) -> ir.ResourceRef | ir.AttrRef | None:
        """A reference to the resource whose name an attribute is; None if it is something else."""
        if not isinstance(expr, ir.AttrRef):
            return None
        resource = stack.template.resources.get(expr.name)
        if resource is None:
            return None
        if expr.path in NAMES and stack.types[expr.name] in kinds:
            return ir.ResourceRef(expr.name)
        nested = stack.nested.get((resource.name, resource.type))
        member = parse_attribute_path(TEMPLATE, expr.path)
        if nested is None or not isinstance(member, GroupMember):
            return None
        inner = self.find_resource_of_name(nested.stack, ir.AttrRef(member.name, member.path), kinds)
        return lift_reference(expr.name, inner) if inner is not None else None

    def find_resource_of_output(self, stack: Stack, ref: ir.Expr, kinds: Types) -> ir.AttrRef | None:
        """A reference to the resource that an output of a nested stack names, if that stack makes it."""
        if not isinstance(ref, ir.AttrRef) or len(ref.path) != 1 or not isinstance(ref.path[0], ir.Lit):
            return None
        resource = stack.template.resources.get(ref.name)
        nested = stack.nested.get((resource.name, resource.type)) if resource is not None else None
        if nested is None or resource is None or resource.is_conditional:
            return None
        output = nested.stack.template.outputs.get(str(ref.path[0].value))
        if output is None:
            return None
        reference = self.find_named_resource(nested.stack, self.trace_origin(nested.stack, output.value), kinds)
        return lift_reference(ref.name, reference) if reference is not None else None

    def find_named_resource(self, stack: Stack, expr: ir.Expr, kinds: Types) -> ir.ResourceRef | ir.AttrRef | None:
        """A reference to the one resource of this stack, or of a nested one, whose `name` is this expression."""
        references = self.index_named_resources(stack)
        return next((reference for kind in kinds if (reference := references.get((kind, expr))) is not None), None)

    def index_named_resources(self, stack: Stack, depth: int = DEPTH) -> Named:
        """References to all resources that surely exist and have a name of their own, by type and name; None where
        several have the same.
        """
        if id(stack) in self.named_resources:
            return self.named_resources[id(stack)]
        self.alive.append(stack)
        references: Named = {}
        self.named_resources[id(stack)] = references

        def add_reference(kind: str, name: ir.Expr, ref: ir.ResourceRef | ir.AttrRef) -> None:
            if len(references) < MOST and name not in (ir.NULL, ir.Lit("")):
                references[kind, name] = None if (kind, name) in references else ref

        for name, resource in stack.template.resources.items():
            kind = stack.types[name]
            if resource.is_conditional or resource.is_existing:
                continue
            if kind in ANY_TYPE and (resource_name := resource.find_property("name")) is not None:
                add_reference(kind, self.trace_origin(stack, resource_name), ir.ResourceRef(name))
        for name, resource in stack.template.resources.items():
            nested = stack.nested.get((name, resource.type))
            if nested is None or resource.is_conditional or not depth:
                continue
            for (kind, resource_name), ref in self.index_named_resources(nested.stack, depth - 1).items():
                lifted = self.lift_expression(stack, resource, nested, resource_name, DEPTH)
                outer = lift_reference(name, ref) if ref is not None else None
                if lifted is not None and outer is not None:
                    add_reference(kind, lifted, outer)
        return references


def lift_reference(outer: str, ref: ir.ResourceRef | ir.AttrRef) -> ir.AttrRef | None:
    """A reference of a nested stack as one of the outer stack: `{get_resource: inner}` →
    `{get_attr: [outer, resource.inner]}`. None if Heat cannot name the resource from there.
    """
    path = path_to_member(ref.name, ref.path if isinstance(ref, ir.AttrRef) else ())
    return ir.AttrRef(outer, path) if path is not None else None


def find_default_value(stack: Stack, param: ir.Param) -> ir.Expr | None:
    """The value of a parameter that the outer stack does not set: that of an environment, or else the default."""
    if param.name in stack.bindings:
        return ir.from_data(stack.bindings[param.name].value)
    return param.default if param.default_data else None


def list_default_values(stack: Stack, param: ir.Param) -> list[ir.Expr]:
    """The values of a parameter that the outer stack does not set, in all stacks that share the output."""
    values = [ir.from_data(value) for value in stack.bound_values(param.name)]
    declared = param.default is not None and ir.is_plain_data(param.default)
    if param.default is not None and declared and (not values or param.name in stack.sometimes_set):
        values.append(param.default)
    return values
