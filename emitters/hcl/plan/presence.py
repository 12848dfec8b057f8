"""Rewrites conditions of modules that test whether a parameter is empty, where callers pass IDs.

An ID is never empty, but Terraform knows it only after apply, and a `count` that depends on a condition must be known
before. If all calls pass IDs, the test is a constant. If only some do, the module gets a variable that says which.

For example, `condition: {not: {equals: [{get_param: net}, ""]}}` is true if all calls pass the ID of a network that
they create. If one call leaves `net` empty, the module gets the boolean variable `net_given`.

Invariant: the conditions keep their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import final

from emitters.hcl.namespace import UniqueNames
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import TerraformModule
from transpile.model import ir
from transpile.model.attribute_paths import TEMPLATE, GroupMember, parse_attribute_path
from transpile.model.records import replace
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import CallSite, FlowNode
from transpile.resolve.lookup_places import ANY_TYPE
from transpile.resolve.origins import find_default_value
from transpile.resolve.stack import Stack

EMPTY = ir.Lit("")
ALWAYS, NEVER, TESTED, NOBODY_KNOWS = "always", "never", "tested", "nobody knows"  # before apply
NAMED = tuple(sorted(ANY_TYPE))
Presences = frozenset[str]


@final
class PresenceChooser:
    """Chooses the variables of modules that say whether a parameter is set, and the values that calls pass for them."""

    def __init__(self, values: ModuleValues) -> None:
        self.values, self.flow, self.modules = values, values.flow, values.modules
        self.presences = Analysis(self.sources_of, self.presences_of_parameter, Presences())

    def choose_variables(self, module: TerraformModule) -> None:
        """Chooses the parameters of a module whose tests for emptiness Terraform could not evaluate before apply. For
        each it records the name of the variable that says whether the parameter is there; "" if it always is.
        """
        template, taken = module.stack.template, UniqueNames(module.stack.template.parameters)
        forwarded = dict.fromkeys(self.forwarded_parameters(module))
        for name in dict.fromkeys((*tested_parameters(template), *forwarded)):
            if name not in template.parameters or not (
                self.values.late.contains_late(module.stack, ir.ParamRef(name))
                or (name in forwarded and self.may_name_own(module, name))
            ):
                continue
            presences = self.presences.value_of(self.flow.parameter(module.stack, name))
            if presences == {ALWAYS}:
                module.presence_variables[name] = ""
            elif NOBODY_KNOWS not in presences:
                module.presence_variables[name] = taken.reserve_name(f"{name}_given")

    def forwarded_parameters(self, module: TerraformModule) -> Iterator[str]:
        """The parameters that a module passes to another one, which has a variable for whether they are there."""
        stack = module.stack
        for name in stack.template.resources if stack.nested else ():
            for call in self.flow.calls_inside(stack, name):
                inner = self.modules.module_of_stack(self.flow.stack_inside(call))
                for parameter in inner.presence_variables:
                    argument = call.arguments.get(parameter)
                    if isinstance(argument, ir.ParamRef) and not argument.path:
                        yield argument.name

    def may_name_own(self, module: TerraformModule, name: str) -> bool:
        """Whether a call passes the name of a resource that the configuration makes, which becomes its ID."""
        find, node = self.values.named.reference_to_named, self.flow.parameter(module.stack, name)
        return any(find(d.stack, None, d.value, NAMED) is not None for d in self.flow.definitions(node))

    # whether a value is there

    def sources_of(self, node: FlowNode) -> Iterator[FlowNode]:
        for definition in self.flow.definitions(node):
            origin = self.values.origins.trace_origin(definition.stack, definition.value)
            if isinstance(origin, ir.ParamRef) and (source := self.passed_parameter(definition.stack, origin)):
                yield source

    def presences_of_parameter(self, node: FlowNode, look_up: Callable[[FlowNode], Presences]) -> Presences:
        every = [self.presences_of(d.stack, d.value, look_up) for d in self.flow.definitions(node)]
        return Presences().union(*every) or Presences((NOBODY_KNOWS,))

    def presences_of(self, stack: Stack, expr: ir.Expr, look_up: Callable[[FlowNode], Presences]) -> Presences:
        """Whether a value is there in each call of its stack, as Terraform knows it before apply."""
        origin = self.values.origins.trace_origin(stack, expr)
        if isinstance(origin, ir.Lit):
            return Presences((NEVER if origin.value in (None, "") else ALWAYS,))
        if isinstance(origin, ir.ResourceRef) or (isinstance(origin, ir.AttrRef) and is_nested_resource_id(origin)):
            return Presences((ALWAYS,))
        if isinstance(origin, ir.ParamRef) and (node := self.passed_parameter(stack, origin)):
            return look_up(node)
        return Presences((NOBODY_KNOWS if self.values.late.contains_late(stack, origin) else TESTED,))

    def passed_parameter(self, stack: Stack, ref: ir.ParamRef) -> FlowNode | None:
        """The node of a parameter that callers of a stack set."""
        if ref.path or ref.name not in stack.template.parameters or self.modules.module_of_stack(stack).is_root:
            return None
        return self.flow.parameter(stack, ref.name)

    # arguments of calls

    def arguments_of(self, module: TerraformModule, call: CallSite) -> Iterator[tuple[str, ir.Expr]]:
        """The arguments of a call for the variables that say whether a parameter is there, with their labels."""
        outer = self.modules.module_of_stack(call.stack)
        for name, label in module.presence_variables.items():
            value = call.arguments.get(name)
            if value is None:
                value = find_default_value(module.stack, module.stack.template.parameters[name])
            if not label or value is None:
                continue
            presences = self.presences_of(call.stack, value, self.presences.value_of)
            there: ir.Expr = ir.Lit(presences == {ALWAYS})
            if len(presences) > 1 or TESTED in presences:
                passed = outer.presence_variables if isinstance(value, ir.ParamRef) else {}
                if isinstance(value, ir.ParamRef) and not value.path and value.name in passed:
                    there = ir.ParamRef(passed[value.name])
                else:
                    there = ir.If(ir.Call("equals", ir.Seq((value, EMPTY))), ir.Lit(False), ir.Lit(True))
            yield label, there


def tested_parameters(template: ir.Template) -> Iterator[str]:
    """The parameters that conditions compare with the empty text."""
    conditions = [c.value for c in template.conditions.values()]
    owners: list[ir.Resource | ir.Output] = [*template.resources.values(), *template.outputs.values()]
    conditions += [condition for owner in owners for condition in owner.conditions]
    for whole in conditions:
        for expr in ir.walk(whole):
            if name := parameter_of_test(expr):
                yield name


def parameter_of_test(expr: ir.Expr) -> str:
    """The parameter that an expression compares with the empty text; empty for other expressions."""
    if not isinstance(expr, ir.Call) or expr.fn != "equals" or not isinstance(expr.arg, ir.Seq):
        return ""
    if len(expr.arg.items) != 2 or EMPTY not in expr.arg.items:
        return ""
    operand = next((item for item in expr.arg.items if item != EMPTY), None)
    return operand.name if isinstance(operand, ir.ParamRef) and not operand.path else ""


def is_nested_resource_id(ref: ir.AttrRef) -> bool:
    """Whether a reference into a nested stack is the ID of a resource there, which may be nested deeper:
    `[outer, resource.inner]`, `[outer, resource.middle.resource.inner]`.
    """
    selection = parse_attribute_path(TEMPLATE, ref.path)
    while isinstance(selection, GroupMember) and selection.path:
        selection = parse_attribute_path(TEMPLATE, selection.path)
    return isinstance(selection, GroupMember)


def settle_presence_tests(template: ir.Template, presence_variables: Mapping[str, str]) -> ir.Template:
    """A template whose conditions read the variables (or a constant) in place of testing the parameters."""

    def replace_test(expr: ir.Expr) -> ir.Expr:
        name = parameter_of_test(expr)
        if name not in presence_variables:
            return ir.rebuilt(expr, replace_test)
        label = presence_variables[name]
        assert isinstance(expr, ir.Call)
        return ir.Lit(False, expr.span) if not label else replace(expr, fn="not", arg=ir.ParamRef(label))

    def settle(condition: ir.Expr) -> ir.Expr:
        return fold_condition(replace_test(condition))

    parameters = dict(template.parameters)
    for name, label in presence_variables.items():
        if label:
            parameters[label] = ir.Param(label, "boolean", description=f"Whether {name} is given.")
    return replace(
        template,
        parameters=parameters,
        conditions={name: replace(c, value=settle(c.value)) for name, c in template.conditions.items()},
        resources={name: replace(r, condition=settle(r.condition)) for name, r in template.resources.items()},
        outputs={name: replace(o, condition=settle(o.condition)) for name, o in template.outputs.items()},
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
