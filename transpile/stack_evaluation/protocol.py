"""Declares the interface of a stack for its groups and facades, so that modules import one way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from transpile.evaluate.interpreter import Interpreter
from transpile.model import ir
from transpile.resolve.stack import Stack
from transpile.stack_evaluation.outside import Outside

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts


class StackValues(Protocol):
    """A stack that computes its values on demand. Each method raises EvaluationError if there is no value."""

    stack: Stack
    outside: Outside
    interpreter: Interpreter

    @property
    def resource_names(self) -> Sequence[str]:
        """The resources whose conditions hold, in the order of the template."""
        ...

    def has_resource(self, name: str) -> bool:
        """Whether the template has a resource of this name, and its condition holds."""
        ...

    def resource_kind(self, name: str) -> str:
        """The type of a resource after the registry was asked."""
        ...

    def resource_facts(self, name: str) -> TypeFacts:
        """The catalog entry of a resource's type."""
        ...

    def evaluate_property(self, name: str, key: str) -> Any:
        """The value of a property; ABSENT if the template does not set it."""
        ...

    def evaluate_properties(self, name: str) -> dict[str, Any]:
        """The values of all properties that the template sets."""
        ...

    def evaluate_metadata(self, name: str) -> Any: ...

    def evaluate_deletion_policy(self, name: str) -> Any: ...

    def evaluate_or_none(self, expr: ir.Expr | None) -> Any:
        """The value of an expression; None if there is no expression."""
        ...

    def reference(self, name: str) -> Any:
        """The value of `get_resource`."""
        ...

    def attribute(self, name: str, path: tuple[Any, ...]) -> Any:
        """The value of `get_attr`; all attributes if the path is empty."""
        ...
