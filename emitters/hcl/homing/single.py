"""Writes constraints on one demand, as tests of its candidate `c` with the id `id`.

Invariant: a test is true for exactly the candidates that `transpile.homing.filters` keeps, with the same assumptions.
If HCL cannot compute a test, it asks the variable `fitting`, which lists the candidates that pass, by the name of the
constraint.
"""

from __future__ import annotations

import re
from typing import Any, final

from emitters.hcl.assemble.variables import translate_to_re2
from emitters.hcl.homing import columns
from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import HIGH, LOW, ModuleParameters
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
from emitters.hcl.tree.nodes import Expr, Fn, Not, Op, StringTemplate, Tuple
from transpile.diagnostics import codes
from transpile.homing import filters, lowering, model
from transpile.homing.model import AttributeEvaluation, LinkedHomingTemplate, QuantityThreshold, TemplateConstraint
from transpile.homing.problem import CLOSE, CLOUD, SERVICE
from transpile.homing.scalars import finite_number
from transpile.model.lazy_patterns import compile_lazily

SIGNS = {"lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "eq": "=="}
ONLY = {"vim_fit": CLOUD, "region_fit": CLOUD, "instance_fit": SERVICE}
OF_TEXTS = compile_lazily(r"/(.*)/([imsx]*)", re.DOTALL)


def within_threshold(length: Expr, threshold: QuantityThreshold, parameters: ModuleParameters) -> Expr:
    """Whether a length satisfies a threshold, as in `transpile.homing.problem.make_limit`."""
    if threshold.operator == model.RANGE:
        low, high = parameters.threshold_end(threshold, LOW), parameters.threshold_end(threshold, HIGH)
        return Op("&&", Op(">=", length, low), Op("<=", length, high))
    if threshold.operator == "=":
        end = parameters.threshold_end(threshold, LOW)
        margin: Expr = CLOSE * max(1.0, abs(threshold.low or 0.0))
        return Op("<=", Fn("abs", (Op("-", length, end),)), margin)
    side = LOW if threshold.operator in (">", ">=") else HIGH
    return Op(threshold.operator, length, parameters.threshold_end(threshold, side))


@final
class CandidateTests:
    """`fitting`: by the name of a constraint that HCL cannot express, the ids that pass, or None if they are unknown.
    `assumes`: whether any test needs the variable `assume_fit`; `plain`: by attribute with a plain value, the test
    whether a candidate lacks it, if only the values of the variable `candidates` say whether it is a column.
    """

    def __init__(
        self,
        linked: LinkedHomingTemplate,
        table: CandidateColumns,
        places: ModuleLocations,
        parameters: ModuleParameters,
        notes: ModuleNotes,
    ) -> None:
        self.linked, self.columns, self.places = linked, table, places
        self.parameters, self.notes = parameters, notes
        self.fitting: dict[str, list[str] | None] = {}
        self.plain: dict[str, Expr] = {}
        self.assumes = self.roles = self.hosts = False

    def constraint_test(self, constraint: TemplateConstraint, demand: str) -> Expr | None:
        """The test that a constraint makes of a demand's candidate; None if it says nothing about it alone."""
        properties = constraint.properties
        if isinstance(properties, model.DistanceProperties):
            if properties.location is None:
                return None
            length = self.places.distance_to_location(properties.location)
            return try_expressions(within_threshold(length, properties.threshold, self.parameters), False)
        if isinstance(properties, model.AttributeProperties):
            return join_parts(
                "&&", [self.evaluation_test(constraint, each, demand) for each in self.linked.evaluations(properties)]
            )
        if isinstance(properties, model.ThresholdProperties):
            return join_parts("&&", [self.threshold_test(each) for each in properties.limits])
        if isinstance(properties, model.ZoneProperties):
            return self.country_test(constraint, properties)
        if isinstance(properties, model.GroupProperties):
            return None
        if isinstance(properties, model.FitProperties):
            return self.capacity_test(constraint, properties, demand)
        if isinstance(properties, model.HpaProperties):
            message = (
                f"HCL does not compare the flavors that {constraint.name} asks for: `fitting` lists the clouds that "
            )
            message += "have them."
            self.notes.report_difference(codes.CONSTRAINT_NOT_POSSIBLE_IN_HCL, message, constraint)
            return Op(
                "||", Op("!=", member_of(OWN, "inventory_type"), CLOUD), self.listed_in_fitting(constraint.name, demand)
            )
        message = (
            f"HCL cannot decide {constraint.name} ({constraint.type}): `fitting` lists the candidates that meet it."
        )
        self.notes.report_difference(codes.CONSTRAINT_NOT_POSSIBLE_IN_HCL, message, constraint)
        return self.listed_in_fitting(constraint.name, demand)

    def listed_in_fitting(self, name: str, demand: str, *others: Expr) -> Expr:
        """Whether the variable `fitting` has a candidate, for a demand or for all; the assumption if it has no list."""
        self.fitting.setdefault(name, None)
        if not others:
            self.assumes = True
            others = (variable_reference("assume_fit"),)
        listings = [
            Fn("contains", (member_of(variable_reference("fitting"), key), ID)) for key in (f"{name}_{demand}", name)
        ]
        return try_expressions(*listings, *others)

    # attribute

    def evaluation_test(self, constraint: TemplateConstraint, test: AttributeEvaluation, demand: str) -> Expr:
        name, operator, operand = test.attribute, test.operator, test.operand
        if name == filters.ROLES and operator in ("any", "all"):
            self.roles = True
            has = [try_expressions(Fn("contains", (columns.lookup_key("network_roles", str(role)), ID)), False)
                   for role in filters.as_list(operand)]  # fmt: skip
            met = join_parts("&&" if operator == "all" else "||", has, operator == "all")
            return Op("||", Op("!=", member_of(OWN, "inventory_type"), CLOUD), met)
        raw = self.raw_evaluation(constraint)
        if name == filters.HOSTS and name in raw:
            self.hosts = True
            host, _ = self.columns.attribute_column("host_id")
            role = try_expressions(Op("==", index_column("host_roles", host), str(raw[name]).upper()), False)
            return Op("||", Op("==", Fn("coalesce", (host, "-")), "-"), role)
        if name == filters.REGIONS and isinstance(raw.get(name), dict):
            kinds = [
                Op("&&", Op("==", member_of(OWN, "inventory_type"), kind.removesuffix("-requests")),
                   is_among(map(str, filters.as_list(ids)), member_of(OWN, "location_id")))
                for kind, ids in raw[name].items() if kind.endswith("-requests")
            ]  # fmt: skip
            return join_parts("||", kinds, False)
        stock = self.columns.inventory
        if test.plain and (stock is None or not lowering.has_attribute(self.linked, stock, name)):
            equal = self.equality_test(test, name, operand)
            if equal is None:
                return self.unsaid_test(constraint, test, demand)
            self.assumes = True
            if stock is not None:
                return Op("||", equal, variable_reference("assume_fit"))
            column, _ = self.columns.attribute_column(name)
            self.plain[name] = Op("==", column, None)
            undecided = Op("&&", variable_reference("assume_fit"), member_of(local_reference("absent"), name))
            return Op("||", equal, undecided)
        comparison = self.comparison_test(test, name)
        return self.unsaid_test(constraint, test, demand) if comparison is None else comparison

    def raw_evaluation(self, constraint: TemplateConstraint) -> dict[str, Any]:
        """The property `evaluate` of a constraint, as data."""
        section = self.linked.data.get("constraints") or {}
        evaluate = (section.get(constraint.name, {}).get("properties") or {}).get("evaluate")
        return evaluate if isinstance(evaluate, dict) else {}

    def unsaid_test(self, constraint: TemplateConstraint, test: AttributeEvaluation, demand: str) -> Expr:
        message = (
            f"HCL cannot say the test of {test.attribute} in {constraint.name}: `fitting` lists the candidates that "
        )
        message += "pass."
        self.notes.report_difference(codes.CONSTRAINT_NOT_POSSIBLE_IN_HCL, message, test)
        return self.listed_in_fitting(constraint.name, demand)

    def comparison_test(self, test: AttributeEvaluation, name: str) -> Expr | None:
        operator, operand = test.operator, test.operand
        if operator in ("lt", "gt", "lte", "gte"):
            return self.order_test(name, SIGNS[operator], self.parameters.number_expression(test.path, operand))
        if operator == "regex":
            return self.pattern_test(test, name)
        if operator in ("eq", "ne"):
            comparison = self.equality_test(test, name, operand)
            return comparison if operator == "eq" or comparison is None else Not(comparison)
        if operator == "any":
            parts = [self.item_test(test, name, at, each) for at, each in enumerate(filters.as_list(operand))]
            if None in parts:
                return None
            column, _ = self.columns.attribute_column(name)
            if not parts:
                return Op("!=", column, None)
            texts = [part for part in parts if isinstance(part, tuple)]
            others: list[Expr] = [part for part in parts if not isinstance(part, tuple)]
            if texts:
                allowed_texts = Tuple(tuple([value for _, value in texts]))
                if self.columns.settle_type(name) == columns.STRINGS:
                    others.insert(
                        0,
                        try_expressions(
                            Op(">", Fn("length", (Fn("setintersection", (allowed_texts, column)),)), 0), False
                        ),
                    )
                else:
                    others.insert(0, try_expressions(Fn("contains", (allowed_texts, column)), False))
            return join_parts("||", others)
        if operator == "all":
            found_ = [self.equality_test(test, name, each, at) for at, each in enumerate(filters.as_list(operand))]
            if None in found_:
                return None
            column, _ = self.columns.attribute_column(name)
            return join_parts("&&", found_, Op("!=", column, None))
        return None

    def item_test(self, test: AttributeEvaluation, name: str, at: int, value: Any) -> Any:
        """An item of a list: `(…, text)` if it is compared as a text, else a test."""
        if isinstance(value, str) and finite_number(value) is None:
            return "", self.parameters.scalar_expression((*test.path, at), value)
        return self.equality_test(test, name, value, at)

    def equality_test(self, test: AttributeEvaluation, name: str, value: Any, at: int | None = None) -> Expr | None:
        """Whether an attribute equals a value. A number equals its text."""
        path = test.path if at is None else (*test.path, at)
        column, kind = self.columns.attribute_column(name)
        if isinstance(value, bool):
            return try_expressions(Op("==", Fn("lower", (column,)), "true" if value else "false"), False)
        if not isinstance(value, (str, int, float)):
            return None
        if kind == columns.STRINGS:
            return try_expressions(Fn("contains", (column, self.parameters.scalar_expression(path, str(value)))), False)
        if (number := finite_number(value)) is not None:
            return try_expressions(
                Op("==", Fn("tonumber", (column,)), self.parameters.number_expression(path, number)), False
            )
        return Op("==", column, self.parameters.scalar_expression(path, value))

    def order_test(self, name: str, sign: str, bound: Expr) -> Expr:
        if name == "cost":
            return Op(sign, member_of(OWN, "cost"), bound)
        column, kind = self.columns.attribute_column(name, number=True)
        number = column if kind == columns.NUMBER else Fn("tonumber", (column,))
        return try_expressions(Op(sign, number, bound), False)

    def pattern_test(self, test: AttributeEvaluation, name: str) -> Expr | None:
        flags, body = test.flags, str(test.operand)
        if not flags and (shaped := OF_TEXTS.fullmatch(body)) is not None:
            body, flags = shaped.groups()
        if "x" in flags or (translated := translate_to_re2(body, self.linked.document.source.budget)) is None:
            return None
        column, kind = self.columns.attribute_column(name)
        if kind == columns.STRINGS:
            return None
        text = f"(?{flags}){translated}" if flags else translated
        return try_expressions(Op(">", Fn("length", (Fn("regexall", (text, column)),)), 0), False)

    # threshold, zone, room

    def threshold_test(self, each: model.ThresholdEntry) -> Expr:
        return self.order_test(
            each.attribute,
            SIGNS[each.operator],
            self.parameters.number_expression((*each.path, "threshold"), each.value),
        )

    def country_test(self, constraint: TemplateConstraint, zone: model.ZoneProperties) -> Expr | None:
        """A zone of countries with a location: the candidate must be in its country, or outside of it."""
        if zone.location is None or zone.category != "country":
            return None
        country = self.places.location_country(zone.location)
        if country is None:
            self.assumes = True
            return variable_reference("assume_fit")
        column, _ = self.columns.attribute_column("country")
        return Op("==" if zone.qualifier == "same" else "!=", column, country)

    def capacity_test(self, constraint: TemplateConstraint, fit: model.FitProperties, demand: str) -> Expr:
        """A test of room: as `fitting` lists it, or else by capacities."""
        only = ONLY.get(constraint.type, CLOUD)
        path = (*constraint.path, "properties", "request")
        needs: list[Expr] = []
        request = fit.request if isinstance(fit.request, dict) else {}
        for name, value in request.items():
            own = (*path, name, "quantity") if isinstance(value, dict) else (*path, name)
            amount = finite_number(value.get("quantity") if isinstance(value, dict) else value)
            if amount is None:
                needs = []
                break
            have = member_of(self.columns.capacity_column(), str(name))
            needs.append(
                try_expressions(
                    Op(">=", have, self.parameters.number_expression(own, amount)), variable_reference("assume_fit")
                )
            )
        self.assumes = True
        room = join_parts("&&", needs, variable_reference("assume_fit"))
        return Op(
            "||",
            Op("!=", member_of(OWN, "inventory_type"), only),
            self.listed_in_fitting(constraint.name, demand, room),
        )


def index_column(name: str, key: Expr) -> Expr:
    from emitters.hcl.tree.nodes import Index

    return Index(variable_reference(name), StringTemplate((key,)) if isinstance(key, str) else key)
