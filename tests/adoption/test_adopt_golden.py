"""Each running stack in golden/adopt becomes the files in its folder, and a plan of them changes nothing.

`golden/adopt/<case>/` has an export (or the output of the client's commands in `source/`), the answers of a cloud, its
objects (`cloud.json`, by type and import ID), and the expected output. `pytest --snapshot-update` writes the output.
Always read the diff.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess
from typing import Any

import pytest

import transpile
from tests.support import oracles
from tests.support.files import check_golden
from transpile.adoption import guide
from transpile.diagnostics.render import text
from transpile.text.manifest import MANIFEST

ROOT = pathlib.Path(__file__).parents[2] / "golden" / "adopt"
CASES = sorted(path.name for path in ROOT.iterdir())
INPUTS = ("export.json", "source", "answers.json", "cloud.json", "stack.yaml")
WITH_CLOUD = [name for name in CASES if (ROOT / name / "cloud.json").exists()]
COMPARE_PATCH = "release/4-compare.patch"
SECRETS = {"TF_VAR_password": "sesame"}  # of the cases with hidden parameters


def adopted(name: str, **options: Any) -> transpile.Conversion:
    folder = ROOT / name
    source = folder / "export.json" if (folder / "export.json").exists() else folder / "source"
    answers, template = (
        folder / file_name if (folder / file_name).exists() else None for file_name in ("answers.json", "stack.yaml")
    )
    return transpile.adopt(source, answers=answers, template=template, options=options)


def converted(name: str) -> dict[str, str]:
    """The files, the report and the diagnostics of a case, by path."""
    done = adopted(name)
    out = {f"hcl/{path}": str(content) for path, content in done.files.items() if path != MANIFEST}
    report = {key: value for key, value in done.report.items() if key != "generator"}
    out["report.json"] = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    out["diagnostics.txt"] = text.render(done.diagnostics)
    return {path: content for path, content in out.items() if content}


@pytest.mark.parametrize("name", CASES)
def test_the_files_are_the_reviewed_ones(name: str, request: pytest.FixtureRequest) -> None:
    check_golden(ROOT / name, converted(name), INPUTS, update=request.config.getoption("update_snapshots"))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("partly", ["| Type | Resources |", "And 2 more; the report names all."]),
        ("server", ["| Type | Resources |", "And 1 more (HOT716)."]),
    ],
)
def test_a_guide_counts_unlisted_objects(name: str, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide, "MOST_ROWS", 1)
    assert set(lines) <= set(str(adopted(name).files["ADOPT.md"]).splitlines())


@oracles.needs_terraform
@pytest.mark.parametrize("name", CASES)
def test_the_files_are_formatted(name: str) -> None:
    assert not oracles.unformatted(ROOT / name / "hcl")


@oracles.needs_providers
@pytest.mark.parametrize("name", WITH_CLOUD)
def test_a_plan_imports_everything_and_changes_nothing(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fake cloud has the objects of cloud.json, and the provider fails for any other ID."""
    cloud = ROOT / name / "cloud.json"
    where = shutil.copytree(ROOT / name / "hcl", tmp_path / "hcl")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(cloud))
    for variable, value in SECRETS.items():
        monkeypatch.setenv(variable, value)
    assert oracles.invalid(where) == []
    changes = {row["address"]: row["change"] for row in oracles.plan(where)["resource_changes"]}
    resources = {
        name: change for name, change in changes.items() if not name.rpartition("module.")[2].startswith("data.")
    }
    assert {name: change["actions"] for name, change in resources.items() if change["actions"] != ["no-op"]} == {}
    there = json.loads(cloud.read_text(encoding="utf-8"))
    assert {change["importing"]["id"] for change in resources.values()} == {
        key for ids in there.values() for key in ids
    }


@pytest.mark.long
@oracles.needs_providers
@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch on PATH")
@pytest.mark.parametrize("name", [name for name in WITH_CLOUD if (ROOT / name / "hcl" / COMPARE_PATCH).exists()])
def test_the_last_step_changes_as_much_as_the_guide_says(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change only stores values that the import did not read back, so the plan after it is empty."""
    where = shutil.copytree(ROOT / name / "hcl", tmp_path / "hcl")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(ROOT / name / "cloud.json"))
    for variable, value in SECRETS.items():
        monkeypatch.setenv(variable, value)
    assert oracles.invalid(where) == []
    oracles.run(where, "apply", "-input=false", "-auto-approve")
    (where / "imports.tf").unlink()
    subprocess.run(["patch", "-p1", "-i", COMPARE_PATCH], cwd=where, check=True, capture_output=True)
    assert not oracles.unformatted(where)
    summary = re.search(r"Plan: 0 to add, (\d+) to change, 0 to destroy", (where / "ADOPT.md").read_text("utf-8"))
    assert summary is not None
    assert summary[0] in oracles.terraform(where, "plan", "-input=false", "-no-color").stdout
    oracles.run(where, "apply", "-input=false", "-auto-approve")
    assert "No changes" in oracles.terraform(where, "plan", "-input=false", "-no-color").stdout


@pytest.mark.parametrize("name", CASES)
def test_hidden_values_are_in_no_file_that_others_may_read(name: str) -> None:
    done = adopted(name)
    public_text = "".join(str(content) for path, content in done.files.items() if path not in done.private)
    public_text += json.dumps(done.report) + text.render(done.diagnostics)
    for secret in ("sesame-open", "N7keEAjY", "t0k3n"):
        assert secret not in public_text


def test_an_unfinished_run_needs_no_cloud() -> None:
    """Without answers there is a warning for each ID that nobody knows, and an import that Terraform refuses."""
    done = adopted("unanswered")
    assert done.ok
    asked = [d for d in done.diagnostics if d.code == "HOT715" and "The ID of" in d.message]
    assert len(asked) == str(done.files["imports.tf"]).count('id = ""') == 2
    assert all("openstack " in d.help() for d in asked)
