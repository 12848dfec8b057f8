"""Real terraform plans every golden tree against an empty cloud: nothing that a plan needs is known only after apply.

This tests the files in `golden/`, not the output of the current code.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support import oracles, planning
from tests.support.cases import Case, all_cases

if TYPE_CHECKING:
    import pathlib


@oracles.needs_providers
@pytest.mark.parametrize("case", all_cases(), ids=lambda c: c.name)
def test_planned(case: Case, tmp_path: pathlib.Path) -> None:
    where = tmp_path / "hcl"
    shutil.copytree(case.folder / "hcl", where)
    assert planning.refused(where) == ""
