"""Evaluates calls in a plug-in module: of its functions and classes, of builtins, and of unknown functions.

Invariant: calls are nested to a bounded depth. A call of an unknown function returns an Opaque, and the tables among
its arguments may then have more keys.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from transpile.plugins import heat, options, statements
from transpile.plugins.journal import either
from transpile.plugins.machine import Limited, Scope
from transpile.plugins.values import (
    Bound,
    Builtin,
    Class,
    Function,
    Instance,
    Maybe,
    Opaque,
    Raised,
    Super,
    Table,
    same,
)

if TYPE_CHECKING:
    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

CALLS = 40  # inside one another
HARMLESS = ("oslo_log", "logging", "heat.openstack", "cfg", "oslo_config", "oslo.config", "warnings", "six", "abc")


def call(
    run: Machine,
    function: Value,
    arguments: list[Value],
    named: dict[str, Value],
    place: Place,
    rest: Opaque | None = None,
    scope: Scope | None = None,
) -> Value:
    """The value of a call. `rest`: why there may be more arguments than these; `scope`: that of the call."""
    if isinstance(function, Bound):
        return call(run, function.function, [function.of, *arguments], named, place, rest, scope)
    if isinstance(function, Opaque):
        if function.path.startswith(f"{options.CONF}.register_opt"):
            options.register(run, arguments[:1], named.get("group", arguments[1] if len(arguments) > 1 else None))
        if not function.path.startswith(HARMLESS):
            doubted(run, [*arguments, *named.values()], place)
        path = f"{function.path[:200]}()" if function.path else ""
        return Opaque(
            f"only a call of {function.path} tells" if path else function.reason, place, path, function.library
        )
    if isinstance(function, Builtin):
        if function.name == "super":
            return superior(arguments, scope, place)
        if function.name in ("globals", "locals", "vars") and scope is not None:
            return Table(scope.module.names if function.name == "globals" else scope.body)
        if rest is not None:
            return Opaque(rest.reason, place)
        return function.run(run, place, arguments, named)
    if isinstance(function, Class):
        return instance(run, function, arguments, named, place, rest)
    if isinstance(function, Function):
        if rest is not None or function.odd is not None:
            doubted(run, [*arguments, *named.values()], place)
            return Opaque((rest or function.odd or place).reason, place)  # type: ignore[union-attr]
        return invoked(run, function, arguments, named, place)
    if function is None or isinstance(function, str | int | float | list | tuple | Table):
        raise Raised("TypeError", f"'{type(function).__name__}' object is not callable", place)
    return Opaque("this call is not read", place)


def doubted(run: Machine, values: list[Value], place: Place) -> None:
    """Marks the tables among arguments: the function that gets them may have added keys."""
    for one in values:
        if isinstance(one, Table):
            run.journal.doubt(one, Opaque("a function that is not read may have changed it", place))


def superior(arguments: list[Value], scope: Scope | None, place: Place) -> Value:
    """The value of `super()`, with arguments as in Python 2 or without."""
    if len(arguments) == 2 and isinstance(arguments[0], Class):
        return Super(arguments[0], arguments[1])
    if not arguments and scope is not None and scope.owner is not None:
        return Super(*scope.owner)
    return Opaque("the base class is not known", place)


def instance(
    run: Machine, cls: Class, arguments: list[Value], named: dict[str, Value], place: Place, rest: Opaque | None
) -> Value:
    """The instance that a call of a class makes; an Opaque if the class is not one of Heat's schemas or derived from
    one.
    """
    makes = cls.makes()
    if not makes:
        return Opaque(f"an instance of {cls.name} is known only when it runs", place)
    if rest is not None:
        return Opaque(rest.reason, place)
    own = cls.find("__init__")
    if isinstance(own, Function):
        made = run.journal.new(Instance(cls, makes, {}, place))
        run.journal.new(made.fields)
        invoked(run, own, [made, *arguments], named, place)
        return made if made.fields.get("made") is True else Opaque(f"{cls.name} makes it in its own way", place)
    return heat.made(run, cls, makes, arguments, named, place)


def invoked(run: Machine, function: Function, arguments: list[Value], named: dict[str, Value], place: Place) -> Value:
    """The result of a function of the plug-in. If several `return` statements may end it, their values are joined."""
    node = function.node
    if isinstance(node, ast.AsyncFunctionDef):
        return Opaque("it is a coroutine", place)
    body = bound(run, function, arguments, named, place)
    if isinstance(body, Opaque):
        return body
    owner = (function.owner, arguments[0]) if function.owner is not None and arguments else None
    scope = Scope(function.module, run.journal.new(body), "function", function.names, owner)
    run.pay(1, place)
    run.calls += 1
    if run.calls > CALLS:
        run.calls = 0
        raise Limited(f"calls are nested more than {CALLS} deep", place)
    try:
        if isinstance(node, ast.Lambda):
            return run.value(node.body, scope)
        if statements.generates(node):
            scope.yields = []
            statements.block(run, node.body, scope)
            return run.journal.new(scope.yields)
        ending = statements.block(run, node.body, scope)
    finally:
        run.calls = max(run.calls - 1, 0)
    values = list(scope.returns)
    if ending not in ("return", "raise"):
        values.append(None)
    if not values:
        raise Raised("Exception", f"{function.name} raises in all cases that can be known", place)
    out = values[-1]
    for one in values[:-1]:
        out = either(one, out, place) if not same(one, out) else out
    return Opaque("it depends on what is not known", place) if isinstance(out, Maybe) else out


def bound(
    run: Machine, function: Function, arguments: list[Value], named: dict[str, Value], place: Place
) -> dict[str, Value] | Opaque:
    """The values of a function's parameters by name. Raises Raised where Python would refuse the arguments."""
    given = function.node.args
    positional = [*given.posonlyargs, *given.args]
    body: dict[str, Value] = {}
    for one, value in zip(positional, arguments, strict=False):
        body[one.arg] = value
    if given.vararg is not None:
        body[given.vararg.arg] = tuple(arguments[len(positional) :])
    elif len(arguments) > len(positional):
        raise Raised("TypeError", f"{function.name}() gets too many arguments", place)
    more = run.journal.new(Table())
    known = {one.arg for one in [*given.args, *given.kwonlyargs]}
    for name, value in named.items():
        if name in known and name not in body:
            body[name] = value
        elif given.kwarg is not None and name not in known:
            more[name] = value
        else:
            raise Raised("TypeError", f"{function.name}() gets an unexpected argument {name}", place)
    if given.kwarg is not None:
        body[given.kwarg.arg] = more
    with_default = positional[len(positional) - len(function.defaults) :] if function.defaults else []
    for one, value in zip(with_default, function.defaults, strict=True):
        body.setdefault(one.arg, value)
    for name, value in function.keyword_defaults.items():
        body.setdefault(name, value)
    for one in [*positional, *given.kwonlyargs]:
        if one.arg not in body:
            raise Raised("TypeError", f"{function.name}() misses an argument {one.arg}", place)
    return body
