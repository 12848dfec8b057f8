"""Resources that only work together stay together, also across nested templates."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

import transpile

HOT = "heat_template_version: 2021-04-16\n"
SERVER = "type: OS::Nova::Server, properties: {name: s, image: i, flavor: f, networks: [{network: n}], "
SERVER += "user_data_format: SOFTWARE_CONFIG"
DEPLOY = (
    HOT
    + """\
parameters: {server: {type: string}}
resources:
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: "#!/bin/sh"}}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_param: server}}
outputs: {out: {value: {get_attr: [deployment, deploy_stdout]}}}
"""
)
THROUGH = (
    HOT
    + """\
parameters: {server: {type: string}}
resources: {inner: {type: deploy.yaml, properties: {server: {get_param: server}}}}
"""
)
MADE = (
    HOT
    + f"resources: {{server: {{{SERVER}}}}}}}\n"
    + """\
outputs: {id: {value: {get_resource: server}}, address: {value: {get_attr: [server, first_address]}}}
"""
)
PASS = HOT + "parameters: {id: {type: string}}\noutputs: {same: {value: {get_param: id}}}\n"
THROUGH_VALUE = (
    HOT
    + """\
parameters: {server: {type: string}}
resources:
  value: {type: OS::Heat::Value, properties: {value: {get_param: server}}}
  inner: {type: deploy.yaml, properties: {server: {get_attr: [value, value]}}}
"""
)
WAIT = (
    HOT
    + """\
resources:
  handle: {type: OS::Heat::WaitConditionHandle}
  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}
outputs: {curl: {value: {get_attr: [handle, curl_cli]}}, data: {value: {get_attr: [wait, data]}}}
"""
)
SIGNALS = (
    HOT
    + "parameters: {curl: {type: string}}\n"
    + f"resources: {{server: {{{SERVER}, user_data: {{get_param: curl}}}}}}}}\n"
)
VALUE = "  value: {type: OS::Heat::Value, properties: {value: {get_resource: server}}}\n"
SELF = MADE.replace("{id:", "{OS::stack_id:")
FILES = {
    "pass": PASS,
    "through_value": THROUGH_VALUE,
    "self": SELF,
    "deploy": DEPLOY,
    "through": THROUGH,
    "made": MADE,
    "wait": WAIT,
    "signals": SIGNALS,
}
ROOT_SERVER = f"  server: {{{SERVER}}}}}\n"


def treatments(directory: pathlib.Path, resources: str) -> dict[str, str]:
    for name, text in FILES.items():
        (directory / f"{name}.yaml").write_text(text)
    (directory / "stack.yaml").write_text(HOT + "resources:\n" + resources)
    done = transpile.convert(directory / "stack.yaml")
    assert done.ok, done.diagnostics
    stacks = {a for r in done.report["resources"].values() if r["treatment"] == "embedded" for a in r["addresses"]}
    assert len(stacks) <= 1  # all in one stack, because otherwise Heat would not let them see each other
    return {name: r["treatment"] for name, r in done.report["resources"].items()}


@pytest.mark.parametrize(
    "resources",
    [
        ROOT_SERVER + "  d: {type: deploy.yaml, properties: {server: {get_resource: server}}}\n",
        ROOT_SERVER + "  d: {type: through.yaml, properties: {server: {get_resource: server}}}\n",
        "  m: {type: made.yaml}\n  d: {type: deploy.yaml, properties: {server: {get_attr: [m, id]}}}\n",
        "  m: {type: made.yaml}\n"
        "  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: x}}\n"
        "  d: {type: OS::Heat::SoftwareDeployment, "
        "properties: {config: {get_resource: config}, server: {get_attr: [m, id]}}}\n",
        "  m: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: made.yaml}}}\n"
        "  d: {type: deploy.yaml, properties: {server: {get_attr: [m, id, 0]}}}\n",
        "  m: {type: self.yaml}\n  d: {type: deploy.yaml, properties: {server: {get_resource: m}}}\n",
        "  m: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: self.yaml}}}\n"
        "  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: x}}\n"
        "  d: {type: OS::Heat::SoftwareDeploymentGroup, "
        "properties: {config: {get_resource: config}, servers: {get_attr: [m, refs_map]}}}\n",
        "  w: {type: wait.yaml}\n  s: {type: signals.yaml, properties: {curl: {get_attr: [w, curl]}}}\n",
        "  handle: {type: OS::Heat::WaitConditionHandle}\n"
        "  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}\n"
        "  s: {type: signals.yaml, properties: {curl: {get_attr: [handle, curl_cli]}}}\n",
    ],
    ids=[
        *("into", "into_two", "out_of_and_into", "out_of", "out_of_a_group", "identity", "identities"),
        *("handle_out_of", "handle_into"),
    ],
)
def test_nothing_stands_between(resources: str, tmp_path: pathlib.Path) -> None:
    assert set(treatments(tmp_path, resources).values()) == {"embedded"}


DEPLOYMENT = (
    "  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: x}}\n"
    "  d: {type: OS::Heat::SoftwareDeployment, properties: {config: {get_resource: config}, server: %s}}\n"
)


@pytest.mark.parametrize(
    ("resources", "together"),
    [
        ("  m: {type: made.yaml}\n" + DEPLOYMENT % "{get_attr: [m, resource.server]}", {"m", "d"}),
        (
            "  m: {type: made.yaml}\n"
            "  d: {type: deploy.yaml, properties: {server: {get_attr: [m, resource.server]}}}\n",
            {"m", "d"},
        ),
        (
            "  m: {type: made.yaml}\n  value: {type: OS::Heat::Value, properties: {value: {get_attr: [m, id]}}}\n"
            "  d: {type: deploy.yaml, properties: {server: {get_attr: [value, value]}}}\n",
            {"m", "d"},
        ),
        (
            ROOT_SERVER + "  d: {type: through_value.yaml, properties: {server: {get_resource: server}}}\n",
            {"server", "d"},
        ),
        (
            ROOT_SERVER
            + "  t: {type: pass.yaml, properties: {id: {get_resource: server}}}\n"
            + DEPLOYMENT % "{get_attr: [t, same]}",
            {"server", "t", "d"},
        ),
    ],
    ids=["resource_inside", "resource_inside_into", "value_between_two", "value_inside", "passed_on"],
)
def test_values_on_every_way_between_calls(resources: str, together: set[str], tmp_path: pathlib.Path) -> None:
    by_resource = treatments(tmp_path, resources)
    assert {name: by_resource[name] for name in together} == dict.fromkeys(together, "embedded")


def test_values_of_another_call_are_not_drawn_in(tmp_path: pathlib.Path) -> None:
    """Both calls are of one template: a value that enters one call does not come out of the other."""
    resources = "  t: {type: pass.yaml, properties: {id: some-id}}\n" + DEPLOYMENT % "{get_attr: [t, same]}"
    other = "  u: {type: pass.yaml, properties: {id: {get_resource: server}}}\n"
    by_resource = treatments(tmp_path, ROOT_SERVER + resources + other)
    assert (by_resource["server"], by_resource["u"], by_resource["t"]) == ("native", "module", "module")


def test_a_value_between_is_looked_through(tmp_path: pathlib.Path) -> None:
    resources = ROOT_SERVER + VALUE + "  d: {type: deploy.yaml, properties: {server: {get_attr: [value, value]}}}\n"
    treatment_by_resource = treatments(tmp_path, resources)
    assert (treatment_by_resource["server"], treatment_by_resource["d"]) == ("embedded", "embedded")


@pytest.mark.parametrize(
    "resources",
    [
        "  m: {type: made.yaml}\n",
        "  m: {type: made.yaml}\n  n: {type: OS::Neutron::Net, properties: {name: {get_attr: [m, address]}}}\n",
        "  d: {type: deploy.yaml, properties: {server: some-id}}\n" + ROOT_SERVER,
    ],
)
def test_nothing_else_is_drawn_in(resources: str, tmp_path: pathlib.Path) -> None:
    """A module may contain parts that stay with Heat."""
    assert "embedded" not in treatments(tmp_path, resources).values()


CHAIN = """
heat_template_version: 2016-10-14
resources:
  handle: {type: OS::Heat::WaitConditionHandle}
  files: {type: OS::Heat::CloudConfig, properties: {cloud_config: {runcmd: [{get_attr: [handle, curl_cli]}]}}}
  init: {type: OS::Heat::MultipartMime, properties: {parts: [{config: {get_resource: files}}]}}
  host: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data: {get_resource: init}}}
"""


def test_reasons_come_in_one_order_for_every_seed_of_hashes() -> None:
    program = f"import transpile\nfor d in transpile.convert({CHAIN!r}).diagnostics: print(d.code, d.message)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(8)
    }
    assert len(outputs) == 1
    assert (
        "it receives signals through Heat. With it: files (handle in its cloud_config), init (files in its parts)"
        in outputs.pop()
    )
