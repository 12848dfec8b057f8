"""Evaluates the expressions of a plug-in module, on constants and schemas, without running anything of it.

Invariant: the value of an unknown expression is an Opaque with its place. Raised is raised only where Python certainly
raises an exception, never because this program does not know a value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from transpile.plugins import attribute, builtin, call, library, operation
from transpile.plugins.journal import join_values
from transpile.plugins.machine import PluginMachine, PluginScope
from transpile.plugins.methods import convert_to_text, put_item, update_table
from transpile.plugins.values import (
    MISSING,
    FunctionValue,
    Maybe,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
    is_opaque,
)

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

TEST = "it depends on a test that is not known"


def make_unknown(run: PluginMachine, reason: str, node: ast.AST, scope: PluginScope) -> OpaqueValue:
    return OpaqueValue(reason, run.locate(node, scope))


def evaluate_constant(run: PluginMachine, node: ast.Constant, scope: PluginScope) -> Value:
    return make_unknown(run, "it is no constant of a schema", node, scope) if node.value is ... else node.value


def evaluate_name(run: PluginMachine, node: ast.Name, scope: PluginScope) -> Value:
    name = node.id
    for names in (scope.body, *scope.around, scope.module.names):
        if name in names:
            value = names[name]
            break
    else:
        value = builtin.NAMES.get(name, MISSING)
    if value is MISSING:
        if name == "_":  # gettext.install adds it to all modules; old releases of Heat call that
            return library.TRANSLATE
        if not scope.module.complete or scope.module.failed:
            return make_unknown(run, f"{name} is not known", node, scope)
        raise Raised("NameError", f"name '{name}' is not defined", run.locate(node, scope))
    return value


def evaluate_attribute(run: PluginMachine, node: ast.Attribute, scope: PluginScope) -> Value:
    return attribute.get_attribute(run, run.evaluate(node.value, scope), node.attr, run.locate(node, scope))


def evaluate_items(run: PluginMachine, nodes: Sequence[ast.expr], scope: PluginScope) -> list[Value] | OpaqueValue:
    """The values of items, starred ones included; an Opaque if the number of items is unknown."""
    out: list[Value] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            inner = run.iterate_value(run.evaluate(node.value, scope), run.locate(node, scope))
            if isinstance(inner, OpaqueValue):
                return inner
            out.extend(inner)
        else:
            out.append(run.evaluate(node, scope))
    return out


def evaluate_sequence(run: PluginMachine, node: ast.Tuple | ast.List | ast.Set, scope: PluginScope) -> Value:
    items = evaluate_items(run, node.elts, scope)
    if isinstance(items, OpaqueValue):
        return items
    if isinstance(node, ast.Tuple):
        return tuple(items)
    if isinstance(node, ast.List):
        return run.journal.track_new(items)
    return operation.make_set(items, run.locate(node, scope))


def evaluate_mapping(run: PluginMachine, node: ast.Dict, scope: PluginScope) -> Value:
    out = run.journal.track_new(TableValue())
    for key, value in zip(node.keys, node.values, strict=True):
        place = run.locate(value, scope)
        if key is None:
            update_table(run, out, run.evaluate(value, scope), place)
        else:
            put_item(run, out, run.evaluate(key, scope), run.evaluate(value, scope), place)
    return out


def evaluate_call(run: PluginMachine, node: ast.Call, scope: PluginScope) -> Value:
    function = run.evaluate(node.func, scope)
    arguments: list[Value] = []
    rest: OpaqueValue | None = None
    named: dict[str, Value] = {}
    values = evaluate_items(run, node.args, scope)
    if isinstance(values, OpaqueValue):
        rest = values
    else:
        arguments = values
    for keyword in node.keywords:
        value = run.evaluate(keyword.value, scope)
        if keyword.arg is not None:
            named[keyword.arg] = value
        elif isinstance(value, TableValue) and value.unknown is None and all(isinstance(k, str) for k in value):
            named.update(value)
        else:
            rest = (
                value
                if isinstance(value, OpaqueValue)
                else make_unknown(run, "the arguments are not known", node, scope)
            )
    return call.call_value(run, function, arguments, named, run.locate(node, scope), rest, scope)


def evaluate_binary(run: PluginMachine, node: ast.BinOp, scope: PluginScope) -> Value:
    left, right = run.evaluate(node.left, scope), run.evaluate(node.right, scope)
    return operation.apply_operator(run, node.op, left, right, run.locate(node, scope))


def evaluate_unary(run: PluginMachine, node: ast.UnaryOp, scope: PluginScope) -> Value:
    value = run.evaluate(node.operand, scope)
    if isinstance(node.op, ast.Not):
        truth = run.evaluate_truth(value)
        return make_unknown(run, "it depends on an unknown value", node, scope) if truth is None else not truth
    if is_opaque(value):
        return make_unknown(run, "it is computed from an unknown value", node, scope)
    if isinstance(value, int | float) and isinstance(node.op, ast.USub):
        return -value
    return make_unknown(run, "this operation is not read", node, scope)


def evaluate_logic(run: PluginMachine, node: ast.BoolOp, scope: PluginScope) -> Value:
    stops = isinstance(node.op, ast.Or)
    place = run.locate(node, scope)
    pending: list[Value] = []
    for operand in node.values[:-1]:
        value = run.evaluate(operand, scope)
        truth = run.evaluate_truth(value)
        if truth is None:
            pending.append(value)
        elif truth is stops:
            return value if not pending else join_all(run, [*pending, value], place)
    return join_all(run, [*pending, run.evaluate(node.values[-1], scope)], place)


def join_all(run: PluginMachine, values: list[Value], place: NodePlace) -> Value:
    """The join of several values: a value that stands for any one of them."""
    out = values[-1]
    for value in values[:-1]:
        out = join_values(value, out, place)
    return out


def evaluate_comparison(run: PluginMachine, node: ast.Compare, scope: PluginScope) -> Value:
    left = run.evaluate(node.left, scope)
    for op, other in zip(node.ops, node.comparators, strict=True):
        right = run.evaluate(other, scope)
        result = operation.compare_values(run, op, left, right, run.locate(node, scope))
        if result is not True:
            return result
        left = right
    return True


def evaluate_subscript(run: PluginMachine, node: ast.Subscript, scope: PluginScope) -> Value:
    value, index = run.evaluate(node.value, scope), run.evaluate(node.slice, scope)
    return operation.get_item(run, value, index, run.locate(node, scope))


def evaluate_conditional(run: PluginMachine, node: ast.IfExp, scope: PluginScope) -> Value:
    truth = run.evaluate_truth(run.evaluate(node.test, scope))
    if truth is None:
        return join_values(run.evaluate(node.body, scope), run.evaluate(node.orelse, scope), run.locate(node, scope))
    return run.evaluate(node.body if truth else node.orelse, scope)


def evaluate_lambda(run: PluginMachine, node: ast.Lambda, scope: PluginScope) -> Value:
    return make_function(run, "<lambda>", node, scope)


def make_function(
    run: PluginMachine, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: PluginScope
) -> FunctionValue:
    """A function. As in Python, its defaults are evaluated when it is defined."""
    defaults = [run.evaluate(default, scope) for default in node.args.defaults]
    named = {
        parameter.arg: run.evaluate(default, scope)
        for parameter, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is not None
    }
    return FunctionValue(name, node, scope.module, scope.inner_namespaces(), defaults, named)


def evaluate_f_string(run: PluginMachine, node: ast.JoinedStr, scope: PluginScope) -> Value:
    parts = [run.evaluate(value, scope) for value in node.values]
    place = run.locate(node, scope)
    for part in parts:
        if not isinstance(part, str):
            return make_unknown(run, "it is computed from an unknown value", node, scope)
    run.pay(sum(map(len, parts)) // 16, place)
    return operation.limit_size("".join(parts), place)


def evaluate_formatted_value(run: PluginMachine, node: ast.FormattedValue, scope: PluginScope) -> Value:
    value = run.evaluate(node.value, scope)
    if node.conversion != -1 or node.format_spec is not None:
        return make_unknown(run, "this form of a text is not read", node, scope)
    return convert_to_text(value, run.locate(node, scope))


def evaluate_named_expression(run: PluginMachine, node: ast.NamedExpr, scope: PluginScope) -> Value:
    value = run.evaluate(node.value, scope)
    run.journal.set_key(scope.namespace_of(node.target.id), node.target.id, value)
    return value


def evaluate_comprehension(
    run: PluginMachine, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: PluginScope
) -> Value:
    """The value of a comprehension. As in Python, only its first iterable sees the names of a class around it."""
    around = scope.around if scope.kind in ("class", "module") else (scope.body, *scope.around)
    inner = PluginScope(scope.module, {}, "function", around, scope.owner)
    place = run.locate(node, scope)
    pairs: list[tuple[Value, Value]] = []
    doubts = [0]  # the number of unknown tests around the current item; if there are some, it is a Maybe
    missing: list[OpaqueValue] = []

    def walk_generators(depth: int) -> None:
        if depth == len(node.generators):
            if isinstance(node, ast.DictComp):
                key, value = run.evaluate(node.key, inner), run.evaluate(node.value, inner)
                pairs.append((key, Maybe(value) if doubts[0] else value))
            else:
                current = run.evaluate(node.elt, inner)
                pairs.append((Maybe(current) if doubts[0] else current, None))
            return
        current = node.generators[depth]
        items = run.iterate_value(run.evaluate(current.iter, scope if depth == 0 else inner), place)
        if isinstance(items, OpaqueValue):
            missing.append(items)
            return
        for item in items:
            run.pay(1, place)
            assign_target(run, current.target, item, inner)
            keeps, unsure = True, 0
            for test in current.ifs:
                truth = run.evaluate_truth(run.evaluate(test, inner))
                if truth is None:
                    missing.append(make_unknown(run, TEST, test, inner))
                    unsure += 1
                keeps = truth is not False and keeps
            if keeps:
                doubts[0] += unsure
                walk_generators(depth + 1)
                doubts[0] -= unsure

    walk_generators(0)
    if isinstance(node, ast.DictComp):
        table = run.journal.track_new(TableValue())
        for key, value in pairs:
            if isinstance(value, Maybe) and operation.is_hashable(key):
                update_table(run, table, TableValue({key: value}), place)
            else:
                put_item(run, table, key, value, place)
        for why in missing:
            if why.reason != TEST:
                run.journal.doubt(table, why)
        return table
    if any(why.reason != TEST for why in missing):
        return make_unknown(run, "it is made from an unknown value", node, scope)
    values = [value for value, _ in pairs]
    return operation.make_set(values, place) if isinstance(node, ast.SetComp) else run.journal.track_new(values)


def assign_target(run: PluginMachine, target: ast.expr, value: Value, scope: PluginScope) -> None:
    """Assigns a value to a target."""
    place = run.locate(target, scope)
    if isinstance(target, ast.Name):
        run.journal.set_key(scope.namespace_of(target.id), target.id, value)
    elif isinstance(target, ast.Tuple | ast.List):
        unpack_value(run, target, value, scope)
    elif isinstance(target, ast.Attribute):
        attribute.set_attribute(run, run.evaluate(target.value, scope), target.attr, value, place)
    elif isinstance(target, ast.Subscript):
        table, index = run.evaluate(target.value, scope), run.evaluate(target.slice, scope)
        operation.store_item(run, table, index, value, place)
    elif isinstance(target, ast.Starred):
        assign_target(run, target.value, value, scope)


def unpack_value(run: PluginMachine, target: ast.Tuple | ast.List, value: Value, scope: PluginScope) -> None:
    place = run.locate(target, scope)
    items = run.iterate_value(value, place)
    targets = target.elts
    star = next((i for i, element in enumerate(targets) if isinstance(element, ast.Starred)), None)
    if isinstance(items, OpaqueValue):
        for element in targets:
            assign_target(run, element, items, scope)
        return
    if star is not None and len(items) >= len(targets) - 1:
        after = len(targets) - star - 1
        middle = items[star : len(items) - after]
        items = [*items[:star], middle, *items[len(items) - after :]]
    if len(items) != len(targets):
        raise Raised("ValueError", f"{len(targets)} names are assigned {len(items)} values", place)
    for element, item in zip(targets, items, strict=True):
        assign_target(run, element, item, scope)


EXPRESSIONS: dict[type[ast.AST], Callable[..., Value]] = {
    ast.Constant: evaluate_constant, ast.Name: evaluate_name, ast.Attribute: evaluate_attribute,
    ast.Tuple: evaluate_sequence, ast.List: evaluate_sequence, ast.Set: evaluate_sequence,
    ast.Dict: evaluate_mapping, ast.Call: evaluate_call, ast.BinOp: evaluate_binary, ast.UnaryOp: evaluate_unary,
    ast.BoolOp: evaluate_logic, ast.Compare: evaluate_comparison, ast.Subscript: evaluate_subscript,
    ast.IfExp: evaluate_conditional, ast.Lambda: evaluate_lambda,
    ast.JoinedStr: evaluate_f_string, ast.FormattedValue: evaluate_formatted_value,
    ast.ListComp: evaluate_comprehension, ast.SetComp: evaluate_comprehension, ast.DictComp: evaluate_comprehension,
    ast.GeneratorExp: evaluate_comprehension, ast.NamedExpr: evaluate_named_expression,
}  # fmt: skip
