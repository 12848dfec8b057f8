"""Constraints on one demand, as tests of its candidate `c` with the id `id`.

Invariant: a test is true for the candidates that `transpile.homing.filters` keeps, an assumption included. What HCL
cannot compute asks the variable `fitting`, which lists the candidates that pass, by the name of the constraint.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.assemble.variables import re2
from emitters.hcl.homing import columns
from emitters.hcl.homing.parameters import HIGH, LOW, Parameters
from emitters.hcl.homing.shorthand import ID, OWN, among, attempt, joined, member, var
from emitters.hcl.tree.nodes import Expr, Fn, Not, Op, Text, Tuple
from transpile.homing import filters, model
from transpile.homing.problem import CLOSE, CLOUD, SERVICE
from transpile.homing.scalars import number

if TYPE_CHECKING:
    from emitters.hcl.homing.columns import Columns
    from emitters.hcl.homing.notes import Notes
    from emitters.hcl.homing.places import Places
    from transpile.homing.model import Constraint, Evaluation, Linked, Threshold

SIGNS = {"lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "eq": "=="}
ONLY = {"vim_fit": CLOUD, "region_fit": CLOUD, "instance_fit": SERVICE}
OF_TEXTS = re.compile(r"/(.*)/([imsx]*)", re.DOTALL)


def within(length: Expr, given: Threshold, parameters: Parameters) -> Expr:
    """Whether a length satisfies a threshold, as `transpile.homing.problem.limit` has it."""
    if given.operator == model.RANGE:
        low, high = parameters.end(given, LOW), parameters.end(given, HIGH)
        return Op("&&", Op(">=", length, low), Op("<=", length, high))
    if given.operator == "=":
        end = parameters.end(given, LOW)
        margin: Expr = CLOSE * max(1.0, abs(given.low or 0.0))
        return Op("<=", Fn("abs", (Op("-", length, end),)), margin)
    side = LOW if given.operator in (">", ">=") else HIGH
    return Op(given.operator, length, parameters.end(given, side))


@final
class Single:
    """`fitting`: by the name of a constraint, the ids that pass, of those that HCL cannot say; None: not known.
    `assumes`: whether any test falls back on the variable `assume_fit`.
    """

    def __init__(self, linked: Linked, table: Columns, places: Places, parameters: Parameters, notes: Notes) -> None:
        self.linked, self.columns, self.places = linked, table, places
        self.parameters, self.notes = parameters, notes
        self.fitting: dict[str, list[str] | None] = {}
        self.assumes = self.roles = self.hosts = False

    def test(self, one: Constraint, demand: str) -> Expr | None:
        """What a constraint asks of a demand's candidate; None if it says nothing about it alone."""
        given = one.properties
        if isinstance(given, model.Distance):
            if given.location is None:
                return None
            length = self.places.distance(given.location)
            return attempt(within(length, given.threshold, self.parameters), False)
        if isinstance(given, model.Attribute):
            return joined("&&", [self.evaluation(one, each, demand) for each in given.evaluations])
        if isinstance(given, model.Limits):
            return joined("&&", [self.limit(each) for each in given.limits])
        if isinstance(given, model.Zone):
            return self.country(one, given)
        if isinstance(given, model.Group):
            return None
        if isinstance(given, model.Fit):
            return self.room(one, given, demand)
        if isinstance(given, model.Hpa):
            message = (
                f"HCL does not compare the flavors that {one.name} asks for: `fitting` lists the clouds that have them."
            )
            self.notes.differs("HOT851", message, one)
            return Op("||", Op("!=", member(OWN, "inventory_type"), CLOUD), self.listed(one.name, demand))
        message = f"HCL cannot decide {one.name} ({one.type}): `fitting` lists the candidates that meet it."
        self.notes.differs("HOT851", message, one)
        return self.listed(one.name, demand)

    def listed(self, name: str, demand: str, *others: Expr) -> Expr:
        """Whether the variable `fitting` has a candidate, for a demand or for all; what holds if it says nothing."""
        self.fitting.setdefault(name, None)
        if not others:
            self.assumes = True
            others = (var("assume_fit"),)
        told = [Fn("contains", (member(var("fitting"), key), ID)) for key in (f"{name}_{demand}", name)]
        return attempt(*told, *others)

    # attribute

    def evaluation(self, one: Constraint, test: Evaluation, demand: str) -> Expr:
        name, operator, operand = test.attribute, test.operator, test.operand
        if name == filters.ROLES and operator in ("any", "all"):
            self.roles = True
            has = [attempt(Fn("contains", (columns.lookup("network_roles", str(role)), ID)), False)
                   for role in filters.listed(operand)]  # fmt: skip
            met = joined("&&" if operator == "all" else "||", has, operator == "all")
            return Op("||", Op("!=", member(OWN, "inventory_type"), CLOUD), met)
        raw = self.raw(one)
        if name == filters.HOSTS and name in raw:
            self.hosts = True
            host, _ = self.columns.attribute("host_id")
            role = attempt(Op("==", columns_index("host_roles", host), str(raw[name]).upper()), False)
            return Op("||", Op("==", Fn("coalesce", (host, "-")), "-"), role)
        if name == filters.REGIONS and isinstance(raw.get(name), dict):
            kinds = [
                Op("&&", Op("==", member(OWN, "inventory_type"), kind.removesuffix("-requests")),
                   among(map(str, filters.listed(ids)), member(OWN, "location_id")))
                for kind, ids in raw[name].items() if kind.endswith("-requests")
            ]  # fmt: skip
            return joined("||", kinds, False)
        if name in raw and not isinstance(raw[name], dict):
            self.assumes = True
            equal = self.equal(test, name, operand)
            if equal is None:
                return self.unsaid(one, test, demand)
            return Op("||", equal, var("assume_fit"))
        found = self.compared(test, name)
        return self.unsaid(one, test, demand) if found is None else found

    def raw(self, one: Constraint) -> dict[str, Any]:
        """What a constraint evaluates, as data."""
        section = self.linked.data.get("constraints") or {}
        found = (section.get(one.name, {}).get("properties") or {}).get("evaluate")
        return found if isinstance(found, dict) else {}

    def unsaid(self, one: Constraint, test: Evaluation, demand: str) -> Expr:
        message = (
            f"HCL cannot say the test of {test.attribute} in {one.name}: `fitting` lists the candidates that pass."
        )
        self.notes.differs("HOT851", message, test)
        return self.listed(one.name, demand)

    def compared(self, test: Evaluation, name: str) -> Expr | None:
        operator, operand = test.operator, test.operand
        if operator in ("lt", "gt", "lte", "gte"):
            return self.ordered(name, SIGNS[operator], self.parameters.number(test.path, operand))
        if operator == "regex":
            return self.pattern(test, name)
        if operator in ("eq", "ne"):
            found = self.equal(test, name, operand)
            return found if operator == "eq" or found is None else Not(found)
        if operator == "any":
            parts = [self.one_of(test, name, at, each) for at, each in enumerate(filters.listed(operand))]
            if None in parts:
                return None
            column, _ = self.columns.attribute(name)
            if not parts:
                return Op("!=", column, None)
            texts = [part for part in parts if isinstance(part, tuple)]
            others: list[Expr] = [part for part in parts if not isinstance(part, tuple)]
            if texts:
                wanted = Tuple(tuple([value for _, value in texts]))
                if self.columns.settle(name) == columns.STRINGS:
                    others.insert(
                        0, attempt(Op(">", Fn("length", (Fn("setintersection", (wanted, column)),)), 0), False)
                    )
                else:
                    others.insert(0, attempt(Fn("contains", (wanted, column)), False))
            return joined("||", others)
        if operator == "all":
            found_ = [self.equal(test, name, each, at) for at, each in enumerate(filters.listed(operand))]
            if None in found_:
                return None
            column, _ = self.columns.attribute(name)
            return joined("&&", found_, Op("!=", column, None))
        return None

    def one_of(self, test: Evaluation, name: str, at: int, value: Any) -> Any:
        """An item of a list: (…, text) if it is compared as a text, else a test."""
        if isinstance(value, str) and number(value) is None:
            return "", self.parameters.text((*test.path, at), value)
        return self.equal(test, name, value, at)

    def equal(self, test: Evaluation, name: str, value: Any, at: int | None = None) -> Expr | None:
        """Whether an attribute is a value: numbers equal their texts."""
        path = test.path if at is None else (*test.path, at)
        column, kind = self.columns.attribute(name)
        if isinstance(value, bool):
            return attempt(Op("==", Fn("lower", (column,)), "true" if value else "false"), False)
        if not isinstance(value, (str, int, float)):
            return None
        if kind == columns.STRINGS:
            return attempt(Fn("contains", (column, self.parameters.text(path, str(value)))), False)
        if (found := number(value)) is not None:
            return attempt(Op("==", Fn("tonumber", (column,)), self.parameters.number(path, found)), False)
        return Op("==", column, self.parameters.text(path, value))

    def ordered(self, name: str, sign: str, bound: Expr) -> Expr:
        if name == "cost":
            return Op(sign, member(OWN, "cost"), bound)
        column, kind = self.columns.attribute(name, number=True)
        found = column if kind == columns.NUMBER else Fn("tonumber", (column,))
        return attempt(Op(sign, found, bound), False)

    def pattern(self, test: Evaluation, name: str) -> Expr | None:
        flags, body = test.flags, str(test.operand)
        if not flags and (shaped := OF_TEXTS.fullmatch(body)) is not None:
            body, flags = shaped.groups()
        if "x" in flags or (translated := re2(body)) is None:
            return None
        column, kind = self.columns.attribute(name)
        if kind == columns.STRINGS:
            return None
        text = f"(?{flags}){translated}" if flags else translated
        return attempt(Op(">", Fn("length", (Fn("regexall", (text, column)),)), 0), False)

    # threshold, zone, room

    def limit(self, each: model.Limit) -> Expr:
        return self.ordered(
            each.attribute, SIGNS[each.operator], self.parameters.number((*each.path, "threshold"), each.value)
        )

    def country(self, one: Constraint, given: model.Zone) -> Expr | None:
        """A zone of countries with a location: the candidate is in its country, or not."""
        if given.location is None or given.category != "country":
            return None
        country = self.places.country(given.location)
        if country is None:
            self.assumes = True
            return var("assume_fit")
        column, _ = self.columns.attribute("country")
        return Op("==" if given.qualifier == "same" else "!=", column, country)

    def room(self, one: Constraint, given: model.Fit, demand: str) -> Expr:
        """Room: as `fitting` lists it, else from capacities."""
        only = ONLY.get(one.type, CLOUD)
        path = (*one.path, "properties", "request")
        needs: list[Expr] = []
        request = given.request if isinstance(given.request, dict) else {}
        for name, value in request.items():
            own = (*path, name, "quantity") if isinstance(value, dict) else (*path, name)
            amount = number(value.get("quantity") if isinstance(value, dict) else value)
            if amount is None:
                needs = []
                break
            have = member(self.columns.capacity(), str(name))
            needs.append(attempt(Op(">=", have, self.parameters.number(own, amount)), var("assume_fit")))
        self.assumes = True
        room = joined("&&", needs, var("assume_fit"))
        return Op("||", Op("!=", member(OWN, "inventory_type"), only), self.listed(one.name, demand, room))


def columns_index(name: str, key: Expr) -> Expr:
    from emitters.hcl.tree.nodes import Index

    return Index(var(name), Text((key,)) if isinstance(key, str) else key)
