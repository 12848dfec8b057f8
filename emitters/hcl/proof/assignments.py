"""The assignments of parameters that are worth a run each.

Invariant: their number is bounded, and each is one that Heat accepts or, if it is to be refused, violates one
constraint.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.hcl.namespace import snake
from emitters.hcl.proof import samples
from transpile.evaluate.pure import EvaluationError
from transpile.model import heat_types, ir
from transpile.model.meter import LimitExceeded
from transpile.schema import parameters
from transpile.stack_evaluation.evaluation import StackEvaluation
from transpile.stack_evaluation.outside import Outside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.emission import Emission
    from transpile.resolve.stack import Stack

RUNS = 40  # in one file
COMBINATIONS = 64  # that are tried to turn a condition on or off
SIZES = (0, 1, 2)
MOST = 20  # members of a group for which a test is written


class Assignment(NamedTuple):
    """Values of parameters, as Heat converts them. label: of the run; why: what it is for; refused: the parameter whose
    constraint it violates, empty if Heat accepts it.
    """

    label: str
    why: str
    values: Mapping[str, Any]
    refused: str = ""


def others(stack: Stack, emission: Emission, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """All assignments but the first."""
    seen = [dict(base)]
    for one in itertools.chain(
        environments(stack, base), conditions(stack, base), sizes(stack, base), limits(stack, base)
    ):
        if one.values not in seen:
            seen.append(dict(one.values))
            yield one
    yield from violations(stack, emission, base)


def environments(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """The defaults of the template where an environment gives other values."""
    given = {}
    for name in stack.bindings:
        param = stack.template.parameters[name]
        if not param.hidden and param.default is not None and ir.is_plain_data(param.default):
            try:
                given[name] = parameters.convert_value(param.type, ir.to_data(param.default))
            except (ValueError, TypeError):
                continue
    if given:
        yield Assignment("defaults", "The template's defaults instead of the environment's values.", {**base, **given})


def conditions(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """Each condition in the state that it does not have at first."""
    template = stack.template
    choices = {name: list(choices_of(template, param, base)) for name, param in template.parameters.items()}
    for name in template.conditions:
        now = holds(stack, base, name)
        if now is None:
            continue
        asked = [one for one in parameters_of(template, name) if len(choices[one]) > 1]
        for given in combinations(asked, choices):
            values = {**base, **given}
            if holds(stack, values, name) is (not now):
                state = "does not hold" if now else "holds"
                label = f"{'without' if now else 'with'}_{snake(name)}"
                yield Assignment(label, f"The condition {name} {state}.", values)
                break


def combinations(names: list[str], choices: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Values for one parameter, then for several at once."""
    number = 0
    for size in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, size):
            for values in itertools.product(*(choices[name] for name in chosen)):
                number += 1
                if number > COMBINATIONS:
                    return
                yield dict(zip(chosen, values, strict=True))


def choices_of(template: ir.Template, param: ir.Param, base: Mapping[str, Any]) -> Iterator[Any]:
    """Values of a parameter that conditions may tell apart."""
    budget = template.source.budget
    found: list[Any] = [base[param.name]] if param.name in base else []
    if param.type == "boolean":
        found += [True, False]
    found += samples.allowed(param)
    if not samples.allowed(param):
        found += [
            one.value
            for condition in template.conditions.values()
            if param.name in {ref.name for ref in condition.refs if isinstance(ref, ir.ParamRef)}
            for one in ir.walk(condition.value)
            if isinstance(one, ir.Lit) and isinstance(one.value, (str, int, float))
        ]
        found += [samples.accepted(param, budget), f"other-{param.name}", 1, 0]
    for one in found:
        if one is not None and samples.fits(param, one, budget):
            yield parameters.convert_value(param.type, one)


def parameters_of(template: ir.Template, name: str) -> list[str]:
    """The parameters that a condition depends on, directly or through other conditions."""
    found: dict[str, None] = {}
    waiting, seen = [name], set[str]()
    while waiting:
        one = waiting.pop()
        if one in seen or one not in template.conditions:
            continue
        seen.add(one)
        for ref in template.conditions[one].refs:
            if isinstance(ref, ir.ParamRef) and ref.name in template.parameters:
                found[ref.name] = None
            elif isinstance(ref, ir.ConditionRef):
                waiting.append(ref.name)
    return list(found)


def holds(stack: Stack, values: Mapping[str, Any], name: str) -> bool | None:
    """Whether a condition holds; None if Heat cannot tell."""
    try:
        return StackEvaluation(stack, Outside(), parameter_values=values).interpreter.evaluate_condition(name)
    except (EvaluationError, LimitExceeded, KeyError, RecursionError):
        return None


def sizes(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """Sizes of groups that a parameter decides."""
    template = stack.template
    for name, resource in template.resources.items():
        properties = resource.properties
        count = properties.get("count") if properties is not None else None
        if stack.types.get(name) != heat_types.RESOURCE_GROUP or not isinstance(count, ir.ParamRef) or count.path:
            continue
        param = template.parameters.get(count.name)
        if param is None:
            continue
        for size in SIZES:
            if samples.fits(param, size, template.source.budget):
                values = {**base, param.name: parameters.convert_value(param.type, size)}
                yield Assignment(
                    f"{snake(name)}_of_{size}", f"The group {name} has {size} member{'s' * (size != 1)}.", values
                )


def limits(stack: Stack, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """The smallest and the largest values that constraints allow, and each allowed value."""
    budget = stack.template.source.budget
    for name, param in stack.template.parameters.items():
        found = [*samples.at_limits(param), *(("allowed", one) for one in samples.allowed(param))]
        for word, value in found:
            if not param.hidden and samples.fits(param, value, budget):
                converted = parameters.convert_value(param.type, value)
                shown = snake(str(value))[:30] if word == "allowed" else word
                why = f"{name} is {value}, which is allowed." if word == "allowed" else f"{name} is the {word} allowed."
                yield Assignment(f"{snake(name)}_{shown}", why, {**base, name: converted})


def violations(stack: Stack, emission: Emission, base: Mapping[str, Any]) -> Iterator[Assignment]:
    """Values that violate one constraint that Terraform checks."""
    checked = emission.log.report.parameters
    for name, param in stack.template.parameters.items():
        if param.hidden:
            continue
        keys = checked.get(name, {}).get("keys", {})
        for constraint, word, value in samples.beyond(param, stack.template.source.budget):
            fates = [keys[key] for key in constraint.keys if key in keys]
            if fates and fates[0].get("argument", "").startswith("validation"):
                values = {**base, name: parameters.convert_value(param.type, value)}
                label = f"{snake(name)}_{snake(word)}"
                yield Assignment(label, f"{name} must be refused: it is {word}.", values, name)
