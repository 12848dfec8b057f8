"""A finding that a "did you mean" explains stands alone: its consequences have no diagnostics."""

from __future__ import annotations

import pathlib

import pytest

from tests.conftest import Run

STACK = """\
heat_template_version: 2018-08-31
parameters: {%s: {type: string}}
resources:
  s: {type: OS::Nova::Server, properties: {%s: {%s: %s}, networks: [{network: n}], image: i}}
"""


@pytest.mark.parametrize(
    ("declared", "prop", "function", "used", "expected"),
    [
        ("p", "flavor", "get_param", "p", []),
        ("p", "flavor", "get_params", "p", ["HOT939"]),
        ("p", "flavour", "get_param", "p", ["HOT301"]),
        ("flavor", "flavor", "get_param", "flavour", ["HOT201"]),
        ("other", "flavor", "get_params", "p", ["HOT601", "HOT939"]),
        ("p", "flavr_x_y", "get_param", "p", ["HOT301", "HOT309"]),
    ],
)
def test_only_the_cause_is_reported(
    declared: str, prop: str, function: str, used: str, expected: list[str], command: Run
) -> None:
    pathlib.Path("a.yaml").write_text(STACK % (declared, prop, function, used))
    out = command("check", "--diagnostics", "concise", "a.yaml").out
    assert sorted(line.split(": ")[1].split()[1] for line in out.splitlines()) == expected


def test_check_says_how_many_findings_stop_a_conversion(command: Run) -> None:
    """Heat accepts the template, so that they are warnings here."""
    pathlib.Path("a.yaml").write_text(STACK % ("flavor", "flavor", "get_param", "flavour"))
    checked = command("check", "a.yaml")
    assert (checked.status, command("convert", "a.yaml").status) == (0, 1)
    assert "1 of the warnings stops convert and migrate" in checked.err
