"""The provider versions that the output accepts: all that have the names it uses, and those that `--provider` names."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

import transpile
from emitters.hcl.provider_requirements import find_lacking_names, lowest_versions, why_attribute_lacking
from emitters.hcl.tables import provider_versions
from emitters.hcl.tables.provider import load_built_in_providers
from emitters.hcl.tables.provider_versions import ARGUMENT, OPTIONAL, ProviderVersion, compare_schemas, parse_version
from emitters.hcl.tables.tables import load_built_in_tables
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, Index, Splat, Traversal
from tests.support import oracles
from tests.support.oracles import SHARED
from transpile.targets import WrongOption

HOT = "heat_template_version: 2021-04-16\n"
NET = "  net: {type: OS::Neutron::Net}\n"
SUBNET = "  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
BALANCER = "  balancer: {type: OS::Octavia::LoadBalancer, properties: {vip_subnet: {get_resource: subnet}}}\n"
ADDRESS = """\
  port:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, fixed_ips: [{ip_address: 10.0.0.9}]}
"""
SEGMENT = "  segment: {type: OS::Neutron::Segment, properties: {network: {get_resource: net}, network_type: vlan}}\n"


def constraint(output: transpile.Conversion, folder: str = "") -> str:
    """The version of the openstack provider that a directory accepts."""
    match = re.search(r'openstack" *\n *version += "([^"]+)"', str(output.files[f"{folder}versions.tf"]))
    assert match is not None
    return match[1]


def convert(resources: str, **options: str) -> transpile.Conversion:
    return transpile.convert(f"{HOT}resources:\n{resources}", options=options)


@pytest.mark.parametrize(
    ("text", "version"),
    [("2", ProviderVersion(2)), ("2.1", ProviderVersion(2, 1)), ("v3.3.2", ProviderVersion(3, 3, 2))],
)
def test_version(text: str, version: ProviderVersion) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("text", ["", "2.", "2.x", "~> 2.1", "2.1.0.0", "²"])
def test_no_version(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a version such as 2\.1"):
        parse_version(text)


def test_schemas_are_compared() -> None:
    """Names that are new, can now be set, or are now optional are found; a name inside a new one has no entry."""
    old = {"a_type": "type", "a_type.needed": "required", "a_type.read": "computed", "a_type.form": "block"}
    new = {
        "a_type": "type",
        "a_type.needed": "optional",
        "a_type.read": "optional computed",
        "a_type.form": "optional",
        "a_type.description": "optional",
        "a_type.more": "optional",
        "b_type": "type",
        "b_type.name": "required",
    }
    assert compare_schemas({ProviderVersion(1): old, ProviderVersion(2): old, ProviderVersion(3): new}) == {
        "a_type.needed" + OPTIONAL: ProviderVersion(3),
        "a_type.read" + ARGUMENT: ProviderVersion(3),
        "a_type.form": ProviderVersion(3),  # an argument was a block
        "a_type.more": ProviderVersion(3),
        "b_type": ProviderVersion(3),
    }


def test_facts_are_of_names_that_exist() -> None:
    """A misspelt name in provider_changes.yaml would never apply."""
    providers = load_built_in_providers()
    for path in provider_versions.load_histories()["openstack"].since:
        data = path.startswith("data.")
        kind, *rest = path.removeprefix("data.").rstrip(ARGUMENT + OPTIONAL).split(".")
        schema = providers.find_schema("data." * data + kind)
        assert schema is not None, path
        for name in rest:
            blocks, arguments = schema.get("blocks", {}), schema["arguments"]
            assert name in blocks or name in arguments or name in ("timeouts", "delete", "update"), path
            schema = blocks.get(name, {"arguments": {}})


@pytest.mark.skipif(not (SHARED / "terraform/schema/older").is_dir(), reason="HOT2TF_SHARED leads to no older schemas")
def test_facts_are_those_of_the_schemas(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = SHARED / "terraform/schema"
    schemas = [*sorted((folder / "older").glob("openstack-*.json")), folder / "openstack-3.4.0.json"]
    monkeypatch.setattr("sys.argv", ["provider_versions", *map(str, schemas)])
    monkeypatch.setattr(provider_versions, "FILE", tmp_path / "versions.json")
    committed = pathlib.Path(provider_versions.HERE / "provider_versions.json").read_text(encoding="utf-8")
    provider_versions.main()
    assert json.loads((tmp_path / "versions.json").read_text(encoding="utf-8")) == json.loads(committed)


@pytest.mark.parametrize(
    ("resources", "lowest"),
    [
        (NET, "1.49.0"),
        (NET + SUBNET + BALANCER, "2.0.0"),  # before, the provider talked to Neutron's LBaaS
        (NET + ADDRESS, "2.1.0"),  # before, fixed_ip needed a subnet
        (NET + SEGMENT, "3.3.0"),
    ],
    ids=["all", "meaning", "optional", "type"],
)
def test_range_begins_where_everything_exists(resources: str, lowest: str) -> None:
    assert constraint(convert(resources)) == f">= {lowest}, < 4.0.0"


SERVER = Traversal(("openstack_compute_instance_v2", "server"))


@pytest.mark.parametrize(
    "expression",
    [
        Traversal((*SERVER.parts, "access_ip_v6")),
        Attr(SERVER, "access_ip_v6"),
        Attr(Index(SERVER, 0), "access_ip_v6"),
        Splat(SERVER, ("access_ip_v6",)),
        Fn("upper", (Attr(Index(SERVER, "a"), "access_ip_v6"),)),
    ],
)
def test_attribute_that_is_read_counts(expression: Expr) -> None:
    """The address had brackets before 3.2. Which attributes of a type Heat's attributes become, its table says."""
    histories = provider_versions.load_histories()
    assert lowest_versions([Argument("value", expression)], histories) == {"openstack": ProviderVersion(3, 2)}


def test_attribute_newer_than_wanted_has_a_reason() -> None:
    path = "openstack_compute_instance_v2.access_ip_v6"
    tables = load_built_in_tables()
    assert "needs version 3.2.0" in why_attribute_lacking(path, tables.for_provider("openstack=3.1"))
    assert why_attribute_lacking(path, tables.for_provider("openstack=3.2")) == ""
    assert why_attribute_lacking(path, tables) == ""


def test_newer_data_source_is_an_error() -> None:
    """A data source belongs to no resource that could stay with Heat instead."""
    blocks = [Block("data", ("openstack_compute_servergroup_v2", "group"))]
    ((path, why),) = find_lacking_names(load_built_in_tables().for_provider("openstack=3.1"), blocks)
    assert path == "data.openstack_compute_servergroup_v2"
    assert why == f"{path} needs version 3.2.0 of the provider, and the output is for 3.1.0"


def test_module_has_a_lower_bound_and_its_caller_the_same(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(f"{HOT}resources:\n{NET}{SUBNET}{BALANCER}", encoding="utf-8")
    (tmp_path / "outer.yaml").write_text(f"{HOT}resources:\n  inner: {{type: inner.yaml}}\n", encoding="utf-8")
    output = transpile.convert(tmp_path / "outer.yaml")
    assert constraint(output, "modules/inner/") == ">= 2.0.0"
    assert constraint(output) == ">= 2.0.0, < 4.0.0"


def test_older_version_has_the_range_of_its_major_version() -> None:
    assert constraint(convert(NET, provider="openstack=1.54")) == ">= 1.54.0, < 2.0.0"
    assert constraint(convert(NET, provider="openstack=2.1")) == ">= 2.1.0, < 3.0.0"


@pytest.mark.parametrize(
    ("version", "resources", "name"),
    [
        ("1.54.1", NET + SUBNET + BALANCER, "balancer"),
        ("2.0", NET + ADDRESS, "port"),
        ("3.2", NET + SEGMENT, "segment"),
    ],
)
def test_newer_than_wanted_stays_with_heat(version: str, resources: str, name: str) -> None:
    output = convert(resources, provider=f"openstack={version}")
    assert output.report["resources"][name]["treatment"] == "embedded"
    reasons = [d for d in output.diagnostics if d.code == "HOT459"]
    assert [d.severity for d in reasons] == ["warning"]
    assert f"the output is for {parse_version(version)}" in reasons[0].message
    assert convert(resources).report["resources"][name]["treatment"] == "native"


@pytest.mark.parametrize("value", ["openstack", "openstack=", "openstack=new", "openstack=1.2", "random=3.6", "=2.1"])
def test_wrong_provider(value: str) -> None:
    with pytest.raises(WrongOption, match="provider cannot be"):
        convert(NET, provider=value)


def test_version_in_a_users_table_has_the_last_word(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text('providers: {openstack: {version: "~> 3.3"}}\n', encoding="utf-8")
    (tmp_path / "stack.yaml").write_text(f"{HOT}resources:\n{NET}", encoding="utf-8")
    assert constraint(transpile.convert(tmp_path / "stack.yaml", mappings=[table])) == "~> 3.3"


def test_command_that_made_the_files_names_the_version() -> None:
    output = convert(NET, provider="openstack=2.1")
    assert "--provider openstack=2.1" in str(output.report["command"])


@oracles.needs_providers
def test_goldens_state_accepted_versions(tmp_path: pathlib.Path) -> None:
    """A range that no release fulfils, or that terraform cannot read, fails in `terraform init`."""
    for index, resources in enumerate([NET, NET + SUBNET + BALANCER, NET + SEGMENT]):
        place = tmp_path / str(index)
        place.mkdir()
        (place / "versions.tf").write_text(str(convert(resources).files["versions.tf"]), encoding="utf-8")
        oracles.run(place, "init", "-backend=false")


POOL = (
    "  m: {type: OS::Octavia::PoolMember, properties: {pool: {get_param: p}, address: 10.0.0.1, protocol_port: 80}}\n"
)


@pytest.mark.parametrize(("prefer", "treatment"), [("faithful", "embedded"), ("native", "native")])
def test_lookups_that_an_older_provider_lacks(prefer: str, treatment: str) -> None:
    """Heat looks the pool up, or a variable has the ID."""
    text = f"{HOT}parameters: {{p: {{type: string}}}}\nresources:\n{POOL}"
    done = transpile.convert(text, prefer=prefer, options={"provider": "openstack=2.1"})
    assert done.ok, [d.message for d in done.diagnostics]
    assert done.report["resources"]["m"]["treatment"] == treatment
