"""A name that the configuration itself gives is never looked for before the thing exists: it becomes a reference, or
its data source waits as its user does. Nothing else waits: a data source that does is read again at apply, after a
change of the resources that it waits for.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import re

import pytest

import transpile
from tests.support import conversions, oracles, order
from tests.support.examples import sampled
from tests.support.files import write_files

HOT = "heat_template_version: 2021-04-16\n"
NAME = "demo-net"
COMPUTED = "{list_join: ['-', [{get_param: prefix}, net]]}"
PREFIX = "parameters: {prefix: {type: string, default: demo}}\n"
NET = """
  net: {type: OS::Neutron::Net, properties: {name: %s}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
"""
BASE = f"{HOT}{PREFIX}resources:{NET % COMPUTED}"
NAMES = {  # of the network, in the template that looks for it
    "literal": (NAME, ""),
    "default": ("{get_param: looked}", f"looked: {{type: string, default: {NAME}}}"),
    "computed": ("{list_join: ['-', [{get_param: first}, net]]}", "first: {type: string, default: demo}"),
    "user's": ("{get_param: looked}", "looked: {type: string}"),
}
MAKERS = ("here", "module", "deep")  # where the network is
USERS = ("here", "module", "group", "deep")  # where the port is
PORT = "type: OS::Neutron::Port, properties: {network: %s}"


def converted(where: pathlib.Path, **templates: str) -> transpile.Conversion:
    return conversions.convert_templates(where, templates)


def waits_of_data(done: transpile.Conversion) -> list[str]:
    """The `depends_on` of all data sources."""
    text = "".join(str(content) for path, content in done.files.items() if path.endswith("data.tf"))
    return re.findall(r"^  depends_on = \[(.*)\]$", text, re.M)


def templates(maker: str, user: str, name: str, *, waits: bool) -> dict[str, str]:
    """A network and a port, each where it is said. Values reach the port's template from the root."""
    value, parameter = NAMES[name]
    word = parameter.partition(":")[0]
    passed = f"{word}: {{get_param: {word}}}" if word else ""
    declared = f"parameters: {{prefix: {{type: string, default: demo}}, {parameter}}}\n"
    needs = f"depends_on: {'subnet' if maker == 'here' else 'base'}, " if waits else ""
    makers = {
        "here": NET % COMPUTED,
        "module": "\n  base: {type: base.yaml}\n",
        "deep": "\n  base: {type: outer.yaml}\n",
    }
    port = f"{{type: port.yaml, properties: {{{passed}}}}}"
    users = {
        "here": f"{{{needs}{PORT % value}}}",
        "module": f"{{{needs}{port[1:]}",
        "group": f"{{{needs}type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {port}}}}}",
        "deep": f"{{{needs}type: deep.yaml, properties: {{{passed}}}}}",
    }
    return {
        "base": BASE,
        "outer": f"{HOT}resources: {{inner: {{type: base.yaml}}}}\n",
        "port": f"{HOT}parameters: {{{parameter}}}\nresources: {{port: {{{PORT % value}}}}}\n",
        "deep": f"{HOT}parameters: {{{parameter}}}\nresources: {{part: {port}}}\n",
        "stack": f"{HOT}{declared}resources:{makers[maker]}  user: {users[user]}\n",
    }


@pytest.mark.parametrize(("maker", "user", "name"), [*itertools.product(MAKERS, USERS, NAMES)])
def test_a_resource_that_waits_for_a_network_finds_it(maker: str, user: str, name: str, tmp_path: pathlib.Path) -> None:
    """The two may be in any modules, and the name in any form. The network that the user will set is not known to be
    that one.
    """
    done = conversions.convert_templates(tmp_path, templates(maker, user, name, waits=True))
    if name == "user's":
        assert waits_of_data(done) == []
    else:
        assert order.early_reads(done.files, any_name=True) == []


@pytest.mark.parametrize(("maker", "user", "name"), [*itertools.product(MAKERS, USERS, NAMES)])
def test_a_lookup_that_the_template_does_not_order_is_read_at_plan(
    maker: str, user: str, name: str, tmp_path: pathlib.Path
) -> None:
    assert waits_of_data(conversions.convert_templates(tmp_path, templates(maker, user, name, waits=False))) == []


def test_other_names_are_read_at_plan(tmp_path: pathlib.Path) -> None:
    """A router waits for the subnet, and so for a network, and its own network is another one."""
    done = converted(
        tmp_path,
        stack=f"""{HOT}
parameters: {{public: {{type: string, default: public}}}}
resources:{NET % "front"}
  router:
    type: OS::Neutron::Router
    depends_on: subnet
    properties: {{external_gateway_info: {{network: {{get_param: public}}}}}}
""",
    )
    assert 'data "openstack_networking_network_v2" "public"' in str(done.files["data.tf"])
    assert waits_of_data(done) == []


def test_a_reference_to_the_resource_is_enough(tmp_path: pathlib.Path) -> None:
    """Terraform itself then reads the data source at apply."""
    zone = "{type: OS::Designate::Zone, properties: {name: example.org., email: a@example.org}}"
    outputs = "outputs: {serial: {value: {get_attr: [zone, serial]}}}\n"
    done = converted(tmp_path, stack=f"{HOT}resources: {{zone: {zone}}}\n{outputs}")
    assert "= openstack_dns_zone_v2.zone.name" in str(done.files["data.tf"])
    assert waits_of_data(done) == []


def test_the_name_of_an_environment_counts(tmp_path: pathlib.Path) -> None:
    """The values of this conversion decide."""
    resources = f"resources:{NET % 'front'}  port: {{depends_on: subnet, {PORT % '{get_param: name}'}}}\n"
    (tmp_path / "stack.yaml").write_text(f"{HOT}parameters: {{name: {{type: string}}}}\n{resources}", encoding="utf-8")
    waits = {
        value: waits_of_data(transpile.convert(tmp_path / "stack.yaml", parameters={"name": value}))
        for value in ("front", "back")
    }
    assert waits == {"front": ["openstack_networking_network_v2.net"], "back": []}


def test_a_data_source_never_waits_for_its_own_users(tmp_path: pathlib.Path) -> None:
    """The module also makes something of the network that is looked up, so it cannot be waited for as a whole."""
    done = converted(
        tmp_path,
        base=f"""{HOT}
parameters: {{found: {{type: string}}, prefix: {{type: string, default: demo}}}}
resources:{NET % COMPUTED}
  other: {{type: OS::Neutron::Port, properties: {{network: {{get_param: found}}}}}}
""",
        stack=f"""{HOT}
parameters: {{name: {{type: string, default: {NAME}}}}}
resources:
  early: {{{PORT % "{get_param: name}"}}}
  base: {{type: base.yaml, properties: {{found: {{get_attr: [early, network_id]}}}}}}
  late: {{depends_on: base, {PORT % "{get_param: name}"}}}
""",
    )
    order.early_reads(done.files)  # raises Cycle if there is one


@oracles.needs_providers
@pytest.mark.parametrize(("maker", "user"), sampled(itertools.product(MAKERS, USERS), 4))
def test_terraform_reads_it_at_apply(maker: str, user: str, tmp_path: pathlib.Path) -> None:
    """In the plan of terraform itself, no data source has been read that looks for the network."""
    (source := tmp_path / "templates").mkdir()
    where = tmp_path / "hcl"
    write_files(where, conversions.convert_templates(source, templates(maker, user, "default", waits=True)).files)
    (where / "terraform.tfvars").write_text('stack_name = "s"\n', encoding="utf-8")
    oracles.run(where, "init", "-input=false")
    plan = oracles.plan(where)
    assert NAME not in json.dumps(plan.get("prior_state", {}))
    assert NAME in json.dumps(plan["planned_values"])
