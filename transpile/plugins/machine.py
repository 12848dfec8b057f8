"""Declares the interface by which the modules of the evaluator call one another.

Invariant: expressions, statements and calls use the evaluator through this protocol only, so that imports run one way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, final

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from transpile.plugins.journal import Journal
    from transpile.plugins.values import Class, Module, Opaque, Place, Raised, Table, Value


class Limited(Exception):
    """A module costs more than one module may."""

    def __init__(self, what: str, place: Place) -> None:
        super().__init__(what)
        self.what, self.place = what, place


@final
class Scope:
    """The names that a piece of code sees: its own, those of the functions around it, those of the module. `body`: the
    names that its statements bind; `kind`: "module", "class" or "function"; `yields`: the values that a generator has
    yielded.
    """

    __slots__ = ("around", "body", "kind", "module", "owner", "returns", "shared", "yields")

    def __init__(
        self, module: Module, body: dict[str, Value], kind: str, around: Sequence[dict[str, Value]] = (),
        owner: tuple[Class, Value] | None = None,
    ) -> None:  # fmt: skip
        self.module, self.body, self.kind, self.around = module, body, kind, tuple(around)
        self.owner = owner  # the class of a method, and what it is called on: for super()
        self.returns: list[Value] = []  # one for each `return` that may be reached
        self.yields: list[Value] | None = None
        self.shared: dict[str, dict[str, Value]] = {}  # names of global and nonlocal statements

    def inner(self) -> tuple[dict[str, Value], ...]:
        """The namespaces that a function inside this scope sees; as in Python, that of a class is not among them."""
        return self.around if self.kind in ("class", "module") else (self.body, *self.around)

    def of(self, name: str) -> dict[str, Value]:
        """The namespace in which a statement binds a name: that of a `global` or `nonlocal` statement, else its own."""
        return self.shared.get(name, self.body)


class Machine(Protocol):
    """One reading of plug-in directories."""

    journal: Journal
    asked: dict[str, None]  # libraries whose presence a test depended on, since this was last cleared
    imported: list[str]  # libraries that imports named, in order
    options: dict[tuple[str, ...], Value]  # of the operator's configuration, with their defaults
    calls: int  # nested calls that are being evaluated
    risk: bool  # whether an unknown value may have raised an exception, since this was last cleared
    trying: int  # nested try statements that are being run

    def pay(self, steps: int, place: Place) -> None:
        """Pays for work at a place."""

    def place(self, node: ast.AST, scope: Scope) -> Place:
        """The place of a node."""

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression."""

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if that is unknown."""

    def iterated(self, value: Value, place: Place) -> list[Value] | Opaque:
        """The items of a value in the order of a loop; an Opaque if they are unknown."""

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Assigns a value to a target."""

    def block(self, body: Sequence[ast.stmt], scope: Scope, *, tolerant: bool = False) -> str:
        """Runs statements, and returns how they end. `tolerant`: goes on after a statement that raises; the names that
        it would have bound are unknown.
        """

    def function(self, name: str, node: Any, scope: Scope) -> Value:
        """A function; its defaults are evaluated now."""

    def invoke(
        self, function: Value, arguments: list[Value], place: Place, named: dict[str, Value] | None = None
    ) -> Value:
        """The value of a call."""

    def load(self, module: Module) -> None:
        """Runs the statements of a module, unless that was done."""

    def module(self, name: str, level: int, importer: Module, place: Place) -> Value:
        """The module that an import names: a Module, or an Opaque."""

    def inside(self, module: Module, name: str, place: Place) -> Value:
        """The module of that name inside a package; MISSING if there is none."""

    def fail(self, module: Module, error: Raised) -> None:
        """A module raises when it is imported; reading goes on."""

    def known(self, path: str) -> Class | Module | Table | None:
        """The definition of a dotted path of Heat's; None if there is none."""

    def schema(self, kind: str) -> Class:
        """Heat's class that makes schemas, constraints or statuses of a kind."""
