"""Unused parts are not written: variables, arguments of modules, locals, data sources, and their values."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

import pytest

import transpile
from tests.support import conversions
from tests.support.cases import all_cases
from transpile.report import template_reports

STACK = """
heat_template_version: 2018-08-31
parameters:
  # Nobody needs this.
  idle: {type: string, label: Idle, description: not used, tags: [a]}
  secret: {type: string, hidden: true}
  checked: {type: number, default: 3, constraints: [{range: {min: 1}}]}
  looked: {type: string, default: x, constraints: [{custom_constraint: glance.image}]}
  only_asked: {type: string, default: x}
  name: {type: string, default: net}
conditions:
  never_used: {equals: [{get_param: only_asked}, x]}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
"""
OUTER = """
heat_template_version: 2018-08-31
parameters:
  network: {type: string}
  kept: {type: string}
resources:
  middle: {type: middle.yaml, properties: {network: {get_param: network}, kept: {get_param: kept}}}
"""
MIDDLE = """
heat_template_version: 2018-08-31
parameters: {network: {type: string}, kept: {type: string}}
resources:
  inner: {type: inner.yaml, properties: {network: {get_param: network}, kept: {get_param: kept}}}
"""
INNER = """
heat_template_version: 2018-08-31
parameters: {network: {type: string}, kept: {type: string}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: kept}}}
"""


def converted(template: str, **parameters: str) -> transpile.Conversion:
    return conversions.convert(template, parameters=parameters)


def nested(folder: pathlib.Path, **changed: str) -> transpile.Conversion:
    for name, text in {"outer": OUTER, "middle": MIDDLE, "inner": INNER, **changed}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return conversions.convert(folder / "outer.yaml")


def variables(done: transpile.Conversion, folder: str = "") -> list[str]:
    return re.findall(r'^variable "(\w+)"', str(done.files.get(f"{folder}variables.tf", "")), re.MULTILINE)


def test_a_parameter_that_nothing_uses_has_no_variable() -> None:
    """One that only an unused condition reads neither; one whose values Terraform checks has."""
    done = converted(STACK)
    assert variables(done) == ["checked", "name"]
    assert "locals.tf" not in done.files
    assert "asks" not in done.report
    parameters = done.report["parameters"]
    why = "nothing in the output uses it"
    unused = {"as": "implied", "why": why}
    assert parameters["idle"] == {"why": why, "keys": {"label": unused, "tags": unused}}
    assert parameters["secret"] == {"why": why, "keys": {"hidden": unused}}
    assert parameters["only_asked"] == {"why": why}
    assert list(parameters["looked"]["keys"].values()) == [unused]
    assert parameters["checked"]["variable"] == "checked"
    assert done.report["conditions"] == {"never_used": {"why": why}}
    (unused_diagnostic,) = (diagnostic for diagnostic in done.diagnostics if diagnostic.code == "HOT538")
    assert unused_diagnostic.message.startswith(
        "Nothing in the output uses idle, secret, looked, only_asked, so they have"
    )


def test_its_comment_stays() -> None:
    comment = "# About idle, which is not written here:\n#   Nobody needs this.\n"
    assert comment in str(converted(STACK).files["variables.tf"])


def test_no_value_is_written_for_it() -> None:
    """Terraform would warn about a value for a variable that is not there."""
    environment = "parameters:\n  idle: given-value\n  secret: s3cr3t-s3cr3t\n  name: other\n"
    done = conversions.convert(STACK, environments=[environment])
    text = str(done.files["terraform.tfvars"])
    assert "given-value" not in text
    assert 'name = "other"' in text
    (fates,) = done.report["environments"].values()
    assert fates["parameters.idle"] == {"as": "implied", "why": "nothing in the output uses it"}
    assert fates["parameters.secret"] == {"as": "implied", "why": "nothing in the output uses it"}
    assert fates["parameters.name"]["as"] == "value"
    assert [diagnostic.code for diagnostic in done.diagnostics if diagnostic.code in ("HOT520", "HOT538")] == ["HOT538"]
    assert next(diagnostic for diagnostic in done.diagnostics if diagnostic.code == "HOT538").hint


def test_through_modules_it_is_passed_by_nobody(tmp_path: pathlib.Path) -> None:
    """The innermost template does not use it, so each caller in turn has no variable for it either."""
    done = nested(tmp_path)
    for folder in ("", "modules/middle/", "modules/inner/"):
        assert variables(done, folder) == ["kept"]
        assert "var.network" not in str(done.files[f"{folder}main.tf"])
    why = "nothing in middle.yaml uses it"
    assert done.report["resources"]["middle"]["properties"]["network"] == {"as": "implied", "why": why}
    assert done.report["resources"]["middle"]["properties"]["kept"]["argument"] == "kept"


def test_values_of_an_unused_argument_are_gone(tmp_path: pathlib.Path) -> None:
    """A condition decides the argument alone: with the argument, its local goes, and then its variable."""
    outer = """
heat_template_version: 2018-08-31
parameters: {stage: {type: string}}
conditions: {large: {equals: [{get_param: stage}, prod]}}
resources:
  inner: {type: inner.yaml, properties: {kept: a, network: {if: [large, b, c]}}}
"""
    done = nested(tmp_path, outer=outer)
    assert variables(done) == []
    assert "locals.tf" not in done.files
    assert done.report["conditions"] == {"large": {"why": "nothing in the output uses it"}}


def test_a_resource_that_became_a_local_stays() -> None:
    """Nobody reads the value, but the template has the resource, and the report says where it is."""
    value = "heat_template_version: 2018-08-31\nparameters: {p: {type: string}}\nresources:\n"
    value += "  v: {type: OS::Heat::Value, properties: {type: string, value: {get_param: p}}}\n"
    done = converted(value)
    (address,) = done.report["resources"]["v"]["addresses"]
    assert f"{address.removeprefix('local.')} = var.p" in str(done.files["locals.tf"])
    assert variables(done) == ["p"]


def unread(files: dict[str, str]) -> Iterator[str]:
    """The variables of a directory that are read nowhere but in their own blocks, and that check nothing."""
    text = "\n".join(files.values())
    for block in re.findall(r'^variable "\w+" \{\n.*?^\}|^variable "\w+" \{\}', text, re.MULTILINE | re.DOTALL):
        label = block.split('"')[1]
        if "  validation {" not in block and not re.search(rf"var\.{label}(?![\w-])", text.replace(block, "")):
            yield label


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_no_golden_has_an_unused_variable(case: object) -> None:
    """Read from the text of the files, in the directories of modules, too; the report names those that are there."""
    done = case.convert()  # type: ignore[attr-defined]
    folders: dict[str, dict[str, str]] = {}
    for name, content in done.files.items():
        if name.endswith(".tf"):
            folders.setdefault(str(pathlib.PurePosixPath(name).parent), {})[name] = str(content)
    assert {name: unread_names for name, files in folders.items() if (unread_names := list(unread(files)))} == {}
    for report in template_reports(done.report):
        assert all(("variable" in parameter) != ("why" in parameter) for parameter in report["parameters"].values())
