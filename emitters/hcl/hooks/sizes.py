"""The sizes of scaling groups: a variable for each group, with the group's limits.

Invariant: unless the user sets the variable, the group has the size with which Heat creates it; a running group, the
size that it has now, because Heat may have scaled it. A literal limit is a `validation`. Terraform before 1.9 allows no
other variables there, so any other limit is a `check`, which only warns.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.plan.scaling import GROUPS
from emitters.hcl.tree.nodes import Block, Cond, Expr, Fn, Op, Traversal
from emitters.hcl.tree.types import NUMBER
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import node
from transpile.model.span import Span
from transpile.report import NO_VALUE, Fate, make_fate

CODE, ROLLING = codes.GROUP_SCALED_BY_USER, codes.NO_ROLLING_UPDATE
AT_ONCE = "the provider has no rolling updates"
LOW, HIGH = ">=", "<="


@final
@node
class SizeLimit:
    """A limit of a group. entry: the property. number: None if it is not literal."""

    entry: ir.Entry
    operator: str
    number: int | None


@final
class GroupSize:
    """The size of one scaling group. expr: for the argument count. variable: sets it. fates: of the group's properties.
    parameter: the one that is the variable, if any. running: how many members run, if the group does. default: of a
    variable of the group's own. outside: the limits that cannot be in a `validation`.
    """

    def __init__(self, emission: Emission, group: ir.Resource, lowering: HclLowering, address: tuple[str, str]) -> None:
        self.emission, self.group, self.lowering, self.address = emission, group, lowering, address
        words = GROUPS[group.kind]
        entries = {word: entry for word in words if word and (entry := group.find_entry(word)) is not None}
        self.limits = [
            SizeLimit(entries[word], operator, literal_size(entries[word].value))
            for word, operator in ((words.least, LOW), (words.most, HIGH))
            if word in entries
        ]
        first = entries.get(words.first) or entries.get(words.least)
        if first is None:
            why = f"{group.name} has no size, which Heat requires"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, group.name_span, group.name)
        self.first = first
        self.fates: dict[str, Fate] = {}
        self.label = f"{address[1]}_size"
        self.outside: list[SizeLimit] = []
        self.check_size()
        shared = emission.unit.running.is_shared  # each environment has the size that runs there
        self.running = None if shared else running_size(emission, group)
        self.parameter = None if shared else self.own_parameter(words.first)
        self.default = literal_size(first.value) if self.running is None else self.running
        self.variable = self.size_variable()
        self.expr = self.lower_count()
        self.restrict_variable()

    def check_size(self) -> None:
        """Raises CannotSay for a size that Heat refuses, or that Terraform knows only after the apply."""
        first, name = self.first.value, self.group.name
        if self.emission.unit.is_unknown_before_apply(first):
            raise CannotSay(codes.ONLY_AT_RUN_TIME, f"the size of {name} is known only after the apply", first, name)
        for entry in (self.first, *(limit.entry for limit in self.limits)):
            if isinstance(entry.value, ir.Lit) and literal_size(entry.value) is None:
                why = f"{entry.key} of {name} must be a number"
                raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, entry.value, name)
        size = literal_size(first)
        for limit in self.limits:
            if size is not None and limit.number is not None and not is_within_limit(size, limit):
                why = f"Heat refuses the size {size} of {name}, for which {limit.entry.key} is {limit.number}"
                raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, first, name)

    def own_parameter(self, word: str) -> ir.Param | None:
        """The parameter that is the size. Its variable sets the size, so the group needs none of its own. If Heat has
        scaled a running group since, the parameter has another value, and something else may read it.
        """
        value = self.first.value
        if self.first.key != word or not isinstance(value, ir.ParamRef) or value.path:
            return None
        parameter = self.emission.unit.template.parameters.get(value.name)
        if parameter is None or parameter.type not in ("number", "string"):
            return None
        if self.running is None:
            return parameter
        size = self.emission.unit.root_parameter_value(value.name)
        return parameter if size is not None and literal_size(ir.Lit(size)) == self.running else None

    def size_variable(self) -> Traversal | None:
        """The variable for the size; None for a group without limits, whose size only the template sets."""
        if self.parameter is not None:
            return Traversal(("var", self.emission.names.variables[self.parameter.name]))
        if not self.limits:
            return None
        name, size = self.group.name, self.default
        has_literal_limits = len(self.limits) > 1 and all(limit.number is not None for limit in self.limits)
        limits_text = f", {describe_limits(self.limits)}." if has_literal_limits else "."
        otherwise = "" if size is not None else f" If null, {self.first.key} applies."
        key = f"size {name}"
        self.emission.unit.running.record_size(key, name)
        return self.emission.variables.get_variable(
            key,
            self.label,
            f"Number of members of the scaling group {name}{limits_text}{otherwise}",
            Traversal(("number",)),
            default=size,
        )

    def lower_count(self) -> Expr:
        """The number of members, and the fate of the property that it comes from."""
        first = self.first
        if self.variable is None or self.parameter is not None:
            self.fates[first.key] = make_fate("value", self.to, "count")
            return self.lowering.lower_expression(first.value, NUMBER)
        where = f"var.{self.variable.parts[1]}"
        if self.default is not None:
            why = "the size without another value" if self.running is None else "the size that the running group has"
            self.fates[first.key] = make_fate("derived", where, "default", why)
            return self.variable
        self.fates[first.key] = make_fate("derived", self.to, "count", f"the size if {where} is null")
        value, least = self.lowering.lower_value(first.value, NUMBER), self.limits[0]
        instead = (
            (self.lowering.lower_expression(least.entry.value, NUMBER),) if value.null and least.operator == LOW else ()
        )
        return Fn("coalesce", (self.variable, value.expr, *instead))

    @property
    def to(self) -> str:
        return ".".join(self.address)

    def restrict_variable(self) -> None:
        """Writes the literal limits into the variable. If the variable is a parameter and the group has a condition,
        they are checks: a value outside the limits is valid where the group does not exist.
        """
        if self.variable is None:
            return
        inside = [limit for limit in self.limits if limit.number is not None]
        if self.parameter is not None and self.group.is_conditional:
            inside = []
        label = self.variable.parts[1]
        for limit in self.limits:  # a limit that is the size itself always holds
            if self.parameter is not None and limit.entry.value == self.first.value:
                self.fates[limit.entry.key] = make_fate("implied", f"var.{label}", why="the size is the same parameter")
            elif limit not in inside:
                self.outside.append(limit)
        if inside:
            test = lower_limits(self.variable, inside)
            if self.parameter is None and self.default is None:
                test = Cond(Op("==", self.variable, None), True, test)
            block = Block("validation")
            block.add_argument("condition", test)
            block.add_argument(
                "error_message", f"{label} must be {describe_limits(inside)}, as the group {self.group.name} says."
            )
            self.add_validation(block)
        for limit in inside:
            why = "the variable accepts no other value"
            self.fates.setdefault(limit.entry.key, make_fate("derived", f"var.{label}", "validation", why))
        for limit in self.outside:
            why = "it only warns: in a validation, Terraform before 1.9 allows no other variables"
            self.fates.setdefault(limit.entry.key, make_fate("derived", f"check.{self.label}", "assert", why))

    def add_validation(self, validation: Block) -> None:
        """Adds a validation to the variable, once."""
        if self.parameter is None:
            self.emission.variables.blocks[f"size {self.group.name}"].body.append(validation)
        else:
            self.emission.variables.restricted.setdefault(self.parameter.name, []).append(validation)

    def write_check(self) -> None:
        """Writes a `check` for the other limits."""
        if not self.outside:
            return
        group, size = self.group, Fn("length", (Traversal(self.address),))
        sides = [(limit.operator, self.lowering.lower_expression(limit.entry.value, NUMBER)) for limit in self.outside]
        tests: list[Expr] = [Op(operator, size, side) for operator, side in sides]
        test = tests[0] if len(tests) == 1 else Op("&&", tests[0], tests[1])
        if group.is_conditional and self.emission.unit.has_count(group):
            test = Cond(self.lowering.lower_condition(group.condition), test, True)
        block = Block("check", (self.label,))
        inner = block.add_block("assert")
        inner.add_argument("condition", test)
        keys = " and ".join(limit.entry.key for limit in self.outside)
        inner.add_argument("error_message", f"The size of {group.name} must be within {keys}.")
        self.emission.blocks.add_block(block, group.name)

    def report_fates(self) -> None:
        """Records the fates of the group's own properties, and reports that only the user scales it."""
        group, report = self.group, self.emission.log.resource_report(self.group)
        for entry in group.entries:
            if entry.key in self.fates:
                report.properties[entry.key] = self.fates[entry.key]
            elif entry.key.lower() == "cooldown":
                report.properties[entry.key] = make_fate(
                    "dropped", code=CODE, why="nothing scales the group but the user"
                )
            elif entry.key == "rolling_updates":
                self.report_rolling_update(entry.value)
                report.properties[entry.key] = make_fate("dropped", code=ROLLING, why=AT_ONCE)
            elif entry.value == ir.NULL:
                report.properties[entry.key] = make_fate("implied", why=NO_VALUE)
        words = self.emission.unit.template.version.dialect.resource
        spelled = next((key for key in group.keys if words.get(key) == "update_policy"), "")
        policy = group.update_policy
        if spelled not in report.keys and isinstance(policy, ir.Map) and policy.entries:
            self.report_rolling_update(policy)
            report.keys[spelled] = make_fate("dropped", code=ROLLING, why=AT_ONCE)
        if self.limits:
            by = f"var.{self.variable.parts[1]}" if self.variable is not None else self.first.key
            end = group.type_at + len(group.type)
            self.emission.log.report_difference(
                CODE, f"{group.name} no longer scales by itself: {by} sets its size.", Span(group.type_at, end)
            )

    def report_rolling_update(self, policy: ir.Expr) -> None:
        message = f"Terraform changes all members of {self.group.name} in one apply, where Heat does it in batches."
        self.emission.log.report_difference(ROLLING, message, policy)


def running_size(emission: Emission, group: ir.Resource) -> int | None:
    """The number of members of a running group; None if it does not run, or not with the same members everywhere."""
    members = emission.unit.running.member_names(group.name)
    return len(members) if members is not None else None


def literal_size(value: ir.Expr) -> int | None:
    """A literal number of members; None for anything else."""
    if not isinstance(value, ir.Lit) or isinstance(value.value, bool):
        return None
    text = str(value.value).strip()
    return int(text) if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 else None


def is_within_limit(size: int, limit: SizeLimit) -> bool:
    assert limit.number is not None
    return size >= limit.number if limit.operator == LOW else size <= limit.number


def lower_limits(variable: Traversal, limits: list[SizeLimit]) -> Expr:
    """The test that a variable is within one or two literal limits."""
    numbers = [limit.number for limit in limits if limit.number is not None]
    if len(numbers) == 2 and numbers[0] == numbers[1]:
        return Op("==", variable, numbers[0])
    tests: list[Expr] = [Op(limit.operator, variable, limit.number) for limit in limits]
    return tests[0] if len(tests) == 1 else Op("&&", tests[0], tests[1])


def describe_limits(limits: list[SizeLimit]) -> str:
    """One or two literal limits in words: `between 1 and 3`, `at least 2`."""
    if len(limits) == 2:
        low, high = (limit.number for limit in limits)
        return str(low) if low == high else f"between {low} and {high}"
    return f"at {'least' if limits[0].operator == LOW else 'most'} {limits[0].number}"


def minimum_size(emission: Emission, group: ir.Resource) -> int:
    """The least number of members of a group: 0 if it has a condition or its limit is not literal."""
    words = GROUPS[group.kind]
    entry = group.find_entry(words.least or words.first)
    size = literal_size(entry.value) if entry is not None and not group.is_conditional else None
    return size or 0
