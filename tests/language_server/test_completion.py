"""Completion: the words offered at a cursor, in texts that are mostly no valid YAML."""

from __future__ import annotations

import pathlib

import pytest

from tests.language_server.writing import HEAD, MARK, written
from transpile.language_server.completion import list_completions

SERVER = HEAD + "resources:\n  server:\n    type: OS::Nova::Server\n    properties:\n"
NAMES = """parameters:
  image: {type: string}
conditions:
  big: true
resources:
  port: {type: OS::Neutron::Port}
  other: {type: OS::Heat::Value, properties: {value: 1}}
"""


def labels(folder: pathlib.Path, text: str, **files: str) -> list[str]:
    return [item.label for item in list_completions(*written(folder, text, **files))]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f"{HEAD}res{MARK}", "resources"),
        (f"{HEAD}resources:\n  a:\n    {MARK}", "type"),
        (f"{HEAD}resources:\n  a:\n    type: {MARK}", "OS::Nova::Server"),
        (f"{HEAD}resources:\n  a:\n    type: OS::No{MARK}\n    properties: {{}}\n", "OS::Nova::Server"),
        (f"{HEAD}resources: {{a: {{type: OS::N{MARK}", "OS::Nova::Server"),
        (f"{SERVER}      {MARK}", "flavor"),
        (f"{SERVER}      fl{MARK}\n  next:\n    type: OS::Heat::None\n", "flavor"),
        (f"{SERVER}      networks:\n        - {MARK}", "port"),
        (f"{SERVER}      networks:\n        - network: a\n          {MARK}", "fixed_ip"),
        (f"{SERVER}      networks: [{{network: a, {MARK}", "fixed_ip"),
        (f"{SERVER}      networks: [{{network: a, {MARK}}}]\n", "fixed_ip"),
        (f"{HEAD}resources: {{a: {{type: OS::Nova::Server, properties: {{{MARK}", "flavor"),
        (f"{HEAD}resources: {{a: {{b: {{flavor: c}}}}, d: {{type: OS::Nova::Server, properties: {{{MARK}", "flavor"),
        (f"{SERVER}      config_drive: {MARK}", "true"),
        (f"{SERVER}      user_data_format: {MARK}", "SOFTWARE_CONFIG"),
        (f"{SERVER}      user_data_format: {{if: [a, {MARK}", "SOFTWARE_CONFIG"),
        (f"{SERVER}      name: {{{MARK}", "get_param"),
        (f"{SERVER}      name:\n        {MARK}", "list_join"),
        (f"{HEAD}parameters:\n  a:\n    type: {MARK}", "comma_delimited_list"),
        (f"{HEAD}parameters:\n  a:\n    hidden: {MARK}", "true"),
        (f"{HEAD}parameters:\n  a:\n    constraints:\n      - {MARK}", "allowed_pattern"),
        (f"{HEAD}parameters:\n  a:\n    constraints:\n      - range: {{{MARK}", "min"),
        (f"{HEAD}parameters:\n  a:\n    constraints:\n      - custom_constraint: {MARK}", "nova.flavor"),
        (f"{HEAD}outputs:\n  a:\n    {MARK}", "value"),
        (f"{HEAD}conditions:\n  a: {{{MARK}", "equals"),
        (f"heat_template_version: {MARK}", "2021-04-16"),
        (MARK, "heat_template_version"),
    ],
)
def test_offered_words(tmp_path: pathlib.Path, text: str, label: str) -> None:
    assert label in labels(tmp_path, text)


def test_the_whole_word_at_the_cursor_is_replaced(tmp_path: pathlib.Path) -> None:
    before, after = f"{HEAD}resources:\n  a:\n    type: OS::No", "va::Serv\n"
    (item,) = [
        item
        for item in list_completions(*written(tmp_path, f"{before}{MARK}{after}"))
        if item.label == "OS::Nova::Server"
    ]
    assert (item.at, item.end) == (len(before) - len("OS::No"), len(before) + len("va::Serv"))


@pytest.mark.parametrize(
    ("call", "label"),
    [
        ("{get_param: ", "image"),
        ("{get_param: [im", "image"),
        ("{get_resource: ", "port"),
        ("{get_resource: p", "port"),
        ("\n          get_resource: ", "port"),
        ("{get_attr: [", "port"),
        ("{get_attr: [port, ", "mac_address"),
        ("\n          get_attr:\n            - port\n            - ", "mac_address"),
        ("{if: [", "big"),
        ("{get_file: ", "script.sh"),
        ("{list_join: ['', [{get_param: ", "image"),
        ('{get_param: "', "image"),
    ],
)
def test_offered_arguments_of_functions(tmp_path: pathlib.Path, call: str, label: str) -> None:
    server = "  server:\n    type: OS::Nova::Server\n    properties:\n"
    text = f"{HEAD}{NAMES}{server}      name: {call}{MARK}\noutputs: {{}}\n"
    assert label in labels(tmp_path, text, script_sh="")


def test_an_unfinished_call_does_not_hide_the_names_behind_it(tmp_path: pathlib.Path) -> None:
    begun = f"{HEAD}resources:\n  a:\n    type: OS::Nova::Server\n    properties: {{name: {{get_resource: {MARK}"
    text = f"{begun}\n  b:\n    type: OS::Heat::None\n"
    assert labels(tmp_path, text) == ["b"]


def test_a_resource_is_not_offered_itself(tmp_path: pathlib.Path) -> None:
    assert labels(tmp_path, f"{HEAD}{NAMES}  server:\n    type: OS::Heat::None\n    depends_on: {MARK}\n") == [
        "other",
        "port",
    ]


def test_a_map_begins_on_the_next_line(tmp_path: pathlib.Path) -> None:
    texts = {item.label: item.text for item in list_completions(*written(tmp_path, HEAD + MARK))}
    assert [texts[word] for word in ("resources", "description")] == ["resources:", "description: "]


def test_existing_keys_are_not_offered(tmp_path: pathlib.Path) -> None:
    offered = labels(tmp_path, f"{SERVER}      flavor: a\n      {MARK}\n      image: b\n")
    assert "name" in offered
    assert not {"flavor", "image"} & set(offered)


def test_functions_are_those_of_the_version(tmp_path: pathlib.Path) -> None:
    new = labels(tmp_path, f"{HEAD}outputs:\n  a:\n    value: {{{MARK}")
    old = labels(tmp_path, f"heat_template_version: 2015-04-30\noutputs:\n  a:\n    value: {{{MARK}")
    assert {"make_url", "filter"} <= set(new)
    assert not {"make_url", "filter"} & set(old)


def test_required_properties_come_first(tmp_path: pathlib.Path) -> None:
    assert labels(tmp_path, f"{SERVER}      {MARK}")[0] == "flavor"


def test_a_nested_template_has_its_parameters_and_outputs(tmp_path: pathlib.Path) -> None:
    inner = f"{HEAD}parameters:\n  size: {{type: number}}\noutputs:\n  address: {{value: 1}}\n"
    head = f"{HEAD}resources:\n  a:\n    type: inner.yaml\n"
    assert "size" in labels(tmp_path, f"{head}    properties:\n      {MARK}", inner_yaml=inner)
    text = f"{head}outputs:\n  b: {{value: {{get_attr: [a, {MARK}"
    assert "address" in labels(tmp_path, text, inner_yaml=inner)
    assert "inner.yaml" in labels(tmp_path, f"{HEAD}resources:\n  a:\n    type: {MARK}", inner_yaml=inner)


def test_members_of_groups_have_types_and_properties(tmp_path: pathlib.Path) -> None:
    group = f"{HEAD}resources:\n  a:\n    type: OS::Heat::ResourceGroup\n    properties:\n      resource_def:\n"
    assert {"type", "properties"} <= set(labels(tmp_path, f"{group}        {MARK}"))
    assert "OS::Nova::Server" in labels(tmp_path, f"{group}        type: {MARK}")
    deep = f"{group}        type: OS::Nova::Server\n        properties:\n          {MARK}"
    assert "flavor" in labels(tmp_path, deep)


def test_cfn_has_its_own_words(tmp_path: pathlib.Path) -> None:
    head = "AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  Image: {Type: String}\nResources:\n  A:\n"
    assert {"Type", "Properties"} <= set(labels(tmp_path, f"{head}    {MARK}"))
    offered = labels(tmp_path, f"{head}    Type: OS::Nova::Server\n    Properties:\n      name: {{Ref: {MARK}")
    assert "Image" in offered
    assert "get_param" not in labels(
        tmp_path, f"{head}    Type: OS::Nova::Server\n    Properties:\n      name: {{{MARK}"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{SERVER}      # {MARK}",
        f"{SERVER}      user_data: |\n        x {MARK}",
        f"{HEAD}description: a{MARK}",
        f"{SERVER}      networks:\n        -{MARK}",
        f"a: 1\nb: {MARK}",
    ],
)
def test_nothing_is_offered_where_nothing_is_known(tmp_path: pathlib.Path, text: str) -> None:
    assert labels(tmp_path, text) == []


def test_a_name_that_yaml_reads_otherwise_is_quoted(tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}parameters:\n  'yes': {{type: string}}\noutputs:\n  a: {{value: {{get_param: {MARK}"
    texts = [item.text for item in list_completions(*written(tmp_path, text))]
    assert "'yes'" in texts


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f'{{"heat_template_version": "2021-04-16", "res{MARK}"}}', "resources"),
        (
            f'{{"heat_template_version": "2021-04-16", "resources": {{"a": {{"type": "OS::Nova::Ser{MARK}"',
            "OS::Nova::Server",
        ),
        (f'{HEAD}parameters: {{"yes": {{type: string}}}}\noutputs:\n  a: {{value: {{get_param: "{MARK}', "yes"),
        (f"{HEAD}resources:\n  a:\n    type: 'OS::Nova::Ser{MARK}'\n", "OS::Nova::Server"),
        (f'{HEAD}"res{MARK}"\n', "resources"),
    ],
)
def test_a_word_in_quotes_stays_there_alone(tmp_path: pathlib.Path, text: str, label: str) -> None:
    """The quotes are the user's: neither a colon nor quotes of our own come between them."""
    items = {item.label: item.text for item in list_completions(*written(tmp_path, text))}
    assert items[label] == label


def test_a_value_behind_a_colon_gets_its_space(tmp_path: pathlib.Path) -> None:
    items = list_completions(*written(tmp_path, f"{HEAD}resources:\n  a:\n    type:{MARK}"))
    assert items
    assert all(item.text.startswith(" ") for item in items)


def test_environments_have_sections_and_types(tmp_path: pathlib.Path) -> None:
    assert "parameter_defaults" in labels(tmp_path, f"resource_registry: {{}}\n{MARK}")
    assert "OS::Nova::Server" in labels(tmp_path, f"resource_registry:\n  My::Server: {MARK}")


def test_an_environment_has_the_parameters_of_its_template(tmp_path: pathlib.Path) -> None:
    template = f"{HEAD}parameters:\n  image: {{type: string}}\n  size: {{type: number}}\n"
    opened = written(tmp_path, f"parameters:\n  size: 1\n  {MARK}\n", "web.env.yaml", web_yaml=template)
    opened.workspace.survey_folders()
    assert [item.label for item in list_completions(*opened)] == ["image"]
