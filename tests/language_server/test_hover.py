"""Hover: the documentation of words, the conversion of types, and values, but never hidden ones."""

from __future__ import annotations

import pathlib

import pytest

from tests.language_server.writing import HEAD, MARK, written
from transpile.language_server.hover import describe_at

TEXT = """parameters:
  image: {type: string, default: cirros, description: "What [runs](http://evil) *there*."}
  size: {type: number, default: 3}
  password: {type: string, hidden: true, default: hunter2}
conditions:
  big: {equals: [{get_param: size}, 3]}
  guessed: {equals: [{get_param: password}, hunter2]}
resources:
  port: {type: OS::Neutron::Port, properties: {network: private}}
  constant: {type: OS::Heat::Value, properties: {value: {list_join: ['/', [a, {get_param: image}]]}}}
  server:
    type: OS::Nova::Server
    condition: big
    properties:
      flavor: {if: [big, large, small]}
      image: {get_param: image}
      admin_pass: {get_param: password}
      networks: [{port: {get_resource: port}}]
      metadata:
        joined: {list_join: ['-', [{get_param: image}, b]]}
        secret: {list_join: ['-', [{get_param: password}, b]]}
        stack: {list_join: ['-', [{get_param: 'OS::stack_name'}, x]]}
        port: {list_join: ['-', [{get_resource: port}, x]]}
        constant: {get_attr: [constant, value]}
outputs:
  address: {value: {get_attr: [server, first_address]}}
"""


def describe_word(folder: pathlib.Path, word: str, after: int = 0, text: str = HEAD + TEXT, **files: str) -> str:
    """The hover text for the first occurrence of a word; empty if there is none."""
    opened = written(folder, text, **files)
    opened.workspace.survey_folders()
    description = describe_at(opened.document, opened.workspace, opened.at(word, after))
    return description.text if description is not None else ""


@pytest.mark.parametrize(
    ("word", "after", "words"),
    [
        ("OS::Nova::Server", 3, "openstack\\_compute\\_instance\\_v2"),
        ("OS::Nova::Server", 3, "Required: `flavor`"),
        ("OS::Nova::Server", 3, "Attributes: `accessIPv4`, `accessIPv6`, `addresses`"),
        ("flavor:", 1, "string, required"),
        ("port: {get_resource", 1, "networks.\\*.port"),
        ("network: private", 1, "In Terraform: network\\_id"),
        ("image: {get_param", 1, "checked as glance.image"),
        ("get_param: image", 12, 'default `"cirros"`'),
        ("get_param: size", 12, "Value: `3`"),
        ("[big,", 1, "Value: `true`"),
        ("list_join: ['-', [{get_param: image", 2, 'Value: `"cirros-b"`'),
        ("get_attr: [constant", 2, 'Value: `"a/cirros"`'),
        ("first_address", 1, "an attribute of OS::Nova::Server"),
        ("get_resource: port", 15, "OS::Neutron::Port"),
        ("address: {value", 1, "output **address**"),
        ("if: [big", 1, 'Value: `"large"`'),
    ],
)
def test_hover_texts(tmp_path: pathlib.Path, word: str, after: int, words: str) -> None:
    assert words in describe_word(tmp_path, word, after)


def test_nothing_says_a_hidden_value(tmp_path: pathlib.Path) -> None:
    """The value is hidden at every place of the cursor, also in a condition that compares with it."""
    opened = written(tmp_path, HEAD + TEXT)
    texts = [
        description.text
        for offset in range(len(opened.document.text))
        if (description := describe_at(opened.document, opened.workspace, offset)) is not None
    ]
    assert len(texts) > 500
    assert not [text for text in texts if "hunter2" in text]
    condition = describe_word(tmp_path, "guessed:", 1)
    assert "condition" in condition
    assert "Value" not in condition


@pytest.mark.parametrize("word", ["list_join: ['-', [{get_param: 'OS", "list_join: ['-', [{get_resource"])
def test_values_that_only_a_stack_knows_are_not_shown(tmp_path: pathlib.Path, word: str) -> None:
    text = describe_word(tmp_path, word, 2)
    assert "list\\_join" in text
    assert "Value" not in text


def test_texts_of_templates_are_no_markup(tmp_path: pathlib.Path) -> None:
    assert r"What \[runs\](http:\//evil) \*there\*." in describe_word(tmp_path, "image:", 1)


def test_values_come_from_the_environments_of_the_stack(tmp_path: pathlib.Path) -> None:
    environment = "parameters: {size: 7, password: other}\n"
    text = describe_word(tmp_path, "get_param: size", 12, stack_env_yaml=environment)
    assert "Value with stack.env.yaml: `7`" in text
    assert "other" not in describe_word(tmp_path, "get_param: password", 12, stack_env_yaml=environment)


@pytest.mark.parametrize("section", ["parameters", "parameter_defaults"])
@pytest.mark.parametrize(
    ("resources", "inner"),
    [
        ("a: {type: inner.yaml, properties: {}}", "password: {type: string, hidden: true}"),
        ("a: {type: inner.yaml, properties: {secret: {get_param: password}}}", "secret: {type: string, hidden: true}"),
        (
            "a: {type: inner.yaml, properties: {secret: {get_attr: [v, value]}}}\n"
            "  v: {type: 'OS::Heat::Value', properties: {value: {get_param: password}}}",
            "secret: {type: string, hidden: true}",
        ),
    ],
)
def test_a_value_that_a_nested_template_hides_is_not_said(
    section: str, resources: str, inner: str, tmp_path: pathlib.Path
) -> None:
    text = f"{HEAD}parameters:\n  password: {{type: string}}\n  size: {{type: number}}\nresources:\n  {resources}\n"
    text += "outputs:\n  secret: {value: {list_join: [-, [a, {get_param: password}]]}}\n"
    text += "  seen: {value: {get_param: size}}\n"
    files = {
        "inner_yaml": f"{HEAD}parameters:\n  {inner}\n",
        "stack_env_yaml": f"{section}: {{password: hunter2, size: 7}}\n",
    }
    opened = written(tmp_path, text, **files)
    opened.workspace.survey_folders()
    for offset in range(len(text)):
        description = describe_at(opened.document, opened.workspace, offset)
        assert description is None or "hunter2" not in description.text
    assert "`7`" in describe_word(tmp_path, "seen: {value", 1, text, **files)


def test_a_nested_template_is_described_by_itself(tmp_path: pathlib.Path) -> None:
    inner = f"{HEAD}description: It serves.\nparameters:\n  size: {{type: number, description: How many.}}\n"
    inner += "outputs:\n  port: {description: Where it listens., value: 80}\n"
    text = f"{HEAD}resources:\n  a: {{type: inner.yaml, properties: {{size: 1}}}}\n"
    text += "outputs:\n  at: {value: {get_attr: [a, port]}}\n"
    assert "It serves." in describe_word(tmp_path, "inner.yaml", 1, text, inner_yaml=inner)
    assert "How many." in describe_word(tmp_path, "size: 1", 1, text, inner_yaml=inner)
    assert "Where it listens." in describe_word(tmp_path, "port]", 1, text, inner_yaml=inner)


@pytest.mark.parametrize(
    ("kind", "words"), [("lost.yaml", "It cannot be read."), ("OS::Nova::Sever", "Heat has no such type.")]
)
def test_a_type_that_there_is_not_is_described_as_such(kind: str, words: str, tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}resources:\n  a: {{type: {kind}}}\n"
    assert words in describe_word(tmp_path, kind, 1, text)


def test_a_broken_line_does_not_matter_elsewhere(tmp_path: pathlib.Path) -> None:
    text = HEAD + TEXT.replace("      flavor:", f"      name: {{get_param: {MARK}\n      flavor:")
    assert 'default `"cirros"`' in describe_word(tmp_path, "image: {get_param", 19, text)


def test_environments_tell_about_parameters_and_types(tmp_path: pathlib.Path) -> None:
    template = f"{HEAD}parameters:\n  size: {{type: number, description: How many.}}\n"
    text = "parameters: {size: 1}\nresource_registry: {My::Port: OS::Neutron::Port}\n"
    opened = written(tmp_path, text, "web.env.yaml", web_yaml=template)
    opened.workspace.survey_folders()
    parameter = describe_at(opened.document, opened.workspace, opened.at("size", 1))
    kind = describe_at(opened.document, opened.workspace, opened.at("OS::Neutron", 1))
    assert parameter is not None
    assert "How many." in parameter.text
    assert kind is not None
    assert "openstack\\_networking\\_port\\_v2" in kind.text


def test_a_value_behind_an_alias_is_known(tmp_path: pathlib.Path) -> None:
    """The environment maps the type of the template."""
    text = (HEAD + TEXT).replace("constant: {type: OS::Heat::Value", "constant: {type: My::Value")
    environment = "resource_registry:\n  My::Value: OS::Heat::Value\nparameters: {size: 7}\n"
    assert "a/cirros" in describe_word(tmp_path, "get_attr: [constant", 2, text, stack_env_yaml=environment)
    assert "a/cirros" not in describe_word(
        tmp_path, "get_attr: [constant", 2, text, stack_env_yaml="parameters: {size: 7}\n"
    )
