"""Hooks: functions, named in the mapping tables, for what tables cannot express.

Invariant: a hook writes the arguments of one property (or reads one attribute) and records its fate, as the engine
does. It raises CannotSay for what it cannot express, and never omits anything.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from emitters.hcl.resources.handles import ATTRIBUTES
from emitters.hcl.resources.writer import FINISH, PROPERTIES

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir

    Prepare = Callable[[Emission, ir.Resource, Kind], Handle]
    Write = Callable[[Emission, ir.Resource, Kind], None]

PREPARE: dict[str, Prepare] = {}  # creates the handle of a resource that a hook writes as a whole
WRITE: dict[str, Write] = {}  # writes that resource
F = TypeVar("F", bound=Callable[..., Any])


def _registrar(table: dict[str, Any]) -> Callable[..., Callable[[F], F]]:
    def register(*names: str) -> Callable[[F], F]:
        def add(function: F) -> F:
            for name in names or (function.__name__,):
                table[name] = function
            return function

        return add

    return register


property_hook = _registrar(PROPERTIES)
attribute_hook = _registrar(ATTRIBUTES)
finish_hook = _registrar(FINISH)
prepare_hook = _registrar(PREPARE)
write_hook = _registrar(WRITE)


def load() -> None:
    """Imports all hooks, once."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
