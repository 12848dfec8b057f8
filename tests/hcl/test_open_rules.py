"""The report and TODO.md list the rules that let everybody in: those that a linter sees, and those that it does not."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.conftest import Run
from tests.support.repositories import put

HEAD = """\
heat_template_version: 2021-04-16
parameters:
  anywhere: {type: string, default: 0.0.0.0/0}
  office: {type: string, default: 192.0.2.0/24}
  secret: {type: string, hidden: true, default: 0.0.0.0/0}
  unknown: {type: string}
resources:
  other: {type: OS::Neutron::SecurityGroup}
  group:
    type: OS::Neutron::SecurityGroup
    properties:
      rules:
"""


def list_items(rule: str, head: str = HEAD) -> list[str]:
    """The entries of the report for a template with one rule."""
    done = transpile.convert(f"{head}        - {rule}\n", name="stack.yaml")
    assert done.ok, done.diagnostics
    return [f"{rule['address']}: {rule['what']} ({rule['place']})" for rule in done.report.get("open_rules", ())]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "{protocol: tcp, port_range_min: 22, port_range_max: 22, remote_ip_prefix: 0.0.0.0/0}",
            "tcp 22, from 0.0.0.0/0",
        ),
        ("{protocol: tcp, port_range_min: 1, port_range_max: 9}", "tcp 1 to 9, without a source"),
        ("{protocol: tcp, ethertype: IPv6, remote_ip_prefix: '::/0'}", "tcp on all ports, from ::/0"),
        ("{protocol: icmp}", "icmp, without a source"),
        ("{ethertype: IPv4}", "all traffic, without a source"),
        ("{remote_ip_prefix: 10.0.0.0/0}", "all traffic, from 10.0.0.0/0"),
        ("{remote_ip_prefix: {get_param: anywhere}}", "all traffic, from 0.0.0.0/0, the value of var.anywhere"),
    ],
)
def test_open_rules_are_listed_with_their_place(rule: str, text: str) -> None:
    (item,) = list_items(rule)
    assert item.endswith(f": {text} (stack.yaml:13)")
    assert item.startswith("openstack_networking_secgroup_rule_v2.group_")


@pytest.mark.parametrize(
    "rule",
    [
        "{protocol: tcp, remote_ip_prefix: 10.0.0.0/8}",
        "{protocol: tcp, remote_mode: remote_group_id}",
        "{protocol: tcp, remote_mode: remote_group_id, remote_group_id: {get_resource: other}}",
        "{direction: egress}",
        "{remote_ip_prefix: {get_param: office}}",
        "{remote_ip_prefix: {get_param: unknown}}",
        "{remote_ip_prefix: {get_param: secret}}",
    ],
)
def test_other_rules_are_not(rule: str) -> None:
    """Among them one whose source is hidden: nothing in the text may depend on a hidden value."""
    assert list_items(rule) == []


def test_rules_of_modules_are_listed(command: Run) -> None:
    """The list has the directory of the module, and the place in the nested template."""
    put(pathlib.Path(), "in.yaml", HEAD.replace("  unknown: {type: string}\n", "") + "        - {protocol: tcp}\n")
    put(pathlib.Path(), "top.yaml", "heat_template_version: 2021-04-16\nresources: {one: {type: in.yaml}}\n")
    done = command("convert", "top.yaml", "-o", "out")
    assert done.status == 0, done.err
    page = pathlib.Path("out/TODO.md").read_text(encoding="utf-8").replace("\\", "")
    rule = "modules/in: openstack_networking_secgroup_rule_v2.group_tcp"
    assert f"- [ ] {rule}: tcp on all ports, without a source (`in.yaml:12`)" in page


def test_a_value_of_an_environment_decides(command: Run) -> None:
    """For the root, the value in terraform.tfvars, and not the default."""
    put(pathlib.Path(), "stack.yaml", HEAD + "        - {remote_ip_prefix: {get_param: office}}\n")
    put(pathlib.Path(), "env.yaml", "parameters: {office: '::/0', unknown: x}\n")
    assert command("convert", "stack.yaml", "-e", "env.yaml", "-o", "out").status == 0
    assert "from ::/0, the value of var.office" in pathlib.Path("out/TODO.md").read_text(encoding="utf-8")
