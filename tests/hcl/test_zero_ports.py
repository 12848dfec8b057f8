"""Rules of security groups with a 0, which the provider does not send: their output, and the cases that Heat keeps."""

from __future__ import annotations

import re

import pytest

import transpile

HEAD = (
    "heat_template_version: 2021-04-16\nparameters: {p: {type: number, default: 0}, q: {type: string, default: icmp}}\n"
)
INLINE = "resources:\n  g: {type: OS::Neutron::SecurityGroup, properties: {name: g, rules: [{RULE}]}}\n"
ALONE = "resources:\n  r: {type: OS::Neutron::SecurityGroupRule, properties: {security_group: g, RULE}}\n"
AWS = """resources:
  g:
    type: AWS::EC2::SecurityGroup
    properties:
      GroupDescription: g
      SecurityGroupIngress: [{IpProtocol: icmp, FromPort: '8', ToPort: '0', CidrIp: 0.0.0.0/0}]
"""


def ports_of(rule: str, prefer: str, shape: str = INLINE) -> tuple[str, str] | None:
    """The two ports that are written, "" for none; None if the rule stays with Heat."""
    done = transpile.convert(HEAD + shape.replace("RULE", rule), prefer=prefer)
    assert done.ok
    main = str(done.files["main.tf"])
    if "orchestration" in main:
        assert "HOT403" in {d.code for d in done.diagnostics}
        return None
    low, high = (re.findall(rf"port_range_{end} += (.*)", main) for end in ("min", "max"))
    return "".join(low), "".join(high)


@pytest.mark.parametrize("shape", [INLINE, ALONE])
@pytest.mark.parametrize(
    ("rule", "faithful", "native"),
    [
        # types whose only code is 0: the rule means the same without the code
        ("protocol: icmp, port_range_min: 8, port_range_max: 0", ("8", "0"), ("8", "0")),
        ("protocol: icmp, port_range_min: '8', port_range_max: '0'", ("8", "0"), ("8", "0")),
        ("protocol: icmp, port_range_min: 8, port_range_max: {get_param: p}", ("8", "var.p"), ("8", "var.p")),
        ("protocol: ipv6-icmp, ethertype: IPv6, port_range_min: 128, port_range_max: 0", ("128", "0"), ("128", "0")),
        # exact: a type without a code
        ("protocol: icmp, port_range_min: 3", ("3", "0"), ("3", "0")),
        # wider without the code, or without the type
        ("protocol: icmp, port_range_min: 3, port_range_max: 0", None, ("3", "0")),
        ("protocol: ipv6-icmp, ethertype: IPv6, port_range_min: 8, port_range_max: 0", None, ("8", "0")),
        ("protocol: icmp, port_range_min: 0, port_range_max: 0", None, ("", "")),
        ("protocol: icmp, port_range_min: {get_param: p}, port_range_max: 0", None, ("var.p", "0")),
        # no packet has port 0
        ("protocol: tcp, port_range_min: 0, port_range_max: 9", None, ("1", "9")),
        ("protocol: udp, port_range_min: {get_param: p}, port_range_max: 9", None, ("max(var.p, 1)", "9")),
        # a rule for port 0 alone, and one whose protocol is not known
        ("protocol: tcp, port_range_min: 0, port_range_max: 0", None, None),
        ("protocol: {get_param: q}, port_range_min: 0, port_range_max: 9", None, None),
        # nothing to do
        ("protocol: icmp, port_range_min: 3, port_range_max: 4", ("3", "4"), ("3", "4")),
        ("protocol: tcp, port_range_min: 1, port_range_max: 9", ("1", "9"), ("1", "9")),
    ],
)
def test_ports(rule: str, faithful: tuple[str, str] | None, native: tuple[str, str] | None, shape: str) -> None:
    assert ports_of(rule, "faithful", shape) == faithful
    assert ports_of(rule, "native", shape) == native


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("protocol: icmp, port_range_min: 8, port_range_max: 0", "all codes of ICMP type 8, which has no other"),
        ("protocol: icmp, port_range_min: 3, port_range_max: 0", "all codes of ICMP type 3."),
        ("protocol: icmp, port_range_min: 0, port_range_max: 0", "lets in all of ICMP"),
        ("protocol: tcp, port_range_min: 0, port_range_max: 9", "begins at port 1"),
    ],
)
def test_each_names_the_traffic_that_it_lets_in(rule: str, words: str) -> None:
    done = transpile.convert(HEAD + INLINE.replace("RULE", rule), prefer="native")
    (message,) = [d.message for d in done.diagnostics if d.code == "HOT522"]
    assert words in message
    assert words in str(done.files["main.tf"])


def test_a_type_without_a_code_needs_no_word() -> None:
    """The provider wants a code, and sends no 0: the rule is the same as in Heat."""
    done = transpile.convert(HEAD + INLINE.replace("RULE", "protocol: icmp, port_range_min: 3"))
    assert "HOT522" not in {d.code for d in done.diagnostics}


def test_a_group_of_aws_is_one_of_neutron() -> None:
    done = transpile.convert(HEAD + AWS)
    assert "HOT522" in {d.code for d in done.diagnostics}
    assert done.report["resources"]["g"]["treatment"] == "native"
