"""Fixtures that all tests share.

Tests that need real Heat or terraform are skipped on machines without them, with a message that says what is missing.
The command runs in this process, through its entry point and in an empty directory.

There are two runs. Without options, pytest runs everything but the tests marked `long`, and property tests draw a fifth
of their examples. With `--long`, it runs the tests marked `long`, and property tests with all of their examples. A test
is marked if it takes more than five seconds of CPU time, or twenty with all its parameters. Both runs together are all
tests.

`--reaching-oracles` selects, in either run, the tests of the modules that may ask a tool of others: a run without these
tools repeats them, and needs no others.
"""

from __future__ import annotations

import functools
import io
import pathlib
import sys
import types
from typing import NamedTuple, Protocol

import hypothesis
import pytest
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion

from tests.support import examples
from tests.support.golden_tree import Tree
from transpile.cli import app


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="only the tests marked long, and property tests with all examples"
    )
    parser.addoption(
        "--reaching-oracles", action="store_true", help="only the tests of modules that may ask Heat, terraform, …"
    )


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile(examples.ALL if config.getoption("--long") else examples.SOME)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of this run; with `--reaching-oracles`, those whose outcome may depend on the tools of others."""
    kept = [item for item in items if isinstance(item, pytest.Function) and takes_part(config, item)]
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


def takes_part(config: pytest.Config, item: pytest.Function) -> bool:
    is_long = item.get_closest_marker("long") is not None
    draws = hypothesis.is_hypothesis_test(item.obj)
    return (is_long or draws if config.getoption("--long") else not is_long) and (
        not config.getoption("--reaching-oracles") or reaches_oracles(item.module.__name__)
    )


TOOLS = {"tests.support.oracles", "tests.support.cfn", "tests.support.provider_source", "tests.support.shells"}


@functools.cache
def reaches_oracles(name: str) -> bool:
    """Whether a module of the tests looks for tools that an environment variable names, or uses one that does."""
    if name in TOOLS:
        return True
    values = vars(sys.modules[name]).values()
    used = {
        value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", "") for value in values
    }
    return any(reaches_oracles(other) for other in sorted(used - {name}) if str(other).startswith("tests."))


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
