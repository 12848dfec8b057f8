"""Outputs with secrets are sensitive, and random strings that are secrets are passwords."""

from __future__ import annotations

import pathlib

import pytest

import transpile

HOT = "heat_template_version: 2021-04-16\nparameters: {hidden: {type: string, hidden: true}}\nresources:\n"
RANDOM = "  r: {type: OS::Heat::RandomString}\n"
GROUP = "  g:\n    type: OS::Heat::AutoScalingGroup\n    properties: {min_size: 1, max_size: 2, resource: %s}\n"
PAIR = "  pair: {type: OS::Nova::KeyPair, properties: {name: a, save_private_key: true}}\n"
VALUES = "  v0: {type: OS::Heat::Value, properties: {value: %s}}\n"
for number in range(1, 20):
    VALUES += f"  v{number}: {{type: OS::Heat::Value, properties: {{value: {{get_attr: [v{number - 1}, value]}}}}}}\n"
NESTED = (
    "heat_template_version: 2021-04-16\nparameters: {name: {type: string}}\nresources:\n"
    + PAIR
    + (
        "  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}\n"
        "outputs:\n  private: {value: {get_attr: [pair, private_key]}}\n"
        "  public: {value: {get_attr: [pair, public_key]}}\n"
    )
)


def written(folder: pathlib.Path, resources: str, output: str = "") -> str:
    (folder / "nested.yaml").write_text(NESTED)
    outputs = f"outputs:\n  o: {{value: {output}}}\n" if output else ""
    (folder / "stack.yaml").write_text(HOT + resources + outputs)
    done = transpile.convert(folder / "stack.yaml")
    assert done.ok, done.diagnostics
    return "".join(text for name, text in done.files.items() if isinstance(text, str) and name.endswith(".tf"))


@pytest.mark.parametrize(
    ("resources", "output"),
    [
        ("  net: {type: OS::Neutron::Net, properties: {name: {get_param: hidden}}}\n", "{get_attr: [net, name]}"),
        (
            RANDOM
            + "  s:\n    type: OS::Keystone::User\n"
            + "    properties: {name: {get_attr: [r, value]}, password: {get_resource: r}}\n",
            "{get_attr: [s, name]}",
        ),
        (RANDOM, "{get_attr: [r, value]}"),
        (PAIR, "{get_attr: [pair, private_key]}"),
        (
            PAIR + "  v: {type: OS::Heat::Value, properties: {value: {get_attr: [pair, private_key]}}}\n",
            "{get_attr: [v, value]}",
        ),
        (GROUP % "{type: nested.yaml, properties: {name: a}}", "{get_attr: [g, outputs_list, private]}"),
        (
            GROUP % "{type: OS::Nova::KeyPair, properties: {name: a, save_private_key: true}}",
            "{get_attr: [g, private_key]}",
        ),
        ("  n: {type: nested.yaml, properties: {name: a}}\n", "{get_attr: [n, private]}"),
        ("  n: {type: nested.yaml, properties: {name: a}}\n", "{get_attr: [n, {list_join: ['', [pri, vate]]}]}"),
        ("  n: {type: nested.yaml, properties: {name: {get_param: hidden}}}\n", "{get_attr: [n, resource.net, name]}"),
        (
            "  g:\n    type: OS::Heat::ResourceChain\n"
            "    properties: {resources: [OS::Heat::RandomString, OS::Heat::Value]}\n",
            "{get_attr: [g, attributes, value]}",
        ),
        (PAIR + VALUES % "{get_attr: [pair, private_key]}", "{get_attr: [v19, value]}"),
    ],
)
def test_a_secret_is_sensitive_on_every_path(resources: str, output: str, tmp_path: pathlib.Path) -> None:
    text = written(tmp_path, resources, output)
    assert text.count("sensitive = true") >= 1 + ("var.hidden" in text)  # the variable is one, where there is one


@pytest.mark.parametrize(
    ("resources", "output"),
    [
        (
            "  net: {type: OS::Neutron::Net, properties: {name: a, tags: [{get_param: hidden}]}}\n",
            "{get_attr: [net, name]}",
        ),
        (GROUP % "{type: nested.yaml, properties: {name: a}}", "{get_attr: [g, outputs_list, public]}"),
        ("  n: {type: nested.yaml, properties: {name: a}}\n", "{get_attr: [n, public]}"),
    ],
)
def test_values_next_to_a_secret_are_not_sensitive(resources: str, output: str, tmp_path: pathlib.Path) -> None:
    assert written(tmp_path, resources, output).count("sensitive = true") <= 1


@pytest.mark.parametrize("passed", ["{get_param: hidden}", "{get_attr: [v19, value]}"])
def test_a_module_keeps_a_hidden_value_secret_however_it_gets_it(passed: str, tmp_path: pathlib.Path) -> None:
    """Terraform refuses an output with a sensitive value that does not say so, in modules as in the root."""
    (tmp_path / "echo.yaml").write_text(
        "heat_template_version: 2021-04-16\nparameters: {text: {type: string}}\n"
        "outputs: {o: {value: {list_join: ['', [{get_param: text}, x]]}}}\n"
    )
    resources = VALUES % "{get_param: hidden}" + f"  n: {{type: echo.yaml, properties: {{text: {passed}}}}}\n"
    text = " ".join(written(tmp_path, resources).split())
    assert 'output "o" { value = "${var.text}x" sensitive = true' in text


NAME = "{list_join: ['-', [web, {get_attr: [r, value]}]]}"
PLACED = "{str_replace: {template: web-S, params: {S: {get_resource: r}}}}"
NET = "  n: {{type: OS::Neutron::Net, properties: {{name: {}}}}}\n"
SERVER = (
    "  s:\n    type: OS::Nova::Server\n"
    "    properties: {{name: {}, flavor: a, image: b, user_data_format: RAW, user_data: {}}}\n"
)


@pytest.mark.parametrize(
    ("resources", "output"),
    [
        (NET.format(NAME), ""),
        (NET.format(NAME), "{get_resource: r}"),
        (f"  n: {{type: nested.yaml, properties: {{name: {NAME}}}}}\n", ""),
        (f"  v: {{type: OS::Heat::Value, properties: {{value: {NAME}}}}}\n" + NET.format("{get_attr: [v, value]}"), ""),
        (VALUES % NAME + NET.format("{get_attr: [v19, value]}"), ""),
        # it stands in a name that everybody may read, so it is no secret elsewhere either
        (f"  n: {{type: OS::Neutron::Net, properties: {{name: {NAME}, tags: [{NAME}]}}}}\n", ""),
        (f"  n: {{type: OS::Neutron::Net, metadata: {NAME}, properties: {{name: {NAME}}}}}\n", ""),
        (SERVER.format(PLACED, PLACED), "{get_resource: r}"),
        (NET.format(NAME) + SERVER.format("a", NAME), ""),
        (f"  n: {{type: nested.yaml, properties: {{name: {NAME}}}}}\n" + SERVER.format("a", NAME), ""),
        (VALUES % NAME + NET.format("{get_attr: [v19, value]}") + SERVER.format("a", NAME), ""),
    ],
)
def test_a_random_string_that_names_show_is_no_password(resources: str, output: str, tmp_path: pathlib.Path) -> None:
    text = written(tmp_path, RANDOM + resources, output)
    assert 'resource "random_string" "r"' in text
    assert "sensitive" not in text.partition('output "o"')[2].partition("}")[0]


@pytest.mark.parametrize(
    ("resources", "output"),
    [
        ("", ""),
        ("", "{get_resource: r}"),
        (
            VALUES % NAME + "  n: {type: OS::Neutron::Net, properties: {name: a, tags: [{get_attr: [v19, value]}]}}\n",
            "",
        ),
        (SERVER.format("a", NAME), ""),
        # a name shows it, but the template takes it as a secret
        (f"  u: {{type: OS::Keystone::User, properties: {{name: {NAME}, password: {NAME}}}}}\n", ""),
        (
            SERVER.format(NAME, "{str_replace: {template: P, params: {P: {get_resource: r}}}}").replace(
                "P", "PASSWORD"
            ),
            "",
        ),
        (f"  n: {{type: OS::Neutron::Net, metadata: {{admin_pass: {NAME}}}, properties: {{name: {NAME}}}}}\n", ""),
        # the name does not show it, or perhaps there is no such name
        (NET.format("{digest: [md5, {get_resource: r}]}") + SERVER.format("a", NAME), ""),
        (NET.format(f"{{if: [{{equals: [{{get_param: hidden}}, a]}}, {NAME}, b]}}") + SERVER.format("a", NAME), ""),
        (NET.format("{str_replace: {template: web, params: {S: {get_resource: r}}}}") + SERVER.format("a", NAME), ""),
        (
            "  n: {type: OS::Neutron::Net, condition: {equals: [{get_param: hidden}, a]}, properties: {name: "
            f"{NAME}}}}}\n" + SERVER.format("a", NAME),
            "",
        ),
    ],
)
def test_any_other_random_string_is_a_password(resources: str, output: str, tmp_path: pathlib.Path) -> None:
    assert 'resource "random_password" "r"' in written(tmp_path, RANDOM + resources, output)
