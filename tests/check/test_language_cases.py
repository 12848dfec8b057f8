"""The language, case by case: `check` refuses the same templates as Heat's validation."""

from __future__ import annotations

import json
import random

import pytest

from tests.support import language_cases, oracles
from transpile import checking
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request

CASES = dict(language_cases.cases())
PARTS, SEED, MANY = 8, 20, 400
SAMPLE = random.Random(SEED).sample(sorted(CASES), MANY)
# Heat's validation of a template accepts these calls and fails when it evaluates them; `check` refuses them at once,
# because there is no form of them in HOT's grammar that an emitter could write.
TOO_FEW = ("str_split", "digest", "map_replace", "repeat")


def is_refused(name: str) -> bool:
    text = json.dumps(CASES[name])
    diagnostics = checking.check_text(Source("t.yaml", text, budget=Budget()), checking.CheckRequest(Request()), ".")
    return any(d.severity == "error" for d in diagnostics)


def test_there_are_many() -> None:
    assert len(CASES) > 900


@oracles.needs_heat
@pytest.mark.parametrize("part", range(PARTS))
def test_check_and_heat_agree(part: int) -> None:
    disagreements = []
    for name in SAMPLE[part::PARTS]:
        accepted = oracles.ask(op="validate", body=CASES[name], level="template")["ok"]
        if accepted is is_refused(name) and not (accepted and name.startswith(TOO_FEW)):
            disagreements.append(f"{name}: Heat {'accepts' if accepted else 'refuses'} it")
    assert disagreements == []
