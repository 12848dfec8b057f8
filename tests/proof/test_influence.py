"""Parts that an assignment does not influence keep their values, so the judge need not compute them again."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from emitters.hcl.attempt import Attempt
from emitters.hcl.proof import judge
from emitters.hcl.proof.assertions import Unasserted, compare_values
from emitters.hcl.proof.assignments import further_assignments
from emitters.hcl.proof.failures import find_failures
from emitters.hcl.proof.influence import Influence, Influenced
from emitters.hcl.proof.subjects import Unprovable, root_subject
from emitters.hcl.proof.trial import ProofSubject, ProofTrial
from emitters.hcl.tree.nodes import Block
from tests.support.cases import Case, all_cases

CASES = [case for case in all_cases() if "hcl" in case.targets]
MOST = 12  # assignments of a case


def list_values(subject: ProofSubject, values: Mapping[str, Any], only: Influenced) -> list[Any]:
    """All that the judge compares of the root with these values."""
    trial = ProofTrial(subject, values, planned=False, yaql=False)
    place = judge.JudgedDirectory(trial.root)
    failures = [(failure.expression, str(failure.error)) for failure in find_failures(trial.root, only)]
    observations = [
        (*observation[:2], observation[2:4]) if isinstance(observation, Unasserted) else observation[:3]
        for observation in compare_values(trial.root, only)
    ]
    return [*observations, *failures, *judge.compare_numbers(place, only)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_parts_without_influence_stay_the_same(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[tuple[Any, Attempt, Mapping[str, Attempt]]] = []
    judge_conversion = judge.judge_conversion

    def record_attempts(stack: Any, root: Attempt, modules: Mapping[str, Attempt], **more: Any) -> judge.Judgement:
        attempts.append((stack, root, modules))
        return judge_conversion(stack, root, modules, **more)

    monkeypatch.setattr(judge, "judge_conversion", record_attempts)
    case.convert("hcl")
    for stack, root, modules in attempts:
        try:
            subject = root_subject(stack, root, modules, mocked=False)
        except Unprovable:
            continue
        influence, blocks, template = Influence(root), root.emission.blocks, stack.template
        addresses = [f"var.{label}" for label in root.emission.names.variables.values()]
        addresses += [f"local.{label}" for label in blocks.locals]
        addresses += [item.address for item in (*blocks.main, *blocks.data, *blocks.outputs) if isinstance(item, Block)]
        for assignment in itertools.islice(further_assignments(stack, root.emission, subject.values, ()), MOST):
            reached = influence.find_influenced(assignment.changed_names)
            others = Influenced(
                frozenset(name for name in template.resources if name not in reached.resources),
                frozenset(name for name in template.outputs if name not in reached.outputs),
                frozenset(address for address in addresses if address not in reached.addresses),
            )
            assert list_values(subject, assignment.values, others) == list_values(subject, subject.values, others)
