"""The section `optimization`: a goal, operators and functions, in the old and in the new arrangement."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.homing import words
from transpile.homing.context import items, text
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import NEW, Function, Normalization, Number, Objective, Operator, number
from transpile.model.ir import Lit, Map, ParamRef, Seq

if TYPE_CHECKING:
    from collections.abc import Collection

    from transpile.homing.context import Context
    from transpile.homing.model import Path, Term
    from transpile.model.ir import Entry, Expr

OLD_GOAL = "HAS takes one goal in this version: minimize a sum."


def read(context: Context, section: Expr | None, hpa: Collection[str]) -> Objective | None:
    """The objective; None if there is none, or it cannot be read. `hpa`: names of the constraints of that type."""
    given = context.map(section, "The section optimization", "HOT860")
    if given is None or not given.entries:
        return None
    if context.document.arrangement == NEW:
        return New(context).objective(given)
    return Old(context, hpa).objective(given)


@final
class Old:
    """{minimize: {sum: [terms]}}. The texts allow any arrangement, HAS takes this one."""

    def __init__(self, context: Context, hpa: Collection[str]) -> None:
        self.context, self.findings, self.hpa = context, context.findings, hpa
        self.measured = self.scored = False  # whether a distance or latency was seen, and a function of another kind

    def objective(self, given: Map) -> Objective | None:
        findings = self.findings
        goals = [entry for entry in given.entries if entry.key in words.GOALS]
        for entry in given.entries:
            if entry.key in ("goal", "operation_function"):
                message = f"{entry.key} belongs to templates since 2020-08-13."
                findings.wrong("HOT884", message, entry, f"Change the version, or write minimize. {OLD_GOAL}")
            elif entry.key not in words.GOALS:
                hint = findings.sink.guess(entry.key, words.GOALS)
                findings.wrong("HOT884", f"There is no goal {entry.key}.", entry, hint or OLD_GOAL)
        if len(goals) != 1:
            if goals:
                findings.wrong("HOT884", "There is more than one goal.", goals[1], OLD_GOAL)
            return None
        goal = goals[0]
        if goal.key != "minimize":
            findings.wrong("HOT884", f"{goal.key} is not known in this version.", goal, OLD_GOAL)
            return None
        if not isinstance(goal.value, Map) or len(goal.value.entries) != 1:
            findings.wrong("HOT884", "The goal is one operator or function.", goal.value, OLD_GOAL)
            return None
        operator = goal.value.entries[0]
        path = ("optimization", goal.key)
        if operator.key == "sum":
            term: Term | None = self.sum(operator, path)
        else:
            if operator.key in (*words.OLD_FUNCTIONS, "product"):
                message = f"HAS refuses minimize with {operator.key} alone: it wants a sum."
                findings.differs("HOT885", message, operator, "Put it into a sum.", REFUSES)
            term = self.term(goal.value, path, summed=False)
        return None if term is None else Objective(goal.key, term, given.at, given.end)

    def sum(self, entry: Entry, path: Path) -> Operator | None:
        """The outermost sum."""
        findings = self.findings
        if not isinstance(entry.value, Seq):
            findings.wrong("HOT884", "sum takes a list.", entry.value)
            return None
        terms = entry.value.items
        if not terms:
            findings.wrong("HOT884", "The sum is empty: HAS fails on it.", entry, engine=CRASHES)
            return None
        if len(terms) != 2:
            message = f"The texts restrict the sum to two operands; this one has {len(terms)}, which HAS takes."
            findings.note("HOT885", message, entry, severity="info")
        found = [self.term(one, (*path, "sum", i), place=i) for i, one in enumerate(terms)]
        if self.scored and not self.measured and None not in found:
            message = "HAS fails on an objective without a distance_between."
            findings.differs("HOT885", message, entry, "Add one with a small weight.", CRASHES)
        kept = tuple([one for one in found if one is not None])
        return Operator("sum", kept, at=entry.at, end=entry.at + 3, path=(*path, "sum"))

    def term(self, given: Expr, path: Path, *, place: int = 0, summed: bool = True) -> Term | None:
        """A term of the sum."""
        findings = self.findings
        if isinstance(given, Lit) and number(given.value) is not None and not isinstance(given.value, str):
            message = "HAS fails on a number as a term of the sum."
            findings.differs("HOT885", message, given, "Leave it out: it changes no choice.", REFUSES)
            return Number(float(given.value or 0), given.at, given.end, path)
        if not isinstance(given, Map) or len(given.entries) != 1:
            findings.wrong("HOT884", "A term is one operator or function.", given)
            return None
        entry = given.entries[0]
        path = (*path, entry.key)
        if entry.key == "product":
            return self.product(entry, path, given)
        if entry.key == "sum" and isinstance(entry.value, Seq):
            if summed:
                message = "HAS refuses a sum that is directly in a sum."
                findings.differs("HOT885", message, entry, "Write its terms in the outer one.", REFUSES)
            inner = [self.term(one, (*path, i), place=i) for i, one in enumerate(entry.value.items)]
            return Operator("sum", tuple([one for one in inner if one is not None]), at=entry.at, path=path)
        if entry.key in words.OLD_FUNCTIONS:
            found = self.function(entry, path)
            if entry.key != "distance_between" and summed:
                message = f"HAS fails on {entry.key} outside of a product."
                hint = f"Write {{product: [1, {{{entry.key}: …}}]}}."
                findings.differs("HOT885", message, entry, hint, REFUSES)
            return found
        known = (*words.OPERATORS, *words.OLD_FUNCTIONS)
        engine = REFUSES if place == 0 or not summed else CRASHES
        findings.wrong("HOT884", f"There is no function {entry.key}.", entry, findings.guess(entry.key, known), engine)
        return None

    def product(self, entry: Entry, path: Path, owner: Expr) -> Term | None:
        """Numbers and functions, multiplied. HAS takes the last number and the last function."""
        findings = self.findings
        if not isinstance(entry.value, Seq):
            findings.wrong("HOT884", "product takes a list.", entry.value)
            return None
        parts: list[Term] = []
        numbers = functions = 0
        for i, one in enumerate(entry.value.items):
            where = (*path, i)
            if isinstance(one, Map):
                functions += 1
                found = self.factor(one, where)
            else:
                numbers += 1
                found = self.weight(one, where)
            if found is not None:
                parts.append(found)
        if not functions:
            findings.wrong("HOT884", "The product has no function.", entry.value if entry.value.items else entry)
            return None
        for what, count in (("number", numbers), ("function", functions)):
            if count > 1:
                message = f"The product has {count} {what}s: HAS takes the last, and ignores the others."
                findings.wrong("HOT885", message, entry, "Multiply them." if what == "number" else "", TAKES)
        if len(parts) < functions:
            return None
        if len(parts) == 2 and isinstance(parts[1], Number):  # the order of two factors says nothing
            parts.sort(key=lambda one: not isinstance(one, Number))
        return Operator("product", tuple(parts), at=entry.at, end=entry.at + len("product"), path=path)

    def factor(self, given: Map, path: Path) -> Term | None:
        """A function in a product, or a sum of products."""
        findings = self.findings
        if len(given.entries) != 1:
            findings.wrong("HOT884", "An operand is one operator or function.", given)
            return None
        entry = given.entries[0]
        path = (*path, entry.key)
        if entry.key in words.OLD_FUNCTIONS:
            return self.function(entry, path)
        if entry.key == "product":
            message = "HAS refuses a product in a product."
            findings.differs("HOT885", message, entry, "Write its operands in the outer one.", REFUSES)
            return self.product(entry, path, given)
        if entry.key == "sum" and isinstance(entry.value, Seq):
            plain = [one for one in entry.value.items if not (isinstance(one, Map) and one.get("product") is not None)]
            if plain:
                message = "HAS refuses a sum in a product whose operands are no products."
                findings.differs("HOT885", message, plain[0], "Write {product: [1, …]}.", REFUSES)
            inner = [self.inner(one, (*path, i)) for i, one in enumerate(entry.value.items)]
            return Operator("sum", tuple([one for one in inner if one is not None]), at=entry.at, path=path)
        known = (*words.OPERATORS, *words.OLD_FUNCTIONS)
        findings.wrong("HOT884", f"There is no function {entry.key}.", entry, findings.guess(entry.key, known))
        return None

    def inner(self, given: Expr, path: Path) -> Term | None:
        """An operand of a sum in a product."""
        if isinstance(given, Map) and len(given.entries) == 1:
            entry = given.entries[0]
            if entry.key == "product" and isinstance(entry.value, Seq):
                for one in entry.value.items:
                    value = number(one.value) if isinstance(one, Lit) else None
                    if value is not None and value != int(value):
                        message = f"HAS cuts this weight to {int(value)}, because it stands in an inner sum."
                        self.findings.differs("HOT885", message, one, "Write the products in the outer sum.")
                return self.product(entry, (*path, "product"), given)
            return self.factor(given, path)
        value = number(given.value) if isinstance(given, Lit) else None
        if value is None:
            self.findings.wrong("HOT884", "An operand is a number, an operator or a function.", given)
            return None
        return Number(value, given.at, given.end, path)

    def weight(self, given: Expr, path: Path) -> Number | None:
        """A number in a product. HAS takes 1.0 for what it does not see as one."""
        findings = self.findings
        value = number(given.value) if isinstance(given, Lit) else None
        if value is None:
            message = "A weight must be a number. HAS takes 1.0, silently, and so does hot2tf."
            if isinstance(self.context.references.get(path), ParamRef):
                findings.senseless("HOT884", "The value of the parameter is no number.", given)
                return None
            findings.wrong("HOT885", message, given, engine=TAKES)
            return Number(1.0, given.at, given.end, path)
        if isinstance(given, Lit) and isinstance(given.value, str):
            if value == 0:
                message = 'HAS does not take "0" for a number: the weight would be 1.0.'
                findings.differs("HOT885", message, given, "Remove the quotes.")
            else:
                findings.note("HOT885", "The weight is a text; HAS takes it.", given, "Remove the quotes.", "info")
        return Number(value, given.at, given.end, path)

    def function(self, entry: Entry, path: Path) -> Function | None:
        """distance_between and latency_between of a demand and a location, or a function of demands."""
        context, findings, name = self.context, self.findings, entry.key
        end = entry.at + len(name)
        if name in words.DISTANCES:
            self.measured = True
            if name == "latency_between":
                message = "HAS always fails on latency_between while it solves."
                findings.differs("HOT885", message, entry, engine=CRASHES)
            return self.between(entry, path)
        self.scored = True
        named = [context.demand(one, f"The function {name}", TAKES) for one in items(entry.value)]
        if name == "hpa_score" and not self.hpa:
            findings.wrong("HOT884", "hpa_score needs a constraint of the type hpa.", entry)
            return None
        if name == "aic_version":
            findings.differs(
                "HOT885", "HAS fails on aic_version when two candidates are as good.", entry, engine=CRASHES
            )
        chosen = tuple([one for one in named if one is not None])
        return Function(name, chosen, at=entry.at, end=end, path=path) if len(chosen) == len(named) else None

    def between(self, entry: Entry, path: Path) -> Function | None:
        """The demand and the location, in either order."""
        context, findings, name = self.context, self.findings, entry.key
        if not isinstance(entry.value, Seq) or len(entry.value.items) < 2:
            message = f"{name} takes a list of a location and a demand."
            findings.wrong("HOT884", message, entry.value)
            return None
        first, second, *more = entry.value.items
        if more:
            message = f"{name} takes two arguments: HAS ignores the others."
            findings.wrong("HOT885", message, more[0], engine=TAKES)
        one, two = text(first), text(second)
        demand, location = (two, one) if two in context.demands and one in context.locations else (one, two)
        place = f"{name}"
        if demand in context.demands and location in context.locations:
            context.used.add(location)
            return Function(name, (demand,), location, at=entry.at, end=entry.at + len(name), path=path)
        for other, kind in ((context.demands, "demands"), (context.locations, "locations")):
            if one in other and two in other:
                message = f"{place} takes a location and a demand; {one} and {two} are both {kind}."
                findings.wrong("HOT884", message, entry.value)
                return None
        known = [*context.locations, *context.demands]
        for expr, word in ((first, one), (second, two)):
            if word not in context.demands and word not in context.locations:
                message = f"{place} names {word or '?'}, which is neither a location nor a demand."
                findings.wrong("HOT877", message, expr, findings.guess(word, known))
        return None


@final
class New:
    """{goal, operation_function: {operator, operands}}, since 2020-08-13."""

    def __init__(self, context: Context) -> None:
        self.context, self.findings = context, context.findings

    def objective(self, given: Map) -> Objective | None:
        findings = self.findings
        if given.get("minimize") is not None or given.get("maximize") is not None:
            message = "Since 2020-08-13 the objective is {goal, operation_function}."
            findings.wrong(
                "HOT884", message, given.entries[0], "hot2tf convert --to homing --option version=2020-08-13"
            )
            return None
        for entry in given.entries:
            if entry.key not in ("goal", "operation_function"):
                message = f"The objective has no member {entry.key}; HAS ignores it."
                findings.wrong(
                    "HOT885", message, entry, findings.guess(entry.key, ("goal", "operation_function")), TAKES
                )
        goal = self.word(given, "goal", words.GOALS)
        operation = given.get("operation_function")
        if operation is None:
            findings.wrong("HOT884", "The objective has no operation_function.", given)
            return None
        term = self.operation(operation, ("optimization", "operation_function"))
        if goal is None or term is None:
            return None
        if goal == "maximize":
            message = "HAS finds a maximum only if it is above 0."
            findings.note("HOT885", message, given.get("goal") or given, severity="info")
        return Objective(goal, term, given.at, given.end)

    def word(self, given: Map, key: str, known: tuple[str, ...]) -> str | None:
        """A member that is one of some words."""
        value = given.get(key)
        if value is None:
            self.findings.wrong("HOT884", f"There is no {key} here.", given)
            return None
        if text(value) not in known:
            hint = self.findings.guess(text(value), known)
            self.findings.wrong("HOT884", f"There is no {key} {text(value) or 'of this kind'}.", value, hint)
            return None
        return text(value)

    def operation(self, given: Expr, path: Path) -> Operator | None:
        findings = self.findings
        if self.context.map(given, "operation_function", "HOT884") is None or not isinstance(given, Map):
            return None
        operator, operands = self.word(given, "operator", words.NEW_OPERATORS), given.get("operands")
        if not isinstance(operands, Seq):
            findings.wrong("HOT884", "operands must be a list.", operands or given)
            return None
        if not operands.items:
            findings.wrong("HOT884", "There are no operands: HAS fails on it.", operands, engine=CRASHES)
            return None
        if operator == "max":
            message = "HAS computes the minimum for max."
            findings.differs("HOT885", message, given.get("operator") or given)
        found = [self.operand(one, (*path, "operands", i)) for i, one in enumerate(operands.items)]
        if operator is None or None in found:
            return None
        kept = tuple([one for one in found if one is not None])
        return Operator(operator, kept, at=given.at, end=given.end, path=path)

    def operand(self, given: Expr, path: Path) -> Term | None:
        findings = self.findings
        if self.context.map(given, "An operand", "HOT884") is None or not isinstance(given, Map):
            return None
        weight, normalization = self.weight(given), self.normalization(given)
        inner, name = given.get("operation_function"), given.get("function")
        if inner is not None:
            if name is not None:
                message = "The operand has function and operation_function: HAS ignores the function."
                findings.wrong("HOT885", message, name, engine=TAKES)
            found = self.operation(inner, (*path, "operation_function"))
            if found is None:
                return None
            return Operator(found.name, found.operands, weight, normalization, given.at, given.end, path)
        kind = self.word(given, "function", words.NEW_FUNCTIONS)
        params = given.get("params")
        if kind is None or self.context.map(params or given, "params", "HOT884") is None:
            return None
        if not isinstance(params, Map):
            findings.wrong("HOT884", "The operand has no params.", given)
            return None
        return self.function(kind, given, params, weight, normalization, path)

    def function(
        self, kind: str, given: Map, params: Map, weight: float, normalization: Normalization | None, path: Path
    ) -> Function | None:
        context, findings = self.context, self.findings
        known = ("demand", "attribute" if kind == "attribute" else "location")
        for key in known:
            if params.get(key) is None:
                findings.wrong("HOT884", f"{kind} needs the parameter {key}.", params)
                return None
        for entry in params.entries:
            if entry.key not in known:
                findings.wrong("HOT885", f"{kind} has no parameter {entry.key}; HAS ignores it.", entry, engine=TAKES)
        demand = context.demand(params.get("demand") or params, kind)
        second = params.get(known[1]) or params
        if kind == "attribute":
            if demand is None:
                return None
            if demand != next(iter(context.demands)):
                message = f"HAS fails on {kind} of {demand}: it knows only the demand that is decided first."
                findings.differs("HOT885", message, params.get("demand") or params, engine=CRASHES)
            return Function(kind, (demand,), None, text(second), weight, normalization, given.at, given.end, path)
        location = context.location(second, kind, CRASHES)
        if demand is None or location is None:
            return None
        message = f"HAS fails on {kind} in this arrangement while it solves; only attribute works."
        findings.differs("HOT885", message, given.get("function") or given, engine=CRASHES)
        return Function(kind, (demand,), location, None, weight, normalization, given.at, given.end, path)

    def weight(self, given: Map) -> float:
        value = given.get("weight")
        if value is None:
            return 1.0
        return self.number(value, "The weight")

    def number(self, value: Expr, what: str) -> float:
        """A number that is no text; 1.0 with a finding for anything else."""
        found = number(value.value) if isinstance(value, Lit) and not isinstance(value.value, str) else None
        if found is None:
            self.findings.wrong("HOT884", f"{what} must be a number.", value)
        return 1.0 if found is None else found

    def normalization(self, given: Map) -> Normalization | None:
        value = given.get("normalization")
        if value is None:
            return None
        if not isinstance(value, Map):
            self.findings.wrong("HOT884", "normalization must be a map with start and end.", value)
            return None
        ends = []
        for key in ("start", "end"):
            one = value.get(key)
            if one is None:
                self.findings.wrong("HOT884", f"normalization needs {key}.", value)
                return None
            ends.append(self.number(one, key))
        if ends[0] == ends[1]:
            message = "start and end are equal: HAS divides by zero."
            self.findings.wrong("HOT884", message, value, engine=CRASHES)
            return None
        return Normalization(*ends)
