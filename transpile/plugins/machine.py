"""What evaluating needs from one reading: its costs, its journal, and how expressions and calls are evaluated.

Invariant: the parts of the evaluator know one another through this protocol only.
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
    names that statements bind, `kind`: module, class or function; `yields`: what a generator gave.
    """

    __slots__ = ("around", "body", "kind", "module", "owner", "returns", "shared", "yields")

    def __init__(
        self, module: Module, body: dict[str, Value], kind: str, around: Sequence[dict[str, Value]] = (),
        owner: tuple[Class, Value] | None = None,
    ) -> None:  # fmt: skip
        self.module, self.body, self.kind, self.around = module, body, kind, tuple(around)
        self.owner = owner  # the class of a method, and what it is called on: for super()
        self.returns: list[Value] = []  # one for each way that may be taken
        self.yields: list[Value] | None = None
        self.shared: dict[str, dict[str, Value]] = {}  # names of global and nonlocal statements

    def inner(self) -> tuple[dict[str, Value], ...]:
        """What functions inside see: a class's names are not among it."""
        return self.around if self.kind in ("class", "module") else (self.body, *self.around)

    def of(self, name: str) -> dict[str, Value]:
        """Where a statement binds a name."""
        return self.shared.get(name, self.body)


class Machine(Protocol):
    """One reading of plug-in directories."""

    journal: Journal
    asked: dict[str, None]  # libraries that tests asked for since it was cleared
    imported: list[str]  # libraries that imports named, in order
    options: dict[tuple[str, ...], Value]  # of the operator's configuration, with their defaults
    calls: int  # that are being evaluated, one inside the other
    risk: bool  # since it was cleared, something may have raised
    trying: int  # try statements that are being run

    def pay(self, steps: int, place: Place) -> None:
        """Pays for work at a place."""

    def place(self, node: ast.AST, scope: Scope) -> Place:
        """The place of a node."""

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression."""

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if nobody knows."""

    def iterated(self, value: Value, place: Place) -> list[Value] | Opaque:
        """The items that a loop over a value gets; an Opaque if nobody knows."""

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Assigns a value to a target."""

    def block(self, body: Sequence[ast.stmt], scope: Scope, *, tolerant: bool = False) -> str:
        """Runs statements. How they end. `tolerant`: what one that raises would bind is unknown."""

    def function(self, name: str, node: Any, scope: Scope) -> Value:
        """A function, whose defaults are computed now."""

    def invoke(
        self, function: Value, arguments: list[Value], place: Place, named: dict[str, Value] | None = None
    ) -> Value:
        """What a call gives."""

    def load(self, module: Module) -> None:
        """Runs the statements of a module, unless that was done."""

    def module(self, name: str, level: int, importer: Module, place: Place) -> Value:
        """The module that an import names: a Module, or an Opaque."""

    def inside(self, module: Module, name: str, place: Place) -> Value:
        """The module of that name inside a package; MISSING if there is none."""

    def fail(self, module: Module, error: Raised) -> None:
        """A module raises when it is imported; reading goes on."""

    def known(self, path: str) -> Class | Module | Table | None:
        """What this program knows of a dotted path."""

    def schema(self, kind: str) -> Class:
        """Heat's class that makes schemas, constraints or statuses of a kind."""
