"""A part that Heat does not evaluate must not fail a plan, and values that Terraform reads do not stay with Heat."""

from __future__ import annotations

import json
from typing import Any

import transpile

HEAD = {"heat_template_version": "2018-08-31"}


def convert(**sections: Any) -> dict[str, str]:
    conversion = transpile.convert(json.dumps({**HEAD, **sections}) + "\n")
    assert conversion.ok, conversion.diagnostics
    return {name: text for name, text in conversion.files.items() if isinstance(text, str)}


def test_an_operand_that_is_no_boolean_is_read_only_if_needed() -> None:
    """`or` and `and` of Heat stop at the operand that decides. Terraform's operators do not, its `?:` does."""
    files = convert(
        parameters={"a": {"type": "string"}, "p": {"type": "json"}},
        conditions={
            "is_x": {"equals": [{"get_param": "a"}, "x"]},
            "either": {"or": ["is_x", {"get_param": ["p", "flag"]}]},
            "both": {"and": ["is_x", {"get_param": ["p", "flag"]}]},
            "sure": {"and": ["is_x", {"not": "is_x"}]},
        },
        resources={name: {"type": "OS::Heat::RandomString", "condition": name} for name in ("either", "both", "sure")},
    )
    text = " ".join(files["locals.tf"].split())
    assert "either = local.is_x ? true : tobool(" in text
    assert "both = local.is_x ? tobool(" in text
    assert "sure = local.is_x && !local.is_x" in text


def test_str_split_with_an_index_is_a_text() -> None:
    files = convert(
        parameters={"names": {"type": "string"}},
        resources={
            "net": {"type": "OS::Neutron::Net", "properties": {"name": {"str_split": [",", {"get_param": "names"}, 0]}}}
        },
    )
    assert 'split(",", var.names)[0]' in files["main.tf"]


def test_attributes_of_existing_resources_come_from_data_sources() -> None:
    """Without --prefer native, too, if a data source reads the attribute."""
    files = convert(
        resources={
            "server": {"type": "OS::Nova::Server", "external_id": "7d9e3b1a-0000-4000-8000-000000000001"},
            "port": {"type": "OS::Neutron::Port", "external_id": "7d9e3b1a-0000-4000-8000-000000000003"},
        },
        outputs={
            "name": {"value": {"get_attr": ["server", "name"]}},
            "address": {"value": {"get_attr": ["port", "fixed_ips", 0, "ip_address"]}},
        },
    )
    everything = "\n".join(files.values())
    assert "openstack_orchestration_stack_v1" not in everything
    assert "data.openstack_compute_instance_v2.server.name" in everything
    assert "data.openstack_networking_port_v2.port.all_fixed_ips[0]" in everything


def test_keys_of_repeated_rules_are_distinct() -> None:
    """Of two lists that may have hyphens, `a-b` and `c` would have the key of `a` and `b-c`."""
    rule = {"protocol": "%p%", "remote_ip_prefix": "%n%"}
    lists = {"type": "comma_delimited_list"}
    for first, key in (({"get_param": "protocols"}, "jsonencode(p)"), (["tcp", "udp"], 'join("-", p)')):
        rules = {"repeat": {"template": rule, "for_each": {"%p%": first, "%n%": {"get_param": "nets"}}}}
        files = convert(
            parameters={"protocols": lists, "nets": lists},
            resources={"g": {"type": "OS::Neutron::SecurityGroup", "properties": {"rules": rules}}},
        )
        assert key in "\n".join(files.values())


def test_a_renamed_property_in_a_list_is_reported_once() -> None:
    networks = [{"uuid": str(number)} for number in range(10)]
    server = {"type": "OS::Nova::Server", "properties": {"flavor": "f", "image": "i", "networks": networks}}
    template = json.dumps({**HEAD, "resources": {"s": server}}) + "\n"
    messages = [d.message for d in transpile.convert(template, to="hot").diagnostics if d.code == "HOT596"]
    assert len(messages) == 1
    assert "9 other items" in messages[0]
