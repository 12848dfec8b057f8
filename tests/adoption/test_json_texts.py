"""An import compares texts, and Heat writes lists and maps in texts with other spaces than Terraform does."""

from __future__ import annotations

import json
from typing import Any

import pytest

import transpile
from tests.support import running

HEAD = """\
heat_template_version: 2018-08-31
parameters:
  settings: {type: json, default: {a: [x, y], b: text}}
  plain: {type: json, default: {a: x, b: y}}
  names: {type: comma_delimited_list, default: "x,y"}
resources:
  disk: {type: OS::Cinder::Volume, properties: {name: d, size: 1, %s}}
"""


def is_ignored(properties: str, argument: str) -> bool:
    done = transpile.adopt(json.dumps(running.stack(HEAD % properties)))
    assert done.ok, done.diagnostics
    lines = [line for line in str(done.files["main.tf"]).splitlines() if "ignore_changes" in line]
    reported = [d for d in done.diagnostics if d.code == "HOT716"]
    assert bool(lines) is bool(reported)
    return any(argument in line.partition("[")[2].rstrip("]").split(", ") for line in lines)


@pytest.mark.parametrize(
    ("properties", "argument", "ignored"),
    [  # json.dumps of Python has a space after a comma and a colon; Terraform's jsonencode has none
        ("metadata: {get_param: settings}", "metadata", True),
        ("metadata: {list: [1, 2]}", "metadata", True),
        ("metadata: {map: {k: v}}", "metadata", True),
        ("description: {str_replace: {template: 'all: X', params: {X: {get_param: settings}}}}", "description", True),
        ("metadata: {list: [x]}", "metadata", False),
        ("metadata: {list: [], map: {}, number: 1, flag: true}", "metadata", False),
        ("metadata: {get_param: plain}", "metadata", False),
        ("description: {str_replace: {template: 'all: X', params: {X: {get_param: names}}}}", "description", False),
    ],
)
def test_a_text_is_ignored_if_heat_wrote_it_otherwise(properties: str, argument: str, ignored: bool) -> None:
    assert is_ignored(properties, argument) is ignored


def test_a_text_that_a_module_gets_is_ignored_inside() -> None:
    inner = "heat_template_version: 2018-08-31\nparameters: {text: {type: string}}\nresources:\n  disk:\n"
    inner += "    {type: OS::Cinder::Volume, properties: {name: d, size: 1, description: {get_param: text}}}\n"
    outer = "heat_template_version: 2018-08-31\nparameters: {all: {type: json, default: %s}}\nresources:\n  inner:\n"
    text = (
        "    type: inner.yaml\n    properties: {text: {str_replace: {template: 'X!', params: {X: {get_param: all}}}}}\n"
    )
    for value, ignored in (("{a: 1}", True), ("[a]", False)):
        nested: dict[str, Any] = {"inner": running.stack(inner, name="web-inner-x")}
        exported = running.stack(outer % value + text, files={"inner.yaml": inner}, nested=nested)
        done = transpile.adopt(json.dumps(exported))
        assert done.ok, done.diagnostics
        assert ("ignore_changes = [description]" in str(done.files["modules/inner/main.tf"])) is ignored
