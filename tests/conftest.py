"""Fixtures that all tests share.

The easy rule to break: what a machine may lack (real Heat, terraform) skips, and says what is missing.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion

from tests.golden_tree import Tree

settings.register_profile("project", deadline=None, derandomize=True)  # slow machines do not fail, runs are the same
settings.load_profile("project")


@pytest.fixture
def tree(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A snapshot that is a tree of files in `golden/`."""
    return snapshot.use_extension(Tree)
