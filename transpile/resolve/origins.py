"""Where values come from: the expression behind an output, a parameter of a nested stack or an OS::Heat::Value.

An origin is an expression of the same stack, in Heat's own syntax: a resource inside a nested stack is
`{get_attr: [outer, resource.inner]}`, as Heat reads it.

Invariant: an origin has the same value as the expression. What cannot be said in the outer stack (a condition or a file
of the nested one) is not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.model import heat_types, ir
from transpile.model.attribute_paths import TEMPLATE, Member, path_to, select
from transpile.model.records import replace
from transpile.resolve.groups import passed_on
from transpile.resolve.lookup_places import ANY_TYPE

if TYPE_CHECKING:
    from transpile.resolve.lookup_places import Types
    from transpile.resolve.stack import Nested, Stack

DEPTH = 16  # steps through outputs, parameters and values
MOST = 1000  # named resources of a stack and those nested in it; beyond that none is known by name
NAMES = ((ir.Lit("name"),), (ir.Lit("show"), ir.Lit("name")))  # attributes that are the resource's name
Named = dict[tuple[str, ir.Expr], "ir.ResourceRef | ir.AttrRef | None"]


@final
class Origins:
    """The origins of the expressions of a stack and of those nested in it."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, ir.Expr], ir.Expr] = {}
        self.made: dict[int, Named] = {}
        self.alive: list[Stack] = []  # keeps the stacks alive whose id() is a key, or Python could reuse the id

    def of(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> ir.Expr:
        """The expression that an expression takes its value from, in the same stack; the expression itself if it has no
        other origin. `depth`: steps that may be followed.
        """
        if isinstance(expr, ir.AttrRef) and depth:
            key = id(stack), expr
            if key not in self.found:
                self.alive.append(stack)
                self.found[key] = self.attribute(stack, expr, depth) or expr
            return self.found[key]
        return expr

    def attribute(self, stack: Stack, ref: ir.AttrRef, depth: int) -> ir.Expr | None:
        resource = stack.template.resources.get(ref.name)
        first = ref.path[0] if ref.path else None
        if resource is None or not isinstance(first, ir.Lit):
            return None
        if resource.kind == heat_types.VALUE and first.value == "value" and resource.condition is None:
            given = resource.properties.get("value") if resource.properties is not None else None
            kind = resource.properties.get("type") if resource.properties is not None else None
            if given is None or (kind not in (None, ir.Lit("string")) and not isinstance(given, (ir.Seq, ir.Map))):
                return None
            return self.selected(stack, self.of(stack, given, depth - 1), ref.path[1:], depth)
        nested = stack.nested.get((resource.name, resource.type))
        if nested is None:
            return None
        output = nested.stack.template.outputs.get(str(first.value))
        if output is None or output.condition is not None:
            return None
        inner = self.of(nested.stack, output.value, depth - 1)
        lifted = self.lifted(stack, resource, nested, inner, depth - 1)
        return self.selected(stack, lifted, ref.path[1:], depth) if lifted is not None else None

    def selected(self, stack: Stack, expr: ir.Expr | None, path: tuple[ir.Expr, ...], depth: int) -> ir.Expr | None:
        """The value at a literal path in lists and maps that are written out."""
        for i, step in enumerate(path):
            if not isinstance(step, ir.Lit):
                return None
            if isinstance(expr, ir.Map) and isinstance(step.value, str):
                expr = expr.get(step.value)
            elif isinstance(expr, ir.Seq) and type(step.value) is int and -1 < step.value < len(expr.items):
                expr = expr.items[step.value]
            elif isinstance(expr, ir.AttrRef):
                return self.of(stack, replace(expr, path=(*expr.path, *path[i:])), depth - 1)
            else:
                return None
            expr = self.of(stack, expr, depth - 1) if expr is not None else None
        return expr

    def lifted(self, stack: Stack, resource: ir.Resource, nested: Nested, expr: ir.Expr, depth: int) -> ir.Expr | None:
        """An expression of a nested stack as one of the outer stack: `{get_param: p}` -> the value that the outer
        resource passes for p. None if the outer stack cannot express it.
        """
        if not depth:
            return None
        match expr:
            case ir.Lit():
                return expr
            case ir.ParamRef(name, path):
                return self.selected(stack, self.argument(stack, resource, nested, name, depth), path, depth)
            case ir.ResourceRef(name):
                return beneath(resource.name, expr) if name in nested.stack.types else None
            case ir.AttrRef(_, path):
                return beneath(resource.name, expr) if path and all(isinstance(p, ir.Lit) for p in path) else None
            case ir.Seq() | ir.Map() | ir.Call():
                whole = True

                def inner(one: ir.Expr) -> ir.Expr:
                    nonlocal whole
                    followed = self.of(nested.stack, one, depth - 1)
                    found = self.lifted(stack, resource, nested, followed, depth - 1)
                    whole = whole and found is not None
                    return found if found is not None else one

                rebuilt = ir.rebuilt(expr, inner)
                return rebuilt if whole else None
        return None

    def argument(self, stack: Stack, resource: ir.Resource, nested: Nested, name: str, depth: int) -> ir.Expr | None:
        """What a nested stack gets for a parameter, as an expression of the outer stack."""
        param = nested.stack.template.parameters.get(name)
        if param is None:
            return None
        properties = passed_on(resource, resource.type)
        given = properties.get(name) if properties is not None else None
        if given is not None:
            plain = param.type in ("string", "json") or isinstance(given, (ir.Seq, ir.AttrRef, ir.ParamRef))
            return self.of(stack, given, depth - 1) if plain and given != ir.NULL else None
        return None if param.hidden else standard(nested.stack, param)

    # resources by their names

    def name_of(self, stack: Stack, expr: ir.Expr, kinds: Types) -> ir.ResourceRef | ir.AttrRef | None:
        """A reference to the resource whose name an attribute is; None if it is something else."""
        if not isinstance(expr, ir.AttrRef):
            return None
        resource = stack.template.resources.get(expr.name)
        if resource is None:
            return None
        if expr.path in NAMES and stack.types[expr.name] in kinds:
            return ir.ResourceRef(expr.name)
        nested = stack.nested.get((resource.name, resource.type))
        member = select(TEMPLATE, expr.path)
        if nested is None or not isinstance(member, Member):
            return None
        inner = self.name_of(nested.stack, ir.AttrRef(member.name, member.path), kinds)
        return beneath(expr.name, inner) if inner is not None else None

    def made_by(self, stack: Stack, ref: ir.Expr, kinds: Types) -> ir.AttrRef | None:
        """A reference to the resource that an output of a nested stack names, if that stack makes it."""
        if not isinstance(ref, ir.AttrRef) or len(ref.path) != 1 or not isinstance(ref.path[0], ir.Lit):
            return None
        resource = stack.template.resources.get(ref.name)
        nested = stack.nested.get((resource.name, resource.type)) if resource is not None else None
        if nested is None or resource is None or resource.condition is not None:
            return None
        output = nested.stack.template.outputs.get(str(ref.path[0].value))
        if output is None:
            return None
        found = self.named(nested.stack, self.of(nested.stack, output.value), kinds)
        return beneath(ref.name, found) if found is not None else None

    def named(self, stack: Stack, expr: ir.Expr, kinds: Types) -> ir.ResourceRef | ir.AttrRef | None:
        """A reference to the one resource of this stack, or of a nested one, whose `name` is this expression."""
        made = self.names(stack)
        return next((found for kind in kinds if (found := made.get((kind, expr))) is not None), None)

    def names(self, stack: Stack, depth: int = DEPTH) -> Named:
        """References to all resources that surely exist and have a name of their own, by type and name; None where
        several have the same.
        """
        if id(stack) in self.made:
            return self.made[id(stack)]
        self.alive.append(stack)
        found: Named = {}
        self.made[id(stack)] = found

        def add(kind: str, name: ir.Expr, ref: ir.ResourceRef | ir.AttrRef) -> None:
            if len(found) < MOST and name not in (ir.NULL, ir.Lit("")):
                found[kind, name] = None if (kind, name) in found else ref

        for name, resource in stack.template.resources.items():
            properties, kind = resource.properties, stack.types[name]
            if resource.condition is not None or resource.external_id is not None or properties is None:
                continue
            if kind in ANY_TYPE and (given := properties.get("name")) is not None:
                add(kind, self.of(stack, given), ir.ResourceRef(name))
        for name, resource in stack.template.resources.items():
            nested = stack.nested.get((name, resource.type))
            if nested is None or resource.condition is not None or not depth:
                continue
            for (kind, given), ref in self.names(nested.stack, depth - 1).items():
                lifted = self.lifted(stack, resource, nested, given, DEPTH)
                outer = beneath(name, ref) if ref is not None else None
                if lifted is not None and outer is not None:
                    add(kind, lifted, outer)
        return found


def beneath(outer: str, ref: ir.ResourceRef | ir.AttrRef) -> ir.AttrRef | None:
    """A reference of a nested stack as one of the outer stack: `{get_resource: inner}` →
    `{get_attr: [outer, resource.inner]}`. None if Heat cannot name the resource from there.
    """
    path = path_to(ref.name, ref.path if isinstance(ref, ir.AttrRef) else ())
    return ir.AttrRef(outer, path) if path is not None else None


def standard(stack: Stack, param: ir.Param) -> ir.Expr | None:
    """The value of a parameter that the outer stack does not set: that of an environment, or else the default."""
    if param.name in stack.given:
        return ir.from_data(stack.given[param.name].value)
    return param.default if param.default is not None and ir.literal(param.default) else None
