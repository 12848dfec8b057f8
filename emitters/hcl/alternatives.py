"""Finds the resources that another preference would free from Heat, by its plan: nothing is written for that.

A plan takes over the failures of the attempts that this conversion made: a resource that could not be written cannot be
written for another preference either, unless only `--prefer faithful` has the failure (`CannotSay.avoidable`).

Invariant: a resource counts as free only if no part of it stays with Heat, including the parts in nested templates.
"""

from __future__ import annotations

from typing import TypeAlias

from emitters.hcl.attempts import StackAttempts
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks.group import read_member
from emitters.hcl.plan.closure import complete_plan
from emitters.hcl.plan.planner import ConversionPlan
from emitters.hcl.plan.policy import PROVISIONERS, PreferencePolicy
from emitters.hcl.plan.preferences import has_work_over_ssh
from emitters.hcl.tables.mapping import UNMAPPED
from emitters.hcl.unit import Unit
from transpile.model.budget import Budget
from transpile.model.meter import LimitExceeded
from transpile.model.records import replace

Freed: TypeAlias = "dict[str, dict[str, set[str]]]"  # module label → preference → resources


def find_freed_resources(conversion: StackAttempts, policy: PreferencePolicy) -> Freed:
    """The resources that each further preference would free, in the stack and in each module that it uses.

    A plan for another preference may exceed the budget. Then the result lacks that preference and later ones.
    """
    attempts = conversion.by_label
    plans = {label: attempt.emission.unit.plan for label, attempt in attempts.items()}
    kept = {label: {name for name in plan.kept if name in plan.template.resources} for label, plan in plans.items()}
    result: Freed = {label: {} for label in attempts}
    freed: dict[str, set[str]] = {label: set() for label in attempts}
    same_as_native = not any(has_work_over_ssh(plan.stack) for plan in plans.values())
    budget = conversion.modules.root.stack.template.source.budget
    for preference in policy.further_preferences:
        if preference != PROVISIONERS or not same_as_native:
            try:
                free = find_native_resources(conversion, replace(policy, prefer=preference), budget)
            except LimitExceeded:
                break
            freed = {label: names & free.get(label, set()) for label, names in kept.items()}
        for label, names in freed.items():
            result[label][preference] = names
    return result


def find_native_resources(conversion: StackAttempts, policy: PreferencePolicy, budget: Budget) -> dict[str, set[str]]:
    """The resources that would be fully native with a preference, by module label: no part of them stays with Heat."""
    spent, without = dict(budget.spent), dict(budget.exceeded_optional_limits)
    try:
        modules = [
            attempt for m in conversion.modules.order if (attempt := conversion.written.get(m.label)) is not None
        ]
        native: dict[str, set[str]] = {}
        for attempt in [*modules, conversion.root]:  # modules come before those that call them
            unit = attempt.emission.unit
            plan = plan_with_preference(unit, policy)
            names = {name for name in plan.template.resources if name not in plan.kept}
            for (name, _), nested in plan.stack.nested.items():
                module = conversion.modules.module_of_nested(nested)
                if name in names and native.get(module.label) != set(module.stack.template.resources):
                    names.discard(name)
            native[unit.module.label] = names
        return native
    finally:
        budget.spent, budget.exceeded_optional_limits = spent, without


def plan_with_preference(unit: Unit, policy: PreferencePolicy) -> ConversionPlan:
    """The plan of a stack with another preference, after the failures of its attempts."""
    plan = ConversionPlan(unit.module.stack, policy, unit.modules)  # without the readers of this plan
    complete_plan(plan)
    failures = {
        name: reason
        for name, reason in unit.plan.failures.items()
        if not reason.avoidable and name in plan.kinds and plan.kinds[name] == unit.plan.kinds[name]
    }
    failures |= find_unrepeatable_groups(unit, plan)
    for name, reason in failures.items():
        plan.keep_in_heat(name, reason)
    if failures:
        complete_plan(plan)
    return plan


def find_unrepeatable_groups(unit: Unit, plan: ConversionPlan) -> dict[str, CannotSay]:
    """The groups that stay with Heat now and whose members the other plan cannot repeat, with the reason."""
    failures: dict[str, CannotSay] = {}
    for name in unit.plan.kept:
        if plan.kinds.get(name, UNMAPPED).hook == "resource_group" and plan.is_native(name):
            try:
                read_member(unit, plan.template.resources[name])
            except CannotSay as reason:
                failures[name] = reason
    return failures
