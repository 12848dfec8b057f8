"""The sizes of scaling groups: a variable for each group, with the group's limits.

Invariant: unless the user sets the variable, the group has the size with which Heat creates it. A literal limit is a
`validation`. Terraform before 1.9 allows no other variables there, so any other limit is a `check`, which only warns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks.values import prop
from emitters.hcl.plan.scaling import GROUPS
from emitters.hcl.tree.nodes import Block, Cond, Fn, Name, Op
from emitters.hcl.tree.types import NUMBER
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import node
from transpile.model.span import Span
from transpile.report import NO_VALUE, Fate, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.tree.nodes import Expr

CODE, ROLLING = codes.GROUP_SCALED_BY_USER, codes.NO_ROLLING_UPDATE
AT_ONCE = "the provider has no rolling updates"
LOW, HIGH = ">=", "<="


@final
@node
class Limit:
    """A limit of a group. entry: the property. number: None if it is not literal."""

    entry: ir.Entry
    operator: str
    number: int | None


@final
class Size:
    """The size of one scaling group. expr: for the argument count. variable: sets it. fates: of the group's properties.
    parameter: the one that is the variable, if any. outside: the limits that cannot be in a `validation`.
    """

    def __init__(self, emission: Emission, group: ir.Resource, lowering: Lowering, address: tuple[str, str]) -> None:
        self.emission, self.group, self.lowering, self.address = emission, group, lowering, address
        words = GROUPS[group.kind]
        given = {word: entry for word in words if word and (entry := prop(group, word)) is not None}
        self.limits = [
            Limit(given[word], operator, whole(given[word].value))
            for word, operator in ((words.least, LOW), (words.most, HIGH))
            if word in given
        ]
        first = given.get(words.first) or given.get(words.least)
        if first is None:
            why = f"{group.name} has no {words.least or words.first}, which Heat requires"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, group.name_span, group.name)
        self.first = first
        self.fates: dict[str, Fate] = {}
        self.label = f"{address[1]}_size"
        self.outside: list[Limit] = []
        self.refuse()
        self.parameter = self.own_parameter(words.first)
        self.variable = self.named()
        self.expr = self.count()
        self.restrict()

    def refuse(self) -> None:
        """Raises CannotSay for a size that Heat refuses, or that Terraform knows only after the apply."""
        first, name = self.first.value, self.group.name
        if self.emission.unit.unknown(first):
            raise CannotSay(codes.ONLY_AT_RUN_TIME, f"the size of {name} is known only after the apply", first, name)
        for entry in (self.first, *(limit.entry for limit in self.limits)):
            if isinstance(entry.value, ir.Lit) and whole(entry.value) is None:
                why = f"{entry.key} of {name} must be a number"
                raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, entry.value, name)
        size = whole(first)
        for limit in self.limits:
            if size is not None and limit.number is not None and not within(size, limit):
                why = f"Heat refuses the size {size} of {name}, for which {limit.entry.key} is {limit.number}"
                raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, first, name)

    def own_parameter(self, word: str) -> ir.Param | None:
        """The parameter that is the size. Its variable sets the size, so the group needs none of its own."""
        value = self.first.value
        if self.first.key != word or not isinstance(value, ir.ParamRef) or value.path:
            return None
        found = self.emission.unit.template.parameters.get(value.name)
        return found if found is not None and found.type in ("number", "string") else None

    def named(self) -> Name | None:
        """The variable for the size; None for a group without limits, whose size only the template sets."""
        if self.parameter is not None:
            return Name(("var", self.emission.names.variables[self.parameter.name]))
        if not self.limits:
            return None
        name, size = self.group.name, whole(self.first.value)
        known = len(self.limits) > 1 and all(limit.number is not None for limit in self.limits)
        told = f", {worded(self.limits)}." if known else "."
        otherwise = "" if size is not None else f" If null, what {self.first.key} says."
        return self.emission.variables.get(
            f"size {name}",
            self.label,
            f"Number of members of the scaling group {name}{told}{otherwise}",
            Name(("number",)),
            default=size,
        )

    def count(self) -> Expr:
        """The number of members, and the fate of the property that it comes from."""
        first = self.first
        if self.variable is None or self.parameter is not None:
            self.fates[first.key] = fate("value", self.to, "count")
            return self.lowering.expr(first.value, NUMBER)
        where = f"var.{self.variable.parts[1]}"
        if whole(first.value) is not None:
            self.fates[first.key] = fate("derived", where, "default", "the size without another value")
            return self.variable
        self.fates[first.key] = fate("derived", self.to, "count", f"the size if {where} is null")
        value, least = self.lowering.value(first.value, NUMBER), self.limits[0]
        instead = (self.lowering.expr(least.entry.value, NUMBER),) if value.null and least.operator == LOW else ()
        return Fn("coalesce", (self.variable, value.expr, *instead))

    @property
    def to(self) -> str:
        return ".".join(self.address)

    def restrict(self) -> None:
        """Writes the literal limits into the variable. If the variable is a parameter and the group has a condition,
        they are checks: a value outside the limits is valid where the group does not exist.
        """
        if self.variable is None:
            return
        inside = [limit for limit in self.limits if limit.number is not None]
        if self.parameter is not None and self.group.condition is not None:
            inside = []
        self.outside = [limit for limit in self.limits if limit not in inside]
        label = self.variable.parts[1]
        if inside:
            test = joined(self.variable, inside)
            if self.parameter is None and whole(self.first.value) is None:
                test = Cond(Op("==", self.variable, None), True, test)
            block = Block("validation")
            block.set("condition", test)
            block.set("error_message", f"{label} must be {worded(inside)}, as the group {self.group.name} says.")
            self.add(block)
        for limit in inside:
            why = "the variable accepts no other value"
            self.fates.setdefault(limit.entry.key, fate("derived", f"var.{label}", "validation", why))
        for limit in self.outside:
            why = "it only warns: in a validation, Terraform before 1.9 allows no other variables"
            self.fates.setdefault(limit.entry.key, fate("derived", f"check.{self.label}", "assert", why))

    def add(self, validation: Block) -> None:
        """Adds a validation to the variable, once."""
        if self.parameter is None:
            self.emission.variables.blocks[f"size {self.group.name}"].body.append(validation)
        else:
            self.emission.variables.restricted.setdefault(self.parameter.name, []).append(validation)

    def check(self) -> None:
        """Writes a `check` for the other limits."""
        if not self.outside:
            return
        group, size = self.group, Fn("length", (Name(self.address),))
        sides = [(one.operator, self.lowering.expr(one.entry.value, NUMBER)) for one in self.outside]
        tests: list[Expr] = [Op(operator, size, side) for operator, side in sides]
        test = tests[0] if len(tests) == 1 else Op("&&", tests[0], tests[1])
        if group.condition is not None and self.emission.unit.counted(group):
            test = Cond(self.lowering.condition(group.condition), test, True)
        block = Block("check", (self.label,))
        inner = block.block("assert")
        inner.set("condition", test)
        keys = " and ".join(one.entry.key for one in self.outside)
        inner.set("error_message", f"The size of {group.name} must be within {keys}.")
        self.emission.blocks.add(block, group.name)

    def tell(self) -> None:
        """Records the fates of the group's own properties, and reports that only the user scales it."""
        group, report = self.group, self.emission.log.resource_report(self.group)
        for entry in group.properties.entries if group.properties is not None else ():
            if entry.key in self.fates:
                report.properties[entry.key] = self.fates[entry.key]
            elif entry.key.lower() == "cooldown":
                report.properties[entry.key] = fate("dropped", code=CODE, why="nothing scales the group but the user")
            elif entry.key == "rolling_updates":
                self.at_once(entry.value)
                report.properties[entry.key] = fate("dropped", code=ROLLING, why=AT_ONCE)
            elif entry.value == ir.NULL:
                report.properties[entry.key] = fate("implied", why=NO_VALUE)
        words = self.emission.unit.template.version.dialect.resource
        spelled = next((key for key in group.keys if words.get(key) == "update_policy"), "")
        policy = group.update_policy
        if spelled not in report.keys and isinstance(policy, ir.Map) and policy.entries:
            self.at_once(policy)
            report.keys[spelled] = fate("dropped", code=ROLLING, why=AT_ONCE)
        if self.limits:
            by = f"var.{self.variable.parts[1]}" if self.variable is not None else self.first.key
            end = group.type_at + len(group.type)
            self.emission.log.differs(
                CODE, f"{group.name} no longer scales by itself: {by} sets its size.", Span(group.type_at, end)
            )

    def at_once(self, policy: ir.Expr) -> None:
        message = f"Terraform changes all members of {self.group.name} in one apply, where Heat does it in batches."
        self.emission.log.differs(ROLLING, message, policy)


def whole(value: ir.Expr) -> int | None:
    """A literal number of members; None for anything else."""
    if not isinstance(value, ir.Lit) or isinstance(value.value, bool):
        return None
    text = str(value.value).strip()
    return int(text) if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 else None


def within(size: int, limit: Limit) -> bool:
    assert limit.number is not None
    return size >= limit.number if limit.operator == LOW else size <= limit.number


def joined(variable: Name, limits: list[Limit]) -> Expr:
    """The test that a variable is within one or two literal limits."""
    numbers = [limit.number for limit in limits if limit.number is not None]
    if len(numbers) == 2 and numbers[0] == numbers[1]:
        return Op("==", variable, numbers[0])
    tests: list[Expr] = [Op(limit.operator, variable, limit.number) for limit in limits]
    return tests[0] if len(tests) == 1 else Op("&&", tests[0], tests[1])


def worded(limits: list[Limit]) -> str:
    """One or two literal limits in words: `between 1 and 3`, `at least 2`."""
    if len(limits) == 2:
        low, high = (limit.number for limit in limits)
        return str(low) if low == high else f"between {low} and {high}"
    return f"at {'least' if limits[0].operator == LOW else 'most'} {limits[0].number}"


def least(emission: Emission, group: ir.Resource) -> int:
    """How many members a group has at least: 0 if it has a condition or its limit is not literal."""
    words = GROUPS[group.kind]
    entry = prop(group, words.least or words.first)
    found = whole(entry.value) if entry is not None and group.condition is None else None
    return found or 0
