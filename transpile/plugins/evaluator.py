"""Evaluates the modules of plug-in directories: loads them, counts their costs, and decides which values are true.

Invariant: each node costs a step, each result its size. A module is run once, however often it is imported. An error
that stops a module is recorded, not raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.model.meter import spend
from transpile.plugins import call, expressions, statements
from transpile.plugins.journal import Journal
from transpile.plugins.machine import Limited
from transpile.plugins.syntax import Unreadable
from transpile.plugins.values import Maybe, Module, Opaque, Place, Raised, Table

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from transpile.plugins.imports import Imports
    from transpile.plugins.machine import Scope
    from transpile.plugins.values import Class, Function, Value

EXPRESSIONS = 150  # nested expressions
CHAIN = 100  # modules that import one another
BATCH = 128  # steps that are paid for at once, so that the budget is not asked for each step
MODULE = 200_000  # steps of one module; the largest known one takes a twentieth


@final
class Evaluator:
    """One reading of plug-in directories: a Machine."""

    def __init__(self, imports: Imports) -> None:
        self.imports = imports
        self.journal = Journal()
        self.asked: dict[str, None] = {}
        self.imported: list[str] = []
        self.options: dict[tuple[str, ...], Value] = {}
        self.trying = 0
        self.risk = False
        self.failures: dict[int, tuple[Module, Raised]] = {}
        self.stopped: dict[int, tuple[Module, Limited | Unreadable]] = {}
        self.depth = self.calls = self.chain = 0
        self.steps = 0
        self.spent = 0  # steps of the module

    # Costs

    def pay(self, steps: int, place: Place) -> None:
        """Pays for work at a place."""
        self.steps += steps
        if self.steps >= BATCH:
            unit, paid, self.steps = place.unit, self.steps, 0
            self.spent += paid
            spend("plugin_steps", paid, unit.source, unit.span(place.node))
            if self.spent > MODULE:
                raise Limited(f"it takes more than {MODULE:,} steps", place)

    def place(self, node: ast.AST, scope: Scope) -> Place:
        assert scope.module.unit is not None
        return Place(scope.module.unit, node)

    # Expressions

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression."""
        run = expressions.TABLE.get(type(node))
        if run is None:
            return Opaque(f"{type(node).__name__} is not read", self.place(node, scope))
        self.steps += 1
        if self.steps >= BATCH:
            self.pay(0, self.place(node, scope))
        if self.depth >= EXPRESSIONS:
            raise Limited(f"expressions are nested more than {EXPRESSIONS} deep", self.place(node, scope))
        self.depth += 1
        try:
            return run(self, node, scope)
        finally:
            self.depth -= 1

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Assigns a value to a target."""
        expressions.bind(self, target, value, scope)

    def function(self, name: str, node: Any, scope: Scope) -> Function:
        """A function, whose defaults are computed now."""
        return expressions.function(self, name, node, scope)

    def block(self, body: Sequence[ast.stmt], scope: Scope, *, tolerant: bool = False) -> str:
        """Runs statements, and returns how they end, as `statements.run_block` does."""
        if tolerant:
            statements.tolerant(self, body, scope)
            return ""
        return statements.block(self, body, scope)

    # What modules and calls need

    def invoke(
        self, function: Value, arguments: list[Value], place: Place, named: dict[str, Value] | None = None
    ) -> Value:
        """The value of a call."""
        return call.call(self, function, arguments, named or {}, place)

    def load(self, module: Module) -> None:
        """Runs the statements of a module, unless that was done."""
        if module.state == "new" and module.unit is not None:
            spent, self.spent = self.spent, 0
            depth, self.depth = self.depth, 0
            trying, self.trying = self.trying, 0
            frames, self.journal.frames = self.journal.frames, []  # a module runs whoever imports it
            self.chain += 1
            try:
                if self.chain > CHAIN:
                    module.complete = False
                    raise Limited(
                        f"more than {CHAIN} modules import one another", Place(module.unit, module.unit.parse())
                    )
                statements.run_module(self, module)
            except (Limited, Unreadable) as error:
                module.state, module.complete = "done", False
                self.stopped[id(module)] = (module, error)
            except RecursionError:
                module.state, module.complete = "done", False
                self.stopped[id(module)] = (module, Unreadable("it is nested too deeply"))
            finally:
                self.spent, self.depth, self.trying, self.journal.frames = spent, depth, trying, frames
                self.chain -= 1

    def module(self, name: str, level: int, importer: Module, place: Place) -> Value:
        """The module that an import names: a Module, or an Opaque."""
        found = self.imports.find(name, level, importer, place)
        if isinstance(found, Module):
            self.load(found)
        return found

    def inside(self, module: Module, name: str, place: Place) -> Value:
        """The module of that name inside a package; MISSING if there is none."""
        found = self.imports.inside(module, name)
        if isinstance(found, Module):
            self.load(found)
        return found

    def known(self, path: str) -> Class | Module | Table | None:
        """The definition of a dotted path of Heat's; None if there is none."""
        return self.imports.known(path)

    def schema(self, kind: str) -> Class:
        """Heat's class that makes schemas, constraints or statuses of a kind."""
        return self.imports.knowledge.schemas[kind]

    def fail(self, module: Module, error: Raised) -> None:
        """A module raises when it is imported; reading goes on."""
        module.failed = True
        self.failures.setdefault(id(module), (module, error))

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if that is unknown. A name from a library counts as true, because the
        library is assumed to be installed; the library is noted in `asked_libraries`.
        """
        if isinstance(value, Opaque):
            if value.path and "(" not in value.path:
                if value.library:
                    self.asked[value.library] = None
                return True
            return None
        if isinstance(value, Maybe):
            return None
        if isinstance(value, Table):
            if any(not isinstance(one, Maybe) for one in value.values()):
                return True
            return None if value.unknown or value else False
        if value is None or isinstance(value, bool | int | float | str | bytes | list | tuple | set):
            return bool(value)
        return True

    def iterated(self, value: Value, place: Place) -> list[Value] | Opaque:
        """The items of a value in the order of a loop; an Opaque if they are unknown. Raises Raised for a scalar."""
        if isinstance(value, Opaque):
            return value
        if isinstance(value, Table):
            if value.unknown is not None:
                return value.unknown
            if any(isinstance(one, Maybe) for one in value.values()):
                return Opaque("which keys there are is not known", place)
            items = list(value)
        elif isinstance(value, list | tuple | str):
            items = list(value)
        elif isinstance(value, set):
            items = sorted(value, key=repr)
        elif value is None or isinstance(value, int | float):
            raise Raised("TypeError", f"'{type(value).__name__}' object is not iterable", place)
        else:
            return Opaque("what it holds is not known", place)
        if any(isinstance(one, Maybe) for one in items):
            return Opaque("which items there are is not known", place)
        self.pay(1 + len(items), place)
        return items
