"""Evaluates calls in a plug-in module: of its functions and classes, of builtins, and of unknown functions.

Invariant: calls are nested to a bounded depth. A call of an unknown function returns an Opaque, and the tables among
its arguments may then have more keys.
"""

from __future__ import annotations

import ast

from transpile.plugins import heat, options, statements
from transpile.plugins.journal import join_values
from transpile.plugins.machine import Limited, PluginMachine, PluginScope
from transpile.plugins.values import (
    BoundMethod,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    Maybe,
    NodePlace,
    OpaqueValue,
    Raised,
    SuperValue,
    TableValue,
    Value,
    are_same,
)

CALLS = 40  # inside one another
HARMLESS = ("oslo_log", "logging", "heat.openstack", "cfg", "oslo_config", "oslo.config", "warnings", "six", "abc")


def call_value(
    run: PluginMachine,
    function: Value,
    arguments: list[Value],
    named: dict[str, Value],
    place: NodePlace,
    rest: OpaqueValue | None = None,
    scope: PluginScope | None = None,
) -> Value:
    """The value of a call. `rest`: why there may be more arguments than these; `scope`: that of the call."""
    if isinstance(function, BoundMethod):
        return call_value(run, function.function, [function.of, *arguments], named, place, rest, scope)
    if isinstance(function, OpaqueValue):
        if function.path.startswith(f"{options.CONF}.register_opt"):
            options.register_options(
                run, arguments[:1], named.get("group", arguments[1] if len(arguments) > 1 else None)
            )
        if not function.path.startswith(HARMLESS):
            doubt_tables(run, [*arguments, *named.values()], place)
        path = f"{function.path[:200]}()" if function.path else ""
        return OpaqueValue(
            f"the result of {path} is known only when it runs" if path else function.reason,
            place,
            path,
            function.library,
        )
    if isinstance(function, BuiltinValue):
        if function.name == "super":
            return make_super(arguments, scope, place)
        if function.name in ("globals", "locals", "vars") and scope is not None:
            return TableValue(scope.module.names if function.name == "globals" else scope.body)
        if rest is not None:
            return OpaqueValue(rest.reason, place)
        return function.run(run, place, arguments, named)
    if isinstance(function, ClassValue):
        return make_instance(run, function, arguments, named, place, rest)
    if isinstance(function, FunctionValue):
        if rest is not None or function.odd is not None:
            doubt_tables(run, [*arguments, *named.values()], place)
            return OpaqueValue((rest or function.odd or place).reason, place)  # type: ignore[union-attr]
        return invoke_function(run, function, arguments, named, place)
    if function is None or isinstance(function, str | int | float | list | tuple | TableValue):
        raise Raised("TypeError", f"'{type(function).__name__}' object is not callable", place)
    return OpaqueValue("this call is not read", place)


def doubt_tables(run: PluginMachine, values: list[Value], place: NodePlace) -> None:
    """Marks the tables among arguments: the function that gets them may have added keys."""
    for value in values:
        if isinstance(value, TableValue):
            run.journal.doubt(value, OpaqueValue("a function that is not read may have changed it", place))


def make_super(arguments: list[Value], scope: PluginScope | None, place: NodePlace) -> Value:
    """The value of `super()`, with arguments as in Python 2 or without."""
    if len(arguments) == 2 and isinstance(arguments[0], ClassValue):
        return SuperValue(arguments[0], arguments[1])
    if not arguments and scope is not None and scope.owner is not None:
        return SuperValue(*scope.owner)
    return OpaqueValue("the base class is not known", place)


def make_instance(
    run: PluginMachine,
    cls: ClassValue,
    arguments: list[Value],
    named: dict[str, Value],
    place: NodePlace,
    rest: OpaqueValue | None,
) -> Value:
    """The instance that a call of a class makes; an Opaque if the class is not one of Heat's schemas or derived from
    one.
    """
    makes = cls.made_kind()
    if not makes:
        return OpaqueValue(f"an instance of {cls.name} is known only when it runs", place)
    if rest is not None:
        return OpaqueValue(rest.reason, place)
    own = cls.find_member("__init__")
    if isinstance(own, FunctionValue):
        return OpaqueValue(f"{cls.name} makes it in its own way", place)
    return heat.make_heat_instance(run, cls, makes, arguments, named, place)


def invoke_function(
    run: PluginMachine, function: FunctionValue, arguments: list[Value], named: dict[str, Value], place: NodePlace
) -> Value:
    """The result of a function of the plug-in. If several `return` statements may end it, their values are joined."""
    node = function.node
    if any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in ast.walk(node)):
        return OpaqueValue("a generator or a coroutine is not run", place)
    body = bind_arguments(run, function, arguments, named, place)
    if isinstance(body, OpaqueValue):
        return body
    owner = (function.owner, arguments[0]) if function.owner is not None and arguments else None
    scope = PluginScope(function.module, run.journal.track_new(body), "function", function.names, owner)
    run.pay(1, place)
    run.call_depth += 1
    if run.call_depth > CALLS:
        run.call_depth = 0
        raise Limited(f"calls are nested more than {CALLS} deep", place)
    try:
        if isinstance(node, ast.Lambda):
            return run.evaluate(node.body, scope)
        ending = statements.run_block(run, node.body, scope)
    finally:
        run.call_depth = max(run.call_depth - 1, 0)
    values = list(scope.returns)
    if ending not in ("return", "raise"):
        values.append(None)
    if not values:
        raise Raised("Exception", f"{function.name} raises in all cases that can be known", place)
    result = values[-1]
    for value in values[:-1]:
        result = join_values(value, result, place) if not are_same(value, result) else result
    return OpaqueValue("it depends on an unknown value", place) if isinstance(result, Maybe) else result


def bind_arguments(
    run: PluginMachine, function: FunctionValue, arguments: list[Value], named: dict[str, Value], place: NodePlace
) -> dict[str, Value] | OpaqueValue:
    """The values of a function's parameters by name. Raises Raised where Python would refuse the arguments."""
    signature = function.node.args
    positional = [*signature.posonlyargs, *signature.args]
    body: dict[str, Value] = {}
    for parameter, value in zip(positional, arguments, strict=False):
        body[parameter.arg] = value
    if signature.vararg is not None:
        body[signature.vararg.arg] = tuple(arguments[len(positional) :])
    elif len(arguments) > len(positional):
        raise Raised("TypeError", f"{function.name}() gets too many arguments", place)
    more = run.journal.track_new(TableValue())
    names = {parameter.arg for parameter in [*signature.args, *signature.kwonlyargs]}
    for name, value in named.items():
        if name in names and name not in body:
            body[name] = value
        elif signature.kwarg is not None and name not in names:
            more[name] = value
        else:
            raise Raised("TypeError", f"{function.name}() gets an unexpected argument {name}", place)
    if signature.kwarg is not None:
        body[signature.kwarg.arg] = more
    with_default = positional[len(positional) - len(function.defaults) :] if function.defaults else []
    for parameter, value in zip(with_default, function.defaults, strict=True):
        body.setdefault(parameter.arg, value)
    for name, value in function.keyword_defaults.items():
        body.setdefault(name, value)
    for parameter in [*positional, *signature.kwonlyargs]:
        if parameter.arg not in body:
            raise Raised("TypeError", f"{function.name}() misses an argument {parameter.arg}", place)
    return body
