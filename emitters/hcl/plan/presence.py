"""Rewrites conditions of modules that test whether a parameter is empty, where callers pass IDs.

An ID is never empty, but Terraform knows it only after apply, and what a condition decides (`count`) must be known
before. If all calls pass IDs, the test is a constant. If only some do, the module gets a variable that says which.

For example, `condition: {not: {equals: [{get_param: net}, ""]}}` is true if all calls pass the ID of a network that
they create. If one call leaves `net` empty, the module gets the boolean variable `net_given`.

Invariant: the conditions keep their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from emitters.hcl.namespace import UniqueNames
from emitters.hcl.plan.modules import TerraformModule
from transpile.model import ir
from transpile.model.attribute_paths import TEMPLATE, GroupMember, parse_attribute_path
from transpile.model.records import replace
from transpile.resolve.origins import Origins, find_default_value
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import CallSite

EMPTY = ir.Lit("")


class ValueOrigins(Protocol):
    """Where values come from, and which ones are known only after apply. `OwnNames` knows both."""

    origins: Origins

    def is_known_after_apply(self, stack: Stack, expr: ir.Expr) -> bool: ...


def choose_presence_variables(values: ValueOrigins, module: TerraformModule) -> None:
    """Chooses the parameters of a module whose tests for emptiness Terraform could not evaluate before apply. For each
    it records the name of the variable that says whether the parameter is there; "" if it always is.
    """
    template, taken = module.stack.template, UniqueNames(module.stack.template.parameters)
    for name in dict.fromkeys(tested_parameters(template)):
        if name not in template.parameters or not values.is_known_after_apply(module.stack, ir.ParamRef(name)):
            continue
        presences = [presence_in_call(values, module, call, name) for call in module.calls]
        if all(presence == "there" for presence in presences):
            module.presence_variables[name] = ""
        elif all(presences):
            module.presence_variables[name] = taken.reserve_name(f"{name}_given")


def tested_parameters(template: ir.Template) -> Iterator[str]:
    """The parameters that conditions compare with the empty text."""
    conditions = [c.value for c in template.conditions.values()]
    conditions += [r.condition for r in template.resources.values() if r.condition is not None]
    conditions += [o.condition for o in template.outputs.values() if o.condition is not None]
    for whole in conditions:
        for expr in ir.walk(whole):
            if (name := parameter_of_test(expr)) is not None:
                yield name


def parameter_of_test(expr: ir.Expr) -> str | None:
    """The parameter that an expression compares with the empty text; None for other expressions."""
    if not isinstance(expr, ir.Call) or expr.fn != "equals" or not isinstance(expr.arg, ir.Seq):
        return None
    if len(expr.arg.items) != 2 or EMPTY not in expr.arg.items:
        return None
    operand = next((item for item in expr.arg.items if item != EMPTY), None)
    return operand.name if isinstance(operand, ir.ParamRef) and not operand.path else None


def presence_in_call(values: ValueOrigins, module: TerraformModule, call: CallSite, name: str) -> str:
    """Whether the value that a call passes is surely there ("there"), is surely empty ("empty"), or can be tested
    before apply ("open"); "" if nobody knows before apply.
    """
    value = passed_value(module, call, name)
    if value is None:
        return ""
    origin = values.origins.trace_origin(call.stack, value)
    if isinstance(origin, ir.Lit):
        return "empty" if origin.value in (None, "") else "there"
    if isinstance(origin, ir.ResourceRef) or (isinstance(origin, ir.AttrRef) and is_nested_resource_id(origin)):
        return "there"
    return "" if values.is_known_after_apply(call.stack, origin) else "open"


def passed_value(module: TerraformModule, call: CallSite, name: str) -> ir.Expr | None:
    """The value of a parameter in a call: the argument, or else the default."""
    value = call.arguments.get(name)
    return find_default_value(module.stack, module.stack.template.parameters[name]) if value is None else value


def is_nested_resource_id(ref: ir.AttrRef) -> bool:
    """Whether a reference into a nested stack is the ID of a resource there, which may be nested deeper:
    `[outer, resource.inner]`, `[outer, resource.middle.resource.inner]`.
    """
    selection = parse_attribute_path(TEMPLATE, ref.path)
    while isinstance(selection, GroupMember) and selection.path:
        selection = parse_attribute_path(TEMPLATE, selection.path)
    return isinstance(selection, GroupMember)


def presence_arguments(values: ValueOrigins, module: TerraformModule, call: CallSite) -> Iterator[tuple[str, ir.Expr]]:
    """The arguments of a call for the variables that say whether a parameter is there, with their labels."""
    for name, label in module.presence_variables.items():
        value = passed_value(module, call, name)
        if not label or value is None:
            continue
        presence = presence_in_call(values, module, call, name)
        there: ir.Expr = ir.Lit(presence == "there")
        if presence == "open":
            there = ir.If(ir.Call("equals", ir.Seq((value, EMPTY))), ir.Lit(False), ir.Lit(True))
        yield label, there


def settle_presence_tests(template: ir.Template, presence_variables: Mapping[str, str]) -> ir.Template:
    """A template whose conditions read the variables (or a constant) in place of testing the parameters."""

    def replace_test(expr: ir.Expr) -> ir.Expr:
        name = parameter_of_test(expr)
        if name is None or name not in presence_variables:
            return ir.rebuilt(expr, replace_test)
        label = presence_variables[name]
        assert isinstance(expr, ir.Call)
        return ir.Lit(False, expr.span) if not label else replace(expr, fn="not", arg=ir.ParamRef(label))

    def settle_optional(expr: ir.Expr | None) -> ir.Expr | None:
        return None if expr is None else fold_condition(replace_test(expr))

    parameters = dict(template.parameters)
    for name, label in presence_variables.items():
        if label:
            parameters[label] = ir.Param(label, "boolean", description=f"Whether {name} is given.")
    return replace(
        template,
        parameters=parameters,
        conditions={
            name: replace(c, value=fold_condition(replace_test(c.value))) for name, c in template.conditions.items()
        },
        resources={name: replace(r, condition=settle_optional(r.condition)) for name, r in template.resources.items()},
        outputs={name: replace(o, condition=settle_optional(o.condition)) for name, o in template.outputs.items()},
    )


def fold_condition(expr: ir.Expr) -> ir.Expr:
    """A condition with constant parts folded."""
    expr = ir.rebuilt(expr, fold_condition)
    if not isinstance(expr, ir.Call):
        return expr
    if expr.fn == "not" and isinstance(expr.arg, ir.Lit):
        return ir.Lit(not expr.arg.value, expr.span)
    if expr.fn in ("and", "or") and isinstance(expr.arg, ir.Seq):
        decides = expr.fn == "or"  # the value that one operand is enough for
        if any(item == ir.Lit(decides) for item in expr.arg.items):
            return ir.Lit(decides, expr.span)
        left = tuple(item for item in expr.arg.items if item != ir.Lit(not decides))
        if len(left) < 2:
            return left[0] if left else ir.Lit(not decides, expr.span)
        return replace(expr, arg=replace(expr.arg, items=left))
    return expr
