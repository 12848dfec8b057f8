"""Each running stack in golden/adopt becomes the files in its folder, and a plan of them changes nothing.

`golden/adopt/<case>/` has an export (or the output of the client's commands in `source/`), the answers of a cloud, what
exists in it (`cloud.json`, by type and import ID), and what becomes of them. `pytest --snapshot-update` writes it.
Always read the diff.
"""

from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any

import pytest

import transpile
from tests.support import oracles
from transpile.diagnostics.render import text
from transpile.text.manifest import MANIFEST

ROOT = pathlib.Path(__file__).parents[2] / "golden" / "adopt"
CASES = sorted(path.name for path in ROOT.iterdir())
INPUTS = ("export.json", "source", "answers.json", "cloud.json", "stack.yaml")
WITH_CLOUD = [name for name in CASES if (ROOT / name / "cloud.json").exists()]
SECRETS = {"TF_VAR_password": "sesame"}  # of the cases with hidden parameters


def adopted(name: str, **options: Any) -> transpile.Conversion:
    folder = ROOT / name
    source = folder / "export.json" if (folder / "export.json").exists() else folder / "source"
    answers, template = (folder / one if (folder / one).exists() else None for one in ("answers.json", "stack.yaml"))
    return transpile.adopt(source, answers=answers, template=template, options=options)


def converted(name: str) -> dict[str, str]:
    """What becomes of a case, by path."""
    done = adopted(name)
    out = {f"hcl/{path}": str(content) for path, content in done.files.items() if path != MANIFEST}
    report = {key: value for key, value in done.report.items() if key != "generator"}
    out["report.json"] = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    out["diagnostics.txt"] = text.render(done.diagnostics)
    return {path: content for path, content in out.items() if content}


def on_disk(name: str) -> dict[str, str]:
    folder = ROOT / name
    paths = [p for p in folder.rglob("*") if p.is_file() and p.relative_to(folder).parts[0] not in INPUTS]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("name", CASES)
def test_the_files_are_the_reviewed_ones(name: str, request: pytest.FixtureRequest) -> None:
    found = converted(name)
    if request.config.getoption("update_snapshots"):
        for path in on_disk(name).keys() - found.keys():
            (ROOT / name / path).unlink()
        for path, content in found.items():
            (ROOT / name / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name / path).write_text(content, encoding="utf-8")
    assert found == on_disk(name)


@oracles.needs_terraform
@pytest.mark.parametrize("name", CASES)
def test_the_files_are_formatted(name: str) -> None:
    assert not oracles.unformatted(ROOT / name / "hcl")


@oracles.needs_providers
@pytest.mark.parametrize("name", WITH_CLOUD)
def test_a_plan_imports_everything_and_changes_nothing(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What exists is in cloud.json. The provider fails for an ID that is not there."""
    cloud = ROOT / name / "cloud.json"
    where = shutil.copytree(ROOT / name / "hcl", tmp_path / "hcl")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(cloud))
    for variable, value in SECRETS.items():
        monkeypatch.setenv(variable, value)
    assert oracles.invalid(where) == []
    done = oracles.terraform(where, "plan", "-input=false", "-out=plan")
    assert done.returncode == 0, done.stdout + done.stderr
    plan = json.loads(oracles.terraform(where, "show", "-json", "plan").stdout)
    changes = {one["address"]: one["change"] for one in plan["resource_changes"]}
    resources = {name: one for name, one in changes.items() if not name.rpartition("module.")[2].startswith("data.")}
    assert {name: one["actions"] for name, one in resources.items() if one["actions"] != ["no-op"]} == {}
    there = json.loads(cloud.read_text(encoding="utf-8"))
    assert {one["importing"]["id"] for one in resources.values()} == {key for ids in there.values() for key in ids}


@pytest.mark.parametrize("name", CASES)
def test_hidden_values_are_in_no_file_that_others_may_read(name: str) -> None:
    done = adopted(name)
    shown = "".join(str(content) for path, content in done.files.items() if path not in done.private)
    shown += json.dumps(done.report) + text.render(done.diagnostics)
    for secret in ("sesame-open", "N7keEAjY", "t0k3n"):
        assert secret not in shown


def test_an_unfinished_run_needs_no_cloud() -> None:
    """Without answers there is a warning for each ID that nobody knows, and an import that Terraform refuses."""
    done = adopted("unanswered")
    assert done.ok
    asked = [d for d in done.diagnostics if d.code == "HOT715" and "The ID of" in d.message]
    assert len(asked) == str(done.files["imports.tf"]).count('id = ""') == 2
    assert all("openstack " in d.help() for d in asked)
