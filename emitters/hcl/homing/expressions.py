"""Prints expressions of homing templates (`transpile.homing.expressions`) as HCL.

Invariant: Terraform computes the same values as `transpile.homing.evaluation` from the same inventory, with the same
assumptions. If HCL cannot express a test, it asks the variable `fitting`, which lists the candidates that pass, by the
name of the constraint.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, final

from emitters.hcl.assemble.variables import translate_to_re2
from emitters.hcl.homing import columns
from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import HIGH, LOW, ModuleParameters, plain_scalar
from emitters.hcl.homing.places import ModuleLocations
from emitters.hcl.homing.shorthand import (
    ID,
    OWN,
    is_among,
    join_parts,
    local_reference,
    member_of,
    try_expressions,
    variable_reference,
)
from emitters.hcl.tree.nodes import Argument, Expr, Fn, ForTuple, Index, Not, Op, Traversal, Tuple
from transpile.diagnostics import codes
from transpile.homing import comparison, expressions, model
from transpile.homing.columns import ID as ID_COLUMN
from transpile.homing.distance import CLOSE
from transpile.homing.expressions import DIFFERENT, EQ, SAME, Role, Term, Test, Value
from transpile.homing.model import LinkedHomingTemplate
from transpile.homing.problem import PlacementConstraint
from transpile.model.span import Located

SIGNS = {"lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "==": "=="}
GROUPED = "grouped"  # the local with all pairs, in both orders
ITEM = Traversal(("item",))


class NotInHcl(Exception):
    """HCL cannot express a part of a test or of an objective."""

    def __init__(self, why: str, place: Located) -> None:
        super().__init__(why)
        self.place = place


class CandidateNames:
    """The names by which an expression refers to candidates: by default to `c` with the id `id`, in a loop over one
    demand's.
    """

    def candidate(self, role: Role) -> Expr:
        return OWN

    def id(self, role: Role) -> Expr:
        return ID


@final
class ChosenCandidates(CandidateNames):
    """Refers to the candidates that demands have in an assignment. `demands`: by role; `pick`: gives the id that a
    demand has.
    """

    def __init__(self, pick: Callable[[str], Expr], demands: Sequence[str] = ()) -> None:
        self.pick, self.demands = pick, demands

    def demand(self, role: Role) -> str:
        return self.demands[role] if isinstance(role, int) else role

    def candidate(self, role: Role) -> Expr:
        return Index(member_of(local_reference("drawn"), self.demand(role)), self.id(role))

    def id(self, role: Role) -> Expr:
        return self.pick(self.demand(role))


IN_LOOP = CandidateNames()


@final
class ExpressionPrinter:
    """`fitting`: the constraints that the variable `fitting` is asked for; `sections`: the sections of the inventory
    that tests read; `scored`: the constraints of type hpa whose scores are read; `assumes`: whether any test needs the
    variable `assume_fit`; `absent`: by attribute that may be in no column, the test whether a candidate lacks it, if
    only the values of the variable `candidates` say so. `lacks`: whether no candidate of the inventory has an
    attribute.
    """

    def __init__(
        self,
        linked: LinkedHomingTemplate,
        table: CandidateColumns,
        places: ModuleLocations,
        parameters: ModuleParameters,
        notes: ModuleNotes,
        lacks: Callable[[str], bool],
    ) -> None:
        self.linked, self.columns, self.places = linked, table, places
        self.parameters, self.notes, self.lacks = parameters, notes, lacks
        self.fitting: dict[str, None] = {}
        self.scored: dict[str, None] = {}
        self.sections: set[str] = set()
        self.absent: dict[str, Expr] = {}
        self.assumes = False

    # constraints

    def test_alone(self, row: PlacementConstraint, demand: str) -> Expr | None:
        """The test of a demand's candidate by a constraint; None if the constraint does not test single candidates."""
        return None if row.alone is None else self.print_parts(row.alone, row.name, demand)

    def print_parts(self, test: Test, constraint: str, demand: str) -> Expr:
        """A test whose parts `fitting` decides if HCL cannot express them. That is right, because the parts are not
        negated, and `fitting` has the candidates that pass all of them.
        """
        if isinstance(test, expressions.AllOf):
            return all_of([self.print_parts(each, constraint, demand) for each in test.tests])
        if isinstance(test, expressions.AnyOf):
            return any_of([self.print_parts(each, constraint, demand) for each in test.tests])
        where: Located = self.linked.constraints[constraint]
        if isinstance(test, expressions.Unknown) and test.asked:
            kind = self.linked.constraints[constraint].type
            message = f"HCL cannot decide {constraint} ({kind}): `fitting` lists the candidates that meet it."
        elif isinstance(test, expressions.HasFlavors):
            message = f"HCL does not compare the flavors that {constraint} asks for: `fitting` lists the clouds that "
            message += "have them."
        else:
            try:
                return self.test(test, IN_LOOP, demand)
            except NotInHcl as e:
                message, where = (
                    f"HCL cannot say {e} in {constraint}: `fitting` lists the candidates that pass.",
                    e.place,
                )
        self.notes.report_difference(codes.CONSTRAINT_NOT_POSSIBLE_IN_HCL, message, where)
        return self.listed_in_fitting(constraint, demand, self.assumption())

    def listed_in_fitting(self, name: str, demand: str, otherwise: Expr) -> Expr:
        """Whether the variable `fitting` has a candidate, for a demand or for all."""
        self.fitting[name] = None
        listings = [
            Fn("contains", (member_of(variable_reference("fitting"), key), ID)) for key in (f"{name}_{demand}", name)
        ]
        return try_expressions(*listings, otherwise)

    def pair_tests(self, row: PlacementConstraint, pick: Callable[[str], Expr]) -> list[Expr]:
        """The tests of pairs of demands by a constraint. `pick`: a function from a demand to the id of its
        candidate.
        """
        if row.pair is None:
            return []
        return [
            self.test(row.pair, ChosenCandidates(pick, pair), "") for pair in itertools.combinations(row.demands, 2)
        ]

    # tests

    def test(self, test: Test, of: CandidateNames = IN_LOOP, demand: str = "") -> Expr:
        """A test. Raises NotInHcl."""
        if isinstance(test, expressions.AllOf):
            return all_of([self.test(each, of, demand) for each in test.tests])
        if isinstance(test, expressions.AnyOf):
            return any_of([self.test(each, of, demand) for each in test.tests])
        if isinstance(test, expressions.NotTest):
            return Not(self.test(test.test, of, demand))
        if isinstance(test, expressions.Compare):
            return self.comparison(test, of)
        if isinstance(test, expressions.Includes):
            return self.inclusion(test, of)
        if isinstance(test, expressions.OneOf):
            return is_among(test.texts, self.text(test.value, of)) if test.texts else False
        if isinstance(test, expressions.Matches):
            return self.match(test, of)
        if isinstance(test, expressions.Within):
            return try_expressions(self.within(test, of), False)
        if isinstance(test, expressions.IsEmpty):
            return try_expressions(Op("==", Fn("length", (self.text(test.column, of),)), 0), True)
        if isinstance(test, expressions.NoneHas):
            return self.none_has(test)
        if isinstance(test, expressions.Listed):
            return self.listing(test, of, demand)
        if isinstance(test, expressions.Paired):
            self.sections.add("groups")
            pair = Fn("jsonencode", (Tuple((of.id(test.of), of.id(test.other))),))
            unknown = Op("&&", Op("==", variable_reference("groups"), None), self.assumption())
            return Op("||", Fn("contains", (local_reference(GROUPED), pair)), unknown)
        if isinstance(test, expressions.HasFlavors):
            raise NotInHcl("the flavors", self.linked.constraints[test.constraint])
        return test.holds if isinstance(test, expressions.Truth) else self.assumption()

    def comparison(self, test: expressions.Compare, of: CandidateNames) -> Expr:
        left, right = test.left, test.right
        if test.operator in (SAME, DIFFERENT):
            sign = "==" if test.operator == SAME else "!="
            if isinstance(right, expressions.CountryOf):
                country = self.places.location_country(right.location)
                return self.assumption() if country is None else Op(sign, self.text(left, of), country)
            compared = Op(sign, self.text(left, of), self.text(right, of))
            return (
                try_expressions(compared, False)
                if isinstance(left, (expressions.FirstOf, expressions.Lookup))
                else compared
            )
        assert isinstance(left, expressions.Column)
        assert isinstance(right, expressions.Literal)
        if test.operator == EQ:
            column, kind = self.column(left, of)
            if kind == columns.STRINGS:
                return try_expressions(self.equality(Fn("one", (column,)), right, left.name), False)
            equal = self.equality(column, right, left.name)
            return equal if is_plain_text(right.value) else try_expressions(equal, False)
        bound = self.parameters.number_expression(right.path, right.value)
        missing = False if test.missing is not None else self.assumption()
        return try_expressions(Op(SIGNS[test.operator], self.number(left, of), bound), missing)

    def equality(self, text: Expr, literal: expressions.Literal, name: str) -> Expr:
        """Whether a text equals a scalar of the template. Terraform fails on it if only the scalar is a number."""
        value = literal.value
        if not comparison.is_scalar(value):
            raise NotInHcl(f"the test of {name}", literal)
        if str(value).lower() in comparison.BOOLEANS:
            return Op("==", Fn("lower", (text,)), str(value).lower())
        if (number := comparison.number_of(value)) is not None:
            exact = self.parameters.number_expression(literal.path, columns.plain_number(number))
            return Op("==", Fn("tonumber", (text,)), exact)
        return Op("==", text, self.parameters.scalar_expression(literal.path, value))

    def inclusion(self, test: expressions.Includes, of: CandidateNames) -> Expr:
        column, kind = self.column(test.column, of)
        if not test.literals:
            return Op("!=", column, None)
        if test.every:
            parts = [self.has_item(column, kind, each, test.column.name) for each in test.literals]
            return join_parts("&&", parts)
        texts = [each for each in test.literals if is_plain_text(each.value)]
        parts = [self.has_item(column, kind, each, test.column.name) for each in test.literals if each not in texts]
        if texts:
            allowed = Tuple(tuple([self.parameters.scalar_expression(each.path, each.value) for each in texts]))
            if kind == columns.STRINGS:
                shared = Fn("length", (Fn("setintersection", (allowed, column)),))
                parts.insert(0, try_expressions(Op(">", shared, 0), False))
            else:
                parts.insert(0, try_expressions(Fn("contains", (allowed, column)), False))
        return join_parts("||", parts)

    def has_item(self, column: Expr, kind: str, literal: expressions.Literal, name: str) -> Expr:
        """Whether some item of a column equals a literal."""
        if kind != columns.STRINGS:
            equal = self.equality(column, literal, name)
            return equal if is_plain_text(literal.value) else try_expressions(equal, False)
        if is_plain_text(literal.value):
            text = self.parameters.scalar_expression(literal.path, literal.value)
            return try_expressions(Fn("contains", (column, text)), False)
        equal = try_expressions(self.equality(ITEM, literal, name), False)
        return try_expressions(Fn("anytrue", (ForTuple(("item",), column, equal),)), False)

    def match(self, test: expressions.Matches, of: CandidateNames) -> Expr:
        name, budget = test.column.name, self.linked.document.source.budget
        if "x" in test.flags or (translated := translate_to_re2(test.pattern, budget)) is None:
            raise NotInHcl(f"the test of {name}", test)
        text = f"(?{test.flags}){translated}" if test.flags else translated
        matches = Fn("regexall", (text, self.text(test.column, of)))
        return try_expressions(Op(">", Fn("length", (matches,)), 0), False)

    def within(self, test: expressions.Within, of: CandidateNames) -> Expr:
        """Whether a length satisfies a threshold, as in `transpile.homing.distance.make_limit`."""
        length, threshold = self.kilometres(test.length, of), test.threshold
        assert threshold is not None
        end = self.parameters.threshold_end
        if threshold.operator == model.RANGE:
            return Op("&&", Op(">=", length, end(threshold, LOW)), Op("<=", length, end(threshold, HIGH)))
        if threshold.operator == "=":
            margin: Expr = CLOSE * max(1.0, abs(threshold.number))
            return Op("<=", Fn("abs", (Op("-", length, end(threshold, LOW)),)), margin)
        side = LOW if threshold.operator in (">", ">=") else HIGH
        return Op(threshold.operator, length, end(threshold, side))

    def assumption(self) -> Expr:
        self.assumes = True
        return variable_reference("assume_fit")

    def none_has(self, test: expressions.NoneHas) -> Expr:
        """Whether no candidate has a column. Without an inventory only the values of the variables say it."""
        if self.columns.inventory is not None:
            return self.lacks(test.column.name)
        self.absent[test.column.name] = Op("==", self.column(test.column, IN_LOOP)[0], None)
        return member_of(local_reference("absent"), test.column.name)

    def listing(self, test: expressions.Listed, of: CandidateNames, demand: str) -> Expr:
        otherwise = self.test(test.otherwise, of, demand)
        if test.by_demand:
            return self.listed_in_fitting(test.name, demand, otherwise)
        self.sections.add(test.section)
        listed = Fn("contains", (member_of(variable_reference(test.section), test.name), of.id(test.of)))
        return try_expressions(listed, otherwise)

    # values

    def column(self, column: expressions.Column, of: CandidateNames, *, number: bool = False) -> tuple[Expr, str]:
        """The expression for a column, and its type."""
        if column.name == ID_COLUMN and column.reading == expressions.SCHEMA:
            return of.id(column.of), columns.STRING
        name, kind = self.columns.use_column(column, number=number)
        own = member_of(of.candidate(column.of), name)
        return member_of(own, column.name) if kind == columns.NUMBERS else own, kind

    def text(self, value: Value, of: CandidateNames) -> Expr:
        if isinstance(value, expressions.Literal):
            return self.parameters.scalar_expression(value.path, value.value)
        if isinstance(value, expressions.FirstOf):
            return Fn("coalesce", tuple([self.text(each, of) for each in value.columns]))
        if isinstance(value, expressions.Lookup):
            self.sections.add(value.section)
            return Index(variable_reference(value.section), self.text(value.key, of))
        assert isinstance(value, expressions.Column)
        column, kind = self.column(value, of)
        return Fn("one", (column,)) if kind == columns.STRINGS else column

    def number(self, column: expressions.Column, of: CandidateNames) -> Expr:
        """A column as a number. The expression has no value if the column is no number."""
        value, kind = self.column(column, of, number=True)
        if kind == columns.STRINGS:
            return Fn("tonumber", (Fn("one", (value,)),))
        return value if kind in (columns.NUMBER, columns.NUMBERS) else Fn("tonumber", (value,))

    def kilometres(self, length: expressions.DistanceTo | expressions.DistanceBetween, of: CandidateNames) -> Expr:
        if isinstance(length, expressions.DistanceTo):
            return self.places.distance_to_location(length.location, of.id(length.of))
        demands = [of.demand(role) for role in (length.of, length.other)] if isinstance(of, ChosenCandidates) else []
        return self.places.distance_between(demands, of.id(length.of), of.id(length.other))

    # terms of the objective

    def term(self, term: Term, of: CandidateNames) -> Expr:
        """The value of a term. Raises NotInHcl."""
        if isinstance(term, expressions.Number):
            return self.parameters.number_expression(term.path, float(term.value))
        if isinstance(term, expressions.DistanceTo):
            return self.kilometres(term, of)
        if isinstance(term, expressions.Column):
            return self.number(term, of)
        if isinstance(term, expressions.FlavorScore):
            self.scored[term.constraint] = None
            scores = columns.lookup_key("scores", term.constraint)
            return try_expressions(Index(scores, of.id(term.of)), 0)
        if isinstance(term, expressions.Unmeasured):
            raise NotInHcl(f"nothing in an inventory says {term.function}", term)
        own = [self.term(each, of) for each in expressions.term_operands(term)]
        if isinstance(term, expressions.Normalized):
            if term.first == term.last:
                raise NotInHcl("the normalization ends where it starts", term)
            interval = plain_scalar(float(term.last - term.first))
            return Op("/", Op("-", own[0], plain_scalar(float(term.first))), interval)
        if isinstance(term, (expressions.Product, expressions.Weighted)):
            return join_parts("*", own, 1)
        if isinstance(term, expressions.Sum):
            return join_parts("+", own, 0)
        return Fn("min" if isinstance(term, expressions.Minimum) else "max", tuple(own))

    # locals

    def group_locals(self) -> list[Argument]:
        if "groups" not in self.sections:
            return []
        pair = Traversal(("pair",))
        orders: list[Expr] = [Fn("jsonencode", (Tuple((Index(pair, a), Index(pair, b))),)) for a, b in ((0, 1), (1, 0))]
        every = ForTuple(("pair",), Fn("coalesce", (variable_reference("groups"), Tuple(()))), Tuple(tuple(orders)))
        words = " The pairs of the inventory, in both orders."
        return [Argument(GROUPED, Fn("flatten", (every,)), comments=[words])]


def all_of(parts: Sequence[Expr]) -> Expr:
    """The conjunction of tests, of which some may be constant."""
    return False if any(part is False for part in parts) else join_parts("&&", [p for p in parts if p is not True])


def any_of(parts: Sequence[Expr]) -> Expr:
    """The disjunction of tests, of which some may be constant."""
    known = any(part is True for part in parts)
    return known or join_parts("||", [part for part in parts if part is not False], False)


def is_plain_text(value: Any) -> bool:
    """Whether a value is a text that is equal only to itself: one that spells neither a number nor a boolean."""
    return isinstance(value, str) and comparison.number_of(value) is None and value.lower() not in comparison.BOOLEANS
