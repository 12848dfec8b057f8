"""Fixtures that all tests share.

The easy rule to break: what a machine may lack (real Heat, terraform) skips, and says what is missing.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.golden_tree import Tree


@pytest.fixture
def tree(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A snapshot that is a tree of files in `golden/`."""
    return snapshot.use_extension(Tree)
