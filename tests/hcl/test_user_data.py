"""User data: texts that the provider would take for Base64, and a config that Heat would not have read."""

from __future__ import annotations

import base64
import email
import json
import pathlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transpile
from emitters.hcl.hooks.encoded_user_data import is_base64
from tests.support import oracles
from tests.support.cloud_init import Part, compose_message
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
def test_texts_that_may_be_base64_are_encoded(value: str, default: str, written: str) -> None:
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
    """The provider sends the text as it is. Only the parts for Heat's agents are missing, if the format has some."""
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


# messages whose parts are known only at run time

AGENT = """\
heat_template_version: 2018-08-31
resources:
  one: {type: OS::Heat::SoftwareConfig, properties: {group: ungrouped, config: "#!/bin/sh\\necho one"}}
  two: {type: OS::Heat::CloudConfig, properties: {cloud_config: {packages: [nginx]}}}
  both:
    type: OS::Heat::MultipartMime
    properties: {parts: [{config: {get_resource: one}}, {config: {get_resource: two}}]}
outputs: {config: {value: {get_resource: both}}}
"""
MESSAGE = """\
heat_template_version: 2018-08-31
resources:
  agent: {type: agent.yaml}
  three: {type: OS::Heat::SoftwareConfig, properties: {group: ungrouped, config: "#!/bin/sh\\necho three"}}
  all:
    type: OS::Heat::MultipartMime
    properties: {parts: [{config: {get_attr: [agent, config]}, type: multipart}, {config: {get_resource: three}}]}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_resource: all}}
"""


def convert_message(where: pathlib.Path, prefer: str) -> transpile.Conversion:
    (where / "agent.yaml").write_text(AGENT)
    (where / "stack.yaml").write_text(MESSAGE)
    return transpile.convert(where / "stack.yaml", prefer=prefer)


def test_a_message_whose_parts_are_unknown_stays_without_a_preference(tmp_path: pathlib.Path) -> None:
    assert convert_message(tmp_path, "faithful").report["resources"]["all"]["treatment"] == "embedded"
    done = convert_message(tmp_path, "native")
    assert done.report["resources"]["all"]["treatment"] == "folded"
    assert any("It also runs other texts." in d.message for d in done.diagnostics)


@oracles.needs_terraform
@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (compose_message([Part("text/x-shellscript", "one"), Part("text/cloud-config", "two")]), ["one", "two"]),
        ("#!/bin/sh", ["#!/bin/sh"]),
    ],
)
def test_cloud_init_finds_the_parts_of_a_message_inside_a_message(
    inner: str, expected: list[str], tmp_path: pathlib.Path
) -> None:
    """The same texts as in Heat's message, which has them side by side: MIME walks through all levels."""
    data = str(convert_message(tmp_path, "native").files["data.tf"])
    match = re.search(r"content_type = (try\(.*?\n    \))\n", data, re.S)
    assert match is not None
    kind = match[1].replace("module.agent.config", "var.inner")
    out = tmp_path / "out"
    out.mkdir()
    written = json.dumps(inner).replace("${", "$${")
    (out / "main.tf").write_text(f'variable "inner" {{ default = {written} }}\noutput "kind" {{ value = {kind} }}\n')
    boundary = re.findall(r'boundary += "(.*)"', data)[0]
    whole = compose_message([Part(oracles.outputs(out)["kind"], inner), Part("text/plain", "three")], boundary)
    parts = [part.get_payload() for part in email.message_from_string(whole).walk() if not part.is_multipart()]
    assert parts == [*expected, "three"]
