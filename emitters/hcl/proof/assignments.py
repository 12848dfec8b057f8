"""Chooses the assignments of parameters that are worth a test run each.

Invariant: an assignment holds only its changes, and the caller takes as many as it needs. So the cost does not grow
with the product of parameters and assignments. Heat accepts each of them, except those that test a
refusal; these violate a single constraint.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from emitters.hcl.emission import Emission
from emitters.hcl.evaluation.functions import freeze
from emitters.hcl.namespace import snake_case
from emitters.hcl.proof import samples
from emitters.hcl.tree.nodes import Fn, Traversal
from transpile.evaluate.pure import EvaluationError
from transpile.model import heat_types, ir
from transpile.model.meter import LimitExceeded, spend_budget
from transpile.model.words import count_noun
from transpile.resolve.stack import Stack
from transpile.schema import parameters
from transpile.stack_evaluation.evaluation import StackEvaluation
from transpile.stack_evaluation.outside import Outside

RUNS = 40  # in a test file
TRIED = 120  # assignments, to find so many runs
COUNTED = 400  # assignments that are counted beyond these
COMBINATIONS = 64  # of values, tried to turn a condition on or off
SIZES = (0, 1, 2)
MOST = 20  # members of a group for which a test is written
Combination: TypeAlias = "tuple[tuple[str, int], ...]"  # of parameters, each with the number of one of its choices


class Assignment(NamedTuple):
    """Values of parameters, as Heat converts them. label: the name of the run. why: its purpose. changes: the values
    that may differ from those of the first run, `base`. refused: the parameters whose constraints are violated; none if
    Heat accepts all values. omitted: parameters that the run does not set, so that the defaults of the variables are in
    effect.
    """

    label: str
    why: str
    base: Mapping[str, Any]
    changes: Mapping[str, Any] = {}
    refused: tuple[str, ...] = ()
    omitted: frozenset[str] = frozenset()

    @property
    def values(self) -> dict[str, Any]:
        """All values, made when they are needed."""
        return {**self.base, **self.changes}

    @property
    def changed_names(self) -> list[str]:
        """The parameters whose values differ from those of the first run."""
        return [name for name, value in self.changes.items() if self.base.get(name, ...) != value]

    def freeze_difference(self) -> frozenset[tuple[str, Any]]:
        """The changes to the first run, as a key: two assignments with equal keys have equal values."""
        return frozenset((name, freeze(self.changes[name])) for name in self.changed_names)


def further_assignments(
    stack: Stack, emission: Emission, base: Mapping[str, Any], different: Iterable[Assignment], *, omit: bool = False
) -> Iterator[Assignment]:
    """All assignments except `base`, the first.

    different: the assignments in which as many values as possible differ from `base`. omit: see
    `assign_template_defaults`.
    """
    seen = {frozenset[tuple[str, Any]]()}
    for assignment in itertools.chain(
        different,
        assign_template_defaults(stack, base, omit=omit),
        flip_conditions(stack, base),
        vary_group_sizes(stack, base),
        assign_limits(stack, base),
    ):
        if (difference := assignment.freeze_difference()) not in seen:
            seen.add(difference)
            yield assignment
    yield from assign_violations(stack, emission, base)


def assign_template_defaults(stack: Stack, base: Mapping[str, Any], *, omit: bool = False) -> Iterator[Assignment]:
    """The defaults of the template where an environment, or the caller of a module, gives other values.

    omit: whether nothing but the run sets the variables, so that it can leave them out.
    """
    defaults = {}
    for name in base:
        param = stack.template.parameters[name]
        if not param.hidden:
            for default in parameters.convert_default(param):
                defaults[name] = default
    if defaults:
        yield Assignment(
            "defaults",
            "The template's defaults instead of other values.",
            base,
            defaults,
            omitted=frozenset(defaults) if omit else frozenset(),
        )


def names_for_ids(stack: Stack, base: Mapping[str, Any]) -> dict[str, Any]:
    """A name for each parameter whose value or default is a UUID, if the parameter accepts one."""
    template, names = stack.template, {}
    for name, param in template.parameters.items():
        default = param.default.value if isinstance(param.default, ir.Lit) else None
        value = base.get(name, default)
        is_id = isinstance(value, str) and samples.UUID.fullmatch(value) and not param.hidden
        if is_id and samples.is_accepted(param, f"a-{name}", template.source.budget):
            names[name] = f"a-{name}"
    return names


def list_other_values(stack: Stack, base: Mapping[str, Any]) -> dict[str, Any]:
    """A value that differs from `base` or the default, by parameter. Those that conditions read are left out: a run
    for each condition changes them.
    """
    template, others = stack.template, {}
    decisive = {
        ref.name for condition in template.conditions.values() for ref in condition.refs if isinstance(ref, ir.ParamRef)
    }
    for name, param in template.parameters.items():
        if param.hidden or name in decisive:
            continue
        value = base.get(name)
        if value is None:
            value = next(iter(parameters.convert_default(param)), None)
        other = samples.other_value(param, value, template.source.budget) if value is not None else None
        if other is not None:
            others[name] = other
    return others


def ids_for_names(stack: Stack, emission: Emission, base: Mapping[str, Any]) -> dict[str, Any]:
    """An ID for each parameter of which the output asks whether its value is an ID, and a name where it is one."""
    template, others = stack.template, {}
    parameter_of = {emission.names.variables[name]: name for name in template.parameters}
    for test in emission.blocks.locals.values():
        match test.value:
            case Fn("can", (Fn("regex", (Traversal(("local", pattern_label)), Traversal(("var", label)))),)):
                pattern, name = emission.blocks.locals[pattern_label].value, parameter_of.get(label, "")
            case _:
                continue
        param, value = template.parameters.get(name), base.get(name)
        if param is None or param.hidden or not isinstance(pattern, str) or not isinstance(value, str):
            continue
        ids = [text for text in samples.IDS if re.search(pattern, text) and text != value]
        for other in [f"a-{name}"] if re.search(pattern, value) else ids:
            if samples.is_accepted(param, other, template.source.budget):
                others[name] = other
                break
    return others


def flip_conditions(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """For each condition, an assignment that turns it on if it is off in `base`, and the reverse."""
    template = stack.template
    literals, choices, first = collect_compared_literals(template), dict[str, list[Any]](), dict(base)

    @functools.lru_cache(COMBINATIONS)  # conditions that refer to each other are tried with the same values
    def evaluate_stack(combination: Combination) -> StackEvaluation:
        values = {name: choices[name][number] for name, number in combination}
        return StackEvaluation(stack, Outside(), parameter_values=ChainMap(values, first))

    for name in template.conditions:
        now = evaluate_heat_condition(evaluate_stack, (), name)
        if now is None:
            continue
        parameter_names = parameters_of_condition(template, name)
        spend_budget("steps", 1 + len(parameter_names), template.source, template.conditions[name])
        for parameter_name in parameter_names:
            if parameter_name not in choices:
                param, compared = template.parameters[parameter_name], literals.get(parameter_name, ())
                values = parameter_choices(template, param, base, compared)
                choices[parameter_name] = list(itertools.islice(values, COMBINATIONS))
        parameter_names = [parameter_name for parameter_name in parameter_names if len(choices[parameter_name]) > 1]
        for combination in combine_choices(parameter_names, choices):
            if evaluate_heat_condition(evaluate_stack, combination, name) is (not now):
                state = "does not hold" if now else "holds"
                label = f"{'without' if now else 'with'}_{snake_case(name)}"
                changes = {changed: choices[changed][number] for changed, number in combination}
                yield Assignment(label, f"The condition {name} {state}.", base, changes)
                break


def collect_compared_literals(template: ir.Template) -> dict[str, list[ir.Scalar]]:
    """The literals of the conditions that read a parameter, by its name; of each parameter the first ones."""
    literals: dict[str, list[ir.Scalar]] = {}
    for condition in template.conditions.values():
        texts = [
            literal.value
            for literal in ir.walk(condition.value)
            if isinstance(literal, ir.Lit) and isinstance(literal.value, (str, int, float))
        ]
        for name in dict.fromkeys(ref.name for ref in condition.refs if isinstance(ref, ir.ParamRef)):
            of_parameter = literals.setdefault(name, [])
            of_parameter += texts[: COMBINATIONS - len(of_parameter)]
    return literals


def combine_choices(names: list[str], choices: Mapping[str, list[Any]]) -> Iterator[Combination]:
    """Combinations of choices to try, by their numbers: first those that change one parameter, then those that change
    several.
    """
    count = 0
    for size in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, size):
            for numbers in itertools.product(*(range(len(choices[name])) for name in chosen)):
                count += 1
                if count > COMBINATIONS:
                    return
                yield tuple(zip(chosen, numbers, strict=True))


def parameter_choices(
    template: ir.Template, param: ir.Param, base: Mapping[str, Any], literals: Iterable[ir.Scalar]
) -> Iterator[Any]:
    """Values of a parameter for which conditions may have different results. literals: of its conditions."""
    budget = template.source.budget
    candidates: list[Any] = [base[param.name]] if param.name in base else []
    if param.type == "boolean":
        candidates += [True, False]
    allowed = samples.allowed_values(param)[: samples.MOST]
    candidates += allowed
    if not allowed:
        candidates += literals
        candidates += [samples.find_accepted_value(param, budget), f"other-{param.name}", 1, 0]
    for candidate in candidates:
        if candidate is not None and samples.is_accepted(param, candidate, budget):
            yield parameters.convert_value(param.type, candidate)


def parameters_of_condition(template: ir.Template, name: str) -> list[str]:
    """The parameters that a condition depends on, directly or through other conditions."""
    parameter_names: dict[str, None] = {}
    waiting, seen = [name], set[str]()
    while waiting:
        condition_name = waiting.pop()
        if condition_name in seen or condition_name not in template.conditions:
            continue
        seen.add(condition_name)
        for ref in template.conditions[condition_name].refs:
            if isinstance(ref, ir.ParamRef) and ref.name in template.parameters:
                parameter_names[ref.name] = None
            elif isinstance(ref, ir.ConditionRef):
                waiting.append(ref.name)
    return list(parameter_names)


def evaluate_heat_condition(
    evaluate_stack: Callable[[Combination], StackEvaluation], combination: Combination, name: str
) -> bool | None:
    """Whether a condition holds with a combination of choices; None if Heat cannot tell."""
    try:
        return evaluate_stack(combination).interpreter.evaluate_condition(name)
    except (EvaluationError, LimitExceeded, KeyError, RecursionError):
        return None


def vary_group_sizes(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """Assignments that change the sizes of groups, for sizes that a parameter sets."""
    template = stack.template
    for name, resource in template.resources.items():
        count = resource.find_property("count")
        if stack.types.get(name) != heat_types.RESOURCE_GROUP or not isinstance(count, ir.ParamRef) or count.path:
            continue
        param = template.parameters.get(count.name)
        if param is None:
            continue
        for size in SIZES:
            if samples.is_accepted(param, size, template.source.budget):
                why = f"The group {name} has {count_noun(size, 'member')}."
                changes = {param.name: parameters.convert_value(param.type, size)}
                yield Assignment(f"{snake_case(name)}_of_{size}", why, base, changes)


def assign_limits(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """The smallest and the largest values that constraints allow, and each allowed value."""
    budget = stack.template.source.budget
    for name, param in stack.template.parameters.items():
        labeled_values = [
            *samples.values_at_limits(param),
            *(("allowed", allowed_value) for allowed_value in samples.allowed_values(param)[: samples.MOST]),
        ]
        for word, value in labeled_values:
            if not param.hidden and samples.is_accepted(param, value, budget):
                converted = parameters.convert_value(param.type, value)
                label = snake_case(str(value))[:30] if word == "allowed" else word
                why = f"{name} is {value}, which is allowed." if word == "allowed" else f"{name} is the {word} allowed."
                yield Assignment(f"{snake_case(name)}_{label}", why, base, {name: converted})


def assign_violations(stack: Stack, emission: Emission, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """Values that violate one constraint that Terraform checks."""
    checked = emission.log.report.parameters
    for name, param in stack.template.parameters.items():
        if param.hidden:
            continue
        keys = checked.get(name, {}).get("keys", {})
        for constraint, word, value in samples.refused_values(param, stack.template.source.budget):
            fates = [keys[key] for key in constraint.keys if key in keys]
            if fates and fates[0].get("argument", "").startswith("validation"):
                changes = {name: parameters.convert_value(param.type, value)}
                label = f"{snake_case(name)}_{snake_case(word)}"
                yield Assignment(label, f"{name} must be refused: it is {word}.", base, changes, (name,))


def join_violations(violations: Iterable[Assignment]) -> Iterator[Assignment]:
    """Joins violations into one assignment with a violation for each parameter; none without violations."""
    firsts: dict[tuple[str, ...], Assignment] = {}
    for violation in violations:
        firsts.setdefault(violation.refused, violation)
    if firsts:
        refused = tuple(name for names in firsts for name in names)
        changes = {name: value for first in firsts.values() for name, value in first.changes.items()}
        base = next(iter(firsts.values())).base
        yield Assignment("refused", "Values that must be refused.", base, changes, refused)
