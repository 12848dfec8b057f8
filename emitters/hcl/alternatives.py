"""Finds the resources that another preference would free from Heat, by converting with it what stays with Heat now.

Invariant: a resource counts as free only if no part of it stays with Heat, including the parts in nested templates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias, final

from emitters.hcl.attempt import Attempt
from emitters.hcl.plan.closure import complete_plan
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import Modules, TerraformModule
from emitters.hcl.plan.planner import ConversionPlan
from emitters.hcl.plan.preferences import FAITHFUL, NATIVE, PROVISIONERS, Preferences
from emitters.hcl.unit import Unit
from transpile.model.budget import Budget
from transpile.model.meter import LimitExceeded

ROOT = ""
Freed: TypeAlias = "dict[str, dict[str, set[str]]]"  # module label ("": root) → preference → resources


@final
class StackAttempts(NamedTuple):
    """The last attempts at a stack and its modules. values: what is known of their values. written: the
    attempts at modules, by label. root: that at the stack.
    """

    modules: Modules
    values: ModuleValues
    written: Mapping[str, Attempt]
    root: Attempt

    def attempts_by_label(self, used: set[TerraformModule]) -> dict[str, Attempt]:
        """The attempts at the root and at the used modules, by label."""
        return {ROOT: self.root} | {m.label: self.written[m.label] for m in self.modules.order if m in used}

    def native_resources(self, label: str) -> set[str]:
        """The resources of a template that are fully native: no part of them stays with Heat."""
        attempt = self.root if label == ROOT else self.written.get(label)
        if attempt is None:
            return set()
        unit = attempt.emission.unit
        names = {name for name in unit.template.resources if not unit.plan.is_embedded(name)}
        for (name, _), nested in unit.stack.nested.items():
            inner = self.modules.module_of_nested(nested)
            if name in names and inner in attempt.emission.modules.values() and not self.is_fully_native(inner.label):
                names.discard(name)
        return names

    def is_fully_native(self, label: str) -> bool:
        attempt = self.written.get(label)
        return attempt is not None and self.native_resources(label) == set(attempt.emission.unit.template.resources)


def find_freed_resources(
    attempts: Mapping[str, Attempt], wish: Preferences, budget: Budget, convert: Callable[[str], StackAttempts]
) -> Freed:
    """The resources that each preference after that of `wish` would free. attempts: those of this conversion, by label.

    A conversion with another preference may exceed the budget. Then the result lacks that preference and later ones.
    """
    embedded_names = {
        label: {
            name for name in attempt.emission.unit.template.resources if attempt.emission.unit.plan.is_embedded(name)
        }
        for label, attempt in attempts.items()
    }
    result: Freed = {label: {} for label in attempts}
    preferences = (FAITHFUL, NATIVE, PROVISIONERS)
    freed_names: dict[str, set[str]] = {label: set() for label in attempts}
    for preference in preferences[preferences.index(wish.prefer) + 1 :]:
        if any(embedded_names[label] - freed_names[label] for label in attempts):
            spent, without = dict(budget.spent), dict(budget.exceeded_optional_limits)
            try:
                if any(
                    may_free(attempt.emission.unit, wish._replace(prefer=preference)) for attempt in attempts.values()
                ):
                    conversion = convert(preference)
                    freed_names = {
                        label: embedded_names[label] & conversion.native_resources(label) for label in attempts
                    }
            except LimitExceeded:
                break
            finally:
                budget.spent, budget.exceeded_optional_limits = spent, without
        for label, names in freed_names.items():
            result[label][preference] = names
    return result


def may_free(unit: Unit, wish: Preferences) -> bool:
    """Whether a preference may free a resource of a stack from Heat, by its plan. Failures of an attempt only keep more
    in Heat, so a resource that the first plan keeps is not freed.
    """
    modules = unit.modules
    assert modules is not None
    stack = unit.module.stack if unit.module is not None else modules.root  # without the readers of this plan
    partners = modules.text_partners_of(stack)
    plan = ConversionPlan(stack, modules.tables, wish.prefer, partners, None, modules, wish.keep, wish.init)
    complete_plan(plan)
    return any(name in unit.plan.kept and name not in plan.kept for name in stack.template.resources)


def uncertain_resources(plan: ConversionPlan) -> set[str] | None:
    """The resources that could fail under another preference although they do not under this plan: those that stay with
    Heat, those that refer to them, and those to which they refer. None if every resource could, because Heat reads
    attributes for some, which it does under no other preference.
    """
    if plan.readers:
        return None
    kept = [name for name in plan.template.resources if plan.is_embedded(name)]
    names = set(kept)
    for name in kept:
        names.update(plan.referring_resources.get(name, ()), plan.needs.get(name, ()))
    return names
