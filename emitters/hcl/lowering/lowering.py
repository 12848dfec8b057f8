"""The interface of lowering, for code that lowers parts of expressions: functions, paths, handles and hooks.

Expressions nest, so these parts call back into lowering. They depend on this interface; its implementation in
expressions.py depends on them.
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Protocol, TypeAlias

from emitters.hcl.tree.nodes import Argument, one_if
from emitters.hcl.tree.types import ANY, Type, Value
from transpile.model.records import replace
from transpile.model.span import NOWHERE, Located

if TYPE_CHECKING:
    from typing import Any, Self

    from emitters.hcl.blocks import Blocks
    from emitters.hcl.log import Log
    from emitters.hcl.lowering.files import Files
    from emitters.hcl.lowering.scope import Scope
    from emitters.hcl.shared_data import SharedData
    from emitters.hcl.symbols import Symbols
    from emitters.hcl.tree.nodes import Expr
    from emitters.hcl.unit import Unit
    from transpile.model import ir

Part: TypeAlias = "str | Value"  # one part of a text


class Handle(Protocol):
    """How references to a resource and its attributes are lowered."""

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        """The value of a reference to the resource. Raises CannotSay."""

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        """The value of an attribute, with the path into it. Raises CannotSay."""


class Lowering(abc.ABC):
    """Lowers the expressions of one stack in one scope. An instance never changes; each scope has its own."""

    __slots__ = ("blocks", "files", "handles", "log", "scope", "shared", "symbols", "template", "unit")

    def __init__(
        self,
        unit: Unit,
        log: Log,
        blocks: Blocks,
        symbols: Symbols,
        shared: SharedData,
        files: Files,
        handles: dict[str, Handle],
        scope: Scope,
    ) -> None:
        self.unit, self.log, self.blocks, self.symbols = unit, log, blocks, symbols
        self.shared, self.files, self.handles, self.scope = shared, files, handles, scope
        self.template = unit.template

    # scopes

    def within(self, scope: Scope) -> Self:
        """The same lowering in another scope."""
        return type(self)(self.unit, self.log, self.blocks, self.symbols, self.shared, self.files, self.handles, scope)

    def changed(self, **changes: Any) -> Self:
        """The same lowering in a scope with some fields changed."""
        return self.within(replace(self.scope, **changes))

    def owned(
        self,
        owner: str,
        *,
        facts: frozenset[ir.Expr] = frozenset(),
        bound: tuple[tuple[str, Expr], ...] = (),
        output: bool = False,
        nullable: bool = False,
        fixed: bool = False,
        resource: str = "",
    ) -> Self:
        """A lowering for the expressions of another owner."""
        return self.changed(
            owner=owner,
            facts=facts,
            bound=bound,
            in_output=output,
            nullable=nullable,
            fixed=fixed or bool(bound) or bool(facts),
            resource=resource,
        )

    def of_resource(self, resource: ir.Resource, label: str) -> Self:
        """A lowering for the properties of a resource, which assumes its condition."""
        if resource.condition is None or not self.unit.counted(resource):
            return self.owned(label, resource=resource.name)
        count = Argument("count", one_if(self.condition(resource.condition)))
        owned = self.owned(label, facts=frozenset((resource.condition,)), resource=resource.name)
        return owned.changed(repeated=count)

    def assuming(self, fact: ir.Expr) -> Self:
        """A lowering for expressions that are evaluated only if a condition holds."""
        return self.changed(facts=self.scope.facts | {fact})

    def binding(self, *pairs: tuple[str, Expr]) -> Self:
        """A lowering for a loop body. pairs: placeholders and their replacements."""
        return self.changed(bound=(*pairs, *self.scope.bound), fixed=True)

    def placed_at(self, where: Located) -> Self:
        """A lowering for a property at this position in the template."""
        return self.changed(span=where.span)

    # reporting, by default at the property being written

    def say(
        self,
        code: str,
        message: str,
        where: Located = NOWHERE,
        hint: str = "",
        note: str = "",
        once: Any = None,
        severity: str = "",
    ) -> None:
        """Like `Log.say`."""
        self.log.say(code, message, where if where.at >= 0 else self.scope, hint, note, once, severity)

    def gather(self, code: str, message: str, name: str, where: Located) -> None:
        """Like `Log.gather`, at the expression if that has a position."""
        self.log.gather(code, message, name, "", where if where.at >= 0 else self.scope)

    def differs(self, code: str, message: str, where: Located = NOWHERE, severity: str = "") -> None:
        """Like `Log.differs`."""
        self.say(code, message, where, note=message, severity=severity)

    # expressions

    @abc.abstractmethod
    def value(self, expr: ir.Expr, want: Type = ANY) -> Value:
        """The lowered expression, converted to type `want`. Raises CannotSay."""

    def expr(self, expr: ir.Expr, want: Type = ANY) -> Expr:
        """Like `value`, without the type."""
        return self.value(expr, want).expr

    @abc.abstractmethod
    def lit(self, expr: ir.Lit, want: Type) -> Value: ...

    @abc.abstractmethod
    def member(self, expr: ir.Expr, strings: bool) -> Expr:
        """A value of a map. strings: in a map of strings, other values become JSON, as Heat's clients send them."""

    @abc.abstractmethod
    def key(self, text: str) -> Expr: ...

    # texts

    @abc.abstractmethod
    def text(self, expr: ir.Expr) -> list[Part]:
        """The parts of an expression that becomes a text: literal strings and values."""

    @abc.abstractmethod
    def compose(self, parts: list[Part], hint: str = "") -> Value:
        """Builds one text from parts."""

    @abc.abstractmethod
    def as_text(self, value: Value, hint: str = "") -> Expr:
        """A value as Heat would print it inside a text."""

    @abc.abstractmethod
    def as_json(self, value: Value) -> Expr:
        """A list or map as Heat prints it inside a text."""

    @abc.abstractmethod
    def lift(self, expr: Expr, hint: str) -> Expr:
        """Moves a long expression inside a text to a local, if the scope allows that."""

    @abc.abstractmethod
    def untyped(self, expr: ir.Expr, kind: Type) -> None:
        """Reports that a text may differ because Terraform's types differ from Python's."""

    @abc.abstractmethod
    def placed(self, text: str) -> list[Part] | None:
        """The parts of a text after replacing bound placeholders; None if it contains none."""

    @abc.abstractmethod
    def unbound(self, name: str) -> str:
        """A loop variable that no enclosing loop uses."""

    # conditions

    @abc.abstractmethod
    def condition(self, expr: ir.Expr) -> Expr:
        """A condition as a boolean expression."""

    @abc.abstractmethod
    def named_condition(self, ref: ir.ConditionRef) -> Expr:
        """The local for a condition of the template."""

    @abc.abstractmethod
    def mapping(self, name: str) -> Expr:
        """The local for a mapping of the template."""

    @abc.abstractmethod
    def known(self, condition: ir.Expr) -> bool | None:
        """The value of a condition that is constant or implied by the scope; None if it is neither."""

    @abc.abstractmethod
    def holds(self, condition: ir.Expr) -> bool:
        """Whether the scope assumes a condition."""

    def test_outside(self, fact: ir.Expr) -> Expr:
        """A condition as an expression for use outside the scope that assumes it."""
        return self.owned(self.scope.owner, fixed=True).condition(fact)
