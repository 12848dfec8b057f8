"""The answer to a placement problem as text and as JSON, with tests in words for `--explain`.

Invariant: the text has no character that a terminal would obey; the JSON says everything that the text says.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from transpile.diagnostics.model import Diagnostic
from transpile.homing import expressions
from transpile.homing.clash import Clash
from transpile.homing.distance import great_circle_kilometres
from transpile.homing.expressions import DIFFERENT, SAME, DistanceBetween, DistanceTo, Test, Value, find_parts, has_part
from transpile.homing.narrowing import DemandDomain
from transpile.homing.problem import PlacementCandidate, PlacementProblem
from transpile.homing.solver import PlacementAnswer, PlacementSolution
from transpile.model.printable import make_printable
from transpile.model.words import list_first
from transpile.version import __version__

SHOWN = 8  # ids of candidates in a line of text
SIGNS = {"==": "=", "lt": "<", "gt": ">", "lte": "<=", "gte": ">=", "eq": "=", SAME: "=", DIFFERENT: "is not"}


def answer_status(answer: PlacementAnswer | None) -> str:
    """The answer in a word: `solved`; `best so far`; `no solution`; `unknown`, if the search stopped without one;
    `invalid`, if there is no problem to solve.
    """
    if answer is None:
        return "invalid"
    if answer.has_solution:
        return "solved" if answer.proven else "best so far"
    return "no solution" if answer.proven else "unknown"


def measure_distances(
    problem: PlacementProblem, assignment: Mapping[str, PlacementCandidate]
) -> Iterator[tuple[str, str, float]]:
    """The distances that constraints and the objective measure, each once: a demand, a location or another demand, and
    the kilometres between them.
    """
    ends: dict[tuple[str, str, bool], None] = {}
    if problem.objective is not None:
        for leaf in find_parts(problem.objective.term, DistanceTo):
            ends[leaf.of, leaf.location, True] = None
    for constraint in problem.constraints:
        for length in find_parts(constraint.alone, DistanceTo):
            ends.update(dict.fromkeys((name, length.location, True) for name in constraint.demands))
        if has_part(constraint.pair, DistanceBetween):
            ends.update(dict.fromkeys((a, b, False) for a, b in itertools.combinations(constraint.demands, 2)))
    for name, other, is_location in ends:
        first = assignment[name].point
        second = problem.locations[other].point if is_location else assignment[other].point
        if first is not None and second is not None:
            yield name, other, great_circle_kilometres(first, second)


# JSON


def answer_as_json(
    names: tuple[str, str], answer: PlacementAnswer | None, why: Clash | None, diagnostics: Iterable[Diagnostic]
) -> dict[str, Any]:
    """The answer in the form that docs/homing.md describes. `names`: those of the template and the inventory."""
    out: dict[str, Any] = {
        "format": 1,
        "generator": f"hot2tf {__version__}",
        "template": names[0],
        "inventory": names[1],
        "status": answer_status(answer),
    }
    if answer is not None:
        problem = answer.problem
        goal = problem.objective
        out["goal"] = None if goal is None else "maximize" if goal.maximize else "minimize"
        out["tie"] = answer.tie
        out["solutions"] = [solution_as_json(problem, solution) for solution in answer.solutions]
        out["complete"] = answer.complete
        out["assumed"] = [
            {
                "constraint": assumption.constraint,
                "demand": assumption.demand,
                "candidates": list(assumption.candidates),
                "holds": assumption.fit,
            }
            for assumption in answer.assumptions
        ]
        out["demands"] = {domain.demand.name: removals_as_json(domain) for domain in answer.domains}
        out["work"] = answer.work
    if why is not None:
        out["why"] = {
            "smallest_clash": list(why.constraints),
            "empty": list(why.empty),
            "smallest": why.smallest,
        }
    out["diagnostics"] = [diagnostic.as_json() for diagnostic in diagnostics]
    return out


def solution_as_json(problem: PlacementProblem, solution: PlacementSolution) -> dict[str, Any]:
    assignment = {}
    for name, candidate in solution.assignment.items():
        entry: dict[str, Any] = {
            "candidate_id": candidate.id,
            "inventory_type": candidate.kind,
            "location_id": candidate.data.get("location_id"),
            "cost": float(candidate.cost),
        }
        if candidate.point is not None:
            entry |= {"latitude": candidate.point.latitude, "longitude": candidate.point.longitude}
        assignment[name] = entry
    lengths = [{"from": a, "to": b, "km": round(km, 3)} for a, b, km in measure_distances(problem, solution.assignment)]
    return {"value": solution.value, "cost": solution.cost, "assignment": assignment, "distances": lengths}


def removals_as_json(domain: DemandDomain) -> dict[str, Any]:
    return {
        "candidates": [each.id for each in domain.demand.candidates],
        "not_drawn": dict(domain.demand.filtered),
        "removed_by": {name: list(ids) for name, ids in domain.removed.items()},
        "left": [each.id for each in domain.candidates],
    }


# text


def answer_as_text(answer: PlacementAnswer, why: Clash | None, *, explain: bool = False) -> str:
    """The answer for a terminal."""
    problem = answer.problem
    lines: list[str] = []
    for number, solution in enumerate(answer.solutions):
        if len(answer.solutions) > 1:
            lines += ["", f"{number + 1}."] if number else [f"{number + 1}."]
        lines += assignment_lines(solution)
        lines += distance_lines(problem, solution)
        lines.append(summarize_solution(answer, solution, first=number == 0))
    if not answer.solutions:
        lines.append("no solution" if answer.proven else "no solution found")
        lines += describe_clash(why)
    if explain or not answer.solutions:
        lines += ["", *describe_removals(problem, answer.domains)]
    return "".join(f"{make_printable(line)}\n" for line in lines)


def assignment_lines(solution: PlacementSolution) -> list[str]:
    """A line for each demand: its candidate, and where that candidate is."""
    rows = []
    for name, candidate in solution.assignment.items():
        place = str(candidate.data.get("location_id", ""))
        more = [
            candidate.kind,
            *([place] if place != candidate.id else []),
            f"cost {format_figure(float(candidate.cost))}",
        ]
        rows.append((make_printable(name), make_printable(candidate.id), ", ".join(more)))
    widths = [max((len(row[at]) for row in rows), default=0) for at in (0, 1)]
    return [f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in rows]


def distance_lines(problem: PlacementProblem, solution: PlacementSolution) -> list[str]:
    return [f"  {a} - {b}: {format_figure(km)} km" for a, b, km in measure_distances(problem, solution.assignment)]


def summarize_solution(answer: PlacementAnswer, solution: PlacementSolution, *, first: bool) -> str:
    goal = answer.problem.objective
    if goal is None:
        text = f"cost {format_figure(solution.cost)}; there is no objective, so any placement that satisfies the "
        text += "constraints will do"
    else:
        word = "largest" if goal.maximize else "least"
        text = f"value {format_figure(solution.value or 0.0)}, cost {format_figure(solution.cost)}"
        if first:
            text += f"; the {word} value there is" if answer.proven else "; the best so far"
    if first and answer.tie and goal is not None:
        text += "; others are as good, and this one is the cheapest of them, or the first in the inventory"
    return text


def describe_clash(why: Clash | None) -> list[str]:
    """Why there is no solution, in lines."""
    if why is None:
        return []
    if not why.constraints:
        return [f"{name} has no candidate at all" for name in why.empty]
    kind = "the fewest constraints" if why.smallest else "constraints"
    return [f"{kind} that cannot hold together: {', '.join(why.constraints)}"]


def describe_removals(problem: PlacementProblem, left: Sequence[DemandDomain]) -> Iterator[str]:
    """Yields lines: for each demand, the candidates that each constraint removes, and the meaning of the constraint."""
    asked = {row.name: f" ({describe_test(row.alone)})" for row in problem.constraints if row.alone is not None}
    for domain in left:
        yield f"{domain.demand.name}: {len(domain.candidates)} of {len(domain.demand.candidates)} candidates left"
        by_reason: dict[str, list[str]] = {}
        for name, why in domain.demand.filtered.items():
            by_reason.setdefault(why, []).append(name)
        for why, names in by_reason.items():
            yield f"  not drawn because of {why}: {list_first(names, SHOWN)}"
        for name, ids in domain.removed.items():
            yield f"  removed by {name}{asked.get(name, '')}: {list_first(ids, SHOWN)}"
        if domain.candidates:
            yield f"  left: {list_first([each.id for each in domain.candidates], SHOWN)}"


def format_figure(value: float) -> str:
    """A number for people, with at most three digits after the point."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else f"{value:g}"


def describe_test(test: Test) -> str:
    """A test of one candidate in words: `country = USA and load < 5`."""
    match test:
        case expressions.AllOf((only,)) | expressions.AnyOf((only,)):
            return describe_test(only)
        case expressions.AllOf(tests):
            return " and ".join(map(describe_part, tests))
        case expressions.AnyOf(tests):
            return " or ".join(map(describe_part, tests))
        case expressions.NotTest(negated):
            return f"not {describe_part(negated)}"
        case expressions.Compare(operator, left, right):
            return f"{describe_value(left)} {SIGNS[operator]} {describe_value(right)}"
        case expressions.Includes(column, literals, every):
            return f"{column.name} has {'all' if every else 'any'} of {', '.join(map(describe_value, literals)) or '-'}"
        case expressions.OneOf(value, texts):
            return f"{describe_value(value)} is one of {', '.join(texts)}"
        case expressions.Matches(column, pattern, flags):
            return f"{column.name} matches /{pattern}/{flags}"
        case expressions.Within(expressions.DistanceTo(_, location), limit):
            return f"distance to {location} {limit.text}"
        case expressions.IsEmpty(column):
            return f"no {column.name}"
        case expressions.NoneHas(column):
            return f"no candidate has {column.name}"
        case expressions.Listed(section, name, _, otherwise):
            fallback = "" if isinstance(otherwise, expressions.Truth) else f", else {describe_test(otherwise)}"
            return f"{section} lists it for {name}{fallback}"
        case expressions.HasFlavors():
            return "a flavor has the features"
        case expressions.Truth(holds):
            return "always" if holds else "never"
    return "assumed"


def describe_part(test: Test) -> str:
    words = describe_test(test)
    return f"({words})" if isinstance(test, (expressions.AllOf, expressions.AnyOf)) and len(test.tests) > 1 else words


def describe_value(value: Value) -> str:
    match value:
        case expressions.Literal(data):
            return describe_data(data)
        case expressions.Column(_, name):
            return name
        case expressions.FirstOf(columns):
            return " or ".join(column.name for column in columns)
        case expressions.Lookup(section, key):
            return f"{section} of {key.name}"
    return f"the country of {value.location}"


def describe_data(data: Any) -> str:
    if isinstance(data, float) and data.is_integer():
        data = int(data)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
