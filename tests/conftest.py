"""Fixtures that all tests share.

The easy rule to break: what a machine may lack (real Heat, terraform) skips, and says what is missing; the command runs
in this process, through its entry point and inside an empty directory.
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

settings.register_profile("project", deadline=None, derandomize=True)  # slow machines do not fail, runs are the same
settings.load_profile("project")


class Ended(NamedTuple):
    """How a run of the command ended."""

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
    """The command, in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str, stdin: str = "") -> Ended:
        monkeypatch.setattr(sys, "argv", ["hot2tf", *args])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as exit_:
            app.main()
        said = capsys.readouterr()
        assert "HOT900" not in said.err
        return Ended(int(exit_.value.code or 0), said.out, said.err)

    return call
