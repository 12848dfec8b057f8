"""The objective of a homing template as values: a goal, and a tree of operators, functions and numbers."""

from __future__ import annotations

from typing import TypeAlias, final

from transpile.homing.places import Path, path_field, place_field
from transpile.model.records import node
from transpile.model.span import Span, WithSpan


@final
@node
class Normalization:
    """A value v becomes (v - start) / (end - start)."""

    start: float
    end: float


@final
@node
class ObjectiveNumber(WithSpan):
    """A number in an objective."""

    value: float
    span: Span = place_field()
    path: Path = path_field()


@final
@node
class ObjectiveFunction(WithSpan):
    """A function in an objective. `name`: distance_between, latency_between, attribute, hpa_score or aic_version;
    `demands`: one, or for hpa_score several; `location`: for the first two; `attribute`: for the third.
    """

    name: str
    demands: tuple[str, ...]
    location: str = ""
    attribute: str = ""
    weight: float = 1.0
    normalization: Normalization | None = None
    span: Span = place_field()
    path: Path = path_field()


@final
@node
class ObjectiveOperator(WithSpan):
    """An operator: sum, product, min or max of its operands, times `weight`."""

    name: str
    operands: tuple[Term, ...]
    weight: float = 1.0
    normalization: Normalization | None = None
    span: Span = place_field()
    path: Path = path_field()


Term: TypeAlias = "ObjectiveNumber | ObjectiveFunction | ObjectiveOperator"


@final
@node
class TemplateObjective(WithSpan):
    """An objective. `goal`: minimize or maximize."""

    goal: str
    term: Term
    span: Span = place_field()


def term_functions(term: Term) -> list[ObjectiveFunction]:
    """The functions of a term, in order."""
    if isinstance(term, ObjectiveOperator):
        return [function for operand in term.operands for function in term_functions(operand)]
    return [term] if isinstance(term, ObjectiveFunction) else []
