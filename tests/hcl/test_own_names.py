"""Names of the configuration's own resources become references, and values that a plan needs are known at plan.

The expected results say where a value comes from. The golden cases `own_names` and `known_at_plan` prove that terraform
plans the whole, and that Heat means the same.
"""

from __future__ import annotations

import json
import pathlib

import pytest

import transpile
from tests.support import conversions
from transpile.model import ir
from transpile.resolve import lookup_places
from transpile.schema import catalog
from transpile.schema.catalog import HEAT

HOT = "heat_template_version: 2021-04-16\n"
NET = "net: {type: OS::Neutron::Net, properties: {name: foo}}\n"
PORT = "type: OS::Neutron::Port, properties: {network: %s}"
ID = "openstack_networking_network_v2.net.id"


def convert(where: pathlib.Path, **texts: str) -> transpile.Conversion:
    return conversions.convert_templates(where, {name: HOT + text for name, text in texts.items()})


def text(done: transpile.Conversion, name: str = "main.tf") -> str:
    content = done.files[name]
    return " ".join((content if isinstance(content, str) else content.decode()).split())


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{get_attr: [net, name]}", ID),
        ("{get_attr: [net, show, name]}", ID),
        ("{get_attr: [value, value, a, 0]}", ID),
        ("{if: [c, {get_attr: [net, name]}, {get_attr: [net, name]}]}", f"(local.c ? {ID} : {ID} )"),
        ("{get_attr: [inner, out]}", "module.inner.net_id"),
        ("{get_attr: [inner, literal]}", "module.inner.net_id"),
        ("{get_attr: [inner, passed]}", ID),
        ("{get_attr: [inner, given]}", "data.openstack_networking_network_v2.outside.id"),
        ("{get_attr: [outer, deep]}", "module.outer.inner_net_id"),
        ("{get_attr: [inner, id]}", "module.inner.id"),
    ],
)
def test_where_a_name_comes_from(written: str, expected: str, tmp_path: pathlib.Path) -> None:
    stack = (
        "parameters: {p: {type: boolean}}\nconditions: {c: {get_param: p}}\nresources:\n"
        f"  {NET}  value: {{type: OS::Heat::Value, properties: {{value: {{a: [{{get_attr: [net, name]}}]}}}}}}\n"
        "  inner: {type: inner.yaml, properties: {p: {get_attr: [net, name]}}}\n"
        f"  outer: {{type: outer.yaml}}\n  port: {{{PORT % written}}}\n"
    )
    inner = (
        "parameters: {p: {type: string, default: x}, q: {type: string, default: outside}}\n"
        "resources: {net: {type: OS::Neutron::Net, properties: {name: bar}}}\n"
        "outputs:\n  out: {value: {get_attr: [net, name]}}\n  literal: {value: bar}\n"
        "  passed: {value: {get_param: p}}\n  given: {value: {get_param: q}}\n  id: {value: {get_resource: net}}\n"
    )
    outer = "resources: {inner: {type: inner.yaml}}\noutputs: {deep: {value: {get_attr: [inner, out]}}}\n"
    done = convert(tmp_path, stack=stack, inner=inner, outer=outer)
    assert f"network_id = {expected} " in text(done)


def test_a_condition_decides_whether_it_is_made(tmp_path: pathlib.Path) -> None:
    """The name of a resource that may not exist is looked up."""
    stack = (
        "parameters: {p: {type: boolean}, n: {type: string}}\nconditions: {c: {get_param: p}}\nresources:\n"
        "  net: {type: OS::Neutron::Net, condition: c, properties: {name: {get_param: n}}}\n"
        f"  port: {{{PORT % '{get_param: n}'}}}\n"
    )
    assert "network_id = data." in text(convert(tmp_path, stack=stack))


def test_no_circle(tmp_path: pathlib.Path) -> None:
    """A module that must be created first does not refer to a resource that is created after it."""
    net = "net: {type: OS::Neutron::Net, depends_on: part, properties: {name: foo}}"
    stack = f"resources:\n  {net}\n  part: {{type: part.yaml}}\n"
    done = convert(tmp_path, stack=stack, part=f"resources: {{port: {{{PORT % 'foo'}}}}}\n")
    assert "network_id = data." in text(done, "modules/part/main.tf")


def test_an_id_beside_the_text(tmp_path: pathlib.Path) -> None:
    """A parameter that is also a text keeps its value, through two modules."""
    part = (
        "parameters: {n: {type: string}}\n"
        "resources: {port: {type: OS::Neutron::Port, properties: {network: {get_param: n}, name: {get_param: n}}}}\n"
    )
    mid = "parameters: {m: {type: string}}\nresources: {part: {type: part.yaml, properties: {n: {get_param: m}}}}\n"
    stack = f"resources:\n  {NET}  mid: {{type: mid.yaml, properties: {{m: {{get_attr: [net, name]}}}}}}\n"
    done = convert(tmp_path, stack=stack, mid=mid, part=part)
    assert "m = openstack_networking_network_v2.net.name" in text(done)
    assert f"m_id = {ID}" in text(done)
    assert "n = var.m n_id = var.m_id" in text(done, "modules/mid/main.tf")
    assert "name = var.n network_id = var.n_id" in text(done, "modules/part/main.tf")


def test_names_without_a_reference_stay_names(tmp_path: pathlib.Path) -> None:
    """A module whose callers pass only names looks them up itself."""
    stack = "resources: {a: {type: part.yaml, properties: {n: x}}, b: {type: part.yaml, properties: {n: y}}}\n"
    part = f"parameters: {{n: {{type: string}}}}\nresources: {{port: {{{PORT % '{get_param: n}'}}}}}\n"
    assert 'n = "x"' in text(convert(tmp_path, stack=stack, part=part))


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("number", '"%index%\\n"', "v = count.index"),
        ("number", '" 7\\n"', "v = 7"),
        ("boolean", '"yes\\n"', "v = true"),
        ("string", '"%index%\\n"', "v = <<-EOT ${count.index} EOT"),
    ],
)
def test_whitespace_around_a_number(kind: str, given: str, expected: str, tmp_path: pathlib.Path) -> None:
    stack = (
        "resources: {g: {type: OS::Heat::ResourceGroup, properties: "
        f"{{count: 2, resource_def: {{type: part.yaml, properties: {{v: {given}}}}}}}}}}}\n"
    )
    part = (
        f"parameters: {{v: {{type: {kind}}}}}\n"
        "resources: {net: {type: OS::Neutron::Net, properties: {name: {list_join: [-, [{get_param: v}]]}}}}\n"
    )
    assert expected in text(convert(tmp_path, stack=stack, part=part))


CONDITIONAL = (
    "parameters: {n: {type: string, default: ''}}\nconditions: {given: {not: {equals: [{get_param: n}, '']}}}\n"
    f"resources: {{port: {{condition: given, {PORT % '{get_param: n}'}}}}}\n"
)


@pytest.mark.parametrize(
    ("calls", "outer", "inner"),
    [
        ("a: {type: part.yaml, properties: {n: {get_resource: net}}}", "", "network_id = var.n"),
        (
            "a: {type: part.yaml, properties: {n: {get_resource: net}}}, b: {type: part.yaml}",
            "n_given = true",
            "count = local.given ? 1 : 0",
        ),
        (
            "a: {type: part.yaml, properties: {n: {get_attr: [net, mtu]}}}",
            "",
            'resource "openstack_orchestration_stack_v1" "port"',
        ),
    ],
)
def test_conditions_on_ids(calls: str, outer: str, inner: str, tmp_path: pathlib.Path) -> None:
    """A plan knows that an ID is not empty before it knows the ID. A value that may be empty stays with Heat."""
    stack = f"resources: {{{NET.strip()}, {calls}}}\n"
    done = convert(tmp_path, stack=stack, part=CONDITIONAL)
    assert outer in text(done)
    assert inner in text(done, "modules/part/main.tf")


def test_the_types_that_heat_looks_for() -> None:
    """All are types of Heat, and the constraints are Heat's."""
    assert set(lookup_places.FINDS) <= set(catalog.HEAT.constraint_names())
    assert all(catalog.HEAT.find_type(kind) is not None for kind in lookup_places.ANY_TYPE)


def test_places() -> None:
    """A change reaches names in lists, maps and branches, and an unchanged value is the same object."""
    properties = ir.from_data(
        {"networks": [{"network": "a"}, {"port": "b", "fixed_ip": "1.2.3.4"}], "key_name": "k", "name": "n"}
    )
    assert isinstance(properties, ir.Map)
    seen: list[object] = []

    def change(expr: ir.Expr, kinds: lookup_places.Types, listed: bool) -> ir.Expr:
        seen.append((ir.to_data(expr), kinds[0]))
        return expr

    assert (
        lookup_places.change_lookups("OS::Nova::Server", HEAT.find_type("OS::Nova::Server"), properties, change)
        is properties
    )
    assert seen == [("a", "OS::Neutron::Net"), ("b", "OS::Neutron::Port"), ("k", "OS::Nova::KeyPair")]


VALUE = "v: {type: OS::Heat::Value, properties: {value: {get_param: net}}}"
MID = (
    "parameters: {m: {type: string, default: ''}}\n"
    "resources: {inner: {type: part.yaml, properties: {n: {get_param: m}}}}\n"
)


@pytest.mark.parametrize("passed", ["{get_param: net}", "{get_attr: [v, value]}", "{get_attr: [echo, out]}"])
def test_names_from_the_user_are_looked_up_on_every_path(passed: str, tmp_path: pathlib.Path) -> None:
    """A reference to a value or an output is no ID if the user gives the value."""
    stack = (
        f"parameters: {{net: {{type: string}}}}\nresources:\n  {VALUE}\n"
        "  echo: {type: echo.yaml, properties: {p: {get_param: net}}}\n"
        f"  a: {{type: part.yaml, properties: {{n: {passed}}}}}\n"
    )
    echo = "parameters: {p: {type: string}}\noutputs: {out: {value: {get_param: p}}}\n"
    part = f"parameters: {{n: {{type: string}}}}\nresources: {{port: {{{PORT % '{get_param: n}'}}}}}\n"
    done = convert(tmp_path, stack=stack, part=part, echo=echo)
    assert "network_id = data.openstack_networking_network_v2.n.id" in text(done, "modules/part/main.tf")


def test_an_id_is_there_through_two_modules(tmp_path: pathlib.Path) -> None:
    """The condition of the inner module is a constant if all calls of the outer one pass an ID."""
    stack = f"resources:\n  {NET}  a: {{type: mid.yaml, properties: {{m: {{get_resource: net}}}}}}\n"
    inner = text(convert(tmp_path, stack=stack, mid=MID, part=CONDITIONAL), "modules/part/main.tf")
    assert "network_id = var.n" in inner
    assert "count" not in inner


@pytest.mark.parametrize("passed", ["{get_resource: net}", "foo"])
def test_the_outer_module_says_whether_an_id_is_there(passed: str, tmp_path: pathlib.Path) -> None:
    """Terraform must know the count of the inner module's port at plan, so nothing may test the ID."""
    stack = (
        f"resources:\n  {NET}  a: {{type: mid.yaml, properties: {{m: {passed}}}}}\n  b: {{type: mid.yaml}}\n"
        "  c: {type: part.yaml, properties: {n: {get_resource: net}}}\n"
    )
    done = convert(tmp_path, stack=stack, mid=MID, part=CONDITIONAL)
    root = text(done)
    assert (root.count("m_given = true"), root.count("m_given = false"), root.count("n_given = true")) == (1, 1, 1)
    assert "n_given = var.m_given" in text(done, "modules/mid/main.tf")
    assert "count = local.given ? 1 : 0" in text(done, "modules/part/main.tf")


def test_a_call_without_the_name_passes_no_id(tmp_path: pathlib.Path) -> None:
    stack = f"resources:\n  {NET}  a: {{type: part.yaml, properties: {{n: foo}}}}\n  b: {{type: part.yaml}}\n"
    root = text(convert(tmp_path, stack=stack, part=CONDITIONAL))
    assert f'module "a" {{ source = "./modules/part" n = "foo" n_id = {ID}' in root
    assert 'module "b" { source = "./modules/part" n_id = ""' in root


def test_outputs_whose_names_terraform_does_not_allow_are_said() -> None:
    """Each output is reported at its place. Two outputs that would get the same name get different names."""
    names = ["c d", "c_d", "9x", "e.f", "c.d", "OK"]
    rows = "".join(f"  {json.dumps(name)}: {{value: a}}\n" for name in names)
    done = transpile.convert(f"heat_template_version: 2021-04-16\noutputs:\n{rows}")
    messages = {row["line"]: row["message"] for row in done.report["diagnostics"] if row["code"] == "HOT414"}
    assert {line: message.split(":")[0] for line, message in messages.items()} == {
        3: "The output c d is called c_d_2",
        5: "The output 9x is called _9x",
        6: "The output e.f is called e_f",
        7: "The output c.d is called c_d_3",
    }
    assert [line for line, message in messages.items() if "another output is called c_d" in message] == [3, 7]
    text = str(done.files["outputs.tf"])
    assert all(f'output "{label}"' in text for label in ("c_d_2", "c_d", "_9x", "e_f", "c_d_3", "OK"))
