"""Templates of Amazon's own service are told from those of Heat in the same language."""

from __future__ import annotations

import pathlib

import pytest

from tests.conftest import Run
from tests.repository.trees import hot, tree
from transpile.repository.survey import survey_tree

HEAD = "AWSTemplateFormatVersion: '2010-09-09'\n"
SERVER = "Resources:\n  s: {Type: 'AWS::EC2::Instance', Properties: {ImageId: %s, InstanceType: m1}}\n"
ROLE = "Resources:\n  r: {Type: 'AWS::IAM::Role'}\n"


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        (ROLE, "the type AWS::IAM::Role"),
        (f"Parameters:\n  k: {{Type: 'AWS::EC2::KeyPair::KeyName'}}\n{SERVER % 'x'}", "KeyPair::KeyName"),
        (f"Parameters:\n  k: {{Type: List<Number>}}\n{SERVER % 'x'}", "List<Number>"),
        (SERVER % "!Ref image", "the tag !Ref"),
        (f"Transform: AWS::Serverless-2016-10-31\n{SERVER % 'x'}", "the section Transform"),
    ],
)
def test_templates_of_amazon_alone(tmp_path: pathlib.Path, text: str, feature: str) -> None:
    plan = survey_tree(tree(tmp_path, {"a.yaml": HEAD + text, "b.yaml": hot()}))
    assert [stack.template for stack in plan.stacks] == ["b.yaml"]
    assert "Amazon CloudFormation" in plan.others["a.yaml"]
    assert feature in plan.others["a.yaml"]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + SERVER % "x",
        HEAD + SERVER % "{Ref: image}",
        f"{HEAD}{ROLE}  n: {{Type: 'OS::Neutron::Net'}}\n",  # Heat refuses it, and the user hears that
        f"HeatTemplateFormatVersion: '2012-12-12'\n{ROLE}",
    ],
)
def test_templates_that_may_be_heats(tmp_path: pathlib.Path, text: str) -> None:
    assert [stack.template for stack in survey_tree(tree(tmp_path, {"a.yaml": text})).stacks] == ["a.yaml"]


def test_commands_leave_it_out_of_directories_and_say_so(tmp_path: pathlib.Path, command: Run) -> None:
    src = tree(tmp_path / "src", {"a.yaml": HEAD + ROLE, "b.yaml": hot(), "c.yaml.j2": f"{hot()}# {{{{ x }}}}\n"})
    done = command("migrate", str(src), str(tmp_path / "out"), "--progress", "none")
    assert done.status == 0, done.err
    output = done.out + done.err
    assert "1 stack: 1 converted." in output
    assert "1 template is Amazon CloudFormation's own, and not Heat's." in output
    assert "1 Jinja2 source makes a stack only with values" in output
    assert command("check", str(src), "--exclude", "*.j2").status == 0
    assert command("check", str(src / "a.yaml")).status == 1
