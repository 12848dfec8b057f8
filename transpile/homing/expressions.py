"""The small language for the meaning of a constraint or an objective: an expression over the columns of candidates.

Each constraint and each term of an objective is one such expression, and each reader goes through the same one: the
solver evaluates it (`evaluation.py`), Terraform's HCL prints it, `--explain` says it in words (`wording.py`). For
example, `{country: {any: [USA, CAN]}}` is `Includes(Column(0, "country"), (Literal("USA"), Literal("CAN")))`.

Whose candidate a column belongs to is its role: in a constraint 0 for the demand that is tested, and 1 for the other
demand of a pair; in an objective the name of the demand.

Invariant: nothing below `NotTest` can be unknown, so "unknown" may be replaced by an assumption wherever it occurs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, final

from transpile.homing.distance import DistanceLimit
from transpile.homing.model import QuantityThreshold
from transpile.homing.places import Path, path_field, place_field
from transpile.model.records import field, node
from transpile.model.span import Span, WithSpan

Role: TypeAlias = "int | str"
OWN, OTHER = 0, 1  # the roles in a constraint

# readings: where the value of a column comes from, see `columns.py`
ATTRIBUTE, SELECTOR, ZONE, CAPACITY, SCHEMA = "attribute", "selector", "zone", "capacity", "schema"
# operators of `Compare`: of values, of numbers, and of texts as they are
EQ, LT, GT, LTE, GTE, NUMBERS_EQUAL, SAME, DIFFERENT = "eq", "lt", "gt", "lte", "gte", "==", "same", "different"

# values


@final
@node
class Literal(WithSpan):
    """A constant of the template: any plain data. `path`: where it stands, so that a parameter there can stay one."""

    value: Any
    path: Path = path_field()
    span: Span = place_field()


@final
@node
class Column:
    """The value that a candidate has in a column. `reading`: where that value comes from."""

    of: Role
    name: str
    reading: str = ATTRIBUTE


@final
@node
class FirstOf:
    """The first of several columns that has a value other than an empty text."""

    columns: tuple[Column, ...]


@final
@node
class Lookup:
    """An entry in a section of the inventory, looked up by the value of a column."""

    section: str
    key: Column


@final
@node
class CountryOf:
    """The country of a location of the template. It is unknown if neither the template nor the inventory has it."""

    location: str


@final
@node
class DistanceTo:
    """The kilometres from a candidate to a location."""

    of: Role
    location: str


@final
@node
class DistanceBetween:
    """The kilometres between two candidates."""

    of: Role
    other: Role


Value: TypeAlias = "Literal | Column | FirstOf | Lookup | CountryOf"

# tests


@final
@node
class Compare:
    """A comparison of two values, by the table in `comparison.py`. `missing`: the result of a comparison of numbers if
    there is none to compare; None means unknown.
    """

    operator: str
    left: Value
    right: Value
    missing: bool | None = False


@final
@node
class Includes:
    """Whether some item of a column equals one of the literals; with `every`, whether each literal equals some item."""

    column: Column
    literals: tuple[Literal, ...]
    every: bool = False


@final
@node
class OneOf:
    """Whether a text is one of these texts."""

    value: Value
    texts: tuple[str, ...]


@final
@node
class Matches(WithSpan):
    """Whether a pattern occurs in the value of a column."""

    column: Column
    pattern: str
    flags: str = ""
    span: Span = place_field()


@final
@node
class Within:
    """Whether a distance satisfies a threshold. `threshold`: as the template writes it."""

    length: DistanceTo | DistanceBetween
    limit: DistanceLimit
    threshold: QuantityThreshold | None = field(default=None, compare=False)


@final
@node
class IsEmpty:
    """Whether a column has no value, or an empty text."""

    column: Column


@final
@node
class NoneHas:
    """Whether no candidate of the whole inventory has a column."""

    column: Column


@final
@node
class Listed:
    """Whether a section of the inventory lists the candidate under a name. `by_demand`: a list under NAME_DEMAND counts
    before; `otherwise`: the result if there is no list.
    """

    section: str
    name: str
    of: Role
    otherwise: Test
    by_demand: bool = False


@final
@node
class Paired:
    """Whether the inventory lists two candidates as a group. It is unknown if there is no section `groups`."""

    of: Role
    other: Role


@final
@node
class HasFlavors:
    """Whether a candidate has a flavor with the hardware features of each entry. `entries`: as in the template."""

    of: Role
    constraint: str
    entries: tuple[Any, ...] = field(compare=False)


@final
@node
class Unknown:
    """A value that the inventory lacks. `asked`: whether another system decides it, so that Terraform asks for it."""

    asked: bool = False


@final
@node
class Truth:
    """A test with a known result."""

    holds: bool


@final
@node
class NotTest:
    """The negation of a test that is never unknown."""

    test: Test


@final
@node
class AllOf:
    """Whether all tests hold. False decides before unknown."""

    tests: tuple[Test, ...]


@final
@node
class AnyOf:
    """Whether any test holds. True decides before unknown."""

    tests: tuple[Test, ...]


Test: TypeAlias = (
    "Compare | Includes | OneOf | Matches | Within | IsEmpty | NoneHas | Listed | Paired | HasFlavors "
    "| Unknown | Truth | NotTest | AllOf | AnyOf"
)

# terms of an objective


@final
@node
class Number:
    """A number of the template."""

    value: Fraction
    path: Path = path_field()


@final
@node
class FlavorScore:
    """The score of a cloud for a constraint of type hpa: the sum over its entries of the best flavor's score; 0 for
    anything but a cloud.
    """

    of: Role
    constraint: str
    entries: tuple[Any, ...] = field(compare=False)


@final
@node
class Unmeasured(WithSpan):
    """A function that nothing in an inventory computes."""

    function: str
    span: Span = place_field()


@final
@node
class Sum:
    """The sum of terms."""

    terms: tuple[Term, ...]


@final
@node
class Product:
    """The product of terms."""

    terms: tuple[Term, ...]


@final
@node
class Minimum:
    """The least of the terms."""

    terms: tuple[Term, ...]


@final
@node
class Maximum:
    """The largest of the terms."""

    terms: tuple[Term, ...]


@final
@node
class Weighted:
    """A term times its weight."""

    weight: Number
    term: Term


@final
@node
class Normalized(WithSpan):
    """A term in units of an interval: (term - first) / (last - first)."""

    term: Term
    first: Fraction
    last: Fraction
    span: Span = place_field()


Leaf: TypeAlias = "DistanceTo | Column | FlavorScore"
Term: TypeAlias = "Number | Leaf | Unmeasured | Sum | Product | Minimum | Maximum | Weighted | Normalized"
LEAVES = (DistanceTo, Column, FlavorScore)


def find_parts(expression: Any, kind: type | tuple[type, ...]) -> Iterator[Any]:
    """All parts of an expression that are of some kind, itself included, in order."""
    if isinstance(expression, kind):
        yield expression
    for name in getattr(expression, "__match_args__", ()):
        part = getattr(expression, name)
        for each in part if isinstance(part, tuple) else (part,):
            if type(each) in PARTS:
                yield from find_parts(each, kind)


def has_part(expression: Any, kind: type | tuple[type, ...]) -> bool:
    """Whether any part of an expression is of some kind."""
    return any(True for _ in find_parts(expression, kind))


VALUES = (Literal, Column, FirstOf, Lookup, CountryOf, DistanceTo, DistanceBetween)
LEAF_TESTS = (Compare, Includes, OneOf, Matches, Within, IsEmpty, NoneHas, Paired, HasFlavors, Unknown, Truth)
TERMS = (Number, FlavorScore, Unmeasured, Sum, Product, Minimum, Maximum, Weighted, Normalized)
PARTS = frozenset((*VALUES, *LEAF_TESTS, Listed, NotTest, AllOf, AnyOf, *TERMS))


def term_operands(term: Term) -> Sequence[Term]:
    """The operands of a term; none for a number or a function."""
    if isinstance(term, Weighted):
        return (term.weight, term.term)
    if isinstance(term, Normalized):
        return (term.term,)
    return term.terms if isinstance(term, (Sum, Product, Minimum, Maximum)) else ()


def term_leaves(term: Term) -> list[Leaf]:
    """The functions of a term, in order."""
    return list(find_parts(term, LEAVES))


def term_demands(term: Term) -> frozenset[str]:
    """The demands that a term depends on."""
    return frozenset(str(leaf.of) for leaf in term_leaves(term))
