"""`python -m benchmarks.instructions` counts the same twice, and prints each stage beside the last release."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent
SMALL = ("--counter", "python", "--templates", "1")


def counted(*arguments: str) -> dict[str, int]:
    """The figures of the first column, by stage."""
    command = [sys.executable, "-m", "benchmarks.instructions", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    rows = re.findall(r"^(\w+) +([\d,]+) +\S+", ended.stdout, re.MULTILINE)
    return {stage: int(figure.replace(",", "")) for stage, figure in rows}


@pytest.mark.long
def test_a_second_run_counts_the_same() -> None:
    """To the last instruction of byte code: of a conversion up to the linker, and of its check."""
    figures = counted(*SMALL, "--stages", "read", "check")
    assert sorted(figures) == ["check", "read"]
    assert 0 < figures["read"] < figures["check"]  # which reads the text as well
    assert counted(*SMALL, "--stages", "read", "check") == figures


@pytest.mark.long
def test_the_stages_of_a_conversion_are_all_of_it() -> None:
    figures = counted(*SMALL, "--stages", "read", "link", "emit", "print", "report", "write", "convert")
    whole = figures.pop("convert")
    assert min(figures.values()) > 0
    assert sum(figures.values()) == whole


def test_the_last_release_has_a_figure_for_each_stage() -> None:
    """The figures are complete for each kind of counter that was stored."""
    stored = json.loads((ROOT / "benchmarks" / "instructions.json").read_text(encoding="utf-8"))
    stages = {"start", "first", "read", "link", "emit", "print", "report", "write", "convert", "check", "fmt"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", stored["release"])
    assert stored["figures"]
    assert [kind for kind, figures in stored["figures"].items() if set(figures) != stages] == []
