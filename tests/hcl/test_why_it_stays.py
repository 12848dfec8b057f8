"""Each resource that stays with Heat names the property or reference that keeps it, and the change that would free
it.
"""

from __future__ import annotations

import pathlib
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


def test_resources_that_stay_with_another_name_the_tie() -> None:
    rows = kept(DEPLOYED.replace("GROUP", "mine"))
    assert rows["deployment"]["by"] == "config"
    assert rows["deployment"]["free"] == "write a script that does the same"
    assert rows["config"] == {
        "with": "deployment",
        "by": "config of deployment",
        "free": "the change that frees deployment",
    }
    assert rows["server"] == {
        "with": "deployment",
        "by": "server of deployment",
        "free": "the change that frees deployment",
    }


def test_a_reader_of_signals_is_named_with_a_remedy() -> None:
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


def test_a_kept_candidate_names_the_resource_that_needs_it() -> None:
    assert not kept(QUEUE)
    row = kept(QUEUE + READER)["q"]
    assert row["why"] == "the provider has no message queues"  # without names: reports on many stacks count reasons
    assert (row["by"], row["free"]) == ("name of v", "remove the reference to it from v")


def test_a_resource_that_the_user_keeps_has_this_reason() -> None:
    done = transpile.convert(HEAD + QUEUE, prefer="native", options={"keep": "OS::Zaqar::*"})
    row = done.report["resources"]["q"]["kept"]
    assert (row["why"], row["free"]) == ("--keep names its type", "do not name it with --keep")


@pytest.mark.parametrize("depth", [1, 2])
def test_a_mistake_in_a_nested_template_of_heat_is_shown_there(depth: int, tmp_path: pathlib.Path) -> None:
    """The template that stays with Heat reads a file that is no text. The place is one in the text of that template."""
    head = "heat_template_version: 2018-08-31\n"
    (tmp_path / "data.bin").write_bytes(b"\xff\xfe")
    config = "resources: {c: {type: OS::Heat::SoftwareConfig, properties: {config: {get_file: data.bin}}}}\n"
    (tmp_path / f"t{depth}.yaml").write_text(f"{head}# {'far away ' * 30}\n{config}")
    for level in range(depth):
        (tmp_path / f"t{level}.yaml").write_text(f"{head}resources: {{a: {{type: t{level + 1}.yaml}}}}\n")
    done = transpile.convert(tmp_path / "t0.yaml", options={"keep": "a"})
    errors = [d for d in done.diagnostics if d.severity == "error"]
    assert [d.code for d in errors] == ["HOT455"]
    assert errors[0].source is not None
    assert errors[0].source.name == f"t{depth}.yaml"
    assert errors[0].source.text[errors[0].at : errors[0].end] == "{get_file: data.bin}"
