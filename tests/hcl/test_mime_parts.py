"""Parts of cloudinit_config with other characters than ASCII are in base64, or cloud-init would drop them.

`tests/hcl/test_booted_user_data.py` boots such parts with real cloud-init.
"""

from __future__ import annotations

import pathlib

import pytest
import yaml

import transpile

GREETING = "#!/bin/sh\necho 'Grüße, 世界'\n"
PLAIN = "#!/bin/sh\necho hello\n"


def template(*parts: object, **more: object) -> str:
    resources = {
        "message": {"type": "OS::Heat::MultipartMime", "properties": {"parts": list(parts)}},
        "server": {
            "type": "OS::Nova::Server",
            "properties": {
                "image": "debian-12",
                "flavor": "m1.small",
                "networks": [{"network": "app"}],
                "user_data_format": "RAW",
                "user_data": {"get_resource": "message"},
            },
        },
    }
    document = {"heat_template_version": "2018-08-31", **more, "resources": resources}
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True)


def data_file(done: transpile.Conversion) -> str:
    assert done.ok, done.diagnostics
    return " ".join(str(done.files["data.tf"]).split())


@pytest.mark.parametrize(
    ("config", "encoded", "reported"),
    [
        (GREETING, True, False),
        (PLAIN, False, False),
        ({"str_replace": {"template": PLAIN, "params": {"hello": {"get_param": "word"}}}}, True, False),
        ({"str_replace": {"template": GREETING, "params": {"echo": {"get_param": "unknown"}}}}, True, False),
        ({"str_replace": {"template": PLAIN, "params": {"hello": {"get_param": "unknown"}}}}, False, True),
        ({"str_replace": {"template": PLAIN, "params": {"hello": {"get_param": "size"}}}}, False, False),
        ({"str_replace": {"template": PLAIN, "params": {"hello": {"get_param": "OS::stack_name"}}}}, False, False),
        ({"get_param": "word"}, True, False),
    ],
)
def test_a_part_with_other_characters_is_encoded(config: object, encoded: bool, reported: bool) -> None:
    """A part counts even if only the value of a parameter has such characters. A parameter that may have any text is
    reported (HOT564), unless the part is encoded for another reason.
    """
    parameters = {
        "word": {"type": "string", "default": "Grüße"}, "unknown": {"type": "string"}, "size": {"type": "number"},
    }  # fmt: skip
    done = transpile.convert(template({"config": config}, {"config": PLAIN}, parameters=parameters))
    assert ["unknown" in d.message for d in done.diagnostics if d.code == "HOT564"] == [True] * reported
    text = data_file(done)
    assert ("Content-Transfer-Encoding: base64" in text) == encoded
    assert text.count("part {") == 2
    assert text.count('content_type = "text/plain"') == 2 - encoded  # the other part is as it was


def test_a_part_from_a_file_is_encoded(tmp_path: pathlib.Path) -> None:
    (tmp_path / "boot.sh").write_text(GREETING)
    stack = tmp_path / "stack.yaml"
    stack.write_text(template({"config": {"get_file": "boot.sh"}, "filename": "10-boot", "subtype": "x-shellscript"}))
    done = transpile.convert(stack)
    text = data_file(done)
    assert 'base64encode(file("${path.module}/files/boot.sh"))' in text
    assert '"Content-Type: text/x-shellscript; charset=utf-8",' in text
    assert r'"Content-Disposition: attachment; filename=\"10-boot\"",' in text
    assert "filename =" not in text  # it would name the message around the part
    fates = done.report["resources"]["message"]["properties"]
    assert {fates[f"parts.0.{key}"]["as"] for key in ("config", "filename", "subtype")} == {"derived"}


def test_a_deployment_and_the_script_before_it_are_encoded() -> None:
    resources = {
        "config": {"type": "OS::Heat::SoftwareConfig", "properties": {"group": "script", "config": GREETING}},
        "setup": {
            "type": "OS::Heat::SoftwareDeployment",
            "properties": {"config": {"get_resource": "config"}, "server": {"get_resource": "server"}},
        },
        "server": {
            "type": "OS::Nova::Server",
            "properties": {
                "image": "debian-12",
                "flavor": "m1.small",
                "networks": [{"network": "app"}],
                "user_data_format": "SOFTWARE_CONFIG",
                "user_data": GREETING,
            },
        },
    }
    document = yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": resources}, sort_keys=False)
    text = data_file(transpile.convert(document, prefer="native"))
    assert text.count("Content-Transfer-Encoding: base64") == 2
    assert r'"Content-Disposition: attachment; filename=\"zz-deployments\"",' in text


@pytest.mark.parametrize("read", [False, True])
def test_a_nested_message_is_written_only_if_something_reads_it(read: bool) -> None:
    """The parts of the nested message take its place in the outer one. An output that reads it needs the message
    itself.
    """
    document = yaml.safe_load(template({"config": {"get_resource": "inner"}, "type": "multipart"}, {"config": PLAIN}))
    parts = [{"config": PLAIN}, {"config": {"get_resource": "innermost"}, "type": "multipart"}]
    document["resources"]["inner"] = {"type": "OS::Heat::MultipartMime", "properties": {"parts": parts, "group": "g"}}
    innermost = {"parts": [{"config": GREETING}]}
    document["resources"]["innermost"] = {"type": "OS::Heat::MultipartMime", "properties": innermost}
    if read:
        document["outputs"] = {"o": {"value": {"get_attr": ["inner", "config"]}}}
    done = transpile.convert(yaml.safe_dump(document, sort_keys=False))
    text = data_file(done)
    assert ('"cloudinit_config" "inner"' in text) == read
    assert '"cloudinit_config" "innermost"' not in text
    assert text.count("part {") == 3 + 2 * read
    report = done.report["resources"]["inner"]
    assert report["treatment"] == "folded"
    assert {"parts.0.config", "group"} <= report["properties"].keys()
