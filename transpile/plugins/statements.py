"""Runs the statements of a module, a class body or a function, in Python's order.

Invariant: if the test of a branch is unknown, each way is tried and undone, and names and tables that end up different
are unknown. An exception unwinds to the `try` or the call that would catch it in Python; in the body of a module or of
its classes it is recorded instead, and the next statement is run.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable, Sequence

from transpile.plugins import attribute, definitions, operation
from transpile.plugins.machine import PluginMachine, PluginScope
from transpile.plugins.values import (
    MISSING,
    FunctionValue,
    ModuleValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
)

LOOPS = 20_000  # rounds of one loop


def run_module(run: PluginMachine, module: ModuleValue) -> None:
    """Runs a module's statements. Raises UnreadableModule, and Limited or Exceeded for a limit."""
    assert module.unit is not None
    module.state = "running"
    try:
        tree = module.unit.parse_tree()
        module.names.update({"__name__": module.name, "__file__": module.unit.path})
        module.names["__doc__"] = ast.get_docstring(tree, clean=False)
        run_tolerantly(run, tree.body, PluginScope(module, module.names, "module"))
    finally:
        module.state = "done"


def run_tolerantly(run: PluginMachine, body: Sequence[ast.stmt], scope: PluginScope) -> None:
    """Runs statements, and goes on after one that raises; the names that it would have bound are unknown."""
    for node in body:
        try:
            run_statement(run, node, scope)
        except Raised as error:
            if run.try_depth or run.journal.frames:
                raise
            run.record_failure(scope.module, error)
            for name in list_bound_names(node):
                if name not in scope.body:
                    scope.body[name] = OpaqueValue(f"this raises {error.name}", error.place)


def run_block(run: PluginMachine, body: Sequence[ast.stmt], scope: PluginScope) -> str:
    """Runs statements, and returns how they end: "" at the last one, "return", "break", "continue" or "raise"; "may
    break" or "may continue" if only some of several ways leave the loop.
    """
    for index, node in enumerate(body):
        ending = run_statement(run, node, scope)
        if ending.startswith("may"):
            after = body[index + 1 :]
            if after:
                try_branches(run, [functools.partial(run_block, run, after, scope)], run.locate(node, scope))
            return ending
        if ending:
            return ending
    return ""


def try_branches(
    run: PluginMachine, branches: list[Callable[[], str]], place: NodePlace, *, skip: bool = True
) -> list[str]:
    """Tries branches and joins their changes; returns how each ends. `skip`: the case that no branch runs is one of
    them.
    """
    endings: list[str] = []

    def try_branch(branch: Callable[[], str]) -> bool:
        try:
            endings.append(branch())
        except Raised:
            endings.append("raise")
        return endings[-1] != "raise"

    tries: list[Callable[[], bool]] = [functools.partial(try_branch, branch) for branch in branches]
    if skip:
        tries.append(lambda: try_branch(lambda: ""))
    run.journal.try_all(tries, place)
    return endings


def run_statement(run: PluginMachine, node: ast.stmt, scope: PluginScope) -> str:
    """Runs one statement, and returns how it ends."""
    run.pay(1, run.locate(node, scope))
    return STATEMENTS.get(type(node), run_unread)(run, node, scope) or ""


def run_unread(run: PluginMachine, node: ast.stmt, scope: PluginScope) -> None:
    """Runs a statement of another kind, such as `while`: the names that it binds are unknown, and each block in it may
    run or not.
    """
    place = run.locate(node, scope)
    for name in list_bound_names(node):
        run.journal.set_key(scope.namespace_of(name), name, OpaqueValue("this statement is not read", place))
    for part in (node, *ast.iter_child_nodes(node)):
        for body in (getattr(part, field, None) for field in ("body", "orelse", "finalbody")):
            if isinstance(body, list):
                try_branches(run, [functools.partial(run_block, run, body, scope)], place)


def list_bound_names(node: ast.AST) -> list[str]:
    """The names that a statement binds, without those bound inside functions and classes in it."""
    out: dict[str, None] = {}
    todo: list[ast.AST] = [node]
    while todo:
        current = todo.pop()
        if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            out[current.name] = None
            continue
        if isinstance(current, ast.Lambda):
            continue
        if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store):
            out[current.id] = None
        elif isinstance(current, ast.alias):
            out[current.asname or current.name.partition(".")[0]] = None
        todo.extend(ast.iter_child_nodes(current))
    out.pop("*", None)
    return list(out)


# Simple statements


def run_assign(run: PluginMachine, node: ast.Assign, scope: PluginScope) -> None:
    value = run.evaluate(node.value, scope)
    for target in node.targets:
        run.assign(target, value, scope)


def run_annotated_assign(run: PluginMachine, node: ast.AnnAssign, scope: PluginScope) -> None:
    if node.value is not None:
        run.assign(node.target, run.evaluate(node.value, scope), scope)


def run_augmented_assign(run: PluginMachine, node: ast.AugAssign, scope: PluginScope) -> None:
    place = run.locate(node, scope)
    read = ast.copy_location(make_readable(node.target), node.target)
    old, new = run.evaluate(read, scope), run.evaluate(node.value, scope)
    if isinstance(node.op, ast.Add) and isinstance(old, list):  # in place
        attribute_method = attribute.get_attribute(run, old, "extend", place)
        run.invoke(attribute_method, [new], place)
    elif isinstance(node.op, ast.BitOr) and isinstance(old, TableValue):
        run.invoke(attribute.get_attribute(run, old, "update", place), [new], place)
    else:
        run.assign(node.target, operation.apply_operator(run, node.op, old, new, place), scope)


def make_readable(target: ast.Name | ast.Attribute | ast.Subscript) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


def run_expression(run: PluginMachine, node: ast.Expr, scope: PluginScope) -> None:
    run.evaluate(node.value, scope)


def run_delete(run: PluginMachine, node: ast.Delete, scope: PluginScope) -> None:
    for target in node.targets:
        place = run.locate(target, scope)
        if isinstance(target, ast.Name):
            run.journal.set_key(scope.namespace_of(target.id), target.id, MISSING)
        elif isinstance(target, ast.Subscript):
            value, index = run.evaluate(target.value, scope), run.evaluate(target.slice, scope)
            operation.store_item(run, value, index, MISSING, place)
        elif isinstance(target, ast.Attribute):
            attribute.set_attribute(run, run.evaluate(target.value, scope), target.attr, MISSING, place)


def run_return(run: PluginMachine, node: ast.Return, scope: PluginScope) -> str:
    value = None if node.value is None else run.evaluate(node.value, scope)
    if run.journal.frames and isinstance(value, TableValue | list):  # a copy: later changes belong to other ways
        unknown = value.unknown if isinstance(value, TableValue) else None
        value = run.journal.track_new(value.copy() if isinstance(value, list) else TableValue(value))
        if isinstance(value, TableValue):
            value.unknown = unknown
    scope.returns.append(value)
    return "return"


def run_raise(run: PluginMachine, node: ast.Raise, scope: PluginScope) -> str:
    name = "Exception"
    exception = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if isinstance(exception, ast.BinOp):  # raise A, b
        exception = exception.left
    if isinstance(exception, ast.Name):
        name = exception.id
    elif isinstance(exception, ast.Attribute):
        name = exception.attr
    words = node.exc.args[0] if isinstance(node.exc, ast.Call) and node.exc.args else None
    message = words.value if isinstance(words, ast.Constant) and isinstance(words.value, str) else "it is raised here"
    raise Raised(name, message, run.locate(node, scope))


def run_declaration(run: PluginMachine, node: ast.Global | ast.Nonlocal, scope: PluginScope) -> None:
    for name in node.names:
        around = [scope.module.names] if isinstance(node, ast.Global) else [n for n in scope.around if name in n]
        scope.shared[name] = around[0] if around else scope.module.names


def end_with(how: str) -> Callable[[PluginMachine, ast.stmt, PluginScope], str]:
    return lambda run, node, scope: how


# Branches and loops


def run_if(run: PluginMachine, node: ast.If, scope: PluginScope) -> str:
    before = dict(run.asked_libraries)
    truth = run.evaluate_truth(run.evaluate(node.test, scope))
    for part in ast.walk(node.test):
        if isinstance(part, ast.Name) and part.id in (scope.module.guards or {}):
            run.asked_libraries[(scope.module.guards or {})[part.id]] = None
    if truth is None:
        return run_branches(run, [node.body, node.orelse], scope, run.locate(node.test, scope))
    ending = run_block(run, node.body if truth else node.orelse, scope)
    if scope.kind == "module" and truth and len(run.asked_libraries) > len(before):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and isinstance(
                function := scope.body.get(statement.name), FunctionValue
            ):
                function.requires = next(reversed(run.asked_libraries))
    return ending


def run_branches(run: PluginMachine, bodies: Sequence[Sequence[ast.stmt]], scope: PluginScope, place: NodePlace) -> str:
    """Tries several bodies of which one will run, and returns how they end together."""
    endings = try_branches(run, [functools.partial(run_block, run, body, scope) for body in bodies], place, skip=False)
    going = [ending for ending in endings if ending not in ("raise", "return")]
    if not going:
        return "return" if "return" in endings else "raise"
    if all(ending == going[0] for ending in going):
        return going[0]
    return "may break" if any("break" in ending for ending in going) else "may continue"


def run_for(run: PluginMachine, node: ast.For, scope: PluginScope) -> str:
    place = run.locate(node, scope)
    items = run.iterate_value(run.evaluate(node.iter, scope), run.locate(node.iter, scope))

    def run_round(item: Value) -> str:
        run.assign(node.target, item, scope)
        return run_block(run, node.body, scope)

    if isinstance(items, OpaqueValue):
        try_branches(run, [functools.partial(run_round, OpaqueValue(items.reason, place))], place)
        return ""
    doubtful = False
    for item in items[:LOOPS]:
        if doubtful:
            try_branches(run, [functools.partial(run_round, item)], place)
            continue
        ending = run_round(item)
        if ending in ("return", "raise"):
            return ending
        if ending == "break":
            return ""
        doubtful = ending == "may break"
    return run_block(run, node.orelse, scope)


def run_with(run: PluginMachine, node: ast.With, scope: PluginScope) -> str:
    for item in node.items:
        run.evaluate(item.context_expr, scope)
        if item.optional_vars is not None:
            why = OpaqueValue(
                "the value of a context manager is known only at run time", run.locate(item.context_expr, scope)
            )
            run.assign(item.optional_vars, why, scope)
    return run_block(run, node.body, scope)


def run_try(run: PluginMachine, node: ast.Try, scope: PluginScope) -> str:
    before = len(run.imported_libraries)
    if node.handlers:
        ending = run_try_body(run, node, scope)
    else:
        try:
            ending = run_block(run, node.body, scope)
        except Raised:
            run_block(run, node.finalbody, scope)
            raise
    libraries = run.imported_libraries[before:]
    if (
        libraries
        and scope.kind == "module"
        and any(catches_exception(handler, "ImportError") for handler in node.handlers)
    ):
        if scope.module.guards is None:
            scope.module.guards = {}
        for name in list_bound_names(node):
            scope.module.guards.setdefault(name, libraries[0])
    return run_block(run, node.finalbody, scope) or ending


def run_try_body(run: PluginMachine, node: ast.Try, scope: PluginScope) -> str:
    """Runs the body of a `try`, and the handler of its exception. If an unknown value may raise KeyError or IndexError,
    both ways are tried.
    """
    raised: list[Raised] = []
    endings: list[str] = []
    outer, run.may_have_raised = run.may_have_raised, False
    before = len(run.imported_libraries)

    def try_body() -> bool:
        run.try_depth += 1
        try:
            endings.append(run_block(run, node.body, scope))
        except Raised as error:
            raised.append(error)
        finally:
            run.try_depth -= 1
        return True

    def try_handler() -> bool:
        likely = next(
            (
                handler
                for handler in node.handlers
                if catches_exception(handler, "KeyError") or catches_exception(handler, "IndexError")
            ),
            None,
        )
        if raised or likely is None or not run.may_have_raised or len(run.imported_libraries) > before:
            return False  # a library that the body imports is assumed to be installed
        try:
            endings.append(run_block(run, likely.body, scope))
        except Raised:
            return False
        return True

    run.journal.try_all([try_body, try_handler], run.locate(node, scope))
    run.may_have_raised = outer
    if not raised:
        if endings[0] == "":
            endings[0] = run_block(run, node.orelse, scope)
        return endings[0] if endings[0] == endings[-1] else ""
    error = raised[0]
    handler = next((candidate for candidate in node.handlers if catches_exception(candidate, error.name)), None)
    if handler is None:
        run_block(run, node.finalbody, scope)
        raise error
    if handler.name:
        run.journal.set_key(scope.body, handler.name, OpaqueValue("it is an exception", run.locate(handler, scope)))
    return run_block(run, handler.body, scope)


def catches_exception(handler: ast.ExceptHandler, name: str) -> bool:
    """Whether a handler catches an exception of this name."""
    if handler.type is None:
        return True
    of = handler.type.left if isinstance(handler.type, ast.BinOp) else handler.type  # except A, e
    for exception in of.elts if isinstance(of, ast.Tuple) else [of]:
        caught = (
            exception.id
            if isinstance(exception, ast.Name)
            else exception.attr
            if isinstance(exception, ast.Attribute)
            else ""
        )
        if caught in (name, "Exception", "BaseException", "StandardError"):
            return True
        kinds = [getattr(builtins, word, None) for word in (name, caught)]
        if all(isinstance(kind, type) for kind in kinds) and issubclass(*kinds):  # type: ignore[arg-type]
            return True
    return False


STATEMENTS: dict[type[ast.stmt], Callable[..., str | None]] = {
    ast.Assign: run_assign, ast.AnnAssign: run_annotated_assign, ast.AugAssign: run_augmented_assign,
    ast.Expr: run_expression, ast.Delete: run_delete, ast.Return: run_return, ast.Raise: run_raise,
    ast.Global: run_declaration, ast.Nonlocal: run_declaration, ast.Pass: end_with(""),
    ast.Break: end_with("break"), ast.Continue: end_with("continue"), ast.If: run_if, ast.For: run_for,
    ast.With: run_with, ast.Try: run_try, ast.Import: definitions.run_import,
    ast.ImportFrom: definitions.run_import_from, ast.FunctionDef: definitions.define_function,
    ast.AsyncFunctionDef: definitions.define_function, ast.ClassDef: definitions.define_class,
}  # fmt: skip
