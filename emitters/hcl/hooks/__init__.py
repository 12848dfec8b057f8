"""Hooks: functions for conversions that the mapping tables cannot express, which refer to a hook by its name.

Invariant: a hook of a property returns its output and its fate, as a rule of a table does; the engine
writes it. A hook raises CannotSay for a value that it cannot express, and never omits anything.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from emitters.hcl.emission import Emission
from emitters.hcl.lowering.lowering import Handle
from emitters.hcl.resources.handles import ATTRIBUTES
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.resources.rules import FINISH, PROPERTIES
from emitters.hcl.tables.built import read_hook_modules
from transpile.model import ir


class Prepared(NamedTuple):
    """A resource that a hook converts as a whole. handle: answers references. write: writes it, once all resources have
    handles.
    """

    handle: Handle
    write: Callable[[], object]


RESOURCES: HookRegistry[Callable[[Emission, ir.Resource], Prepared]] = HookRegistry()
F = TypeVar("F", bound=Callable[..., Any])


def make_registrar(table: dict[str, Any]) -> Callable[..., Callable[[F], F]]:
    """Makes a decorator that enters a function into a table: after `@property_hook("port")`, `PROPERTIES["port"]`."""

    def register_names(*names: str) -> Callable[[F], F]:
        def add_function(function: F) -> F:
            for name in names or (function.__name__,):
                table[name] = function
            return function

        return add_function

    return register_names


property_hook = make_registrar(PROPERTIES)
attribute_hook = make_registrar(ATTRIBUTES)
finish_hook = make_registrar(FINISH)
resource_hook = make_registrar(RESOURCES)


def load_hooks() -> None:
    """Imports the modules of all hooks, for tests and listings. A conversion imports only those that it needs."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")


def load_hook(name: str) -> None:
    """Imports the module of a hook: of any other name all modules, as of a hook that was added just now."""
    module = read_hook_modules().get(name)
    if module is None:
        load_hooks()
    else:
        importlib.import_module(f"{__name__}.{module}")


HookRegistry.load = load_hook  # set from here, since `resources` must not import this package
