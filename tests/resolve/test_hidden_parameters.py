"""A value is secret as soon as one declaration that it reaches says `hidden`: it is in no file of any target, in no
report, page or message, however it gets there.
"""

from __future__ import annotations

import itertools
import json
import pathlib
from typing import Any

import pytest

import transpile
from tests.support.files import write_files
from transpile.diagnostics.render import FORMS, load_renderer
from transpile.page import page
from transpile.pipeline import Conversion

SECRET = "Zq7xSecretValue9"
HOT = "heat_template_version: 2018-08-31\n"
USER = "  user: {type: OS::Keystone::User, properties: {name: u, password: {get_param: pw}}}\n"
# how a template is nested: the resource, in which ARGUMENTS stands for the properties
FORMS_OF_CALLS = {
    "template": "{type: FILE, properties: ARGUMENTS}",
    "group": "{type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: "
    "{type: FILE, properties: ARGUMENTS}}}",
    "scaling": "{type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 2, resource: "
    "{type: FILE, properties: ARGUMENTS}}}",
    "stack": "{type: OS::Heat::Stack, properties: {template: {get_file: FILE}, parameters: ARGUMENTS}}",
    "two levels": "{type: middle.yaml}",
}
# how the value of the root's parameter `source` gets into the parameter `pw` of the first nested template
ARGUMENTS = {
    "reference": "{get_param: source}",
    "function": "{list_join: [':', [a, {get_param: source}]]}",
    "condition": "{if: [true, {get_param: source}, x]}",
    "value": "{get_attr: [value, value]}",
    "output": "{get_attr: [echo, echoed]}",
    "identity": "{get_resource: self}",
    "member": "{get_attr: [echoes, resource.0.echoed]}",
    "resource inside": "{get_attr: [deep, resource.echo, echoed]}",
}
ECHO = HOT + "parameters: {text: {type: string}}\noutputs: {echoed: {value: {get_param: text}}}\n"
NESTED = ("echo", "self", "deep")
DEEP = HOT + (
    "parameters: {text: {type: string}}\nresources: {echo: {type: echo.yaml, properties: {text: {get_param: text}}}}\n"
)


def declare(name: str, hidden: bool | None) -> str:
    """The declaration of a parameter: hidden, not hidden, or none."""
    return "" if hidden is None else f"  {name}: {{type: string, default: '', hidden: {str(hidden).lower()}}}\n"


def write_nested(folder: pathlib.Path, name: str, hidden: bool | None) -> None:
    declared = declare("pw", hidden)
    (folder / name).write_text(
        f"{HOT}parameters:\n{declared or '  other: {type: string, default: x}'}\nresources:\n"
        + (USER if declared else "  none: {type: OS::Heat::None}\n")
    )


def show(done: Conversion) -> str:
    """All that leaves a conversion."""
    shown = json.dumps(done.report, ensure_ascii=False)
    shown += "".join(load_renderer(form)(list(done.diagnostics)) for form in FORMS)
    return shown + "".join(
        content if isinstance(content, str) else content.decode("utf-8", "replace") for content in done.files.values()
    )


def find_leaks(folder: pathlib.Path, parameters: dict[str, str], *environments: pathlib.Path) -> list[str]:
    """The outputs that show the secret."""
    leaks = []
    runs: list[tuple[str, dict[str, Any]]] = [
        ("hcl", {"tests": True}),
        ("hcl", {"prefer": "native"}),
        ("tosca", {}),
        ("hot", {}),
        ("graph", {}),
    ]
    for target, options in runs:
        done = transpile.convert(
            folder / "root.yaml", to=target, environments=environments, parameters=parameters, options=options
        )
        assert done.ok, [d.message for d in done.diagnostics if d.severity == "error"]
        if SECRET in show(done) + page.render_page(done):
            leaks.append(f"{target} {options}")
    return leaks


@pytest.mark.parametrize("form", FORMS_OF_CALLS)
def test_an_entry_of_an_environment_is_secret_as_soon_as_one_template_says_so(
    form: str, tmp_path: pathlib.Path
) -> None:
    call = FORMS_OF_CALLS[form].replace("ARGUMENTS", "{}")
    env = tmp_path / "env.yaml"
    for section in ("parameter_defaults", "parameters"):
        env.write_text(f"{section}: {{pw: {SECRET}}}\n")
        for declarations in itertools.product((None, False, True), repeat=3):
            reaching = declarations if section == "parameter_defaults" else declarations[:1]
            if True not in reaching:
                continue
            root, first, second = declarations
            write_nested(tmp_path, "first.yaml", first)
            write_nested(tmp_path, "second.yaml", second)
            (tmp_path / "middle.yaml").write_text(f"{HOT}resources:\n  inner: {{type: first.yaml}}\n")
            text = f"{HOT}parameters:\n{declare('pw', root)}  other: {{type: string, default: x}}\nresources:\n"
            text += f"  first: {call.replace('FILE', 'first.yaml')}\n  second: {{type: second.yaml}}\n"
            (tmp_path / "root.yaml").write_text(text + (USER if root is not None else ""))
            assert find_leaks(tmp_path, {}, env) == [], (section, declarations)


@pytest.mark.parametrize(
    ("form", "argument", "how"),
    [
        *itertools.product(("template", "group", "scaling", "stack"), ARGUMENTS, ("parameter_defaults",)),
        *itertools.product(("template",), ARGUMENTS, ("parameters", "--parameter")),
    ],
)
def test_a_value_that_is_passed_on_to_a_hidden_parameter_is_secret(
    form: str, argument: str, how: str, tmp_path: pathlib.Path
) -> None:
    write_nested(tmp_path, "first.yaml", True)
    write_files(tmp_path, {"echo.yaml": ECHO, "self.yaml": ECHO.replace("echoed", "OS::stack_id"), "deep.yaml": DEEP})
    call = FORMS_OF_CALLS[form].replace("ARGUMENTS", f"{{pw: {ARGUMENTS[argument]}}}").replace("FILE", "first.yaml")
    (tmp_path / "root.yaml").write_text(
        f"{HOT}parameters:\n  source: {{type: string}}\nresources:\n  first: {call}\n"
        "  value: {type: OS::Heat::Value, properties: {value: {get_param: source}}}\n"
        + "".join(f"  {name}: {{type: {name}.yaml, properties: {{text: {{get_param: source}}}}}}\n" for name in NESTED)
        + "  echoes: {type: OS::Heat::ResourceGroup, properties: {count: 1, resource_def: "
        "{type: echo.yaml, properties: {text: {get_param: source}}}}}\n"
    )
    env = tmp_path / "env.yaml"
    env.write_text(f"{how}: {{source: {SECRET}}}\n" if how != "--parameter" else "{}\n")
    assert find_leaks(tmp_path, {"source": SECRET} if how == "--parameter" else {}, env) == []


def test_deciding_and_overridden_values_are_not_secret(tmp_path: pathlib.Path) -> None:
    write_nested(tmp_path, "first.yaml", True)
    (tmp_path / "root.yaml").write_text(
        f"{HOT}parameters:\n  size: {{type: string}}\n  keys: {{type: json}}\n  word: {{type: string}}\n"
        "  real: {type: string}\nconditions: {big: {equals: [{get_param: size}, big]}}\nresources:\n"
        "  first: {type: first.yaml, properties: {pw: {if: [big, {get_param: real}, {get_param: "
        "[keys, {get_param: word}]}]}}}\n"
        "  second: {type: first.yaml, properties: {pw: {if: [{equals: [{get_param: size}, b]}, x, y]}}}\n"
    )
    values = {"size": "SIZE", "keys": '{"WORD": "KEYS"}', "word": "WORD", "real": "REAL"}
    done = transpile.convert(tmp_path / "root.yaml", parameters=values)
    values_file = str(done.files["terraform.tfvars"])
    assert [word in values_file for word in ("SIZE", '"WORD"', "REAL", "KEYS")] == [True, True, False, False]
    messages = [d.message for d in done.diagnostics if d.code == "HOT520"]
    assert messages == ["The values of keys, real are hidden in first.yaml and not written to terraform.tfvars."]


def test_a_call_passes_a_sensitive_variable_and_the_module_keeps_it_secret(tmp_path: pathlib.Path) -> None:
    write_nested(tmp_path, "first.yaml", False)
    (tmp_path / "root.yaml").write_text(
        f"{HOT}parameters: {{pw: {{type: string, hidden: true}}}}\nresources:\n  first: {{type: first.yaml}}\n{USER}"
    )
    (tmp_path / "env.yaml").write_text(f"parameter_defaults: {{pw: {SECRET}}}\n")
    done = transpile.convert(tmp_path / "root.yaml", environments=[tmp_path / "env.yaml"])
    assert "pw     = var.pw_2" in str(done.files["main.tf"])
    assert "sensitive = true" in str(done.files["modules/first/variables.tf"])
    assert str(done.files["variables.tf"]).count("sensitive") == 2
