"""The interface of lowering, for code that lowers parts of expressions: functions, paths, handles and hooks.

Expressions nest, so these parts call back into lowering. They depend on this interface; its implementation in
expressions.py depends on them.
"""

from __future__ import annotations

import abc
from typing import Any, Protocol, Self, TypeAlias

from emitters.hcl.blocks import DirectoryBlocks
from emitters.hcl.log import EmissionLog
from emitters.hcl.lowering.files import CopiedFiles
from emitters.hcl.lowering.rewrites import or_default, without_null
from emitters.hcl.lowering.scope import LoweringScope
from emitters.hcl.shared_data import SharedData
from emitters.hcl.symbols import Symbols
from emitters.hcl.tree.nodes import Argument, Expr, Tuple, count_if
from emitters.hcl.tree.types import ANY, HclType, TypedValue
from emitters.hcl.unit import Unit
from transpile.model import ir
from transpile.model.records import replace
from transpile.model.span import NOWHERE, Located

Part: TypeAlias = "str | TypedValue"  # one part of a text


class Handle(Protocol):
    """Lowers references to a resource and its attributes."""

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        """The value of a reference to the resource. Raises CannotSay."""

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """The value of an attribute, with the path into it. Raises CannotSay."""


class HclLowering(abc.ABC):
    """Lowers the expressions of one stack in one scope. An instance never changes; each scope has its own."""

    __slots__ = ("blocks", "files", "handles", "log", "scope", "shared", "symbols", "template", "unit")

    def __init__(
        self,
        unit: Unit,
        log: EmissionLog,
        blocks: DirectoryBlocks,
        symbols: Symbols,
        shared: SharedData,
        files: CopiedFiles,
        handles: dict[str, Handle],
        scope: LoweringScope,
    ) -> None:
        self.unit, self.log, self.blocks, self.symbols = unit, log, blocks, symbols
        self.shared, self.files, self.handles, self.scope = shared, files, handles, scope
        self.template = unit.template

    # scopes

    def with_scope(self, scope: LoweringScope) -> Self:
        """The same lowering in another scope."""
        return type(self)(self.unit, self.log, self.blocks, self.symbols, self.shared, self.files, self.handles, scope)

    def with_changes(self, **changes: Any) -> Self:
        """The same lowering in a scope with some fields changed."""
        return self.with_scope(replace(self.scope, **changes))

    def with_owner(
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
        """A lowering for the expressions of another owner. If it is a resource, this is the position."""
        declared = self.template.resources.get(resource)
        return self.with_changes(
            span=declared.span if declared is not None else self.scope.span,
            owner=owner,
            facts=facts,
            bound=bound,
            in_output=output,
            nullable=nullable,
            fixed=fixed or bool(bound) or bool(facts),
            resource=resource,
        )

    def with_resource(self, resource: ir.Resource, label: str) -> Self:
        """A lowering for the properties of a resource, which assumes its condition."""
        lowering = self.with_owner(label, resource=resource.name)
        for condition in resource.conditions if self.unit.has_count(resource) else ():
            count = Argument("count", count_if(self.lower_condition(condition)))
            lowering = self.with_owner(label, facts=frozenset(resource.conditions), resource=resource.name)
            lowering = lowering.with_changes(repeated=count)
        return lowering

    def with_fact(self, fact: ir.Expr) -> Self:
        """A lowering for expressions that are evaluated only if a condition holds."""
        return self.with_changes(facts=self.scope.facts | {fact})

    def with_bindings(self, *pairs: tuple[str, Expr]) -> Self:
        """A lowering for a loop body. pairs: placeholders and their replacements."""
        return self.with_changes(bound=(*pairs, *self.scope.bound), fixed=True)

    def with_position(self, where: Located) -> Self:
        """A lowering for a property at this position in the template."""
        return self.with_changes(span=where.span)

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
        self.log.add_diagnostic(code, message, where if where.at >= 0 else self.scope, hint, note, once, severity)

    def gather(self, code: str, message: str, name: str, where: Located) -> None:
        """Like `Log.gather`, at the expression if that has a position."""
        self.log.gather_name(code, message, name, "", where if where.at >= 0 else self.scope)

    def differs(self, code: str, message: str, where: Located = NOWHERE, severity: str = "") -> None:
        """Like `Log.differs`."""
        self.say(code, message, where, note=message, severity=severity)

    # expressions

    @abc.abstractmethod
    def lower_value(self, expr: ir.Expr, want: HclType = ANY) -> TypedValue:
        """The lowered expression, converted to type `want`. Raises CannotSay."""

    def lower_expression(self, expr: ir.Expr, want: HclType = ANY) -> Expr:
        """Like `value`, without the type."""
        return self.lower_value(expr, want).expr

    def lower_items(self, expr: ir.Expr, want: HclType = ANY) -> Expr:
        """A list known only at run time, for a loop: without items where it may be null."""
        return or_default(self.lower_value(without_null(expr), want), Tuple(()))

    @abc.abstractmethod
    def lower_literal(self, expr: ir.Lit, want: HclType) -> TypedValue: ...

    @abc.abstractmethod
    def lower_map_value(self, expr: ir.Expr, strings: bool) -> Expr:
        """A value of a map. strings: in a map of strings, other values become JSON, as Heat's clients send them."""

    @abc.abstractmethod
    def lower_map_key(self, text: str) -> Expr: ...

    # texts

    @abc.abstractmethod
    def lower_text_parts(self, expr: ir.Expr) -> list[Part]:
        """The parts of an expression that becomes a text: literal strings and values."""

    @abc.abstractmethod
    def compose_text(self, parts: list[Part], hint: str = "") -> TypedValue:
        """Builds one text from parts."""

    @abc.abstractmethod
    def text_of_value(self, value: TypedValue, hint: str = "") -> Expr:
        """A value as Heat would print it inside a text."""

    @abc.abstractmethod
    def json_of_value(self, value: TypedValue) -> Expr:
        """A list or map as Heat prints it inside a text."""

    @abc.abstractmethod
    def lift_to_local(self, expr: Expr, hint: str) -> Expr:
        """Moves a long expression inside a text to a local, if the scope allows that."""

    @abc.abstractmethod
    def report_untyped(self, expr: ir.Expr, kind: HclType) -> None:
        """Reports that a text may differ because Terraform's types differ from Python's."""

    @abc.abstractmethod
    def replace_placeholders(self, text: str) -> list[Part]:
        """The parts of a text after replacing bound placeholders; empty if it contains none."""

    @abc.abstractmethod
    def free_variable(self, name: str) -> str:
        """A loop variable that no enclosing loop uses."""

    # conditions

    @abc.abstractmethod
    def lower_condition(self, expr: ir.Expr) -> Expr:
        """A condition as a boolean expression."""

    @abc.abstractmethod
    def lower_named_condition(self, ref: ir.ConditionRef) -> Expr:
        """The local for a condition of the template."""

    @abc.abstractmethod
    def lower_mapping(self, name: str) -> Expr:
        """The local for a mapping of the template."""

    @abc.abstractmethod
    def decide_condition(self, condition: ir.Expr) -> bool | None:
        """The value of a condition that is constant or implied by the scope; None if it is neither."""

    @abc.abstractmethod
    def is_assumed(self, condition: ir.Expr) -> bool:
        """Whether the scope assumes a condition."""

    def settle_branches(self, expr: ir.Expr) -> ir.Expr:
        """The branch that an `if` takes, as far as conditions are decided; null for a branch that is left out."""
        while isinstance(expr, ir.If) and (holds := self.decide_condition(expr.condition)) is not None:
            expr = expr.then if holds else expr.orelse or ir.NULL
        return expr

    def condition_outside_scope(self, fact: ir.Expr) -> Expr:
        """A condition as an expression for use outside the scope that assumes it."""
        return self.with_owner(self.scope.owner, fixed=True).lower_condition(fact)
