"""Fixtures of the tests of migrate."""

from __future__ import annotations

import pathlib

import pytest

from tests.support.repositories import make


@pytest.fixture
def src(tmp_path: pathlib.Path) -> pathlib.Path:
    """The small repository of tests/support/repositories.py, in the working directory of `command`."""
    return make(tmp_path / "src")
