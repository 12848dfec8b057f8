"""No small input takes much time or memory, in any command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.limits.costly import COSTLY
from tests.support.examples import sampled

resource = pytest.importorskip("resource", reason="limits of processes need POSIX")

SECONDS, MEMORY = 20, 1 << 30  # several times the cost of the slowest
RUN = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
import transpile
from transpile import checking
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
targets, template, environment = json.load(sys.stdin)
given = [environment] if environment else []
for to in targets:
    if to == "check":
        found = checking.check_text(Source("t.yaml", template, budget=Budget()), checking.CheckRequest(), None)
    elif to == "fmt":
        found = canonical.format_text(Source("t.yaml", template, budget=Budget())).diagnostics
    else:
        found = transpile.convert(template, to=to, environments=given).diagnostics
print(json.dumps([d.as_json() for d in found if d.severity == "error" or d.code == "HOT119"][:200]))
"""
STOPPED = {  # by which limit, in a conversion to HCL
    "wildcards in any order": "registry",
    "huge group": "members",
    "text that multiplies": "computed",
    "texts in texts": "steps",
    "long delimiter": "computed",
    "long delimiter of parameters": "computed",
    "product of lists": "computed",
    "inserted text that is searched again": "computed",
    "aliases of a long text": "characters",
    "aliases of a long key": "characters",
    "merge keys": "values",
    "slow patterns": "patterns",
    "unknown names": "suggestions",
}


def run(name: str, *targets: str) -> list[dict[str, Any]]:
    asked = json.dumps([targets, *COSTLY[name]])
    done = subprocess.run([sys.executable, "-c", RUN], input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name} took too much: {done.returncode} {done.stderr[-500:]}"
    diagnostics: list[dict[str, Any]] = json.loads(done.stdout)
    return diagnostics


@pytest.mark.parametrize("name", sampled(COSTLY, 10))
def test_conversion_stops_in_time_and_says_why(name: str) -> None:
    diagnostics = run(name, "hcl")
    hints = [d["hint"] for d in diagnostics if d["code"] in ("HOT107", "HOT118", "HOT119")]
    limit = STOPPED.get(name)
    assert [f"--limit {limit}=" in hint for hint in hints] == ([True] if limit else []), diagnostics


@pytest.mark.parametrize("name", sampled(COSTLY, 10))
def test_nothing_else_takes_long(name: str) -> None:
    run(name, "tosca", "hot", "check", "fmt")
