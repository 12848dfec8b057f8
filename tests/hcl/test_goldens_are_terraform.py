"""Real terraform accepts every golden tree: formatted, valid, and planned against an empty cloud. Nothing that a plan
needs is known only after apply.

This tests the files in `golden/`, not the output of the current code. Terraform starts once for many of them.
"""

from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.support import oracles, planning
from tests.support.cases import GOLDEN, all_cases

CASES = all_cases()
WITH_VALUES = [case for case in CASES if (case.folder / "hcl" / "terraform.tfvars").exists()]  # which a root reads
MODULES = [case for case in CASES if case not in WITH_VALUES]
AT_ONCE = 20


@oracles.needs_terraform
def test_formatted() -> None:
    """terraform fmt changes no file."""
    assert oracles.unformatted(GOLDEN, *(f"{case.name}/hcl" for case in CASES)) == ""


@oracles.needs_providers
@pytest.mark.parametrize("start", range(0, len(MODULES), AT_ONCE))
def test_valid_and_planned(start: int, tmp_path: pathlib.Path) -> None:
    """terraform validates and plans them as modules of one root, with the providers' schemas."""
    names = [case.name for case in MODULES[start : start + AT_ONCE]]
    for name in names:
        shutil.copytree(GOLDEN / name / "hcl", tmp_path / name)
    assert planning.refused_together(tmp_path, names) == ""


@oracles.needs_providers
@pytest.mark.parametrize("name", [case.name for case in WITH_VALUES])
def test_valid_and_planned_with_its_values(name: str, tmp_path: pathlib.Path) -> None:
    """terraform reads the values beside a root only."""
    where = tmp_path / "hcl"
    shutil.copytree(GOLDEN / name / "hcl", where)
    assert planning.refused(where) == ""
