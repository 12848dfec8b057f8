"""A provider of a mapping table takes OpenStack's place: its names are written, and types that it lacks stay with
Heat.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

import transpile
from emitters.hcl.tables import clouds
from emitters.hcl.tables.overlays import compare_providers
from emitters.hcl.tables.provider import FILE, format_facts, load_built_in_providers
from tests.conftest import Run
from tests.support import conversions
from tests.support.files import write_files
from tests.support.oracles import terraform

STACK = "openstack_orchestration_stack_v1"
TYPES = (
    *("openstack_networking_network_v2", "openstack_networking_subnet_v2", "openstack_networking_port_v2"),
    *("openstack_compute_instance_v2", "openstack_blockstorage_volume_v3", STACK),
    *("data.openstack_networking_network_v2", "data.openstack_networking_subnet_v2"),
)
HEAD = "heat_template_version: 2021-04-16\nresources:\n"
NET = "  net: {type: OS::Neutron::Net, properties: {name: net}}\n"
PORT = "  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}\n"
ROUTER = "  router: {type: OS::Neutron::Router, properties: {name: router}}\n"
SERVER = """\
  # openstack_compute_instance_v2 comes first
  server:
    type: OS::Nova::Server
    properties:
      name: openstack_compute_instance_v2
      flavor: m1.small
      image: debian-12
      networks: [{port: {get_resource: port}}]
outputs:
  id: {value: {get_resource: server}}
"""


def schema_block(facts: Mapping[str, Any]) -> dict[str, Any]:
    """A block of provider.json in the form in which terraform prints schemas."""
    inner = {
        name: {
            "nesting_mode": block["nesting"],
            "block": schema_block(block),
            **{f"{word}_items": block[word] for word in ("min", "max") if word in block},
        }
        for name, block in facts.get("blocks", {}).items()
    }
    return {"attributes": dict(facts["arguments"]), "block_types": inner}


def acme_schema() -> dict[str, Any]:
    """The schema of a provider that has some of OpenStack's types, and a stack by another name."""
    schema: dict[str, Any] = {"resource_schemas": {}, "data_source_schemas": {}}
    for name in TYPES:
        sort = "data_source_schemas" if name.startswith("data.") else "resource_schemas"
        own = "acme_rts_stack_v1" if name == STACK else name.removeprefix("data.").replace("openstack", "acme", 1)
        schema[sort][own] = {"block": schema_block(load_built_in_providers().facts[name])}
    return schema


def write_table(where: pathlib.Path, schema: Mapping[str, Any], more: str = "") -> pathlib.Path:
    (where / "acme.json").write_text(json.dumps(schema))
    table = where / "acme.yaml"
    table.write_text(
        f"""\
providers:
  acme:
    source: acme/acme
    version: ">= 1.36.0"
    replaces: openstack
    types: {{{STACK}: acme_rts_stack_v1}}
    schema: acme.json
{more}"""
    )
    return table


def convert(text: str, where: pathlib.Path, schema: Mapping[str, Any] | None = None, **options: Any) -> Any:
    table = write_table(where, schema if schema is not None else acme_schema())
    options.setdefault("provider", "acme")
    return transpile.convert(text, mappings=[table], options=options)


def squeezed(done: transpile.Conversion, name: str = "main.tf") -> str:
    return " ".join(str(done.files[name]).split())


def test_the_output_has_the_names_of_the_provider(tmp_path: pathlib.Path) -> None:
    """Blocks, references, versions, the README and the report; but not a text of the template, nor its comment."""
    done = convert(HEAD + NET + PORT + SERVER, tmp_path)
    assert done.ok, done.diagnostics
    main = squeezed(done)
    assert 'resource "acme_networking_port_v2" "port"' in main
    assert "network_id = acme_networking_network_v2.net.id" in main
    assert 'name = "openstack_compute_instance_v2"' in main
    assert 'acme = { source = "acme/acme", version = ">= 1.36.0" }' in squeezed(done, "versions.tf")
    assert "acme_compute_instance_v2.server.id" in squeezed(done, "outputs.tf")
    assert done.report["resources"]["net"]["addresses"] == ["acme_networking_network_v2.net"]
    written = "".join(str(text) for name, text in done.files.items() if name.endswith(".tf"))
    assert written.count("openstack") == 1


def test_types_that_it_lacks_stay_with_heat_under_another_name(tmp_path: pathlib.Path) -> None:
    done = convert(HEAD + NET + ROUTER, tmp_path)
    assert done.ok, done.diagnostics
    (finding,) = [d for d in done.diagnostics if d.code == "HOT459"]
    assert "the provider acme has no openstack_networking_router_v2" in finding.message
    assert 'resource "acme_rts_stack_v1" "router"' in squeezed(done)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("without", "the provider acme has no network_id of acme_networking_port_v2"),
        ("computed", "the provider acme has no network_id of acme_networking_port_v2"),
        ("required", "the provider acme requires project of acme_networking_port_v2"),
    ],
)
def test_arguments_count(change: str, why: str, tmp_path: pathlib.Path) -> None:
    schema = acme_schema()
    arguments = schema["resource_schemas"]["acme_networking_port_v2"]["block"]["attributes"]
    if change == "without":
        del arguments["network_id"]
    elif change == "computed":
        arguments["network_id"] = {"type": "string", "computed": True}
    else:
        arguments["project"] = {"type": "string", "required": True}
    done = convert(HEAD + NET + PORT, tmp_path, schema)
    assert [d.message for d in done.diagnostics if why in d.message] != []
    assert 'resource "acme_networking_port_v2"' not in squeezed(done)


def test_without_a_stack_for_heat_a_lacking_type_is_an_error(tmp_path: pathlib.Path) -> None:
    schema = acme_schema()
    del schema["resource_schemas"]["acme_rts_stack_v1"]
    done = convert(HEAD + NET + ROUTER, tmp_path, schema)
    assert not done.ok
    assert "the provider acme has no openstack_orchestration_stack_v1" in str([d.message for d in done.diagnostics])
    assert convert(HEAD + NET, tmp_path, schema).ok


def test_the_table_alone_changes_nothing(tmp_path: pathlib.Path) -> None:
    plain = transpile.convert(HEAD + NET + PORT)
    assert convert(HEAD + NET + PORT, tmp_path, provider="").files == plain.files


def test_tests_and_modules_have_its_names(tmp_path: pathlib.Path) -> None:
    (tmp_path / "node.yaml").write_text(HEAD + PORT.replace("{get_resource: net}", "private"))
    stack = tmp_path / "stack.yaml"
    stack.write_text(HEAD + NET + "  node: {type: node.yaml}\n")
    done = conversions.convert(
        stack, mappings=[write_table(tmp_path, acme_schema())], options={"provider": "acme", "tests": True}
    )
    assert 'mock_provider "acme"' in str(done.files["tests/heat.tftest.hcl"])
    assert 'resource "acme_networking_port_v2"' in str(done.files["modules/node/main.tf"])
    assert 'acme = { source = "acme/acme", version = ">= 1.36.0" }' in squeezed(done, "modules/node/versions.tf")
    assert not any(re.search(r"\bopenstack_", str(text)) for name, text in done.files.items() if ".tf" in name)


@pytest.mark.parametrize(
    ("lines", "message"),
    yaml.safe_load("""
- ["replaces: heat", "providers.beta.replaces must be a provider of hot2tf: openstack"]
- ["replaces: openstack", "providers.beta replaces openstack, and only its schema says what it has"]
- ["replaces: openstack, schema: acme.json, types: {openstack_nothing: beta_x}", openstack has no openstack_nothing]
- ["replaces: openstack, schema: acme.json, arguments: {openstack_lb_pool_v2.nothing: x}",
  openstack_lb_pool_v2 has no nothing]
- ["replaces: openstack, schema: acme.json, arguments: {openstack_lb_pool_v2.name: {to: x, entries: [k]}}",
  "openstack_lb_pool_v2.name must be a name, or a map with to, and with key or the two names of entries"]
- ["replaces: openstack, schema: acme.json, types: {openstack_lb_pool_v2: other_pool}",
  "openstack_lb_pool_v2 must be a type of beta, such as beta_lb_pool_v2, or null"]
"""),
)
def test_a_wrong_declaration_is_refused(lines: str, message: str, tmp_path: pathlib.Path) -> None:
    table = write_table(tmp_path, acme_schema(), f"  beta: {{source: b/beta, {lines}}}\n")
    done = transpile.convert(HEAD + NET, mappings=[table])
    assert not done.ok
    assert message in str([d.message for d in done.diagnostics])


def test_a_name_that_no_table_declares_is_refused(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(HEAD + NET)
    write_table(tmp_path, acme_schema())
    ended = command("convert", "stack.yaml", "--mapping", "acme.yaml", "--provider", "other", "-o", "out")
    assert ended.status == 1
    assert "No mapping table declares a provider other" in ended.err
    assert "declared are acme, opentelekomcloud" in ended.err
    assert not (tmp_path / "out").exists()
    assert command("convert", "stack.yaml", "--mapping", "acme.yaml", "--provider", "acme", "-o", "out").status == 0


def test_a_provider_with_all_of_openstack_lacks_nothing() -> None:
    facts = load_built_in_providers().facts
    renamed = {path.replace("openstack_", "acme_", 1): block for path, block in facts.items() if "openstack_" in path}
    overlay = compare_providers("acme", "openstack", {}, facts, renamed)
    assert overlay.lacking == frozenset()
    assert overlay.required == {}
    assert overlay.types["openstack_lb_pool_v2"] == "acme_lb_pool_v2"


def test_rolled_up_copies_and_their_addresses_have_its_names(tmp_path: pathlib.Path) -> None:
    ports = "".join(PORT.replace("port:", f"port_{number}:", 1) for number in range(3))
    done = convert(HEAD + NET + ports, tmp_path, roll_up="true", names="snake")
    assert done.ok, done.diagnostics
    assert 'resource "acme_networking_port_v2" "port" { count = 3' in squeezed(done)
    assert '"at": "acme_networking_port_v2.port"' in squeezed(done, ".hot2tf.json")
    assert done.report["resources"]["port_1"]["addresses"] == ["acme_networking_port_v2.port[1]"]


# the provider of Open Telekom Cloud, which hot2tf has a table of

OTC = "opentelekomcloud"
POOLS = """\
heat_template_version: 2018-08-31
parameters:
  pools: {type: json, default: [{start: 10.0.0.5, end: 10.0.0.9}]}
  public: {type: string, default: ext}
  n: {type: number, default: 2}
conditions: {c: {equals: [{get_param: n}, 2]}}
resources:
  net: {type: OS::Neutron::Net}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 10.0.0.0/24, allocation_pools: {get_param: pools}}
  router:
    type: OS::Neutron::Router
    condition: c
    properties: {external_gateway_info: {network: {get_param: public}}}
  odd:
    type: OS::Neutron::Port
    condition: c
    properties: {network: {get_param: public}, fixed_ips: [{ip_address: 203.0.113.9}]}
outputs:
  router: {value: {if: [c, {get_attr: [router, external_gateway_info, network_id]}, x]}}
  mac: {value: {if: [c, {get_attr: [odd, mac_address]}, x]}}
"""


def test_arguments_have_the_names_of_the_cloud() -> None:
    """Arguments of blocks made for each item, of conditional resources, and of Heat's stack have them, too."""
    done = conversions.convert(POOLS, options={"provider": OTC})
    main = squeezed(done)
    assert 'dynamic "allocation_pools" { for_each = var.pools iterator = allocation_pool content {' in main
    assert "external_gateway = data.opentelekomcloud_networking_network_v2.public[0].id" in main
    assert 'template_body = file("${path.module}/templates/odd.yaml") environment = "{}"' in main
    assert "odd = merge(opentelekomcloud_rts_stack_v1.odd[*].outputs...)" in squeezed(done, "locals.tf")
    assert "opentelekomcloud_networking_router_v2.router[0].external_gateway" in squeezed(done, "outputs.tf")
    fates = done.report["resources"]["subnet"]["properties"]
    assert "allocation_pools" in str(fates["allocation_pools"])
    (finding,) = [d for d in done.diagnostics if d.code == "HOT459"]
    assert "requires fixed_ip.subnet_id of opentelekomcloud_networking_port_v2" in finding.message


@pytest.mark.parametrize("kind", ["map", "list"])
def test_an_argument_of_another_shape_is_lacking(kind: str) -> None:
    parent = {"openstack_x": {"arguments": {"tags": {"type": ["set", "string"], "optional": True}}}}
    own = {"acme_x": {"arguments": {"tags": {"type": [kind, "string"], "optional": True}}}}
    assert ("openstack_x.tags" in compare_providers("acme", "openstack", {}, parent, own).lacking) == (kind == "map")


def test_every_row_of_the_table_says_something() -> None:
    """Each renamed type and argument is in both schemas, and is not the name that it would have anyway."""
    overlay, _ = clouds.load_cloud(OTC)
    table = clouds.read_table(OTC)
    for kind, own in table["types"].items():
        assert overlay.types[kind] == own != f"{OTC}{kind.removeprefix('openstack')}"
    for path, name in overlay.arguments.items():
        assert path not in overlay.lacking
        assert name.name != path.rpartition(".")[2] or name.entries


@pytest.mark.parametrize("path", [FILE, *clouds.FOLDER.glob("*.json")], ids=lambda path: path.stem)
def test_files_of_facts_are_as_their_generator_writes_them(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_facts(json.loads(text)) == text


def test_real_terraform_accepts_it(tmp_path: pathlib.Path) -> None:
    config = pathlib.Path(os.environ.get("TF_CLI_CONFIG_FILE", "missing"))
    mirror = config.parent / "mirror/registry.terraform.io" / OTC / OTC
    if shutil.which("terraform") is None or not mirror.exists():
        pytest.skip("TF_CLI_CONFIG_FILE leads to no mirror with the provider, or terraform is missing")
    write_files(tmp_path, transpile.convert(POOLS, options={"provider": OTC}).files)
    assert terraform(tmp_path, "init", "-input=false").returncode == 0
    checked = terraform(tmp_path, "validate", "-no-color")
    assert checked.returncode == 0, checked.stdout + checked.stderr
