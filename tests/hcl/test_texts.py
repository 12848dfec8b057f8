"""The ID of a stored text stands for the text itself in user data and message parts, also across nested templates."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.support import conversions
from tests.support.conversions import treatments

HOT = "heat_template_version: 2021-04-16\n"
SERVER = "type: OS::Nova::Server, properties: {name: s, image: i, flavor: f, networks: [{network: n}], "
SERVER += "user_data_format: RAW, user_data: "
CONFIG = "{type: OS::Heat::SoftwareConfig, properties: {group: ungrouped, config: '#!/bin/sh'}}"
FILES = {
    "made": HOT + f"resources: {{one: {CONFIG}}}\noutputs: {{config: {{value: {{get_resource: one}}}}}}\n",
    "passed": HOT + "resources: {made: {type: made.yaml}}\noutputs: {config: {value: {get_attr: [made, config]}}}\n",
    "read": HOT + f"parameters: {{ud: {{type: string}}}}\nresources: {{server: {{{SERVER}{{get_param: ud}}}}}}}}\n",
    "through": HOT
    + "parameters: {ud: {type: string}}\n"
    + "resources: {read: {type: read.yaml, properties: {ud: {get_param: ud}}}}\n",
}
MADE = "  made: {type: made.yaml}\n"
OWN = f"  own: {CONFIG}\n"
DEPLOYED = """\
  other: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties: {server: {get_resource: other}, config: VALUE}
"""


def convert(directory: pathlib.Path, resources: str) -> transpile.Conversion:
    return conversions.convert_templates(directory, {**FILES, "stack": HOT + "resources:\n" + resources})


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        (MADE + f"  server: {{{SERVER}{{get_attr: [made, config]}}}}}}\n", "user_data = module.made.config"),
        (
            MADE.replace("made", "passed") + f"  server: {{{SERVER}{{get_attr: [passed, config]}}}}}}\n",
            "user_data = module.passed.config",
        ),
        (OWN + "  read: {type: read.yaml, properties: {ud: {get_resource: own}}}\n", "ud     = local.own"),
        (OWN + "  through: {type: through.yaml, properties: {ud: {get_resource: own}}}\n", "ud     = local.own"),
        (
            MADE + "  read: {type: read.yaml, properties: {ud: {get_attr: [made, config]}}}\n",
            "ud     = module.made.config",
        ),
        (
            MADE + "  all: {type: OS::Heat::MultipartMime, "
            "properties: {parts: [{subtype: x, config: {get_attr: [made, config]}}]}}\n"
            f"  server: {{{SERVER}{{get_resource: all}}}}}}\n",
            "content      = module.made.config",
        ),
    ],
    ids=["out_of", "out_of_two", "into", "into_two", "out_of_and_into", "part"],
)
def test_the_text_is_passed(resources: str, expected: str, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, resources)
    assert "embedded" not in treatments(done).values()
    assert expected in "".join(str(text) for text in done.files.values())
    assert not [name for name in done.files if name.endswith("templates/one.yaml")]  # Heat does not use an ID anywhere


def test_a_reference_by_id_gets_the_id(tmp_path: pathlib.Path) -> None:
    """A deployment refers to its configuration by the ID that Heat knows."""
    done = convert(tmp_path, MADE + DEPLOYED.replace("VALUE", "{get_attr: [made, config]}"))
    assert set(treatments(done).values()) == {"embedded"}
    assert any("value: { get_resource: one }" in str(text) for name, text in done.files.items() if "templates" in name)


def test_a_reader_of_the_text_of_an_id_stays_with_heat(tmp_path: pathlib.Path) -> None:
    reader = f"  server: {{{SERVER}{{get_attr: [made, config]}}}}}}\n"
    done = convert(tmp_path, MADE + reader + DEPLOYED.replace("VALUE", "{get_attr: [made, config]}"))
    assert set(treatments(done).values()) == {"embedded"}


def test_a_server_that_heat_gives_the_id_gets_the_id(tmp_path: pathlib.Path) -> None:
    """With Heat's own format, an ID is just text."""
    reader = f"  server: {{{SERVER}{{get_attr: [made, config]}}}}}}\n".replace("RAW", "HEAT_CFNTOOLS")
    done = convert(tmp_path, MADE + reader)
    assert "templates/one.yaml" in "".join(done.files)


def test_a_parameter_that_is_passed_on_as_an_id_is_no_text(tmp_path: pathlib.Path) -> None:
    """`both` uses its parameter as an ID and returns it, so its output is an ID. A server that reads it stays."""
    both = DEPLOYED.replace("VALUE", "{get_param: config}") + "outputs: {same: {value: {get_param: config}}}\n"
    (tmp_path / "both.yaml").write_text(HOT + "parameters: {config: {type: string}}\nresources:\n" + both)
    resources = OWN + "  both: {type: both.yaml, properties: {config: {get_resource: own}}}\n"
    done = convert(tmp_path, resources + f"  server: {{{SERVER}{{get_attr: [both, same]}}}}}}\n")
    treatment = treatments(done)
    assert (treatment["both"], treatment["server"]) == ("embedded", "embedded")
