"""Templates that are equal but for literals are found, with the values in which they differ."""

from __future__ import annotations

import pathlib

import pytest

from tests.support.repositories import put
from transpile.migrate.similar_templates import LEAST, find_similar_templates

STACK = """\
heat_template_version: 2018-08-31
description: The service {name}.
parameters: {{image: {{type: string}}, key: {{type: string}}}}
resources:
  server:
    type: {type}
    properties: {{name: {name}, image: {{get_param: {parameter}}}, networks: [{{network: n}}]}}
"""


def find(tmp_path: pathlib.Path, *different: dict[str, str]) -> list[tuple[str, ...]]:
    for at, words in enumerate(different):
        text = STACK.format(**{"name": f"s{at}", "type": "OS::Nova::Server", "parameter": "image", **words})
        put(tmp_path, f"{at}.yaml", text)
    groups = find_similar_templates(tmp_path, [f"{at}.yaml" for at in range(len(different))])
    return [(*group.templates, "differ in", *group.values) for group in groups]


def test_literals_may_differ(tmp_path: pathlib.Path) -> None:
    (group,) = find(tmp_path, {}, {}, {})
    assert group == ("0.yaml", "1.yaml", "2.yaml", "differ in", "resources.server.properties.name")


@pytest.mark.parametrize("words", [{"type": "OS::Nova::Other"}, {"parameter": "key"}])
def test_types_and_references_may_not(words: dict[str, str], tmp_path: pathlib.Path) -> None:
    assert find(tmp_path, {}, {}, words) == []


def test_few_templates_and_files_that_are_no_yaml_are_no_group(tmp_path: pathlib.Path) -> None:
    assert find(tmp_path, *[{}] * (LEAST - 1)) == []
    put(tmp_path, "broken.yaml", "a: [")
    put(tmp_path, "binary.yaml", "")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    assert find_similar_templates(tmp_path, ["broken.yaml", "binary.yaml", "gone.yaml"]) == []
