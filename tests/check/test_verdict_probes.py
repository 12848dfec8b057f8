"""`hot2tf check` accepts or rejects the same templates as real Heat.

There are no exceptions: a probe that disagrees is our defect, or the probe's.
"""

from __future__ import annotations

import json
import pathlib

from tests.support import oracles, probes
from tests.support.probes import Probe
from transpile import checking
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings.table import Request


@oracles.needs_probes
def test_the_verdicts_agree(tmp_path: pathlib.Path) -> None:
    """`check` accepts and rejects the same templates as Heat, at the same level."""
    asked = [p for p in probes.every() if p["request"]["op"] == "validate"]
    assert len(asked) > 270
    wrong: dict[str, str] = {}
    for number, probe in enumerate(asked):
        folder = tmp_path / str(number)
        folder.mkdir()
        refused = refusal(probe, folder)
        if bool(refused) is bool(probe["answer"].get("ok")):
            wrong[probes.name_of(probe)] = refused or str(probe["answer"])
    assert wrong == {}


def refusal(probe: Probe, folder: pathlib.Path) -> str:
    """The errors that `check` reports for the template of a question."""
    request = probe["request"]
    probes.laid_out(request, folder)
    paths = []
    # Heat always has an environment when it creates a stack, if only an empty one: `check` asks for values beside one.
    for number, environment in enumerate(probes.environments_of(request) or [{}]):
        path = folder / f"environment-{number}.yaml"
        path.write_text(json.dumps(environment))
        paths.append(str(path))
    options = checking.CheckRequest(
        Request(
            environments=tuple(paths), parameters=request.get("params") or {}, level=request.get("level") or "template"
        )
    )
    diagnostics = checking.check_text(
        Source("template.yaml", probes.text_of(request["body"]), budget=Budget()), options, str(folder)
    )
    return "; ".join(f"{d.code} {d.message}" for d in diagnostics if d.severity == "error")
