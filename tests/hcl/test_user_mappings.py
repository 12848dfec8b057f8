"""Mapping tables of users are read strictly, and checked against the types and the providers."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping

import pytest
import yaml

import transpile
from emitters.hcl.emitter import tables_of
from emitters.hcl.tables import tables
from tests.conftest import Run
from tests.support.shop import NEEDED, SCHEMA, SHOP, TABLE, TYPES, block, converted, list_diagnostics, net, used
from transpile import mapping_files
from transpile.additions import Additions
from transpile.model.budget import Budget
from transpile.schema.catalog import read_openstack_catalog
from transpile.schema.catalog.facts import TypeFacts

# reading and checking

WRONG = {
    "not a map": (TABLE, "- a\n", 1, "HOT831", "A mapping file must be a map of resource types."),
    **yaml.safe_load(r"""
YAML: ["resource: openstack\n", "resource: [openstack\n", 3, HOT101, This is not valid YAML]
a key twice: ["    mtu: mtu\n    ranges", "    mtu: mtu\n    mtu: mtu\n    ranges", 16, HOT832, in line 15]
unknown key: ["  reference: id", "  refrence: id",
  10, HOT831, "there is no key refrence here. Did you mean reference?"]
unknown key in a rule: ["mtu: mtu\n    ranges", "mtu: { too: mtu }\n    ranges", 15, HOT831, "Did you mean to?"]
no way: ["mtu: mtu\n    ranges", "mtu: { empty: true }\n    ranges", 15, HOT831, "exactly one of to, block, each"]
treatment: ["treatment: provider", "treatment: nativ", 2, HOT831, there is no treatment nativ here.]
no type: ["Shop::Cloud:", "Cloud:", 1, HOT831, Cloud is no resource type; the other keys of a table are]
an alias of a type: ["Shop::Cloud:", "OS::Quantum::Net:", 1, HOT831, another name of OS::Neutron::Net]
unknown type: ["Shop::Cloud:", "Shop::Clowd:", 1, HOT833, There is no resource type Shop::Clowd.]
unknown property: ["    mtu: mtu\n    r", "    mtv: mtu\n    r", 15, HOT834, Shop::Net has no property mtv.]
unknown field: ["        tag:", "        tga:", 23, HOT834, Shop::Net.properties.ranges has no field tga.]
unknown attribute: ["    mtu: mtu\n    colour", "    mtv: mtu\n    colour", 30, HOT834, has no attribute mtv.]
unknown property in a text: ["/${room}/", "/${rom}/", 13, HOT834, There is no property rom.]
unknown property for the provider: ["provider: cloud", "provider: clowd", 11, HOT834, no property clowd.]
property without a rule: ["    mtu: mtu\n    r", "    r", 12, HOT835, Shop::Net has no rule for mtu.]
attribute without a row: ["    mtu: mtu\n    colour", "    colour", 29, HOT835, no row for the attributes mtu.]
required property without a rule: ["    url: auth_url\n", "", 4, HOT836, The required property url of Shop::Cloud]
required field without a rule: ["        cidr: cidr\n", "", 20, HOT836, The required property cidr of Shop::Net.prop]
lookup: ["mtu: mtu\n    r", "mtu: { to: mtu, lookup: netwrk }\n    r", 15, HOT831, there is no lookup netwrk.]
hook: ["mtu: mtu\n    r", "mtu: { hook: mtu }\n    r", 15, HOT831, there is no hook mtu for this.]
finish hook: ["  provider: cloud\n", "  provider: cloud\n  finish: end\n", 12, HOT831, there is no hook end for this.]
resource: [openstack_networking_network_v2, openstack_networking_netw_v2, 9, HOT838, Did you mean openstack_]
argument: ["mtu: mtu\n    r", "mtu: mtv\n    r", 15, HOT838, openstack_networking_network_v2 has no argument mtv.]
only read: ["mtu: mtu\n    r", "mtu: region\n    r", 0, "", ""]
a block: ["mtu: mtu\n    r", "mtu: segments\n    r", 15, HOT838, is a block; a rule writes it with block.]
reference: ["reference: id", "reference: idd", 10, HOT838, openstack_networking_network_v2 has no attribute idd.]
attribute: ["mtu: mtu\n    colour", "mtu: mtv\n    colour", 30, HOT838, has no attribute mtv.]
each: ["each: openstack_networking_subnet_v2", "each: openstack_subnet", 17, HOT838, The provider openstack has no]
argument of each: ["cidr: cidr", "cidr: cdir", 21, HOT838, openstack_networking_subnet_v2 has no argument cdir.]
owner: ["network_id: id", "network_id: idd", 18, HOT838, openstack_networking_network_v2 has no attribute idd.]
required argument: ["      owner: { network_id: id }\n", "",
  16, HOT839, "requires the argument network_id, and nothing"]
type: ["mtu: mtu\n    r", "mtu: admin_state_up\n    r", 15, HOT820, "is a bool, and cannot hold the integer mtu."]
a text of a list: ["/${room}/", "/${owners}/", 13, HOT820, "owners is a list, and cannot be a part of a text."]
each of no list: ["    mtu: mtu\n    r", "    mtu: { each: openstack_networking_subnet_v2, item: cidr }\n    r",
  15, HOT820, ""]
provider: ["each: openstack_networking_subnet_v2", "each: acme_subnet", 17, HOT823, "There is no provider acme,"]
a text without its property: ["floor ${floor}: ${note}", "${note}", 14, HOT831, "the text must contain ${floor}, or"]
a text with nothing in it: ["/${room}/${name}", web, 13, HOT831, the text names no property.]
an empty placeholder: ["/${room}/", "/${}/", 13, HOT831, "${} names no property."]
an open placeholder: ["/${room}/", "/${room/", 13, HOT831, names no property.]
a text beside others: ['${name}" }', '${name}", empty: true }', 13, HOT831, "text is allowed only with to,"]
each without fields: ["      item: target_tenant\n", "", 24, HOT831, "each needs item, the argument for an item, or"]
still to do: ["colour: { none: networks have no colour }", "colour: { none: TODO }", 31, HOT831, still to be decided.]
a provider with a reference: ["  resource: openstack\n", "  resource: openstack\n  reference: id\n",
  1, HOT831, takes no]
dropped with more: ["  treatment: provider", "  treatment: dropped", 1, HOT831, "a dropped type has only why, the"]
folded: ["  treatment: provider", "  treatment: folded", 1, HOT831, "a folded type needs a hook; to leave it out,"]
a data source: [openstack_networking_network_v2, data.openstack_networking_network_v2, 9, HOT831, only a hook]
no name: ["mtu: mtu\n    r", "mtu: \"mtu = 1 } x\"\n    r",
  15, HOT831, "mtu = 1 } x is no name that Terraform allows."]
no name of a resource: ["each: openstack_networking_subnet_v2", "each: a b", 17, HOT831, a b is no name that]
no name of a constant: ["ip_version: 4", '"a b": 4', 19, HOT831, a b is no name that Terraform allows.]
a code: ["no such tag }", "no such tag, code: HOT101 }", 23, HOT831, "code is one of HOT401, HOT402."]
a stored form: ["mtu: mtu\n    r", "mtu: { to: mtu, stored: x }\n    r", 15, HOT831, "stored is one of address, cidr"]
values: ["mtu: mtu\n    r", "mtu: { to: mtu, values: { a: 1 } }\n    r", 15, HOT831, values must be strings.]
no number: ["ip_version: 4", "ip_version: .inf", 19, HOT831, Terraform has no such number.]
no integer: ["ip_version: 4", "ip_version: !!int x", 19, HOT831, This value cannot be read]
deep: ["ip_version: 4", "ip_version: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
  19, HOT831, no more than 24 levels]
alone: ["{ drop: subnets", "{ write: 1, drop: subnets", 23, HOT831, write is allowed only with to.]
no list of words: ["  provider: cloud", "  provider: cloud\n  named: [1]", 12, HOT831, "1 must be a string."]
no resource: ["  resource: openstack_networking_network_v2\n", "", 8, HOT831, "Shop::Net: resource is missing."]
"""),
}


@pytest.mark.parametrize(("old", "new", "line", "code", "message"), WRONG.values(), ids=WRONG)
def test_mistakes_in_a_table_have_a_place(
    old: str, new: str, line: int, code: str, message: str, tmp_path: pathlib.Path
) -> None:
    assert old in TABLE
    diagnostics = [d.as_json() for d in list_diagnostics(used(tmp_path, TABLE.replace(old, new, 1)))]
    if not code:
        assert diagnostics == []
        return
    wrong = [d for d in diagnostics if d["code"] == code]
    assert wrong, diagnostics
    assert (wrong[0]["line"], wrong[0]["file"]) == (line, str(tmp_path / "map0.yaml")), wrong
    assert message in f"{wrong[0]['message']} {wrong[0].get('hint', '')}"


def test_a_right_table_has_nothing_wrong(tmp_path: pathlib.Path) -> None:
    assert list_diagnostics(used(tmp_path, TABLE)) == []


def test_errors_stop_the_conversion_and_are_all_said(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("mtu: mtu\n    r", "mtu: mtv\n    r").replace("cidr: cidr", "cidr: cdir")
    done = transpile.convert(net("cloud: null"), added=used(tmp_path, table))
    assert [d.code for d in done.diagnostics if d.severity == "error"] == ["HOT838", "HOT838"]
    assert not done.files


def test_a_type_that_was_read_in_part_may_have_more_properties(tmp_path: pathlib.Path) -> None:
    types: Mapping[str, TypeFacts] = {**TYPES, "Shop::Net": {**TYPES["Shop::Net"], "open": True}}
    table = TABLE.replace("    mtu: mtu\n    r", "    mtu: mtu\n    depth: { drop: nothing is deep }\n    r")
    (diagnostic,) = list_diagnostics(used(tmp_path, table, types=types))
    assert (diagnostic.code, diagnostic.severity, diagnostic.message) == (
        "HOT834",
        "warning",
        "Shop::Net has no property depth.",
    )


def test_a_mapping_of_an_unknown_type_is_used(tmp_path: pathlib.Path) -> None:
    """Without the plug-in only the provider's side can be checked; whoever gives a mapping wants it."""
    table = "Acme::Net:\n  resource: openstack_networking_network_v2\n  properties: { name: name }\n"
    stack = "heat_template_version: 2021-04-16\nresources:\n  net: { type: Acme::Net, properties: { name: web } }\n"
    done = transpile.convert(stack, added=used(tmp_path, table))
    assert 'resource "openstack_networking_network_v2" "net"' in str(done.files["main.tf"])
    assert ("HOT833", "warning") in {(d.code, d.severity) for d in done.diagnostics}


# providers


def test_a_provider_with_a_schema(tmp_path: pathlib.Path) -> None:
    added = used(tmp_path, SHOP, schema=SCHEMA)
    assert list_diagnostics(added) == []
    template = net("mtu: '1500', ranges: [{ cidr: 10.0.0.0/24, label: a }], owners: [ann, bob]")
    done = transpile.convert(template.replace("Shop::Cloud", "OS::Heat::None"), added=added)
    written = block(done, 'resource "shop_net" "net"')
    assert 'name = "web"\n' in written
    assert "mtu = 1500\n" in written
    assert 'owners = ["ann", "bob"]\n' in written
    assert '  range {\n    cidr = "10.0.0.0/24"\n' in written
    assert 'shop = { source = "acme/shop", version = "~> 2.0" }' in block(done, "terraform", "versions.tf")


def test_without_a_schema_types_are_heats_and_it_is_said(tmp_path: pathlib.Path) -> None:
    added = used(tmp_path, SHOP.replace(", schema: shop.json", ""))
    (diagnostic,) = list_diagnostics(added)
    assert (diagnostic.code, diagnostic.severity, diagnostic.as_json()["line"]) == ("HOT821", "warning", 2)
    done = transpile.convert(net("mtu: '1500', owners: [ann]").replace("Shop::Cloud", "OS::Heat::None"), added=added)
    assert "mtu = 1500\n" in block(done, 'resource "shop_net" "net"')


@pytest.mark.parametrize(
    ("old", "new"), [("acme/shop", "shop"), ("acme/shop", '"a/${b}"'), ("~> 2.0", "two"), ("~> 2.0", "${x}")]
)
def test_a_source_and_a_version_have_a_form(old: str, new: str, tmp_path: pathlib.Path) -> None:
    diagnostics = [
        d for d in list_diagnostics(used(tmp_path, SHOP.replace(old, new), schema=SCHEMA)) if d.code == "HOT831"
    ]
    assert [(d.as_json()["line"], " must be like " in d.message) for d in diagnostics] == [(2, True)]


@pytest.mark.parametrize("version", ["2", "= 2.0.1", ">= 1.2, < 2.0", "~> 2.0-beta.1", "!= 1.0"])
def test_constraints_of_terraform_are_taken(version: str, tmp_path: pathlib.Path) -> None:
    table = SHOP.replace("acme/shop", "registry.acme.example:8443/Acme/shop-2").replace("~> 2.0", version)
    assert list_diagnostics(used(tmp_path, table, schema=SCHEMA)) == []


def test_the_whole_output_of_terraform_is_taken_too(tmp_path: pathlib.Path) -> None:
    whole = {"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/shop": SCHEMA, "x/y/z": {}}}
    assert list_diagnostics(used(tmp_path, SHOP, schema=whole)) == []
    (diagnostic, *_) = list_diagnostics(used(tmp_path, SHOP, schema={"provider_schemas": {"a/b/c": {}, "x/y/z": {}}}))
    assert (diagnostic.code, diagnostic.as_json()["line"]) == ("HOT824", 2)
    assert "there is no provider acme/shop in it, only a/b/c, x/y/z" in diagnostic.message


SCHEMAS = {
    "no JSON": ("{", "it is not JSON as terraform prints it"),
    "a list": ("[]", "there are no resource_schemas"),
    "no blocks": ('{"resource_schemas": {"shop_net": {}}}', "is not as terraform prints it"),
    "wrong attributes": ('{"resource_schemas": {"shop_net": {"block": {"attributes": []}}}}', "is not as terraform"),
    "a deep one": ("[" * 100_000, "it is not JSON as terraform prints it"),
}


@pytest.mark.parametrize(("text", "message"), SCHEMAS.values(), ids=SCHEMAS)
def test_another_schema_is_refused(text: str, message: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "shop.json").write_text(text)
    diagnostics = [d for d in list_diagnostics(used(tmp_path, SHOP)) if d.code == "HOT824"]
    assert [message in d.message for d in diagnostics] == [True]


@pytest.mark.parametrize("name", ["../shop.json", "/etc/passwd", "none.json", "link.json"])
def test_a_schema_is_read_below_the_table_alone(name: str, tmp_path: pathlib.Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "shop.json").write_text(json.dumps(SCHEMA))
    (inside / "link.json").symlink_to(tmp_path / "shop.json")
    (diagnostic, *_) = list_diagnostics(used(inside, SHOP.replace("shop.json", name)))
    assert diagnostic.code == "HOT824"


def test_only_properties_in_a_table_leave_the_schema(tmp_path: pathlib.Path) -> None:
    texts = used(tmp_path, SHOP, schema=SCHEMA).tables
    (schema,) = [json.loads(text) for path, text in texts.items() if mapping_files.OF in path]
    assert schema["resource_schemas"]["shop_till"] is None
    diagnostics = list_diagnostics(
        used(tmp_path, SHOP.replace("resource: shop_net", "resource: shop_til"), schema=SCHEMA)
    )
    assert diagnostics[0].hint == "Did you mean shop_till?"


def test_files_that_cannot_be_read_are_named(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.scandir", refuse)
    texts, diagnostics = mapping_files.read_mapping_files([tmp_path, tmp_path / "none.yaml"], budget=Budget())
    assert texts == {}
    assert [(d.code, d.message) for d in diagnostics] == [
        ("HOT830", f"{tmp_path} cannot be read: Permission denied."),
        ("HOT113", "The file cannot be read: none.yaml does not exist."),
    ]


# several tables


def test_later_tables_win_and_say_so(tmp_path: pathlib.Path) -> None:
    other = "OS::Neutron::Net: { treatment: embedded, why: we said so }\n"
    added = used(tmp_path, other, TABLE, "Shop::Net: { treatment: embedded, why: not now }\n")
    overrides = [(d.as_json()["file"], d.code, d.severity, d.message) for d in list_diagnostics(added)]
    assert overrides == [
        (str(tmp_path / "map0.yaml"), "HOT822", "info", "This replaces the mapping of hot2tf."),
        (str(tmp_path / "map2.yaml"), "HOT822", "info", f"This replaces the mapping of {tmp_path / 'map1.yaml'}."),
    ]
    done = transpile.convert(net("").replace("Shop::Net", "OS::Neutron::Net").replace("web, ", "web"), added=added)
    assert done.report["resources"]["net"]["kept"]["why"] == "we said so"


def test_look_ups_of_users_are_checked_and_used(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("mtu: mtu\n    ranges", "mtu: mtu\n    note: { to: external, lookup: desk }\n    ranges")
    table = table.replace(": ${note}", "").replace("note: { to: external", "note: { to: tenant_id")
    lookups = (
        "lookups:\n  desk: { data: openstack_identity_project_v3, what: desk, id: project_id, of: [Shop::Cloud] }\n"
    )
    assert list_diagnostics(used(tmp_path, lookups + table)) == []
    written = converted(tmp_path, net("note: front"), lookups + table)
    assert 'name = "front"' in block(written, 'data "openstack_identity_project_v3" "front"', "data.tf")
    wrong = lookups.replace("id: project_id", "id: prj").replace("Shop::Cloud", "Shop::None")
    codes_and_lines = [(d.code, d.as_json()["line"]) for d in list_diagnostics(used(tmp_path, wrong + table))]
    assert codes_and_lines == [("HOT833", 2), ("HOT838", 2)]


def test_the_built_in_tables_are_made_once() -> None:
    """A conversion without plug-ins and mappings costs the same as before."""
    assert tables.tables_of_catalog(read_openstack_catalog()) is tables.load_built_in_tables()
    assert tables_of(Additions(read_openstack_catalog()))[0] is tables.load_built_in_tables()


def test_a_type_that_a_plug_in_replaces_is_not_mapped_unasked(tmp_path: pathlib.Path) -> None:
    types: Mapping[str, TypeFacts] = {**TYPES, "OS::Neutron::Net": {"properties": {"name": NEEDED}, "attributes": {}}}
    template = net("", "").replace("Shop::Net", "OS::Neutron::Net").replace("web, ", "web")
    done = transpile.convert(template, added=used(tmp_path, TABLE, types=types))
    assert done.report["resources"]["net"]["kept"]["why"].startswith("a plug-in replaces Heat's own type")
    asked = "OS::Neutron::Net:\n  resource: openstack_networking_network_v2\n  properties: { name: name }\n"
    added = used(tmp_path, TABLE, asked, types=types)
    assert [d.code for d in list_diagnostics(added)] == []
    assert transpile.convert(template, added=added).report["resources"]["net"]["treatment"] == "native"


# the commands


def test_the_commands_take_files_and_directories(tmp_path: pathlib.Path, command: Run) -> None:
    pathlib.Path("maps").mkdir()
    pathlib.Path("maps/a.yaml").write_text("OS::Neutron::Net: { treatment: embedded, why: we said so }\n")
    pathlib.Path("maps/b.yaml").write_text("OS::Neutron::Net: { treatment: embedded, why: not yet }\n")
    pathlib.Path("last.yaml").write_text("OS::Neutron::Net: { treatment: embedded, why: last }\n")
    pathlib.Path("stack.yaml").write_text(
        "heat_template_version: 2021-04-16\nresources: { n: { type: OS::Neutron::Net } }\n"
    )
    ended = command("types", "OS::Neutron::Net", "--mapping", "maps")
    assert (ended.status, ended.out.splitlines()[0]) == (0, "OS::Neutron::Net → stays with Heat: not yet")
    assert "maps/b.yaml:1:1: info HOT822: This replaces the mapping of maps/a.yaml." in ended.err
    ended = command("convert", "stack.yaml", "-o", "out", "--mapping", "maps", "--mapping", "last.yaml")
    assert ended.status == 0
    assert "stays with Heat, in openstack_orchestration_stack_v1.n: last." in ended.err
    assert command("convert", "stack.yaml", "--mapping", "none.yaml").status == 2
    assert command("convert", "stack.yaml", "--to", "hot", "--mapping", "maps").status == 2
    pathlib.Path("empty").mkdir()
    ended = command("convert", "stack.yaml", "--mapping", "empty")
    assert (ended.status, "error HOT830: The directory empty has no mapping files" in ended.err) == (1, True)
    done = transpile.convert(pathlib.Path("stack.yaml"), mappings=["maps"])
    assert done.report["resources"]["n"]["kept"]["why"] == "not yet"


def test_a_migration_converts_again_when_a_table_changes(tmp_path: pathlib.Path, command: Run) -> None:
    source = pathlib.Path("src")
    source.mkdir()
    (source / "a.yaml").write_text("heat_template_version: 2021-04-16\nresources: { n: { type: OS::Neutron::Net } }\n")
    words = ["migrate", "src", "dest", "--mapping", "map.yaml", "--jobs", "1"]
    table = "OS::Neutron::Net: { treatment: embedded, why: WHY }\n"
    for why, how in (("first", "1 converted"), ("first", "1 unchanged"), ("second", "1 converted")):
        pathlib.Path("map.yaml").write_text(table.replace("WHY", why))
        ended = command(*words)
        assert (ended.status, how in ended.err) == (0, True), ended.err
        assert f"# {why.title()}.\n" in pathlib.Path("dest/a/main.tf").read_text()
    pathlib.Path("map.yaml").write_text("OS::Neutron::Net: { treatmnt: embedded }\n")
    ended = command(*words)
    assert (ended.status, "map.yaml:1:21: error HOT831" in ended.err) == (1, True)
    assert pathlib.Path("dest/a/main.tf").exists()


# tables of strangers

HOSTILE = {
    "deep": "{a: " * 5_000 + "}" * 5_000,
    "aliases": "a: &a [x, x]\n"
    + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(12)),
    "itself": "Shop::Net: &a { properties: *a }\n",
    "keys": "Shop::Net: { [a]: b, {c: d}: e, 1: 2 }\n",
    "merge": "Shop::Net: { <<: { resource: x } }\n",
    "tags": "Shop::Net: !!python/object/apply:os.system ['true']\n",
    "kinds": "".join(f"{key}: {value}\n" for key in ("Shop::Net", "providers", "lookups") for value in ("[]",)),
    "parts": "Shop::Net: { resource: 1, properties: { name: [1] }, attributes: 3, named: x, owner: {} }\n",
    "braces": 'Shop::Net: { resource: openstack_x, properties: { name: { to: name, text: "'
    + "${" * 2_000
    + '" } } }\n',
    "nothing": "",
    "bytes": "Shop::Net: \x01\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_tables_end_in_diagnostics(text: str, tmp_path: pathlib.Path) -> None:
    diagnostics = list_diagnostics(used(tmp_path, text))
    assert [d for d in diagnostics if d.severity == "error"]
    assert all(d.message.isprintable() for d in diagnostics)
    assert len(diagnostics) <= 101
