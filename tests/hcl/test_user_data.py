"""User data: what the provider would take for Base64, and a config that Heat would not have read."""

from __future__ import annotations

import base64
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transpile
from emitters.hcl.hooks.encoded_user_data import is_base64
from transpile.diagnostics import codes

SERVER = """\
heat_template_version: 2018-08-31
parameters:
  data: {type: string%s}
resources:
  config: {type: OS::Heat::SoftwareConfig, properties: {config: "#!/bin/sh"}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, networks: [{network: n}], user_data: %s, user_data_format: %s}
"""


def user_data(value: str, default: str = "", form: str = "RAW") -> str:
    done = transpile.convert(SERVER % (default and f", default: {default}", value, form))
    assert done.ok, [diagnostic.message for diagnostic in done.diagnostics]
    (line,) = [line for line in str(done.files["main.tf"]).splitlines() if line.strip().startswith("user_data ")]
    return line.split("=", 1)[1].strip()


@pytest.mark.parametrize(
    ("value", "default", "written"),
    [
        ("text", "", 'base64encode("text")'),
        ('"#!/bin/sh"', "", '"#!/bin/sh"'),
        ("five5", "", '"five5"'),  # its length is no multiple of four
        ("{get_param: data}", "", "base64encode(var.data)"),
        ("{get_param: data}", "text", "base64encode(var.data)"),
        ("{get_param: data}", '"#!/bin/sh"', "var.data"),
    ],
)
def test_what_may_be_base64_is_encoded(value: str, default: str, written: str) -> None:
    assert user_data(value, default) == written


def test_the_default_format_and_instances_do_the_same() -> None:
    assert user_data("text", form="HEAT_CFNTOOLS") == 'base64encode("text")'
    done = transpile.convert(
        "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Web:\n    Type: AWS::EC2::Instance\n"
        "    Properties: {ImageId: i, InstanceType: t, UserData: {'Fn::Base64': text}}\n"
    )
    assert 'user_data = base64encode("text")' in " ".join(str(done.files["main.tf"]).split())


@pytest.mark.parametrize(("form", "warned"), [("HEAT_CFNTOOLS", True), ("RAW", False), ("SOFTWARE_CONFIG", False)])
def test_a_config_that_heat_would_not_read_is_said(form: str, warned: bool) -> None:
    """With the default format, Heat gives the server the ID of the config as text."""
    done = transpile.convert(SERVER % ("", "{get_resource: config}", form))
    warnings = [d for d in done.diagnostics if d.code == codes.USER_DATA_WITHOUT_MIME and d.severity == "warning"]
    assert bool(warnings) is warned


@given(st.binary(min_size=1, max_size=60), st.sampled_from(["", "\n", "\r\n"]))
def test_encoded_bytes_are_base64_with_line_ends_and_without(data: bytes, line_end: str) -> None:
    encoded = base64.b64encode(data).decode("ascii")
    assert is_base64(encoded[:4] + line_end + encoded[4:])
    assert not is_base64(encoded + "#")
    assert not is_base64(encoded.rstrip("=") + "A" * (1 + 4 - len(encoded.rstrip("=")) % 4))


@pytest.mark.parametrize("value", ['"#!/bin/sh"', "{get_resource: config}"])
def test_a_format_that_a_parameter_gives_needs_no_heat(value: str) -> None:
    """The provider sends the text as it is. What is missing are the parts for Heat's agents, if the format has some."""
    text = SERVER % ("", value, "{get_param: data}")
    faithful = transpile.convert(text)
    assert faithful.report["resources"]["server"]["treatment"] == "embedded"
    done = transpile.convert(text, prefer="native")
    assert done.report["resources"]["server"]["treatment"] == "native"
    assert f"user_data = {'local.config' if 'config' in value else value}" in str(done.files["main.tf"])
    (warning,) = [d for d in done.diagnostics if d.code == codes.USER_DATA_WITHOUT_MIME]
    assert "Unless the format is RAW" in warning.message


def test_a_nested_template_that_is_called_with_several_formats_is_a_module(tmp_path: pathlib.Path) -> None:
    (tmp_path / "node.yaml").write_text(SERVER % ("", '"#!/bin/sh"', "{get_param: data}"))
    calls = "".join(
        f"  {form.lower()}: {{type: node.yaml, properties: {{data: {form}}}}}\n" for form in ("RAW", "SOFTWARE_CONFIG")
    )
    (tmp_path / "stack.yaml").write_text(f"heat_template_version: 2018-08-31\nresources:\n{calls}")
    done = transpile.convert(tmp_path / "stack.yaml", prefer="native")
    assert not any("orchestration" in str(content) for content in done.files.values())
