"""Which outputs are sensitive, and which random strings are passwords."""

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
            + "  s: {type: OS::Neutron::Net, properties: {name: {get_attr: [r, value]}, tags: [{get_resource: r}]}}\n",
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
        (
            PAIR + VALUES % "{get_attr: [pair, private_key]}",
            "{get_attr: [v19, value]}",
        ),
    ],
)
def test_a_secret_is_sensitive_whatever_way_it_came(resources: str, output: str, tmp_path: pathlib.Path) -> None:
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
def test_what_is_beside_a_secret_is_not(resources: str, output: str, tmp_path: pathlib.Path) -> None:
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


@pytest.mark.parametrize(
    ("resources", "output", "kind"),
    [
        (f"  n: {{type: OS::Neutron::Net, properties: {{name: {NAME}}}}}\n", "", "random_string"),
        (f"  n: {{type: OS::Neutron::Net, properties: {{name: {NAME}}}}}\n", "{get_resource: r}", "random_string"),
        (f"  n: {{type: nested.yaml, properties: {{name: {NAME}}}}}\n", "", "random_string"),
        (
            f"  v: {{type: OS::Heat::Value, properties: {{value: {NAME}}}}}\n"
            "  n: {type: OS::Neutron::Net, properties: {name: {get_attr: [v, value]}}}\n",
            "",
            "random_string",
        ),
        (f"  n: {{type: OS::Neutron::Net, properties: {{name: {NAME}, tags: [{NAME}]}}}}\n", "", "random_password"),
        (
            VALUES % NAME + "  n: {type: OS::Neutron::Net, properties: {name: {get_attr: [v19, value]}}}\n",
            "",
            "random_string",
        ),
        (
            VALUES % NAME + "  n: {type: OS::Neutron::Net, properties: {name: a, tags: [{get_attr: [v19, value]}]}}\n",
            "",
            "random_password",
        ),
        ("", "{get_resource: r}", "random_password"),
        ("", "", "random_password"),
        (f"  n: {{type: OS::Neutron::Net, metadata: {NAME}, properties: {{name: {NAME}}}}}\n", "", "random_password"),
        (f"  u: {{type: OS::Keystone::User, properties: {{name: {NAME}, password: {NAME}}}}}\n", "", "random_password"),
    ],
)
def test_a_random_string_is_a_password_unless_it_only_makes_names(
    resources: str, output: str, kind: str, tmp_path: pathlib.Path
) -> None:
    assert f'resource "{kind}" "r"' in written(tmp_path, RANDOM + resources, output)
