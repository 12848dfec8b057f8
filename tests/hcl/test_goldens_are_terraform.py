"""The real terraform takes every golden: formatted, valid, and planned against an empty cloud where it can be.

The easy rule to break: this looks at what stands in `golden/`, not at what the code would write now.
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
    """terraform fmt leaves every file alone."""
    assert oracles.unformatted(case.folder / "hcl") == ""


@oracles.needs_providers
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_valid(case: Case, tmp_path: pathlib.Path) -> None:
    """terraform validates it with the providers' schemas."""
    where = tmp_path / "hcl"
    shutil.copytree(case.folder / "hcl", where)
    assert oracles.invalid(where) == []
