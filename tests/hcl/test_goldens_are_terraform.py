"""Real terraform accepts every golden tree: formatted, valid, and planned against an empty cloud where possible.

This tests the files in `golden/`, not the output of the current code.
"""

from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.support import oracles
from tests.support.cases import Case, all_cases

CASES = all_cases()


@oracles.needs_terraform
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_formatted(case: Case) -> None:
    """terraform fmt changes no file."""
    assert oracles.unformatted(case.folder / "hcl") == ""


@oracles.needs_providers
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_valid(case: Case, tmp_path: pathlib.Path) -> None:
    """terraform validate accepts it with the providers' schemas."""
    where = tmp_path / "hcl"
    shutil.copytree(case.folder / "hcl", where)
    assert oracles.invalid(where) == []
