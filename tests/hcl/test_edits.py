"""A sample of edits of templates: objects that Terraform destroys or replaces although Heat keeps them are announced
before.
"""

from __future__ import annotations

import pytest

from tests.support import edit_pairs as edits
from tests.support import oracles

SAMPLE = (
    *("resource_group", "module_group", "neutron_security_group", "embedded_condition"),
    *("conditions", "nova_server_group"),
)


@oracles.needs_providers
@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLE)
def test_an_edit_is_an_update(name: str) -> None:
    """`python -m benchmarks.edits` has all kinds of edits of all golden cases."""
    (project,) = [project for case, project in edits.golden_projects() if case == f"golden/{name}"]
    verdicts = edits.measure((name, project, 6, 1, "", None))
    assert len(verdicts) == 6
    assert [verdict for verdict in verdicts if verdict.wrong] == []
