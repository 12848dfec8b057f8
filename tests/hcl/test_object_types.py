"""json parameters: when uses and known values show an object type, and when they do not."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest

from tests.support import conversions, oracles

HEAD = "heat_template_version: 2018-08-31\nparameters:\n  p: {type: json%s}\nresources: {}\noutputs:\n"


def convert(default: str, *uses: str, more: str = "", parameters: dict[str, Any] | None = None) -> Any:
    default_key = f", default: {default}" if default else ""
    text = HEAD % (default_key + more) + "".join(f"  o{i}: {{value: {use}}}\n" for i, use in enumerate(uses))
    return conversions.convert(text, parameters=parameters)


def kind(done: Any) -> str:
    match = re.search(
        r"type\s+= (.*?)(?=\n\n|\n  default|\n}\n)", done.files["variables.tf"].partition('variable "p"')[2], re.S
    )
    assert match is not None
    return " ".join(match[1].split())


def test_known_values_give_the_types() -> None:
    done = convert("{a: x, b: 1, c: true, d: [y], e: {f: z}}", "{get_param: [p, a]}", "{get_param: [p, e, f]}")
    assert kind(done) == ("object({ a = string b = number c = bool d = list(string) e = object({ f = string }) })")
    assert "value = var.p.a\n" in done.files["outputs.tf"]
    assert "value = var.p.e.f\n" in done.files["outputs.tf"]


def test_a_key_that_a_known_value_lacks_is_empty() -> None:
    """As in Heat, where a path to nothing is an empty string."""
    done = convert("{a: x}", "{get_param: [p, a]}", "{get_param: [p, b]}", parameters={"p": '{"a": "y", "c": "z"}'})
    assert kind(done) == 'object({ a = string c = optional(string, "") b = optional(any, "") })'


@pytest.mark.parametrize(
    ("default", "use", "more"),
    [
        ("", "{get_param: [p, a]}", ""),  # nothing is known
        ("{a: x}", "{get_param: p}", ""),  # the whole map
        ("{a: x}", "{get_param: [p, {get_param: 'OS::stack_name'}]}", ""),  # any key
        ("[x]", "{get_param: [p, 0]}", ""),  # a list
        ('{"a b": x, a: y}', "{get_param: [p, a]}", ""),  # no attribute can have this name
        ("{a: x}", "{get_param: [p, a]}", ", constraints: [{length: {max: 1}}]"),  # it counts all keys
    ],
)
def test_else_the_variable_takes_anything(default: str, use: str, more: str) -> None:
    assert kind(convert(default, use, more=more)) == "any"


@oracles.needs_terraform
def test_terraform_accepts_optional_members(tmp_path: Any) -> None:
    done = convert("{a: x, n: {b: 1}}", "{get_param: [p, z]}", "{get_param: [p, n, b]}", "{get_param: [p, a, 0]}")
    for name, text in done.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert oracles.outputs(tmp_path) == {"o0": "", "o1": 1, "o2": "x"}


def test_the_default_of_a_nested_template_fits_its_type(tmp_path: pathlib.Path) -> None:
    """The caller's map has a key more than the default, which Terraform compares with the type, too."""
    head = "heat_template_version: 2018-08-31\n"
    inner = "parameters: {p: {type: json, default: {a: x}}}\noutputs: {o: {value: {get_param: [p, a]}}}\n"
    (tmp_path / "inner.yaml").write_text(head + inner)
    root = tmp_path / "root.yaml"
    own = "parameters: {p: {type: json, default: {a: y, b: z}}}\n"
    root.write_text(f"{head}{own}resources: {{r: {{type: inner.yaml, properties: {{p: {{get_param: p}}}}}}}}\n")
    done = conversions.convert(root)
    variables = " ".join(str(done.files["modules/inner/variables.tf"]).split())
    assert 'type = object({ a = string b = optional(string, "") })' in variables
