"""Each resource that stays with Heat says which of its properties or references keeps it, and what would free it."""

from __future__ import annotations

from typing import Any

import pytest

import transpile

HEAD = "heat_template_version: 2021-04-16\nresources:\n"
DEPLOYED = """\
  config: {type: OS::Heat::SoftwareConfig, properties: {group: GROUP, config: "#!/bin/sh"}}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_resource: server}}
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}
"""
SIGNALS = """\
  handle: {type: OS::Heat::WaitConditionHandle}
  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_attr: [handle, curl_cli]}}
  v: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [wait, data]}}}
"""


def kept(text: str, prefer: str = "native") -> dict[str, Any]:
    done = transpile.convert(HEAD + text, prefer=prefer)
    assert done.ok, done.diagnostics
    return {name: row["kept"] for name, row in done.report["resources"].items() if "kept" in row}


def test_a_value_that_the_provider_refuses_is_named() -> None:
    rules = "[{protocol: icmp}, {protocol: tcp, port_range_min: 0, port_range_max: 0}]"
    row = kept(f"  g: {{type: OS::Neutron::SecurityGroup, properties: {{rules: {rules}}}}}\n")["g"]
    assert row["by"] == "rules.1.port_range_min"
    assert row["free"] == "Use another value to free it."


def test_a_type_that_terraform_lacks_is_named() -> None:
    row = kept("  q: {type: OS::Zaqar::Queue}\n", "faithful")["q"]
    assert (row["by"], row["free"]) == ("type", "--prefer native")


def test_those_that_stay_with_another_say_what_ties_them() -> None:
    rows = kept(DEPLOYED.replace("GROUP", "mine"))
    assert rows["deployment"]["by"] == "config"
    assert rows["deployment"]["free"] == "write a script that does the same"
    assert rows["config"] == {"with": "deployment", "by": "config of deployment", "free": "what frees deployment"}
    assert rows["server"] == {"with": "deployment", "by": "server of deployment", "free": "what frees deployment"}


def test_a_reader_of_signals_is_named_with_what_to_do() -> None:
    rows = kept(SIGNALS)
    assert rows["wait"]["why"].startswith("v reads the data of the signals")
    assert rows["wait"]["free"] == "have v get the value in another way, such as a parameter"
    assert rows["server"]["by"] == "handle in its user_data"


@pytest.mark.parametrize(
    ("server", "by", "free"),
    [("{get_param: OS::stack_id}", "server", "--prefer provisioners"), ("{get_resource: server}", None, None)],
)
def test_a_server_that_is_not_made_here_is_named(server: str, by: str | None, free: str | None) -> None:
    text = DEPLOYED.replace("GROUP", "script").replace("{get_resource: server}", server)
    row = kept(text).get("deployment", {})
    assert (row.get("by"), row.get("free")) == (by, free)


def test_the_diagnostic_says_it_too() -> None:
    done = transpile.convert(HEAD + DEPLOYED.replace("GROUP", "mine"), prefer="native")
    (diagnostic,) = [d for d in done.diagnostics if d.code == "HOT450"]
    assert diagnostic.message.endswith("With it: config (config of deployment), server (server of deployment).")
    assert diagnostic.hint == "The cloud must run Heat. To free it: write a script that does the same."
    assert (HEAD + DEPLOYED.replace("GROUP", "mine"))[diagnostic.at : diagnostic.end] == "{get_resource: config}"


QUEUE = "  q: {type: OS::Zaqar::Queue}\n"
READER = "  v: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [q, href]}}}\n"


def test_what_could_be_left_out_names_who_needs_it() -> None:
    assert not kept(QUEUE)
    row = kept(QUEUE + READER)["q"]
    assert row["why"] == "the provider has no message queues"  # without names: reports on many stacks count reasons
    assert (row["by"], row["free"]) == ("name of v", "remove the reference to it from v")


def test_what_the_user_keeps_says_so() -> None:
    done = transpile.convert(HEAD + QUEUE, prefer="native", options={"keep": "OS::Zaqar::*"})
    row = done.report["resources"]["q"]["kept"]
    assert (row["why"], row["free"]) == ("--keep names its type", "do not name it with --keep")
