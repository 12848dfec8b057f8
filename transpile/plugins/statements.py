"""Runs the statements of a module, a class body or a function, in Python's order.

Invariant: if the test of a branch is unknown, each way is tried and undone, and names and tables that end up different
are unknown. An exception unwinds to the `try` or the call that would catch it in Python; in the body of a module or of
its classes it is recorded instead, and the next statement is run.
"""

from __future__ import annotations

import ast
import builtins
import functools
from typing import TYPE_CHECKING

from transpile.plugins import attribute, definitions, operation
from transpile.plugins.machine import Limited, Scope
from transpile.plugins.values import MISSING, Function, Module, Opaque, Place, Raised, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Value

LOOPS = 20_000  # rounds of one loop


def run_module(run: Machine, module: Module) -> None:
    """Runs a module's statements. Raises UnreadableModule, and Limited or Exceeded for a limit."""
    assert module.unit is not None
    module.state = "running"
    try:
        tree = module.unit.parse()
        module.names.update({"__name__": module.name, "__file__": module.unit.path})
        module.names["__doc__"] = ast.get_docstring(tree, clean=False)
        tolerant(run, tree.body, Scope(module, module.names, "module"))
    finally:
        module.state = "done"


def tolerant(run: Machine, body: Sequence[ast.stmt], scope: Scope) -> None:
    """Runs statements, and goes on after one that raises; the names that it would have bound are unknown."""
    for one in body:
        try:
            statement(run, one, scope)
        except Raised as error:
            if run.trying or run.journal.frames:
                raise
            run.fail(scope.module, error)
            for name in stored(one):
                if name not in scope.body:
                    scope.body[name] = Opaque(f"this raises {error.name}", error.place)


def block(run: Machine, body: Sequence[ast.stmt], scope: Scope) -> str:
    """Runs statements, and returns how they end: "" at the last one, "return", "break", "continue" or "raise"; "may
    break" or "may continue" if only some of several ways leave the loop.
    """
    for index, one in enumerate(body):
        ending = statement(run, one, scope)
        if ending.startswith("may"):
            after = body[index + 1 :]
            if after:
                maybe(run, [functools.partial(block, run, after, scope)], run.place(one, scope))
            return ending
        if ending:
            return ending
    return ""


def maybe(run: Machine, branches: list[Callable[[], str]], place: Place, *, skip: bool = True) -> list[str]:
    """Tries branches and joins their changes; returns how each ends. `skip`: the case that no branch runs is one of
    them.
    """
    endings: list[str] = []

    def attempt(branch: Callable[[], str]) -> bool:
        try:
            endings.append(branch())
        except Raised:
            endings.append("raise")
        return endings[-1] != "raise"

    tries: list[Callable[[], bool]] = [functools.partial(attempt, one) for one in branches]
    if skip:
        tries.append(lambda: attempt(lambda: ""))
    run.journal.try_all(tries, place)
    return endings


def statement(run: Machine, node: ast.stmt, scope: Scope) -> str:
    """Runs one statement, and returns how it ends."""
    run.pay(1, run.place(node, scope))
    known = TABLE.get(type(node))
    if known is None:
        for name in stored(node):
            run.journal.put(scope.of(name), name, Opaque("this statement is not read", run.place(node, scope)))
        return ""
    return known(run, node, scope) or ""


def stored(node: ast.AST) -> list[str]:
    """The names that a statement binds, without those bound inside functions and classes in it."""
    out: dict[str, None] = {}
    todo: list[ast.AST] = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            out[one.name] = None
            continue
        if isinstance(one, ast.Lambda):
            continue
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            out[one.id] = None
        elif isinstance(one, ast.alias):
            out[one.asname or one.name.partition(".")[0]] = None
        todo.extend(ast.iter_child_nodes(one))
    out.pop("*", None)
    return list(out)


def generates(node: ast.FunctionDef) -> bool:
    """Whether a function is a generator."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        one = todo.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(one))
    return False


# Simple statements


def assign(run: Machine, node: ast.Assign, scope: Scope) -> None:
    value = run.value(node.value, scope)
    for target in node.targets:
        run.bind(target, value, scope)


def annotated(run: Machine, node: ast.AnnAssign, scope: Scope) -> None:
    if node.value is not None:
        run.bind(node.target, run.value(node.value, scope), scope)


def augmented(run: Machine, node: ast.AugAssign, scope: Scope) -> None:
    place = run.place(node, scope)
    read = ast.copy_location(as_read(node.target), node.target)
    old, new = run.value(read, scope), run.value(node.value, scope)
    if isinstance(node.op, ast.Add) and isinstance(old, list):  # in place
        attribute_method = attribute.get(run, old, "extend", place)
        run.invoke(attribute_method, [new], place)
    elif isinstance(node.op, ast.BitOr) and isinstance(old, Table):
        run.invoke(attribute.get(run, old, "update", place), [new], place)
    else:
        run.bind(node.target, operation.binary(run, node.op, old, new, place), scope)


def as_read(target: ast.Name | ast.Attribute | ast.Subscript) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


def expression(run: Machine, node: ast.Expr, scope: Scope) -> None:
    run.value(node.value, scope)


def delete(run: Machine, node: ast.Delete, scope: Scope) -> None:
    for target in node.targets:
        place = run.place(target, scope)
        if isinstance(target, ast.Name):
            run.journal.put(scope.of(target.id), target.id, MISSING)
        elif isinstance(target, ast.Subscript):
            value, index = run.value(target.value, scope), run.value(target.slice, scope)
            operation.store(run, value, index, MISSING, place)
        elif isinstance(target, ast.Attribute):
            attribute.put(run, run.value(target.value, scope), target.attr, MISSING, place)


def returns(run: Machine, node: ast.Return, scope: Scope) -> str:
    value = None if node.value is None else run.value(node.value, scope)
    if run.journal.frames and isinstance(value, Table | list):  # a copy: later changes belong to other ways
        unknown = value.unknown if isinstance(value, Table) else None
        value = run.journal.new(value.copy() if isinstance(value, list) else Table(value))
        if isinstance(value, Table):
            value.unknown = unknown
    scope.returns.append(value)
    return "return"


def raises(run: Machine, node: ast.Raise, scope: Scope) -> str:
    name = "Exception"
    one = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if isinstance(one, ast.BinOp):  # raise A, b
        one = one.left
    if isinstance(one, ast.Name):
        name = one.id
    elif isinstance(one, ast.Attribute):
        name = one.attr
    words = node.exc.args[0] if isinstance(node.exc, ast.Call) and node.exc.args else None
    message = words.value if isinstance(words, ast.Constant) and isinstance(words.value, str) else "it is raised here"
    raise Raised(name, message, run.place(node, scope))


def asserts(run: Machine, node: ast.Assert, scope: Scope) -> None:
    if run.truth(run.value(node.test, scope)) is False:
        raise Raised("AssertionError", "the assertion is false", run.place(node, scope))


def declares(run: Machine, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    for name in node.names:
        around = [scope.module.names] if isinstance(node, ast.Global) else [n for n in scope.around if name in n]
        scope.shared[name] = around[0] if around else scope.module.names


def ends(how: str) -> Callable[[Machine, ast.stmt, Scope], str]:
    return lambda run, node, scope: how


# Branches and loops


def if_(run: Machine, node: ast.If, scope: Scope) -> str:
    before = dict(run.asked)
    truth = run.truth(run.value(node.test, scope))
    for one in ast.walk(node.test):
        if isinstance(one, ast.Name) and one.id in (scope.module.guards or {}):
            run.asked[(scope.module.guards or {})[one.id]] = None
    if truth is None:
        return forked(run, [node.body, node.orelse], scope, run.place(node.test, scope))
    ending = block(run, node.body if truth else node.orelse, scope)
    if scope.kind == "module" and truth and len(run.asked) > len(before):
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and isinstance(found := scope.body.get(one.name), Function):
                found.requires = next(reversed(run.asked))
    return ending


def forked(run: Machine, bodies: Sequence[Sequence[ast.stmt]], scope: Scope, place: Place) -> str:
    """Tries several bodies of which one will run, and returns how they end together."""
    endings = maybe(run, [functools.partial(block, run, body, scope) for body in bodies], place, skip=False)
    going = [one for one in endings if one not in ("raise", "return")]
    if not going:
        return "return" if "return" in endings else "raise"
    if all(one == going[0] for one in going):
        return going[0]
    return "may break" if any("break" in one for one in going) else "may continue"


def for_(run: Machine, node: ast.For, scope: Scope) -> str:
    place = run.place(node, scope)
    items = run.iterated(run.value(node.iter, scope), run.place(node.iter, scope))

    def rounds(item: Value) -> str:
        run.bind(node.target, item, scope)
        return block(run, node.body, scope)

    if isinstance(items, Opaque):
        maybe(run, [functools.partial(rounds, Opaque(items.reason, place))], place)
        return ""
    doubtful = False
    for item in items[:LOOPS]:
        if doubtful:
            maybe(run, [functools.partial(rounds, item)], place)
            continue
        ending = rounds(item)
        if ending in ("return", "raise"):
            return ending
        if ending == "break":
            return ""
        doubtful = ending == "may break"
    return block(run, node.orelse, scope)


def while_(run: Machine, node: ast.While, scope: Scope) -> str:
    place = run.place(node.test, scope)
    for _ in range(LOOPS):
        truth = run.truth(run.value(node.test, scope))
        if truth is None:
            maybe(run, [functools.partial(block, run, node.body, scope)], place)
            return ""
        if not truth:
            return block(run, node.orelse, scope)
        ending = block(run, node.body, scope)
        if ending in ("return", "raise"):
            return ending
        if "break" in ending:
            return ""
    raise Limited(f"the loop does not end within {LOOPS:,} rounds", place)


def with_(run: Machine, node: ast.With, scope: Scope) -> str:
    for item in node.items:
        run.value(item.context_expr, scope)
        if item.optional_vars is not None:
            why = Opaque("what a context gives is known only when it runs", run.place(item.context_expr, scope))
            run.bind(item.optional_vars, why, scope)
    return block(run, node.body, scope)


def try_(run: Machine, node: ast.Try, scope: Scope) -> str:
    before = len(run.imported)
    if node.handlers:
        ending = guarded(run, node, scope)
    else:
        try:
            ending = block(run, node.body, scope)
        except Raised:
            block(run, node.finalbody, scope)
            raise
    libraries = run.imported[before:]
    if libraries and scope.kind == "module" and any(catches(one, "ImportError") for one in node.handlers):
        if scope.module.guards is None:
            scope.module.guards = {}
        for name in stored(node):
            scope.module.guards.setdefault(name, libraries[0])
    return block(run, node.finalbody, scope) or ending


def guarded(run: Machine, node: ast.Try, scope: Scope) -> str:
    """Runs the body of a `try`, and the handler of its exception. If an unknown value may raise KeyError or IndexError,
    both ways are tried.
    """
    raised: list[Raised] = []
    endings: list[str] = []
    outer, run.risk = run.risk, False
    before = len(run.imported)

    def body() -> bool:
        run.trying += 1
        try:
            endings.append(block(run, node.body, scope))
        except Raised as error:
            raised.append(error)
        finally:
            run.trying -= 1
        return True

    def handlers() -> bool:
        likely = next((one for one in node.handlers if catches(one, "KeyError") or catches(one, "IndexError")), None)
        if raised or likely is None or not run.risk or len(run.imported) > before:
            return False  # a library that the body imports is assumed to be installed
        try:
            endings.append(block(run, likely.body, scope))
        except Raised:
            return False
        return True

    run.journal.try_all([body, handlers], run.place(node, scope))
    run.risk = outer
    if not raised:
        if endings[0] == "":
            endings[0] = block(run, node.orelse, scope)
        return endings[0] if endings[0] == endings[-1] else ""
    error = raised[0]
    handler = next((one for one in node.handlers if catches(one, error.name)), None)
    if handler is None:
        block(run, node.finalbody, scope)
        raise error
    if handler.name:
        run.journal.put(scope.body, handler.name, Opaque("it is an exception", run.place(handler, scope)))
    return block(run, handler.body, scope)


def catches(handler: ast.ExceptHandler, name: str) -> bool:
    """Whether a handler catches an exception of this name."""
    if handler.type is None:
        return True
    of = handler.type.left if isinstance(handler.type, ast.BinOp) else handler.type  # except A, e
    for one in of.elts if isinstance(of, ast.Tuple) else [of]:
        caught = one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else ""
        if caught in (name, "Exception", "BaseException", "StandardError"):
            return True
        kinds = [getattr(builtins, word, None) for word in (name, caught)]
        if all(isinstance(kind, type) for kind in kinds) and issubclass(*kinds):  # type: ignore[arg-type]
            return True
    return False


TABLE: dict[type[ast.stmt], Callable[..., str | None]] = {
    ast.Assign: assign, ast.AnnAssign: annotated, ast.AugAssign: augmented, ast.Expr: expression, ast.Delete: delete,
    ast.Return: returns, ast.Raise: raises, ast.Assert: asserts, ast.Global: declares, ast.Nonlocal: declares,
    ast.Pass: ends(""), ast.Break: ends("break"), ast.Continue: ends("continue"), ast.If: if_, ast.For: for_,
    ast.While: while_, ast.With: with_, ast.Try: try_, ast.Import: definitions.import_,
    ast.ImportFrom: definitions.import_from,
    ast.FunctionDef: definitions.define, ast.AsyncFunctionDef: definitions.define, ast.ClassDef: definitions.class_,
}  # fmt: skip
