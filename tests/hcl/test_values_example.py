"""terraform.tfvars.example: it has the values that Terraform asks for, a copy is a file of values, and no secret is in
it.
"""

from __future__ import annotations

import pathlib

import hcl2
import pytest

import transpile
from tests.support import oracles
from tests.support.cases import all_cases

NAME = "terraform.tfvars.example"
STACK = """
heat_template_version: 2018-08-31
parameters:
  size: {type: number, description: "How large it is,\\nin gigabytes.", constraints: [{range: {min: 1, max: 10}}]}
  names: {type: comma_delimited_list}
  flag: {type: boolean}
  map: {type: json}
  zone: {type: string, label: The zone, constraints: [{allowed_values: [a, b], description: only a or b}]}
  plain: {type: string, default: x}
  password: {type: string, hidden: true, description: The password.}
resources:
  disk:
    type: OS::Cinder::Volume
    properties:
      name: {get_param: plain}
      size: {get_param: size}
      description: {list_join: [",", {get_param: names}]}
      availability_zone: {get_param: zone}
      metadata: {a: {get_param: [map, k]}, b: {get_param: password}, c: {get_param: flag}}
"""
EXAMPLE = """\
# Made by hot2tf from template

# Terraform asks for these. Copy this file to values.auto.tfvars, replace every placeholder, and commit it.

# How large it is, in gigabytes.
# Type: number
# size must be between 1 and 10.
size = null

# Type: list(string)
names = ["<names>"]

# Type: bool
flag = null

# Type: any
map = null

# The zone
# Type: string
# only a or b
zone = "<zone>"

# The password.
# Type: string
# password is hidden: set TF_VAR_password, and write it to no file.
"""


def values(text: str) -> dict[str, object]:
    """The values in a file, as a reader of HCL parses them."""
    return {name: value for name, value in hcl2.loads(text).items() if not name.startswith("__")}


def example(template: str, **parameters: str) -> str:
    done = transpile.convert(template, parameters=parameters)
    assert done.ok, done.diagnostics
    return str(done.files.get(NAME, ""))


def test_it_has_each_variable_without_a_value_with_its_facts() -> None:
    assert example(STACK) == EXAMPLE


def test_variables_with_values_are_not_in_it() -> None:
    """A value of a hidden parameter is not written, so Terraform asks for it all the same."""
    text = example(STACK, size="3", names="a,b", flag="true", map='{"k": 1}', zone="a", password="s3cr3t-s3cr3t")
    assert "s3cr3t" not in text
    assert values(text) == {}
    assert "TF_VAR_password" in text


def test_without_questions_there_is_none() -> None:
    plain = "heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net, properties: {name: n}}}"
    assert example(plain) == ""


def test_a_long_text_is_cut_and_stays_a_comment() -> None:
    """A description of many lines, and one that looks like code, are comments of a few lines."""
    long = "\\n".join(f"line {i} of a long text: x = 1" for i in range(40))
    text = example(STACK.replace("The password.", "x").replace("How large it is,\\nin gigabytes.", long))
    (size,) = (part for part in text.split("\n\n") if "\nsize = " in part)
    assert len(size.splitlines()) == 7
    assert "variables.tf says more." in size
    assert set(values(text)) == {"size", "names", "flag", "map", "zone"}


def test_an_object_has_a_placeholder_for_each_key() -> None:
    """A json parameter whose keys are known has a type with these keys, so null would not show the needed keys."""
    from emitters.hcl.assemble.example import make_placeholder
    from emitters.hcl.tree.nodes import Fn, Object, Traversal
    from emitters.hcl.tree.printer import print_inline

    inner = Object(
        (
            ("a", Traversal(("string",))),
            ("b", Fn("optional", (Traversal(("number",)), ""))),
            ("c", Traversal(("bool",))),
        )
    )
    assert print_inline(make_placeholder(Fn("object", (inner,)), "x")) == '{ a = "<a>", c = null }'


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_it_has_the_variables_of_the_report(case: object) -> None:
    """In all golden cases, each variable of `asks` has a placeholder or, if it is sensitive, its `TF_VAR_`."""
    done = case.convert()  # type: ignore[attr-defined]
    asked = done.report.get("asks", [])
    text = str(done.files.get(NAME, ""))
    sensitive_names = {name for name in asked if f"TF_VAR_{name}," in text}
    assert set(values(text)) | sensitive_names == set(asked)
    assert set(values(text)) & sensitive_names == set()


@oracles.needs_providers
def test_terraform_takes_a_copy_and_refuses_the_placeholders(tmp_path: pathlib.Path) -> None:
    """The copy is well formed, and its types fit; Terraform refuses only placeholders that break a constraint."""
    import subprocess

    done = transpile.convert(STACK)
    for name, content in done.files.items():
        (tmp_path / name).write_text(str(content), encoding="utf-8")
    (tmp_path / "values.auto.tfvars").write_text(str(done.files[NAME]), encoding="utf-8")
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.invalid(tmp_path) == []
    completed = subprocess.run(
        ["terraform", "console", "-no-color", "-var", "password=x"],
        cwd=tmp_path,
        input="[var.names, var.zone, var.size]\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert '"<names>"' in completed.stdout
    assert "only a or b" in completed.stderr
    assert "Invalid value for input variable" not in completed.stderr  # which is about types
    assert "Argument" not in completed.stderr  # which is about the syntax
