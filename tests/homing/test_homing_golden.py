"""Each golden homing template becomes the files in its folder, which have the same result as `hot2tf home`.

`golden/homing/<case>/` has the template, an inventory, and the output for each target.
`pytest --snapshot-update` writes it. Always read the diff.
"""

from __future__ import annotations

import pathlib
import shutil

import pytest

import transpile
from tests.support import oracles
from tests.support.examples import sampled
from tests.support.files import check_golden
from transpile.diagnostics.render import text
from transpile.homing.words import TYPES
from transpile.text.manifest import MANIFEST

ROOT = pathlib.Path(__file__).parents[2] / "golden" / "homing"
CASES = sorted(path.name for path in ROOT.iterdir())
INPUTS = ("input.yaml", "inventory.yaml")


def converted(name: str) -> dict[str, str]:
    """The output of a case for each target, by path."""
    folder = ROOT / name
    out: dict[str, str] = {}
    targets = {
        "hcl": ("hcl", {"inventory": str(folder / "inventory.yaml")}),
        "tosca13": ("tosca", {}),
        "tosca20": ("tosca", {"tosca_version": "2.0"}),
    }
    for label, (target, options) in targets.items():
        done = transpile.convert(folder / "input.yaml", to=target, options=options)
        assert done.ok, done.diagnostics
        files = {path: str(content) for path, content in done.files.items() if path != MANIFEST}
        out |= {f"{label}/{path}": content for path, content in files.items()}
        out[f"{label}.diagnostics.txt"] = text.render(done.diagnostics)
    placement = transpile.home(folder / "input.yaml", folder / "inventory.yaml")
    out["home.txt"] = placement.as_text()
    return {path: content for path, content in out.items() if content}


@pytest.mark.parametrize("name", CASES)
def test_the_files_are_the_reviewed_ones(name: str, request: pytest.FixtureRequest) -> None:
    check_golden(ROOT / name, converted(name), INPUTS, update=request.config.getoption("update_snapshots"))


def test_every_type_of_constraint_has_a_case() -> None:
    written = "\n".join((ROOT / name / "input.yaml").read_text(encoding="utf-8") for name in CASES)
    assert [kind for kind in TYPES if f"type: {kind}" not in written] == []


@oracles.needs_terraform
@pytest.mark.parametrize("name", sampled(CASES, 4))
def test_terraform_test_passes_with_the_choice_of_home(name: str, tmp_path: pathlib.Path) -> None:
    """`terraform test` runs the module with its values, and compares its choice with that of home."""
    where = shutil.copytree(ROOT / name / "hcl", tmp_path / "hcl")
    answer = transpile.home(ROOT / name / "input.yaml", ROOT / name / "inventory.yaml").answer
    assert answer is not None
    assert answer.has_solution
    best = answer.solutions[0]
    form = '  assert {{\n    condition = output.placement["{}"].id == "{}"\n    error_message = "other"\n  }}\n'
    asserts = [form.format(demand, candidate.id) for demand, candidate in best.assignment.items()]
    run = f'run "choice" {{\n  command = plan\n{"".join(asserts)}}}\n'
    (where / "choice.tftest.hcl").write_text(run, encoding="utf-8")
    assert not oracles.unformatted(ROOT / name / "hcl")
    assert oracles.invalid(where) == []
    oracles.run(where, "test", "-no-color")


@pytest.mark.long
@oracles.needs_tosca
def test_the_tools_of_tosca_take_all_files(tmp_path: pathlib.Path) -> None:
    files = [ROOT / name / "tosca13" / "main.yaml" for name in CASES]
    verdicts = oracles.ask_tosca(files, (*oracles.TOSCA_TOOLS, "refs"), tmp_path, "--jobs", "2")
    refused = {
        f"{name}: {tool}": verdict["errors"][:2]
        for name, tools in verdicts.items()
        for tool, verdict in tools.items()
        if verdict["ok"] is not True
    }
    assert refused == {}
    assert len(verdicts) == len(CASES)


@oracles.needs_tosca20
def test_version_two_is_as_it_was_published() -> None:
    checker = oracles.tosca_module("tosca20_check")
    errors = {name: checker.check(str(ROOT / name / "tosca20" / "main.yaml")) for name in CASES}
    assert {name: wrong for name, wrong in errors.items() if wrong} == {}
