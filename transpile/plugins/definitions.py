"""Runs the statements of a plug-in module that define names: imports, functions and classes.

Invariant: a function or class with an unknown decorator or metaclass is marked as doubtful (`odd`), and never left out.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from transpile.plugins import attribute
from transpile.plugins.machine import Scope
from transpile.plugins.values import MISSING, Builtin, Class, Function, Module, Opaque, Raised, is_opaque

if TYPE_CHECKING:
    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Value

ANCESTORS = 60  # of one class
PLAIN = (
    "add_metaclass", "python_2_unicode_compatible", "total_ordering", "wraps", "final", "runtime_checkable", "unique",
)  # fmt: skip


def import_(run: Machine, node: ast.Import, scope: Scope) -> None:
    place = run.place(node, scope)
    for alias in node.names:
        found = run.module(alias.name, 0, scope.module, place)
        if alias.asname is None and "." in alias.name:
            first = alias.name.partition(".")[0]
            found = run.module(first, 0, scope.module, place)
            run.journal.put(scope.of(first), first, found)
        else:
            run.journal.put(scope.of(alias.asname or alias.name), alias.asname or alias.name, found)
        if isinstance(found, Opaque) and found.library:
            run.imported.append(found.library)


def import_from(run: Machine, node: ast.ImportFrom, scope: Scope) -> None:
    place = run.place(node, scope)
    module = run.module(node.module or "", node.level, scope.module, place)
    if isinstance(module, Opaque) and module.library:
        run.imported.append(module.library)
    for alias in node.names:
        if alias.name == "*":
            star(run, module, scope)
            continue
        try:
            found = attribute.get(run, module, alias.name, place)
        except Raised:
            where = module.name if isinstance(module, Module) else "the module"
            raise Raised("ImportError", f"cannot import name '{alias.name}' from '{where}'", place) from None
        run.journal.put(scope.of(alias.asname or alias.name), alias.asname or alias.name, found)


def star(run: Machine, module: Value, scope: Scope) -> None:
    """Binds all public names that a module has at this moment."""
    if not isinstance(module, Module):
        scope.module.complete = False
        return
    listed = module.names.get("__all__")
    names = (
        [name for name in listed if isinstance(name, str)]
        if isinstance(listed, list | tuple)
        else [name for name in module.names if not name.startswith("_")]
    )
    for name in names:
        if (value := module.names.get(name, MISSING)) is not MISSING:
            run.journal.put(scope.body, name, value)
    if not module.complete or module.native:
        scope.module.complete = False


def define(run: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
    made = run.function(node.name, node, scope)
    for decorator in reversed(node.decorator_list):
        decorate(run, made, decorator, scope)
    run.journal.put(scope.of(node.name), node.name, made)


def decorate(run: Machine, made: Function, decorator: ast.expr, scope: Scope) -> None:
    value = run.value(decorator, scope)
    name = last(decorator)
    if isinstance(value, Builtin) and value.name in ("staticmethod", "classmethod", "property"):
        made.kind = value.name
    elif name in ("setter", "getter", "deleter", "cached_property"):
        made.kind = "property"
    elif name not in (*PLAIN, "abstractmethod", "abstractproperty"):
        made.odd = Opaque("a decorator may replace the function", run.place(decorator, scope))


def last(node: ast.expr) -> str:
    """The last part of a dotted name, or of the name of a called function: `functools.wraps(f)` -> `wraps`."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def class_(run: Machine, node: ast.ClassDef, scope: Scope) -> None:
    place = run.place(node, scope)
    bases: list[Value] = []
    for base in node.bases:
        if isinstance(base, ast.Starred):
            bases.append(Opaque("the base classes are not known", place))
            continue
        value = run.value(base, scope)
        if isinstance(value, Class):
            bases.append(value)
        elif not (isinstance(value, Builtin) and value.is_type):
            bases.append(value if isinstance(value, Opaque) else Opaque("the base class is not read", place))
    ancestors = sum(len(one.mro) for one in bases if isinstance(one, Class))
    if len(bases) > 1:
        run.pay(ancestors * len(bases), place)  # for their order
    if ancestors > ANCESTORS:
        bases = [Opaque(f"the class has more than {ANCESTORS} ancestors", place)]
    odd = None
    for keyword in node.keywords:
        run.value(keyword.value, scope)
        if keyword.arg != "metaclass" or last(keyword.value) != "ABCMeta":
            odd = Opaque("a metaclass or an argument of the class may change it", place)
    names: dict[str, Value] = {}
    run.journal.new(names)
    names["__doc__"] = ast.get_docstring(node, clean=False)
    inner = Scope(scope.module, names, "class", scope.inner())
    if scope.kind == "function":
        run.block(node.body, inner)
    else:
        run.block(node.body, inner, tolerant=True)
    made = Class(node.name, scope.module.name, names, bases, unit=scope.module.unit, node=node)
    made.odd = odd or next((one.odd for one in bases if isinstance(one, Class) and one.odd), None)
    for value in names.values():
        if isinstance(value, Function) and value.owner is None:
            value.owner = made
    hook = next(
        (
            one.names["__init_subclass__"]
            for one in made.mro
            if isinstance(one, Class) and "__init_subclass__" in one.names
        ),
        None,
    )
    if isinstance(hook, Function):
        run.invoke(hook, [made], place)
    for decorator in reversed(node.decorator_list):
        value = run.value(decorator, scope)
        if last(decorator) not in PLAIN:
            result = run.invoke(value, [made], run.place(decorator, scope)) if not is_opaque(value) else None
            if isinstance(result, Class):
                made = result
            else:
                made.odd = Opaque("a decorator may change the class", run.place(decorator, scope))
    run.journal.put(scope.of(node.name), node.name, made)
