"""The names of members, odd ones too: checks, conversions and evaluations take each name for the same member.

Real Heat says which, where it can be asked.
"""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.support import oracles
from transpile import stack_evaluation
from transpile.check import checker
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker

HEAD = "heat_template_version: 2018-08-31\n"
DEFINITION = "{type: OS::Heat::Value, properties: {value: v%index%}}"
GROUP = f"{{type: OS::Heat::ResourceGroup, properties: {{count: 12, resource_def: {DEFINITION}}}}}"
CHAIN = (
    "{type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::Value, OS::Heat::Value, OS::Heat::Value,"
    " OS::Heat::Value], resource_properties: {value: v}}}"
)
NETS = "{type: OS::Heat::ResourceGroup, properties: {count: 12, resource_def: {type: OS::Neutron::Net}}}"
MEMBERS = ["0", "1", "3"]
OTHERS = ["01", "00", "+1", "1_0", " 1", "1 ", "-1", "²", "٣", "one", "", "1e0", "9" * 5000]
FORMS = ['"resource.{}.{}"', '"resource.{}", {}']


def body(definition: str, form: str, name: str, attribute: str = "value") -> str:
    path = form.format(name, attribute)
    return f"{HEAD}resources: {{g: {definition}}}\noutputs: {{o: {{value: {{get_attr: [g, {path}]}}}}}}\n"


def codes(text: str) -> list[str]:
    """The diagnostics of `hot2tf check`."""
    template, sink = templates.read_template(Source("t.yaml", text, budget=Budget()))
    assert template is not None
    stack, diagnostics = linker.link_template(template)
    return [d.code for d in (*sink.diagnostics, *diagnostics, *checker.check_stack(stack))]


def evaluated(text: str) -> stack_evaluation.EvaluatedOutput:
    template, _ = templates.read_template(Source("t.yaml", text, budget=Budget()))
    assert template is not None
    return stack_evaluation.evaluate_stack(linker.link_template(template)[0]).outputs["o"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("definition", [GROUP, CHAIN], ids=["group", "chain"])
@pytest.mark.parametrize("name", [*MEMBERS, *OTHERS])
def test_all_agree_on_the_members(name: str, definition: str, form: str) -> None:
    """Another name is HOT212 wherever the template is read, and has no value."""
    text, member = body(definition, form, name), name in MEMBERS
    assert ("HOT212" in codes(text)) is not member
    assert (evaluated(text).error == "") is member
    for target in ("hcl", "tosca"):
        done = transpile.convert(text, to=target)
        assert [d.code for d in done.diagnostics if d.severity == "error"] == []
        assert ("HOT212" in [d.code for d in done.diagnostics]) is not member


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [*MEMBERS, *OTHERS])
def test_terraform_has_the_member_or_null(name: str, form: str) -> None:
    outputs = transpile.convert(body(NETS, form, name, "name")).files["outputs.tf"]
    value = f"openstack_networking_network_v2.g[{name}].name" if name in MEMBERS else "null"
    assert f"value = {value}\n" in outputs


@oracles.needs_heat
@pytest.mark.parametrize("name", [*MEMBERS, *OTHERS])
def test_heat_has_the_same_members(name: str, tmp_path: pathlib.Path) -> None:
    text = body(GROUP, FORMS[0], name)
    theirs = oracles.ask(op="eval", deep=True, plugin_deps=False, body=text)["outputs"]["o"]
    assert theirs.get("value") == evaluated(text).value
