"""What mapping tables cannot say: functions that the tables name.

The easy rule to break: a hook writes the arguments of one property (or reads one attribute) and records its fate,
like the engine does; what it cannot say it raises, and never leaves out. Each file registers its hooks when it is
imported, at the end of this one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.resources.handles import Handle, Select
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind, Rule
    from transpile.model import ir

    Property = Callable[[Writer, Rule, ir.Entry], None]
    Finish = Callable[[Writer], None]
    Attribute = Callable[..., Select]
    Prepare = Callable[[Directory, ir.Resource, Kind], Handle]
    Write = Callable[[Directory, ir.Resource, Kind], None]

PROPERTIES: dict[str, Property] = {}
ATTRIBUTES: dict[str, Attribute] = {}
FINISH: dict[str, Finish] = {}
PREPARE: dict[str, Prepare] = {}  # makes the handle of a resource that is handled as a whole
WRITE: dict[str, Write] = {}  # and writes it
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
