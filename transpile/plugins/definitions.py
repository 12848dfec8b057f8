"""Runs the statements of a plug-in module that define names: imports, functions and classes.

Invariant: a function or class with an unknown decorator or metaclass is marked as doubtful (`odd`), and never left out.
"""

from __future__ import annotations

import ast

from transpile.plugins import attribute
from transpile.plugins.machine import PluginMachine, PluginScope
from transpile.plugins.values import (
    MISSING,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    ModuleValue,
    OpaqueValue,
    Raised,
    Value,
)

ANCESTORS = 60  # of one class
HARMLESS_DECORATORS = (
    "add_metaclass", "python_2_unicode_compatible", "total_ordering", "wraps", "final", "runtime_checkable", "unique",
)  # fmt: skip


def run_import(run: PluginMachine, node: ast.Import, scope: PluginScope) -> None:
    place = run.locate(node, scope)
    for alias in node.names:
        module = run.import_module(alias.name, 0, scope.module, place)
        if alias.asname is None and "." in alias.name:
            first = alias.name.partition(".")[0]
            module = run.import_module(first, 0, scope.module, place)
            run.journal.set_key(scope.namespace_of(first), first, module)
        else:
            run.journal.set_key(scope.namespace_of(alias.asname or alias.name), alias.asname or alias.name, module)
        if isinstance(module, OpaqueValue) and module.library:
            run.imported_libraries.append(module.library)


def run_import_from(run: PluginMachine, node: ast.ImportFrom, scope: PluginScope) -> None:
    place = run.locate(node, scope)
    module = run.import_module(node.module or "", node.level, scope.module, place)
    if isinstance(module, OpaqueValue) and module.library:
        run.imported_libraries.append(module.library)
    for alias in node.names:
        if alias.name == "*":
            import_all_names(run, module, scope)
            continue
        try:
            value = attribute.get_attribute(run, module, alias.name, place)
        except Raised:
            where = module.name if isinstance(module, ModuleValue) else "the module"
            raise Raised("ImportError", f"cannot import name '{alias.name}' from '{where}'", place) from None
        run.journal.set_key(scope.namespace_of(alias.asname or alias.name), alias.asname or alias.name, value)


def import_all_names(run: PluginMachine, module: Value, scope: PluginScope) -> None:
    """Binds all public names that a module has at this moment."""
    if not isinstance(module, ModuleValue):
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
            run.journal.set_key(scope.body, name, value)
    if not module.complete or module.native:
        scope.module.complete = False


def define_function(run: PluginMachine, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: PluginScope) -> None:
    function = run.make_function(node.name, node, scope)
    for decorator in reversed(node.decorator_list):
        apply_decorator(run, function, decorator, scope)
    run.journal.set_key(scope.namespace_of(node.name), node.name, function)


def apply_decorator(run: PluginMachine, function: FunctionValue, decorator: ast.expr, scope: PluginScope) -> None:
    value = run.evaluate(decorator, scope)
    name = last_name(decorator)
    if isinstance(value, BuiltinValue) and value.name in ("staticmethod", "classmethod", "property"):
        function.kind = value.name
    elif name in ("setter", "getter", "deleter", "cached_property"):
        function.kind = "property"
    elif name not in (*HARMLESS_DECORATORS, "abstractmethod", "abstractproperty"):
        function.odd = OpaqueValue("a decorator may replace the function", run.locate(decorator, scope))


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name, or of the name of a called function: `functools.wraps(f)` -> `wraps`."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def define_class(run: PluginMachine, node: ast.ClassDef, scope: PluginScope) -> None:
    place = run.locate(node, scope)
    bases: list[Value] = []
    for base in node.bases:
        if isinstance(base, ast.Starred):
            bases.append(OpaqueValue("the base classes are not known", place))
            continue
        value = run.evaluate(base, scope)
        if isinstance(value, ClassValue):
            bases.append(value)
        elif not (isinstance(value, BuiltinValue) and value.is_type):
            bases.append(value if isinstance(value, OpaqueValue) else OpaqueValue("the base class is not read", place))
    ancestors = sum(len(base.mro) for base in bases if isinstance(base, ClassValue))
    if len(bases) > 1:
        run.pay(ancestors * len(bases), place)  # for their order
    if ancestors > ANCESTORS:
        bases = [OpaqueValue(f"the class has more than {ANCESTORS} ancestors", place)]
    odd = None
    for keyword in node.keywords:
        run.evaluate(keyword.value, scope)
        if keyword.arg != "metaclass" or last_name(keyword.value) != "ABCMeta":
            odd = OpaqueValue("a metaclass or an argument of the class may change it", place)
    names: dict[str, Value] = {}
    run.journal.track_new(names)
    names["__doc__"] = ast.get_docstring(node, clean=False)
    inner = PluginScope(scope.module, names, "class", scope.inner_namespaces())
    if scope.kind == "function":
        run.run_block(node.body, inner)
    else:
        run.run_block(node.body, inner, tolerant=True)
    cls = ClassValue(node.name, scope.module.name, names, bases, unit=scope.module.unit, node=node)
    cls.odd = odd or next((base.odd for base in bases if isinstance(base, ClassValue) and base.odd), None)
    for value in names.values():
        if isinstance(value, FunctionValue) and value.owner is None:
            value.owner = cls
    hook = next(
        (
            ancestor.names["__init_subclass__"]
            for ancestor in cls.mro
            if isinstance(ancestor, ClassValue) and "__init_subclass__" in ancestor.names
        ),
        None,
    )
    if isinstance(hook, FunctionValue):
        run.invoke(hook, [cls], place)
    for decorator in reversed(node.decorator_list):
        if last_name(decorator) not in HARMLESS_DECORATORS:
            cls.odd = OpaqueValue("a decorator may change the class", run.locate(decorator, scope))
    run.journal.set_key(scope.namespace_of(node.name), node.name, cls)
