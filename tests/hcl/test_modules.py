"""Nested templates as modules: the modules, the arguments and results of calls, and the resources that stay with Heat.

The expected results are the values that Heat passes to a nested stack and reads from it. The golden cases prove that
terraform accepts the whole, and that it means the same.
"""

from __future__ import annotations

import pathlib
import re

import pytest

import transpile
from tests.support import oracles
from transpile import Conversion, checking
from transpile.text import output

HOT = "heat_template_version: 2021-04-16\n"
ROOT = HOT + "resources:\n  part: {type: part.yaml, properties: {%s}}\noutputs: {o: {value: {get_attr: [part, out]}}}\n"
PART = HOT + (
    "parameters: {v: {type: %s}}\n"
    "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: v}}}}\n"
    "outputs: {out: {value: {get_param: v}}}\n"
)


def convert(where: pathlib.Path, environment: str = "", **texts: str) -> Conversion:
    """Converts the template `stack` with the other templates next to it."""
    for name, text in texts.items():
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    return transpile.convert(where / "stack.yaml", environments=[environment] if environment else [])


def text(done: Conversion, name: str) -> str:
    assert done.ok, [d.message for d in done.diagnostics]
    content = done.files[name]
    return content if isinstance(content, str) else content.decode()


def argument(done: Conversion, name: str = "v") -> str:
    """The argument that the call passes for a variable, without whitespace."""
    (expression,) = re.findall(rf"^  {name} += (.*?)(?=\n  \w|\n\n|\n}}\n)", text(done, "main.tf"), re.M | re.S)
    return "".join(expression.split())


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("string", "7", '"7"'),
        ("string", "true", '"True"'),
        ("string", "null", '""'),
        ("number", "'7'", "7"),
        ("number", "null", "0"),
        ("boolean", "'yes'", "true"),
        ("boolean", "null", "false"),
        ("comma_delimited_list", "[a, 'b,c']", '["a","b","c"]'),
        ("comma_delimited_list", "'a,b'", '["a","b"]'),
        ("comma_delimited_list", "[{a: 1, b: x}]", '[".member.0.a=1",".member.0.b=x"]'),
        ("comma_delimited_list", "null", "[]"),
        ("json", "{a: [1]}", "{a=[1]}"),
        ("json", "'{\"a\": 1}'", "{a=1}"),
        ("json", "null", "{}"),
    ],
)
def test_arguments_of_modules(kind: str, value: str, expected: str, tmp_path: pathlib.Path) -> None:
    """Values are passed as Heat passes properties to the parameters of a nested stack."""
    assert argument(convert(tmp_path, stack=ROOT % f"v: {value}", part=PART % kind)) == expected


def test_unset_properties_are_not_passed(tmp_path: pathlib.Path) -> None:
    part = (PART % "string").replace("string}", "string, default: x}")
    assert "v " not in text(convert(tmp_path, stack=ROOT % "", part=part), "main.tf")


def test_a_value_that_heat_would_not_pass_keeps_it_in_heat(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, stack=ROOT % "v: [1]", part=PART % "comma_delimited_list")
    assert "part.yaml" in text(done, "main.tf")
    assert text(done, "templates/part_2.yaml" if "templates/part_2.yaml" in done.files else "templates/part.yaml")
    assert done.report["resources"]["part"]["treatment"] == "embedded"


def test_a_name_that_heat_takes_for_a_type_stays_with_heat(tmp_path: pathlib.Path) -> None:
    """Heat reads no template whose name ends with .yml. That is an error for `check`, but a target keeps it in Heat."""
    (tmp_path / "part.yml").write_text(PART % "string")
    done = convert(tmp_path, stack=ROOT.replace("part.yaml", "part.yml") % "v: x")
    assert "type: part.yml" in text(done, "templates/part.yaml")
    assert ("HOT214", "warning") in {(d.code, d.severity) for d in done.diagnostics}
    checked = checking.check_file(str(tmp_path / "stack.yaml"), checking.CheckRequest()).diagnostics
    assert ("HOT214", "error") in {(d.code, d.severity) for d in checked}


def test_one_template_is_one_module(tmp_path: pathlib.Path) -> None:
    twice = HOT + "resources:\n" + "".join(f"  {n}: {{type: part.yaml, properties: {{v: {n}}}}}\n" for n in "ab")
    done = convert(tmp_path, stack=twice, part=PART % "string")
    assert [n for n in done.files if n.endswith("versions.tf")] == ["modules/part/versions.tf", "versions.tf"]
    assert text(done, "main.tf").count('source = "./modules/part"') == 2


def test_another_registry_is_another_module(tmp_path: pathlib.Path) -> None:
    """The part of the environment that the entry leaves visible decides the types inside."""
    stack = HOT + "resources:\n  a: {type: Our::Part}\n  b: {type: part.yaml}\n"
    part = HOT + "resources: {x: {type: Our::Part}}\n"
    environment = "resource_registry: {Our::Part: part.yaml}\n"
    (tmp_path / "env.yaml").write_text(environment)
    for name, template in (("stack", stack), ("part", part)):
        (tmp_path / f"{name}.yaml").write_text(template)
    done = transpile.convert(tmp_path / "stack.yaml", environments=[tmp_path / "env.yaml"])
    codes = {d.code for d in done.diagnostics if d.severity == "error"}
    assert codes <= {"HOT214", "HOT216"}  # inside the nested stack, Our::Part is no longer known


def test_hidden_values_stay_hidden(tmp_path: pathlib.Path) -> None:
    stack = (ROOT % "v: {get_param: p}").replace(
        "resources:", "parameters: {p: {type: string, hidden: true}}\nresources:"
    )
    done = convert(tmp_path, stack=stack, part=PART % "string")
    assert "sensitive = true" in text(done, "outputs.tf")
    assert "sensitive = true" in text(done, "modules/part/outputs.tf")  # so that a test of the module may show it


def test_a_module_may_hold_kept_resources(tmp_path: pathlib.Path) -> None:
    part = HOT + (
        "parameters: {v: {type: string}}\n"
        "resources: {h: {type: OS::Heat::WaitConditionHandle}}\n"
        "outputs: {out: {value: {get_attr: [h, curl_cli]}}}\n"
    )
    done = convert(tmp_path, stack=ROOT % "v: a", part=part)
    assert "modules/part/templates/h.yaml" in done.files
    assert 'stack_name = "${var.stack_name}-part"' in text(done, "main.tf")
    assert done.report["modules"]["part"]["report"]["resources"]["h"]["treatment"] == "embedded"


def test_the_id_of_a_nested_stack_is_nothing_to_terraform(tmp_path: pathlib.Path) -> None:
    stack = (ROOT % "v: a").replace("get_attr: [part, out]", "get_resource: part")
    done = convert(tmp_path, stack=stack, part=PART % "string")
    assert "value = null" in text(done, "outputs.tf")
    assert "HOT553" in {d.code for d in done.diagnostics}
    with_id = (PART % "string").replace("outputs: {", 'outputs: {"OS::stack_id": {value: {get_resource: net}}, ')
    assert "module.part.stack_id" in text(convert(tmp_path, stack=stack, part=with_id), "outputs.tf")


def test_an_output_that_a_nested_template_lacks_is_null(tmp_path: pathlib.Path) -> None:
    stack = (ROOT % "v: a").replace("[part, out]", "[part, other]")
    done = convert(tmp_path, stack=stack, part=PART % "string")
    assert "value = null" in text(done, "outputs.tf")
    (warning,) = [d for d in done.diagnostics if d.code == "HOT212"]
    assert (warning.severity, stack[warning.at : warning.end]) == ("warning", "{get_attr: [part, other]}")
    assert warning.message == "The template of part has no output other; Heat fails, and this is null."


@oracles.needs_providers
def test_many_templates_are_valid_together(tmp_path: pathlib.Path) -> None:
    """Twenty modules, each called by the previous one or by the root."""
    texts = {f"t{n}": PART % "string" for n in range(20)}
    values = ["a", *(f"{{get_attr: [r{n}, out]}}" for n in range(19))]
    rows = "".join(f"  r{n}: {{type: t{n}.yaml, properties: {{v: {value}}}}}\n" for n, value in enumerate(values))
    done = convert(tmp_path, stack=HOT + "resources:\n" + rows, **texts)
    assert output.write_directory(tmp_path / "hcl", dict(done.files)) == []
    assert oracles.unformatted(tmp_path / "hcl") == ""
    assert oracles.invalid(tmp_path / "hcl") == []


def test_a_template_elsewhere_is_read_only_if_it_is_allowed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "part.yaml").write_text(PART % "string")
    stack = tmp_path / "inside" / "stack.yaml"
    stack.write_text(ROOT.replace("part.yaml", "../part.yaml") % "v: a")
    refused = transpile.convert(stack)
    assert [d.code for d in refused.diagnostics if d.severity == "error"] == ["HOT217"]
    assert transpile.convert(stack, allow=[str(tmp_path)]).ok
    assert transpile.convert(stack, root=tmp_path).ok


def test_an_environment_may_name_files_beside_it(tmp_path: pathlib.Path) -> None:
    """The user names the environment, so its neighbours may be read, but not by the template or with another root."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "part.yaml").write_text(PART % "string")
    environment = tmp_path / "shared" / "env.yaml"
    environment.write_text("resource_registry: {My::Part: part.yaml}\n")
    stack = tmp_path / "inside" / "stack.yaml"
    stack.write_text(ROOT.replace("part.yaml", "My::Part") % "v: a")
    assert transpile.convert(stack, environments=[environment]).ok
    assert not transpile.convert(stack, environments=[environment], root=tmp_path / "inside").ok
    stack.write_text(ROOT.replace("part.yaml", "../shared/part.yaml") % "v: a")
    assert not transpile.convert(stack, environments=[environment]).ok
    environment.write_text("resource_registry: {My::Part: ../elsewhere.yaml}\n")
    (tmp_path / "elsewhere.yaml").write_text(PART % "string")
    stack.write_text(ROOT.replace("part.yaml", "My::Part") % "v: a")
    assert not transpile.convert(stack, environments=[environment]).ok


def test_files_from_elsewhere_are_kept_apart(tmp_path: pathlib.Path) -> None:
    """The names of copied files reveal nothing about the machine, and do not collide with other files."""
    part = (PART % "string").replace(
        "{get_param: v}}}}", '{list_join: ["", [{get_file: a.txt}, {get_file: b/a.txt}]]}}}}', 1
    )
    for folder, word in (("inside", "one"), ("shared", "two"), ("shared/b", "three")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(word)
    (tmp_path / "shared" / "part.yaml").write_text(part)
    environment = tmp_path / "shared" / "env.yaml"
    environment.write_text("resource_registry: {My::Part: part.yaml}\n")
    stack = tmp_path / "inside" / "stack.yaml"
    stack.write_text(ROOT.replace("part.yaml", "My::Part") % "v: {get_file: a.txt}")
    done = transpile.convert(stack, environments=[environment])
    copies = {name: content for name, content in done.files.items() if "files/" in name}
    assert copies == {"files/a.txt": b"one", "modules/part/files/a.txt": b"two", "modules/part/files/b/a.txt": b"three"}
    assert str(tmp_path) not in repr(done.files) + repr(done.report)
    assert done.report["modules"]["part"]["source"] == "../shared/part.yaml"


def test_a_file_that_cannot_be_read_is_a_variable_all_the_way_up(tmp_path: pathlib.Path) -> None:
    part = (PART % "string").replace("{get_param: v}}}}", '{get_file: "https://example.com/a.txt"}}}}', 1)
    middle = (
        HOT + "parameters: {v: {type: string}}\nresources: {p: {type: part.yaml, properties: {v: {get_param: v}}}}\n"
    )
    middle += "outputs: {out: {value: {get_attr: [p, out]}}}\n"
    done = convert(tmp_path, stack=(ROOT % "v: a").replace("part.yaml", "middle.yaml"), middle=middle, part=part)
    assert "file_a_txt = var.file_a_txt" in text(done, "main.tf").replace("  ", " ")
    assert 'variable "file_a_txt"' in text(done, "variables.tf")
    assert 'variable "file_a_txt"' in text(done, "modules/middle/variables.tf")


def test_a_hidden_default_for_a_nested_template_stands_in_no_file(tmp_path: pathlib.Path) -> None:
    part = (PART % "string").replace("string}", "string, hidden: true}")
    (tmp_path / "env.yaml").write_text("parameter_defaults: {v: opensesame}\n")
    for name, template in (("stack", ROOT % ""), ("part", part)):
        (tmp_path / f"{name}.yaml").write_text(template)
    done = transpile.convert(tmp_path / "stack.yaml", environments=[tmp_path / "env.yaml"])
    assert "opensesame" not in str(dict(done.files))
    assert argument(done) == "var.v"
    assert "sensitive" in text(done, "variables.tf")
    assert "HOT520" in {d.code for d in done.diagnostics}


def test_a_name_is_looked_up_by_the_id_that_a_module_returns(tmp_path: pathlib.Path) -> None:
    """`get_resource` of a nested template is its output OS::stack_id; the provider takes the name of a pool."""
    net = HOT + "resources: {n: {type: OS::Neutron::Net}}\noutputs: {'OS::stack_id': {value: {get_resource: n}}}\n"
    root = HOT + (
        "resources:\n  public: {type: net.yaml}\n"
        "  address: {type: OS::Neutron::FloatingIP, properties: {floating_network: {get_resource: public}}}\n"
    )
    done = convert(tmp_path, stack=root, net=net)
    assert "pool = data.openstack_networking_network_v2.public.name" in text(done, "main.tf")
    assert re.search(r"network_id = module\.public\.\w*stack_id", text(done, "data.tf"))


def test_a_random_string_is_the_name_itself() -> None:
    done = transpile.convert(
        HOT + "resources:\n  r: {type: OS::Heat::RandomString}\n"
        "  address: {type: OS::Neutron::FloatingIP, properties: {floating_network: {get_resource: r}}}\n"
    )
    assert "pool = random_password.r.result" in text(done, "main.tf")


def test_a_caller_passes_a_value_that_only_a_constraint_of_a_grandchild_uses(tmp_path: pathlib.Path) -> None:
    """Heat refuses a wrong value, used or not, so the variable stays, and somebody must set it."""
    grand = HOT + (
        "parameters: {needed: {type: string, constraints: [{allowed_values: [A, B]}]}}\n"
        "resources: {n: {type: OS::Neutron::Net}}\n"
    )
    child, stack = (f"{HOT}resources: {{c: {{type: {name}.yaml}}}}\n" for name in ("grand", "child"))
    done = convert(tmp_path, stack=stack, child=child, grand=grand)
    assert re.search(r"needed += var\.c_needed", text(done, "modules/child/main.tf"))
    assert re.search(r"c_needed += var\.c_needed", text(done, "main.tf"))
    assert "HOT412" in [d.code for d in done.diagnostics]


def test_true_is_the_number_one(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, stack=ROOT % "v: true", part=PART % "number")
    assert argument(done) == "1"
    assert "HOT305" in {d.code for d in done.diagnostics}


def test_maps_in_a_list_are_joined_in_each_branch(tmp_path: pathlib.Path) -> None:
    """Heat also passes them on to a list of texts, whether or not a condition chooses them."""
    root = (ROOT % "v: {if: [c, [{k: x}], [y]]}").replace("resources:", "conditions: {c: {get_param: b}}\nresources:")
    root = root.replace("conditions:", "parameters: {b: {type: boolean}}\nconditions:")
    part = (PART % "comma_delimited_list").replace("{name: {get_param: v}}", "{tags: {get_param: v}}")
    assert argument(convert(tmp_path, stack=root, part=part)) == 'local.c?[".member.0.k=x"]:["y"]'


@pytest.mark.parametrize(("kind", "zero"), [("string", ""), ("number", 0), ("comma_delimited_list", [])])
def test_null_at_a_path_is_not_the_default_of_the_parameter(tmp_path: pathlib.Path, kind: str, zero: object) -> None:
    root = (ROOT % "v: {get_param: [p, k]}").replace("resources:", "parameters: {p: %s}\nresources:")
    done = convert(tmp_path, stack=root % "{type: json, default: {k: null}}", part=PART % f"{kind}, default: '7'")
    assert str(zero) in argument(done)
    assert "var.p.k" in argument(done)


@pytest.mark.parametrize("default", ["{k: a}", "{k: ''}", "{other: [a]}", "{k: [a]}"])
def test_a_list_parameter_takes_a_list_or_a_text_with_commas_from_a_path(tmp_path: pathlib.Path, default: str) -> None:
    root = (ROOT % "v: {get_param: [p, k]}").replace(
        "resources:", f"parameters: {{p: {{type: json, default: {default}}}}}\nresources:"
    )
    part = (PART % "comma_delimited_list").replace("{name: {get_param: v}}", "{tags: {get_param: v}}")
    done = convert(tmp_path, stack=root, part=part)  # the verification compares the values
    assert argument(done) == ("var.p.k" if default == "{k: [a]}" else 'try(var.p.k==""?[]:split(",",var.p.k),var.p.k)')
