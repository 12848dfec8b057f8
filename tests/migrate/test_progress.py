"""The bar of a migration fits its terminal: a long path is shortened, and the count is always whole."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from transpile.migrate.progress import ProgressBar
from transpile.migrate.unit import MigrationUnit
from transpile.settings.table import Request

PATH = "stacks/production/europe/shared/network/front-end-of-the-second-region"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_narrow_terminal_shortens_the_path_and_not_the_count(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", iter(range(1000)).__next__)
    bar = ProgressBar()
    bar.begin(2726, 318)
    bar.finish_unit(MigrationUnit(PATH, "stack.yaml", (), Request(), ""), "converted", None)
    bar.end()
    console = Console(file=io.StringIO(), width=width)
    with console.capture() as capture:
        console.print(bar.display.get_renderable())
    (line,) = capture.get().splitlines()
    assert len(line) <= width
    assert "converting" in line
    assert "319/2726" in line
    end = line.split()[-1].removeprefix("…")
    assert len(end) > 5
    assert PATH.endswith(end)
    assert (end == PATH) == (width == 200)
