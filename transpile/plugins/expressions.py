"""Evaluates the expressions of a plug-in module, on constants and schemas, without running anything of it.

Invariant: the value of an unknown expression is an Opaque with its place. Raised is raised only where Python certainly
raises an exception, never because this program does not know a value.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

from transpile.plugins import attribute, builtin, call, library, operation
from transpile.plugins.journal import either
from transpile.plugins.machine import Scope
from transpile.plugins.methods import put, text, update
from transpile.plugins.values import MISSING, Function, Maybe, Opaque, Place, Raised, Table, is_opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Value

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

TEST = "it depends on a test that is not known"


def unknown(run: Machine, reason: str, node: ast.AST, scope: Scope) -> Opaque:
    return Opaque(reason, run.place(node, scope))


def constant(run: Machine, node: ast.Constant, scope: Scope) -> Value:
    return unknown(run, "it is no constant of a schema", node, scope) if node.value is ... else node.value


def name(run: Machine, node: ast.Name, scope: Scope) -> Value:
    name = node.id
    for names in (scope.body, *scope.around, scope.module.names):
        if name in names:
            found = names[name]
            break
    else:
        found = builtin.NAMES.get(name, MISSING)
    if found is MISSING:
        if name == "_":  # gettext.install adds it to all modules; old releases of Heat call that
            return library.TRANSLATE
        if not scope.module.complete or scope.module.failed:
            return unknown(run, f"{name} is not known", node, scope)
        raise Raised("NameError", f"name '{name}' is not defined", run.place(node, scope))
    return found


def dotted(run: Machine, node: ast.Attribute, scope: Scope) -> Value:
    return attribute.get(run, run.value(node.value, scope), node.attr, run.place(node, scope))


def items(run: Machine, nodes: Sequence[ast.expr], scope: Scope) -> list[Value] | Opaque:
    """The values of items, starred ones included; an Opaque if the number of items is unknown."""
    out: list[Value] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            inner = run.iterated(run.value(node.value, scope), run.place(node, scope))
            if isinstance(inner, Opaque):
                return inner
            out.extend(inner)
        else:
            out.append(run.value(node, scope))
    return out


def sequence(run: Machine, node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Value:
    found = items(run, node.elts, scope)
    if isinstance(found, Opaque):
        return found
    if isinstance(node, ast.Tuple):
        return tuple(found)
    if isinstance(node, ast.List):
        return run.journal.new(found)
    assert scope.module.unit is not None
    if (node.lineno, node.col_offset) in scope.module.unit.quoted:
        return unknown(run, "it is a representation", node, scope)
    return operation.a_set(found, run.place(node, scope))


def mapping(run: Machine, node: ast.Dict, scope: Scope) -> Value:
    out = run.journal.new(Table())
    for key, value in zip(node.keys, node.values, strict=True):
        place = run.place(value, scope)
        if key is None:
            update(run, out, run.value(value, scope), place)
        else:
            put(run, out, run.value(key, scope), run.value(value, scope), place)
    return out


def called(run: Machine, node: ast.Call, scope: Scope) -> Value:
    function = run.value(node.func, scope)
    arguments: list[Value] = []
    rest: Opaque | None = None
    named: dict[str, Value] = {}
    found = items(run, node.args, scope)
    if isinstance(found, Opaque):
        rest = found
    else:
        arguments = found
    for keyword in node.keywords:
        value = run.value(keyword.value, scope)
        if keyword.arg is not None:
            named[keyword.arg] = value
        elif isinstance(value, Table) and value.unknown is None and all(isinstance(k, str) for k in value):
            named.update(value)
        else:
            rest = value if isinstance(value, Opaque) else unknown(run, "the arguments are not known", node, scope)
    return call.call(run, function, arguments, named, run.place(node, scope), rest, scope)


def binary(run: Machine, node: ast.BinOp, scope: Scope) -> Value:
    left, right = run.value(node.left, scope), run.value(node.right, scope)
    return operation.binary(run, node.op, left, right, run.place(node, scope))


def unary(run: Machine, node: ast.UnaryOp, scope: Scope) -> Value:
    value = run.value(node.operand, scope)
    if isinstance(node.op, ast.Not):
        truth = run.truth(value)
        return unknown(run, "it depends on what is not known", node, scope) if truth is None else not truth
    if is_opaque(value):
        return unknown(run, "it is computed from what is not known", node, scope)
    if isinstance(value, int | float):
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.UAdd):
            return +value
        if isinstance(value, int):
            return ~value
    return unknown(run, "this operation is not read", node, scope)


def logic(run: Machine, node: ast.BoolOp, scope: Scope) -> Value:
    stops = isinstance(node.op, ast.Or)
    place = run.place(node, scope)
    pending: list[Value] = []
    for one in node.values[:-1]:
        value = run.value(one, scope)
        truth = run.truth(value)
        if truth is None:
            pending.append(value)
        elif truth is stops:
            return value if not pending else merged(run, [*pending, value], place)
    return merged(run, [*pending, run.value(node.values[-1], scope)], place)


def merged(run: Machine, values: list[Value], place: Place) -> Value:
    """The join of several values: a value that stands for any one of them."""
    out = values[-1]
    for value in values[:-1]:
        out = either(value, out, place)
    return out


def compare(run: Machine, node: ast.Compare, scope: Scope) -> Value:
    left = run.value(node.left, scope)
    for op, other in zip(node.ops, node.comparators, strict=True):
        right = run.value(other, scope)
        found = operation.compare(run, op, left, right, run.place(node, scope))
        if found is not True:
            return found
        left = right
    return True


def subscript(run: Machine, node: ast.Subscript, scope: Scope) -> Value:
    value, index = run.value(node.value, scope), run.value(node.slice, scope)
    return operation.subscript(run, value, index, run.place(node, scope))


def sliced(run: Machine, node: ast.Slice, scope: Scope) -> Value:
    parts = [None if one is None else run.value(one, scope) for one in (node.lower, node.upper, node.step)]
    if all(part is None or type(part) is int for part in parts) and parts[2] != 0:
        return slice(*parts)
    return unknown(run, "the slice is not known", node, scope)


def choice(run: Machine, node: ast.IfExp, scope: Scope) -> Value:
    truth = run.truth(run.value(node.test, scope))
    if truth is None:
        return either(run.value(node.body, scope), run.value(node.orelse, scope), run.place(node, scope))
    return run.value(node.body if truth else node.orelse, scope)


def lambda_(run: Machine, node: ast.Lambda, scope: Scope) -> Value:
    return function(run, "<lambda>", node, scope)


def function(
    run: Machine, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope
) -> Function:
    """A function. As in Python, its defaults are evaluated when it is defined."""
    defaults = [run.value(one, scope) for one in node.args.defaults]
    named = {
        one.arg: run.value(default, scope)
        for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is not None
    }
    return Function(name, node, scope.module, scope.inner(), defaults, named)


def joined(run: Machine, node: ast.JoinedStr, scope: Scope) -> Value:
    parts = [run.value(one, scope) for one in node.values]
    place = run.place(node, scope)
    for part in parts:
        if not isinstance(part, str):
            return unknown(run, "it is computed from what is not known", node, scope)
    run.pay(sum(map(len, parts)) // 16, place)
    return operation.sized("".join(parts), place)


def formatted(run: Machine, node: ast.FormattedValue, scope: Scope) -> Value:
    value = run.value(node.value, scope)
    if node.conversion != -1 or node.format_spec is not None:
        return unknown(run, "this form of a text is not read", node, scope)
    return text(value, run.place(node, scope))


def named(run: Machine, node: ast.NamedExpr, scope: Scope) -> Value:
    value = run.value(node.value, scope)
    run.journal.put(scope.of(node.target.id), node.target.id, value)
    return value


def yielded(run: Machine, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Value:
    value = None if node.value is None else run.value(node.value, scope)
    if scope.yields is not None:
        if isinstance(node, ast.Yield):
            scope.yields.append(value)
        else:
            inner = run.iterated(value, run.place(node, scope))
            scope.yields.extend([inner] if isinstance(inner, Opaque) else inner)
    return unknown(run, "a generator gets it from its caller", node, scope)


def comprehension(
    run: Machine, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
) -> Value:
    """The value of a comprehension. As in Python, only its first iterable sees the names of a class around it."""
    around = scope.around if scope.kind in ("class", "module") else (scope.body, *scope.around)
    inner = Scope(scope.module, {}, "function", around, scope.owner)
    place = run.place(node, scope)
    found: list[tuple[Value, Value]] = []
    doubts = [0]  # the number of unknown tests around the current item; if there are some, it is a Maybe
    missing: list[Opaque] = []

    def each(depth: int) -> None:
        if depth == len(node.generators):
            if isinstance(node, ast.DictComp):
                key, value = run.value(node.key, inner), run.value(node.value, inner)
                found.append((key, Maybe(value) if doubts[0] else value))
            else:
                one = run.value(node.elt, inner)
                found.append((Maybe(one) if doubts[0] else one, None))
            return
        one = node.generators[depth]
        items = run.iterated(run.value(one.iter, scope if depth == 0 else inner), place)
        if isinstance(items, Opaque):
            missing.append(items)
            return
        for item in items:
            run.pay(1, place)
            bind(run, one.target, item, inner)
            keeps, unsure = True, 0
            for test in one.ifs:
                truth = run.truth(run.value(test, inner))
                if truth is None:
                    missing.append(unknown(run, TEST, test, inner))
                    unsure += 1
                keeps = truth is not False and keeps
            if keeps:
                doubts[0] += unsure
                each(depth + 1)
                doubts[0] -= unsure

    each(0)
    if isinstance(node, ast.DictComp):
        table = run.journal.new(Table())
        for key, value in found:
            if isinstance(value, Maybe) and operation.hashable(key):
                update(run, table, Table({key: value}), place)
            else:
                put(run, table, key, value, place)
        for why in missing:
            if why.reason != TEST:
                run.journal.doubt(table, why)
        return table
    if any(why.reason != TEST for why in missing):
        return unknown(run, "it is made from what is not known", node, scope)
    values = [value for value, _ in found]
    return operation.a_set(values, place) if isinstance(node, ast.SetComp) else run.journal.new(values)


def bind(run: Machine, target: ast.expr, value: Value, scope: Scope) -> None:
    """Assigns a value to a target."""
    place = run.place(target, scope)
    if isinstance(target, ast.Name):
        run.journal.put(scope.of(target.id), target.id, value)
    elif isinstance(target, ast.Tuple | ast.List):
        unpack(run, target, value, scope)
    elif isinstance(target, ast.Attribute):
        attribute.put(run, run.value(target.value, scope), target.attr, value, place)
    elif isinstance(target, ast.Subscript):
        table, index = run.value(target.value, scope), run.value(target.slice, scope)
        operation.store(run, table, index, value, place)
    elif isinstance(target, ast.Starred):
        bind(run, target.value, value, scope)


def unpack(run: Machine, target: ast.Tuple | ast.List, value: Value, scope: Scope) -> None:
    place = run.place(target, scope)
    items = run.iterated(value, place)
    names = target.elts
    star = next((i for i, one in enumerate(names) if isinstance(one, ast.Starred)), None)
    if isinstance(items, Opaque):
        for one in names:
            bind(run, one, items, scope)
        return
    if star is not None and len(items) >= len(names) - 1:
        after = len(names) - star - 1
        middle = items[star : len(items) - after]
        items = [*items[:star], middle, *items[len(items) - after :]]
    if len(items) != len(names):
        raise Raised("ValueError", f"{len(names)} names are assigned {len(items)} values", place)
    for one, item in zip(names, items, strict=True):
        bind(run, one, item, scope)


TABLE: dict[type[ast.AST], Callable[..., Value]] = {
    ast.Constant: constant, ast.Name: name, ast.Attribute: dotted, ast.Tuple: sequence,
    ast.List: sequence, ast.Set: sequence, ast.Dict: mapping, ast.Call: called,
    ast.BinOp: binary, ast.UnaryOp: unary, ast.BoolOp: logic, ast.Compare: compare,
    ast.Subscript: subscript, ast.Slice: sliced, ast.IfExp: choice, ast.Lambda: lambda_,
    ast.JoinedStr: joined, ast.FormattedValue: formatted, ast.ListComp: comprehension,
    ast.SetComp: comprehension, ast.DictComp: comprehension, ast.GeneratorExp: comprehension,
    ast.NamedExpr: named, ast.Yield: yielded, ast.YieldFrom: yielded,
}  # fmt: skip
