"""Evaluates the modules of plug-in directories: loads them, counts their costs, and decides which values are true.

Invariant: each node costs a step, each result its size. A module is run once, however often it is imported. An error
that stops a module is recorded, not raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

from transpile.model.meter import spend_budget
from transpile.plugins import call, expressions, statements
from transpile.plugins.imports import Imports
from transpile.plugins.journal import Journal
from transpile.plugins.machine import Limited, PluginScope
from transpile.plugins.syntax import UnreadableModule
from transpile.plugins.values import (
    ClassValue,
    FunctionValue,
    Maybe,
    ModuleValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
)

if TYPE_CHECKING:
    import ast


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
        self.asked_libraries: dict[str, None] = {}
        self.imported_libraries: list[str] = []
        self.options: dict[tuple[str, ...], Value] = {}
        self.try_depth = 0
        self.may_have_raised = False
        self.failures: dict[int, tuple[ModuleValue, Raised]] = {}
        self.stopped: dict[int, tuple[ModuleValue, Limited | UnreadableModule]] = {}
        self.depth = self.call_depth = self.chain = 0
        self.steps = 0
        self.spent = 0  # steps of the module

    # Costs

    def pay(self, steps: int, place: NodePlace) -> None:
        """Pays for work at a place."""
        self.steps += steps
        if self.steps >= BATCH:
            unit, paid, self.steps = place.unit, self.steps, 0
            self.spent += paid
            spend_budget("plugin_steps", paid, unit.source, unit.span(place.node))
            if self.spent > MODULE:
                raise Limited(f"it takes more than {MODULE:,} steps", place)

    def locate(self, node: ast.AST, scope: PluginScope) -> NodePlace:
        assert scope.module.unit is not None
        return NodePlace(scope.module.unit, node)

    # Expressions

    def evaluate(self, node: ast.expr, scope: PluginScope) -> Value:
        """The value of an expression."""
        run = expressions.EXPRESSIONS.get(type(node))
        if run is None:
            return OpaqueValue(f"{type(node).__name__} is not read", self.locate(node, scope))
        self.steps += 1
        if self.steps >= BATCH:
            self.pay(0, self.locate(node, scope))
        if self.depth >= EXPRESSIONS:
            raise Limited(f"expressions are nested more than {EXPRESSIONS} deep", self.locate(node, scope))
        self.depth += 1
        try:
            return run(self, node, scope)
        finally:
            self.depth -= 1

    def assign(self, target: ast.expr, value: Value, scope: PluginScope) -> None:
        """Assigns a value to a target."""
        expressions.assign_target(self, target, value, scope)

    def make_function(self, name: str, node: Any, scope: PluginScope) -> FunctionValue:
        """A function, whose defaults are computed now."""
        return expressions.make_function(self, name, node, scope)

    def run_block(self, body: Sequence[ast.stmt], scope: PluginScope, *, tolerant: bool = False) -> str:
        """Runs statements, and returns how they end, as `statements.run_block` does."""
        if tolerant:
            statements.run_tolerantly(self, body, scope)
            return ""
        return statements.run_block(self, body, scope)

    # The parts for modules and calls

    def invoke(
        self, function: Value, arguments: list[Value], place: NodePlace, named: dict[str, Value] | None = None
    ) -> Value:
        """The value of a call."""
        return call.call_value(self, function, arguments, named or {}, place)

    def load_module(self, module: ModuleValue) -> None:
        """Runs the statements of a module, unless that was done."""
        if module.state == "new" and module.unit is not None:
            spent, self.spent = self.spent, 0
            depth, self.depth = self.depth, 0
            trying, self.try_depth = self.try_depth, 0
            frames, self.journal.frames = self.journal.frames, []  # a module runs once, for all its importers
            self.chain += 1
            try:
                if self.chain > CHAIN:
                    module.complete = False
                    raise Limited(
                        f"more than {CHAIN} modules import one another",
                        NodePlace(module.unit, module.unit.parse_tree()),
                    )
                statements.run_module(self, module)
            except (Limited, UnreadableModule) as error:
                module.state, module.complete = "done", False
                self.stopped[id(module)] = (module, error)
            except RecursionError:
                module.state, module.complete = "done", False
                self.stopped[id(module)] = (module, UnreadableModule("it is nested too deeply"))
            finally:
                self.spent, self.depth, self.try_depth, self.journal.frames = spent, depth, trying, frames
                self.chain -= 1

    def import_module(self, name: str, level: int, importer: ModuleValue, place: NodePlace) -> Value:
        """The module that an import names: a Module, or an Opaque."""
        module = self.imports.find_module(name, level, importer, place)
        if isinstance(module, ModuleValue):
            self.load_module(module)
        return module

    def find_submodule(self, module: ModuleValue, name: str, place: NodePlace) -> Value:
        """The module of that name inside a package; MISSING if there is none."""
        submodule = self.imports.find_submodule(module, name)
        if isinstance(submodule, ModuleValue):
            self.load_module(submodule)
        return submodule

    def find_definition(self, path: str) -> ClassValue | ModuleValue | TableValue | None:
        """The definition of a dotted path of Heat's; None if there is none."""
        return self.imports.find_definition(path)

    def schema_class(self, kind: str) -> ClassValue:
        """Heat's class that makes schemas, constraints or statuses of a kind."""
        return self.imports.knowledge.schemas[kind]

    def record_failure(self, module: ModuleValue, error: Raised) -> None:
        """A module raises when it is imported; reading goes on."""
        module.failed = True
        self.failures.setdefault(id(module), (module, error))

    def evaluate_truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if that is unknown. A name from a library counts as true, because the
        library is assumed to be installed; the library is noted in `asked_libraries`.
        """
        if isinstance(value, OpaqueValue):
            if value.path and "(" not in value.path:
                if value.library:
                    self.asked_libraries[value.library] = None
                return True
            return None
        if isinstance(value, Maybe):
            return None
        if isinstance(value, TableValue):
            if any(not isinstance(item, Maybe) for item in value.values()):
                return True
            return None if value.unknown or value else False
        if value is None or isinstance(value, bool | int | float | str | bytes | list | tuple | set):
            return bool(value)
        return True

    def iterate_value(self, value: Value, place: NodePlace) -> list[Value] | OpaqueValue:
        """The items of a value in the order of a loop; an Opaque if they are unknown. Raises Raised for a scalar."""
        if isinstance(value, OpaqueValue):
            return value
        if isinstance(value, TableValue):
            if value.unknown is not None:
                return value.unknown
            if any(isinstance(item, Maybe) for item in value.values()):
                return OpaqueValue("which keys there are is not known", place)
            items = list(value)
        elif isinstance(value, list | tuple | str):
            items = list(value)
        elif isinstance(value, set):
            items = sorted(value, key=repr)
        elif value is None or isinstance(value, int | float):
            raise Raised("TypeError", f"'{type(value).__name__}' object is not iterable", place)
        else:
            return OpaqueValue("its content is not known", place)
        if any(isinstance(item, Maybe) for item in items):
            return OpaqueValue("which items there are is not known", place)
        self.pay(1 + len(items), place)
        return items
