"""Reports likely mistakes in a valid template: parts that nothing uses, and constraints that contradict each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from transpile.diagnostics import codes
from transpile.homing import thresholds
from transpile.homing.context import SectionContext
from transpile.homing.model import (
    AttributeProperties,
    DistanceProperties,
    ObjectiveFunction,
    ObjectiveNumber,
    QuantityThreshold,
    TemplateConstraint,
    TemplateObjective,
    Term,
    ThresholdProperties,
    ZoneProperties,
)
from transpile.homing.references import ReferenceResolver
from transpile.model.records import replace
from transpile.model.span import Span

BOUNDS = {"lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "eq": "="}
MANY = 2_000  # thresholds that are compared with one another


def check_usage(
    context: SectionContext,
    references: ReferenceResolver,
    constraints: Mapping[str, TemplateConstraint],
    objective: TemplateObjective | None,
) -> None:
    report_unused(context, references, objective)
    report_contradictions(context, constraints)


def report_unused(context: SectionContext, references: ReferenceResolver, objective: TemplateObjective | None) -> None:
    document, findings = context.document, context.findings
    for entry in document.parameters.values():
        if entry.key not in references.used and entry.key.lower() != "request_type":
            findings.report_note(codes.UNUSED_HOMING_PARAMETER, f"Nothing uses the parameter {entry.key}.", entry)
    for name in references.written:
        if name not in references.used and name not in document.parameters and name.lower() != "request_type":
            findings.report_note(
                codes.UNUSED_HOMING_PARAMETER, f"Nothing uses the parameter {name}, which was given.", Span(0, 0)
            )
    section = document.sections.get("locations")
    for entry in getattr(section.value, "entries", ()) if section is not None else ():
        if entry.key not in context.used:
            findings.report_note(codes.UNUSED_LOCATION, f"Nothing uses the location {entry.key}.", entry)
    scored = (
        {name for function in objective_functions(objective.term) for name in function.demands}
        if objective is not None
        else set()
    )
    section = document.sections.get("demands")
    for entry in getattr(section.value, "entries", ()) if section is not None else ():
        if entry.key not in context.constrained and entry.key not in scored:
            message = f"No constraint and no objective looks at the demand {entry.key}: any of its candidates will do."
            findings.report_note(codes.UNCONSTRAINED_DEMAND, message, entry)


def objective_functions(term: Term) -> Iterator[ObjectiveFunction]:
    """All functions in an objective."""
    todo: list[Term] = [term]
    while todo:
        operand = todo.pop()
        if isinstance(operand, ObjectiveFunction):
            yield operand
        elif not isinstance(operand, ObjectiveNumber):
            todo += operand.operands


def report_contradictions(context: SectionContext, constraints: Mapping[str, TemplateConstraint]) -> None:
    """Reports thresholds on the same quantity that cannot hold together."""
    bounds: dict[tuple[object, ...], list[tuple[QuantityThreshold, str]]] = {}
    zones: dict[tuple[object, ...], str] = {}
    count = 0
    for constraint in constraints.values():
        properties = constraint.properties
        if isinstance(properties, DistanceProperties):
            for key in compared_quantities(constraint):
                bounds.setdefault(key, []).append((properties.threshold, constraint.name))
        elif isinstance(properties, ThresholdProperties):
            for limit in properties.limits:
                made = thresholds.threshold_of_number(BOUNDS[limit.operator], limit.value, "")
                for demand in constraint.demands:
                    place = replace(made, span=limit.span)
                    bounds.setdefault((demand, limit.attribute), []).append((place, constraint.name))
        elif isinstance(properties, AttributeProperties):
            for test in properties.evaluations:
                if test.operator not in BOUNDS or not isinstance(test.operand, float):
                    continue
                made = replace(thresholds.threshold_of_number(BOUNDS[test.operator], test.operand, ""), span=test.span)
                for demand in constraint.demands:
                    bounds.setdefault((demand, test.attribute), []).append((made, constraint.name))
        elif isinstance(properties, ZoneProperties) and not properties.location:
            for key in compared_quantities(constraint):
                other = zones.setdefault((*key, properties.category), f"{properties.qualifier} {constraint.name}")
                word, _, name = other.partition(" ")
                if word != properties.qualifier:
                    message = f"{constraint.name} contradicts {name}: same and different {properties.category}."
                    context.findings.report_note(codes.CONTRADICTORY_CONSTRAINTS, message, constraint)
    for group in bounds.values():
        count += len(group)
        if count > MANY:
            return
        report_clash(context, group)


def compared_quantities(constraint: TemplateConstraint) -> Iterator[tuple[object, ...]]:
    """The quantities that a constraint compares: the distance of each demand to a location, or of each pair of
    demands.
    """
    location = getattr(constraint.properties, "location", "")
    if location:
        yield from ((demand, location) for demand in constraint.demands)
        return
    for i, first in enumerate(constraint.demands[:MANY]):
        if i * len(constraint.demands) > MANY:
            return
        yield from (tuple(sorted((first, second))) for second in constraint.demands[i + 1 :])


def report_clash(context: SectionContext, group: list[tuple[QuantityThreshold, str]]) -> None:
    """Reports the first threshold that cannot hold together with the ones before it."""
    low = (-math.inf, False, "")  # the greatest lower end, whether it is outside, whose it is
    high = (math.inf, False, "")
    for threshold, name in group:
        low = max(low, (threshold.low, threshold.operator == ">", name), key=lambda end: end[:2])
        high = min(high, (threshold.high, threshold.operator == "<", name), key=lambda end: (end[0], not end[1]))
        if low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1])):
            other = high[2] if name == low[2] else low[2]
            message = (
                f"The thresholds of {other} and {name} cannot both hold, so no candidate passes."
                if other != name
                else f"The thresholds of {name} cannot hold together, so no candidate passes."
            )
            context.findings.report_note(codes.CONTRADICTORY_CONSTRAINTS, message, threshold)
            return
