"""Declares what groups and facades may read of the stack that contains them, so that modules import one way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.evaluate.interpreter import Interpreter
    from transpile.model import ir
    from transpile.resolve.stack import Stack
    from transpile.schema.catalog import Type
    from transpile.stack_evaluation.outside import Outside


class StackValues(Protocol):
    """A stack that computes its values on demand. Each method raises EvaluationError if there is no value."""

    stack: Stack
    outside: Outside
    interpreter: Interpreter

    @property
    def names(self) -> Sequence[str]:
        """The resources whose conditions hold, in the order of the template."""
        ...

    def kind(self, name: str) -> str:
        """The type of a resource after the registry was asked."""
        ...

    def facts(self, name: str) -> Type:
        """The catalog entry of a resource's type."""
        ...

    def property(self, name: str, key: str) -> Any:
        """The value of a property; ABSENT if the template does not set it."""
        ...

    def properties(self, name: str) -> dict[str, Any]:
        """The values of all properties that the template sets."""
        ...

    def metadata(self, name: str) -> Any: ...

    def deletion_policy(self, name: str) -> Any: ...

    def part(self, expr: ir.Expr | None) -> Any:
        """The value of an expression; None if there is no expression."""
        ...

    def reference(self, name: str) -> Any:
        """The value of `get_resource`."""
        ...

    def attribute(self, name: str, path: tuple[Any, ...]) -> Any:
        """The value of `get_attr`; all attributes if the path is empty."""
        ...
