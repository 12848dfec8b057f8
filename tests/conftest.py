"""Fixtures that all tests share.

Tests that need real Heat or terraform are skipped on machines without them, with a message that says what is missing.
The command runs in this process, through its entry point and in an empty directory.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion

from tests.support.golden_tree import Tree
from transpile.cli import app

if TYPE_CHECKING:
    import pathlib

# no deadline, so slow machines do not fail; the same examples in each run
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


class Ended(NamedTuple):
    """The result of a run of the command."""

    status: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *args: str, stdin: str = "") -> Ended: ...


@pytest.fixture
def tree(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A snapshot that is a tree of files in `golden/`."""
    return snapshot.use_extension(Tree)


@pytest.fixture
def command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str, stdin: str = "") -> Ended:
        monkeypatch.setattr(sys, "argv", ["hot2tf", *args])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as exit_:
            app.main()
        captured = capsys.readouterr()
        assert "HOT900" not in captured.err
        return Ended(int(exit_.value.code or 0), captured.out, captured.err)

    return call
