"""Declares the interface by which the modules of the evaluator call one another.

Invariant: expressions, statements and calls use the evaluator through this protocol only, so that imports run one way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, final

from transpile.plugins.journal import Journal
from transpile.plugins.values import ClassValue, ModuleValue, NodePlace, OpaqueValue, Raised, TableValue, Value

if TYPE_CHECKING:
    import ast


class Limited(Exception):
    """A module costs more than one module may."""

    def __init__(self, reason: str, place: NodePlace) -> None:
        super().__init__(reason)
        self.reason, self.place = reason, place


@final
class PluginScope:
    """The names that a piece of code sees: its own, those of the functions around it, those of the module. `body`: the
    names that its statements bind; `kind`: "module", "class" or "function".
    """

    __slots__ = ("around", "body", "kind", "module", "owner", "returns", "shared")

    def __init__(
        self, module: ModuleValue, body: dict[str, Value], kind: str, around: Sequence[dict[str, Value]] = (),
        owner: tuple[ClassValue, Value] | None = None,
    ) -> None:  # fmt: skip
        self.module, self.body, self.kind, self.around = module, body, kind, tuple(around)
        self.owner = owner  # the class of a method, and its receiver: for super()
        self.returns: list[Value] = []  # one for each `return` that may be reached
        self.shared: dict[str, dict[str, Value]] = {}  # names of global and nonlocal statements

    def inner_namespaces(self) -> tuple[dict[str, Value], ...]:
        """The namespaces that a function inside this scope sees; as in Python, that of a class is not among them."""
        return self.around if self.kind in ("class", "module") else (self.body, *self.around)

    def namespace_of(self, name: str) -> dict[str, Value]:
        """The namespace in which a statement binds a name: that of a `global` or `nonlocal` statement, else its own."""
        return self.shared.get(name, self.body)


class PluginMachine(Protocol):
    """One reading of plug-in directories."""

    journal: Journal
    asked_libraries: dict[str, None]  # libraries whose presence a test depended on, since this was last cleared
    imported_libraries: list[str]  # libraries that imports named, in order
    options: dict[tuple[str, ...], Value]  # of the operator's configuration, with their defaults
    call_depth: int  # nested calls that are being evaluated
    may_have_raised: bool  # whether an unknown value may have raised an exception, since this was last cleared
    try_depth: int  # nested try statements that are being run

    def pay(self, steps: int, place: NodePlace) -> None:
        """Pays for work at a place."""

    def locate(self, node: ast.AST, scope: PluginScope) -> NodePlace:
        """The place of a node."""

    def evaluate(self, node: ast.expr, scope: PluginScope) -> Value:
        """The value of an expression."""

    def evaluate_truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if that is unknown."""

    def iterate_value(self, value: Value, place: NodePlace) -> list[Value] | OpaqueValue:
        """The items of a value in the order of a loop; an Opaque if they are unknown."""

    def assign(self, target: ast.expr, value: Value, scope: PluginScope) -> None:
        """Assigns a value to a target."""

    def run_block(self, body: Sequence[ast.stmt], scope: PluginScope, *, tolerant: bool = False) -> str:
        """Runs statements, and returns how they end. `tolerant`: goes on after a statement that raises; the names that
        it would have bound are unknown.
        """

    def make_function(self, name: str, node: Any, scope: PluginScope) -> Value:
        """A function; its defaults are evaluated now."""

    def invoke(
        self, function: Value, arguments: list[Value], place: NodePlace, named: dict[str, Value] | None = None
    ) -> Value:
        """The value of a call."""

    def load_module(self, module: ModuleValue) -> None:
        """Runs the statements of a module, unless that was done."""

    def import_module(self, name: str, level: int, importer: ModuleValue, place: NodePlace) -> Value:
        """The module that an import names: a Module, or an Opaque."""

    def find_submodule(self, module: ModuleValue, name: str, place: NodePlace) -> Value:
        """The module of that name inside a package; MISSING if there is none."""

    def record_failure(self, module: ModuleValue, error: Raised) -> None:
        """A module raises when it is imported; reading goes on."""

    def find_definition(self, path: str) -> ClassValue | ModuleValue | TableValue | None:
        """The definition of a dotted path of Heat's; None if there is none."""

    def schema_class(self, kind: str) -> ClassValue:
        """Heat's class that makes schemas, constraints or statuses of a kind."""
