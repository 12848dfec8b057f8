"""The summaries say what is not as in Heat, in one line for each kind."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

from tests.support.repositories import put
from transpile.diagnostics import codes
from transpile.diagnostics.preferred import CHANGES, HEADING, describe_changes
from transpile.diagnostics.registry import rule_of_code

if TYPE_CHECKING:
    from tests.conftest import Run

STACK = """\
heat_template_version: 2021-04-16
parameters: {network: {type: string}, image: {type: string}}
resources:
  queue: {type: OS::Zaqar::Queue, properties: {name: q}}
  port: {type: OS::Neutron::Port, properties: {name: p, network: {get_param: network}}}
  server:
    type: OS::Nova::Server
    properties: {name: s, flavor: f, image: {get_param: image}, networks: [{port: {get_resource: port}}]}
"""


def test_each_kind_has_a_line() -> None:
    found = [codes.ORDER_BY_REFERENCES, codes.FORM_CHOSEN, codes.GENERATED_NAME] + [codes.RESOURCE_LEFT_OUT] * 10
    assert describe_changes(found) == [
        HEADING,
        f"   1 HOT413  {CHANGES['HOT413']}",
        f"   1 HOT569  {CHANGES['HOT569']}",
        f"  10 HOT589  {CHANGES['HOT589']}",
    ]
    assert describe_changes([codes.GENERATED_NAME]) == []


def test_every_code_that_needs_a_preference_has_a_line() -> None:
    """The explanation of such a code says so."""
    named = [code for name, code in vars(codes).items() if name.isupper() and str(code).startswith("HOT")]
    rules = [rule_of_code(code) for code in named]
    with_preference = {rule.code for rule in rules if rule.why.startswith(("With --prefer",))}
    assert with_preference <= CHANGES.keys()
    assert len(with_preference) > 10


def test_convert_prints_them_before_the_closing_line(command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(STACK)
    lines = command("convert", "stack.yaml", "--prefer", "native", "-o", "out").err.splitlines()
    start = lines.index(HEADING)
    assert [line.split()[:2] for line in lines[start + 1 : -1]] == [["1", "HOT413"], ["1", "HOT589"]]
    assert lines[-1].startswith("3 resources: ")
    exact = command("convert", "stack.yaml", "--keep", "OS::Zaqar::Queue", "-o", "exact")
    assert (exact.status, HEADING in exact.err) == (0, False)
    assert HEADING not in command("convert", "stack.yaml", "--prefer", "native", "--quiet", "-o", "quiet").err


def test_migrate_counts_stacks(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path / "src", "one/stack.yaml", STACK)
    put(tmp_path / "src", "two/stack.yaml", STACK)
    ended = command("migrate", str(tmp_path / "src"), "out", "--prefer", "native", "--progress", "none")
    lines = ended.err.splitlines()
    start = lines.index(HEADING)
    assert [line.split()[:2] for line in lines[start + 1 : start + 3]] == [["2", "HOT413"], ["2", "HOT589"]]
