"""Finds the resource classes whose resources never get a physical ID.

Invariant: a class is without an ID only if all code that Heat runs to create its resources was read, and none of it
sets one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import final

from transpile.plugins.inherited import RESOURCE
from transpile.plugins.values import ClassValue, FunctionValue, ModuleValue, OpaqueValue, Value
from transpile.schema import catalog

CREATION_HANDLERS = ("handle_create", "check_create_complete")
SETTERS = ("resource_id_set", "create_with_template")  # the second makes a nested stack, and sets its ID


def lacks_physical_id(cls: ClassValue) -> bool:
    """Whether resources of a class never get a physical ID: no handler of their creation sets one.

    For example, OS::Heat::WaitCondition makes no object in any service. False if that is not certain.
    """
    return cls.odd is None and not SetterSearch(cls).may_set_id()


@final
class SetterSearch:
    """Searches the methods that the creation of a resource reaches for one that sets the physical ID."""

    def __init__(self, cls: ClassValue) -> None:
        self.cls = cls
        self.seen: set[int] = set()

    def may_set_id(self) -> bool:
        """Whether a handler sets the ID, itself or in functions that it calls, or may do so in code that is not
        read.
        """
        return any(self.may_method_set_id(self.cls, name) for name in CREATION_HANDLERS)

    def may_method_set_id(self, cls: ClassValue, name: str) -> bool:
        """The same for a method, with all that it overrides, because `super()` may call them. An ancestor of a helper
        that is not read, such as an exception of Heat's, knows no resources.
        """
        for ancestor in cls.lineage():
            if isinstance(ancestor, OpaqueValue):
                if cls is self.cls:
                    return True
                continue
            if ancestor.heat_facts:
                if name in ancestor.heat_facts.get("methods", ()) and not is_listed(ancestor):
                    return True
                continue
            value = ancestor.names.get(name)
            if isinstance(value, FunctionValue) and self.may_function_set_id(cls, value):
                return True
        return False

    def may_function_set_id(self, cls: ClassValue, function: FunctionValue) -> bool:
        """The same for a function, which is a method of `cls`."""
        if id(function) in self.seen:
            return False
        self.seen.add(id(function))
        for node in ast.walk(function.node):
            if isinstance(node, ast.Attribute):
                if node.attr in SETTERS or (node.attr == "resource_id" and isinstance(node.ctx, ast.Store)):
                    return True
                owner = look_up(function, node.value)
                owners = [owner] if isinstance(owner, ClassValue) else [self.cls, cls]
                if any(self.may_method_set_id(candidate, node.attr) for candidate in owners):
                    return True
            elif isinstance(node, ast.Call):
                made = look_up(function, node.func)
                if isinstance(made, ClassValue) and any(
                    self.may_function_set_id(made, method) for method in list_methods(made)
                ):
                    return True
                if isinstance(made, FunctionValue) and self.may_function_set_id(cls, made):
                    return True
        return False


def is_listed(cls: ClassValue) -> bool:
    """Whether a class of Heat's own is in the list."""
    return catalog.HEAT.lacks_physical_id(cls.heat_facts.get("type", RESOURCE))


def list_methods(cls: ClassValue) -> Iterator[FunctionValue]:
    """The methods of a class of which code makes an instance: a helper may set the ID of the resource that it gets."""
    for ancestor in cls.lineage():
        if isinstance(ancestor, ClassValue) and not ancestor.heat_facts:
            yield from (value for value in ancestor.names.values() if isinstance(value, FunctionValue))


def look_up(function: FunctionValue, node: ast.expr) -> Value:
    """The value of `name` or `module.name` in the module of a function; None if it is something else."""
    if isinstance(node, ast.Name):
        return function.module.names.get(node.id)
    if isinstance(node, ast.Attribute):
        module = look_up(function, node.value)
        return module.names.get(node.attr) if isinstance(module, ModuleValue) else None
    return None
