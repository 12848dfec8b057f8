"""Mapping tables of users: read strictly, checked against the types and the providers, and used like built-in ones."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

import transpile
from emitters.hcl.emitter import tables_of
from emitters.hcl.neighbours import declarations
from emitters.hcl.tables import tables
from tests.conftest import Run
from tests.support import oracles
from transpile import mapping_files
from transpile.additions import Additions
from transpile.diagnostics.model import Diagnostic
from transpile.pipeline import Conversion
from transpile.schema.catalog import Catalog, known

if TYPE_CHECKING:
    from transpile.schema.catalog import Property, Type

STRING: Property = {"type": "string"}
NEEDED: Property = {"type": "string", "required": True}
TYPES: Mapping[str, Type] = {
    "Shop::Cloud": {"properties": {"url": NEEDED, "user": STRING, "password": STRING}, "attributes": {}},
    "Shop::Net": {
        "properties": {
            "cloud": STRING,
            "name": NEEDED,
            "room": {"type": "string", "default": "hall"},
            "floor": STRING,
            "note": STRING,
            "mtu": {"type": "integer"},
            "ranges": {
                "type": "list",
                "items": {
                    "type": "map",
                    "fields": {
                        "cidr": NEEDED,
                        "label": NEEDED,
                        "part": {"type": "integer", "default": 1},
                        "tag": STRING,
                    },
                },
            },
            "owners": {"type": "list", "items": {"type": "string"}},
        },
        "attributes": {"mtu": "integer", "colour": "string"},
    },
}
TABLE = """\
Shop::Cloud:
  treatment: provider
  resource: openstack
  properties:
    url: auth_url
    user: user_name
    password: password
Shop::Net:
  resource: openstack_networking_network_v2
  reference: id
  provider: cloud
  properties:
    name: { to: name, text: "/${room}/${name}" }
    floor: { to: description, text: "floor ${floor}: ${note}" }
    mtu: mtu
    ranges:
      each: openstack_networking_subnet_v2
      owner: { network_id: id }
      constants: { ip_version: 4 }
      fields:
        cidr: cidr
        label: { to: name, text: "${label}-${part}" }
        tag: { drop: subnets have no such tag }
    owners:
      each: openstack_networking_rbac_policy_v2
      item: target_tenant
      owner: { object_id: id }
      constants: { action: access_as_shared, object_type: network }
  attributes:
    mtu: mtu
    colour: { none: networks have no colour }
"""
SHOP = """\
providers:
  shop: { source: acme/shop, version: "~> 2.0", schema: shop.json }
Shop::Net:
  resource: shop_net
  reference: id
  properties:
    name: name
    cloud: { drop: there is one cloud }
    room: room
    floor: { implied: every shop has one }
    note: { embed: notes are for people }
    mtu: mtu
    ranges: { block: range, fields: { cidr: cidr, label: label, part: { drop: no parts }, tag: { drop: no tags } } }
    owners: owners
  attributes:
    mtu: mtu
    colour: colour
"""


def attributes(**given: Any) -> dict[str, Any]:
    """Attributes of a schema: a type, and how it is set."""
    return {name: {"type": one[0], one[1]: True} for name, one in given.items()}


SCHEMA = {
    "provider": {"block": {"attributes": attributes(url=("string", "required"))}},
    "resource_schemas": {
        "shop_net": {
            "block": {
                "attributes": attributes(
                    id=("string", "computed"),
                    name=("string", "required"),
                    room=("string", "optional"),
                    mtu=("number", "optional"),
                    owners=(["set", "string"], "optional"),
                    colour=("string", "computed"),
                ),
                "block_types": {
                    "range": {
                        "nesting_mode": "list",
                        "block": {"attributes": attributes(cidr=("string", "required"), label=("string", "optional"))},
                    }
                },
            }
        },
        "shop_till": {"block": {"attributes": attributes(net=("string", "required"))}},
    },
    "data_source_schemas": {"shop_net": {"block": {"attributes": attributes(name=("string", "required"))}}},
}
STACK = """\
heat_template_version: 2021-04-16
parameters:
  password: { type: string, hidden: true }
  ranges: { type: json, default: [] }
  people: { type: comma_delimited_list, default: [] }
  wanted: { type: boolean, default: true }
conditions:
  wanted: { equals: [{ get_param: wanted }, true] }
resources:
  cloud:
    type: Shop::Cloud
    properties: { url: "https://shop.example:5000", user: clerk, password: { get_param: password } }
"""


def used(where: pathlib.Path, *texts: str, types: Mapping[str, Type] = TYPES, schema: Any = None) -> Additions:
    """What `--mapping` and plug-ins with these types bring along. schema: that of the provider shop."""
    names = []
    for i, text in enumerate(texts):
        names.append(where / f"map{i}.yaml")
        names[-1].write_text(text, encoding="utf-8")
    if schema is not None:
        (where / "shop.json").write_text(json.dumps(schema), encoding="utf-8")
    found, said = mapping_files.read(names)
    return Additions(Catalog({**known().added, **types}), found, said)


def said(added: Additions) -> list[Diagnostic]:
    return [*added.diagnostics, *tables_of(added)[1]]


def net(properties: str, rest: str = "") -> str:
    return f"{STACK}  net:\n    type: Shop::Net\n{rest}    properties: {{ name: web, {properties} }}\n"


def converted(where: pathlib.Path, template: str, table: str = TABLE, types: Mapping[str, Type] = TYPES) -> Conversion:
    done = transpile.convert(template, added=used(where, table, types=types))
    assert done.ok, [d.message for d in done.diagnostics]
    for name, text in done.files.items():
        if name.endswith(".tf"):
            assert isinstance(text, str)
            assert list(declarations(text)) is not None  # python-hcl2 reads it
    return done


def block(done: Conversion, header: str, file: str = "main.tf") -> str:
    """A block as written, by its first line."""
    text = str(done.files.get(file, ""))
    found = re.search(rf"^{re.escape(header)} \{{\n(.*?)^\}}", text, re.M | re.S)
    assert found is not None, text
    return re.sub(r" +=", " =", found[1])


def fates(done: Conversion, name: str = "net") -> Mapping[str, Any]:
    found: Mapping[str, Any] = done.report["resources"][name]["properties"]
    return found


# reading and checking

WRONG = {
    "YAML": ("resource: openstack\n", "resource: [openstack\n", 4, "HOT101", "This is not valid YAML"),
    "not a map": (TABLE, "- a\n", 1, "HOT831", "A mapping file must be a map of resource types."),
    "a key twice": ("    mtu: mtu\n    ranges", "    mtu: mtu\n    mtu: mtu\n    ranges", 16, "HOT832", "in line 15"),
    "unknown key": (
        "  reference: id",
        "  refrence: id",
        10,
        "HOT831",
        "there is no key refrence here. Did you mean reference?",
    ),
    "unknown key in a rule": (
        "mtu: mtu\n    ranges",
        "mtu: { too: mtu }\n    ranges",
        15,
        "HOT831",
        "Did you mean to?",
    ),
    "no way": (
        "mtu: mtu\n    ranges",
        "mtu: { empty: true }\n    ranges",
        15,
        "HOT831",
        "exactly one of to, block, each",
    ),
    "treatment": ("treatment: provider", "treatment: nativ", 2, "HOT831", "there is no treatment nativ here."),
    "no type": ("Shop::Cloud:", "Cloud:", 1, "HOT831", "Cloud is no resource type; the other keys of a table are"),
    "an alias of a type": ("Shop::Cloud:", "OS::Quantum::Net:", 1, "HOT831", "another name of OS::Neutron::Net"),
    "unknown type": ("Shop::Cloud:", "Shop::Clowd:", 1, "HOT833", "There is no resource type Shop::Clowd."),
    "unknown property": ("    mtu: mtu\n    r", "    mtv: mtu\n    r", 15, "HOT834", "Shop::Net has no property mtv."),
    "unknown field": ("        tag:", "        tga:", 23, "HOT834", "Shop::Net.properties.ranges has no field tga."),
    "unknown attribute": (
        "    mtu: mtu\n    colour",
        "    mtv: mtu\n    colour",
        30,
        "HOT834",
        "has no attribute mtv.",
    ),
    "unknown property in a text": ("/${room}/", "/${rom}/", 13, "HOT834", "There is no property rom."),
    "unknown property for the provider": ("provider: cloud", "provider: clowd", 11, "HOT834", "no property clowd."),
    "property without a rule": ("    mtu: mtu\n    r", "    r", 12, "HOT835", "Shop::Net has no rule for mtu."),
    "attribute without a row": (
        "    mtu: mtu\n    colour",
        "    colour",
        29,
        "HOT835",
        "no row for the attributes mtu.",
    ),
    "required property without a rule": (
        "    url: auth_url\n",
        "",
        4,
        "HOT836",
        "The required property url of Shop::Cloud",
    ),
    "required field without a rule": (
        "        cidr: cidr\n",
        "",
        20,
        "HOT836",
        "The required property cidr of Shop::Net.prop",
    ),
    "lookup": (
        "mtu: mtu\n    r",
        "mtu: { to: mtu, lookup: netwrk }\n    r",
        15,
        "HOT831",
        "there is no lookup netwrk.",
    ),
    "hook": ("mtu: mtu\n    r", "mtu: { hook: mtu }\n    r", 15, "HOT831", "there is no hook mtu for this."),
    "finish hook": (
        "  provider: cloud\n",
        "  provider: cloud\n  finish: end\n",
        12,
        "HOT831",
        "there is no hook end for this.",
    ),
    "resource": (
        "openstack_networking_network_v2",
        "openstack_networking_netw_v2",
        9,
        "HOT838",
        "Did you mean openstack_",
    ),
    "argument": (
        "mtu: mtu\n    r",
        "mtu: mtv\n    r",
        15,
        "HOT838",
        "openstack_networking_network_v2 has no argument mtv.",
    ),
    "only read": ("mtu: mtu\n    r", "mtu: region\n    r", 0, "", ""),
    "a block": ("mtu: mtu\n    r", "mtu: segments\n    r", 15, "HOT838", "is a block; a rule writes it with block."),
    "reference": (
        "reference: id",
        "reference: idd",
        10,
        "HOT838",
        "openstack_networking_network_v2 has no attribute idd.",
    ),
    "attribute": ("mtu: mtu\n    colour", "mtu: mtv\n    colour", 30, "HOT838", "has no attribute mtv."),
    "each": (
        "each: openstack_networking_subnet_v2",
        "each: openstack_subnet",
        17,
        "HOT838",
        "The provider openstack has no",
    ),
    "argument of each": (
        "cidr: cidr",
        "cidr: cdir",
        21,
        "HOT838",
        "openstack_networking_subnet_v2 has no argument cdir.",
    ),
    "owner": (
        "network_id: id",
        "network_id: idd",
        18,
        "HOT838",
        "openstack_networking_network_v2 has no attribute idd.",
    ),
    "required argument": (
        "      owner: { network_id: id }\n",
        "",
        16,
        "HOT839",
        "requires the argument network_id, and nothing",
    ),
    "type": (
        "mtu: mtu\n    r",
        "mtu: admin_state_up\n    r",
        15,
        "HOT840",
        "is a bool, and cannot hold the integer mtu.",
    ),
    "a text of a list": ("/${room}/", "/${owners}/", 13, "HOT840", "owners is a list, and cannot be a part of a text."),
    "each of no list": (
        "    mtu: mtu\n    r",
        "    mtu: { each: openstack_networking_subnet_v2, item: cidr }\n    r",
        15,
        "HOT840",
        "",
    ),
    "provider": (
        "each: openstack_networking_subnet_v2",
        "each: acme_subnet",
        17,
        "HOT843",
        "There is no provider acme,",
    ),
    "a text without its property": (
        "floor ${floor}: ${note}",
        "${note}",
        14,
        "HOT831",
        "the text must contain ${floor}, or",
    ),
    "a text with nothing in it": ("/${room}/${name}", "web", 13, "HOT831", "the text names no property."),
    "an empty placeholder": ("/${room}/", "/${}/", 13, "HOT831", "${} names no property."),
    "an open placeholder": ("/${room}/", "/${room/", 13, "HOT831", "names no property."),
    "a text beside others": ('${name}" }', '${name}", empty: true }', 13, "HOT831", "text stands only beside to,"),
    "each without fields": (
        "      item: target_tenant\n",
        "",
        24,
        "HOT831",
        "each needs item, the argument for an item, or",
    ),
    "still to do": (
        "colour: { none: networks have no colour }",
        "colour: { none: TODO }",
        31,
        "HOT831",
        "still to be decided.",
    ),
    "a provider with a reference": (
        "  resource: openstack\n",
        "  resource: openstack\n  reference: id\n",
        1,
        "HOT831",
        "takes no",
    ),
    "no resource": (
        "  resource: openstack_networking_network_v2\n",
        "",
        8,
        "HOT831",
        "Shop::Net: resource is missing.",
    ),
}


@pytest.mark.parametrize(("old", "new", "line", "code", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_has_a_place(
    old: str, new: str, line: int, code: str, message: str, tmp_path: pathlib.Path
) -> None:
    assert old in TABLE
    found = [d.as_json() for d in said(used(tmp_path, TABLE.replace(old, new, 1)))]
    if not code:
        assert found == []
        return
    wrong = [d for d in found if d["code"] == code]
    assert wrong, found
    assert (wrong[0]["line"], wrong[0]["file"]) == (line, str(tmp_path / "map0.yaml")), wrong
    assert message in f"{wrong[0]['message']} {wrong[0].get('hint', '')}"


def test_a_right_table_has_nothing_wrong(tmp_path: pathlib.Path) -> None:
    assert said(used(tmp_path, TABLE)) == []


def test_errors_stop_the_conversion_and_are_all_said(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("mtu: mtu\n    r", "mtu: mtv\n    r").replace("cidr: cidr", "cidr: cdir")
    done = transpile.convert(net("cloud: null"), added=used(tmp_path, table))
    assert [d.code for d in done.diagnostics if d.severity == "error"] == ["HOT838", "HOT838"]
    assert not done.files


def test_a_type_that_was_read_in_part_may_have_more_properties(tmp_path: pathlib.Path) -> None:
    types: Mapping[str, Type] = {**TYPES, "Shop::Net": {**TYPES["Shop::Net"], "open": True}}
    table = TABLE.replace("    mtu: mtu\n    r", "    mtu: mtu\n    depth: { drop: nothing is deep }\n    r")
    (found,) = said(used(tmp_path, table, types=types))
    assert (found.code, found.severity, found.message) == ("HOT834", "warning", "Shop::Net has no property depth.")


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
    assert said(added) == []
    template = net("mtu: '1500', ranges: [{ cidr: 10.0.0.0/24, label: a }], owners: [ann, bob]")
    done = transpile.convert(template.replace("Shop::Cloud", "OS::Heat::None"), added=added)
    written = block(done, 'resource "shop_net" "net"')
    assert 'name = "web"\n' in written
    assert "mtu = 1500\n" in written
    assert 'owners = ["ann", "bob"]\n' in written
    assert '  range {\n    cidr = "10.0.0.0/24"\n' in written
    assert 'shop = {\n      source = "acme/shop"\n      version = "~> 2.0"\n' in block(done, "terraform", "versions.tf")


def test_without_a_schema_types_are_heats_and_it_is_said(tmp_path: pathlib.Path) -> None:
    added = used(tmp_path, SHOP.replace(", schema: shop.json", ""))
    (found,) = said(added)
    assert (found.code, found.severity, found.as_json()["line"]) == ("HOT841", "warning", 2)
    done = transpile.convert(net("mtu: '1500', owners: [ann]").replace("Shop::Cloud", "OS::Heat::None"), added=added)
    assert "mtu = 1500\n" in block(done, 'resource "shop_net" "net"')


def test_the_whole_output_of_terraform_is_taken_too(tmp_path: pathlib.Path) -> None:
    whole = {"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/shop": SCHEMA, "x/y/z": {}}}
    assert said(used(tmp_path, SHOP, schema=whole)) == []
    (found, *_) = said(used(tmp_path, SHOP, schema={"provider_schemas": {"a/b/c": {}, "x/y/z": {}}}))
    assert (found.code, found.as_json()["line"]) == ("HOT844", 2)
    assert "there is no provider acme/shop in it, only a/b/c, x/y/z" in found.message


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
    found = [d for d in said(used(tmp_path, SHOP)) if d.code == "HOT844"]
    assert [message in d.message for d in found] == [True]


@pytest.mark.parametrize("name", ["../shop.json", "/etc/passwd", "none.json", "link.json"])
def test_a_schema_is_read_below_the_table_alone(name: str, tmp_path: pathlib.Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "shop.json").write_text(json.dumps(SCHEMA))
    (inside / "link.json").symlink_to(tmp_path / "shop.json")
    (found, *_) = said(used(inside, SHOP.replace("shop.json", name)))
    assert found.code == "HOT844"


def test_only_what_a_table_mentions_leaves_the_schema(tmp_path: pathlib.Path) -> None:
    texts = used(tmp_path, SHOP, schema=SCHEMA).tables
    (schema,) = [json.loads(text) for path, text in texts.items() if mapping_files.OF in path]
    assert schema["resource_schemas"]["shop_till"] is None
    found = said(used(tmp_path, SHOP.replace("resource: shop_net", "resource: shop_til"), schema=SCHEMA))
    assert found[0].hint == "Did you mean shop_till?"


# several tables


def test_later_tables_win_and_say_so(tmp_path: pathlib.Path) -> None:
    other = "OS::Neutron::Net: { treatment: embedded, why: we said so }\n"
    added = used(tmp_path, other, TABLE, "Shop::Net: { treatment: embedded, why: not now }\n")
    found = [(d.as_json()["file"], d.code, d.severity, d.message) for d in said(added)]
    assert found == [
        (str(tmp_path / "map0.yaml"), "HOT842", "info", "This replaces the mapping of hot2tf."),
        (str(tmp_path / "map2.yaml"), "HOT842", "info", f"This replaces the mapping of {tmp_path / 'map1.yaml'}."),
    ]
    done = transpile.convert(net("").replace("Shop::Net", "OS::Neutron::Net").replace("web, ", "web"), added=added)
    assert done.report["resources"]["net"]["kept"]["why"] == "we said so"


def test_look_ups_of_users_are_checked_and_used(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("mtu: mtu\n    ranges", "mtu: mtu\n    note: { to: external, lookup: desk }\n    ranges")
    table = table.replace(": ${note}", "").replace("note: { to: external", "note: { to: tenant_id")
    lookups = (
        "lookups:\n  desk: { data: openstack_identity_project_v3, what: desk, id: project_id, of: [Shop::Cloud] }\n"
    )
    assert said(used(tmp_path, lookups + table)) == []
    written = converted(tmp_path, net("note: front"), lookups + table)
    assert 'name = "front"' in block(written, 'data "openstack_identity_project_v3" "front"', "data.tf")
    wrong = lookups.replace("id: project_id", "id: prj").replace("Shop::Cloud", "Shop::None")
    found = [(d.code, d.as_json()["line"]) for d in said(used(tmp_path, wrong + table))]
    assert found == [("HOT833", 2), ("HOT838", 2)]


def test_the_built_in_tables_are_made_once() -> None:
    """A conversion without plug-ins and mappings costs what it did."""
    assert tables.of(known()) is tables.built_in()
    assert tables_of(Additions(known()))[0] is tables.built_in()


def test_a_type_that_a_plug_in_replaces_is_not_mapped_unasked(tmp_path: pathlib.Path) -> None:
    types: Mapping[str, Type] = {**TYPES, "OS::Neutron::Net": {"properties": {"name": NEEDED}, "attributes": {}}}
    template = net("", "").replace("Shop::Net", "OS::Neutron::Net").replace("web, ", "web")
    done = transpile.convert(template, added=used(tmp_path, TABLE, types=types))
    assert done.report["resources"]["net"]["kept"]["why"].startswith("a plug-in replaces Heat's own type")
    asked = "OS::Neutron::Net:\n  resource: openstack_networking_network_v2\n  properties: { name: name }\n"
    added = used(tmp_path, TABLE, asked, types=types)
    assert [d.code for d in said(added)] == []
    assert transpile.convert(template, added=added).report["resources"]["net"]["treatment"] == "native"


# joined texts


def test_a_text_of_several_properties(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("room: { get_param: 'OS::stack_name' }, floor: 2, note: 'a ${b} %{c} \"d\"'"))
    written = block(done, 'resource "openstack_networking_network_v2" "net"')
    assert 'name = "/${var.stack_name}/web"\n' in written
    assert r'description = "floor 2: a $${b} %%{c} \"d\""' in written
    assert {path: (one["as"], one["argument"]) for path, one in fates(done).items()} == {
        "name": ("derived", "name"),
        "room": ("derived", "name"),
        "floor": ("derived", "description"),
        "note": ("derived", "description"),
    }


def test_heats_default_is_a_part(tmp_path: pathlib.Path) -> None:
    assert 'name = "/hall/web"\n' in block(
        converted(tmp_path, net("room: null")), 'resource "openstack_networking_network_v2" "net"'
    )


def test_without_any_of_its_properties_a_text_is_not_written(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("note: null"))
    assert "description" not in block(done, 'resource "openstack_networking_network_v2" "net"')
    assert fates(done)["note"]["as"] == "implied"


@pytest.mark.parametrize(
    ("properties", "why"),
    [
        ("floor: 3", "description of net is made of note, which has no value"),
        ("floor: 3, note: { if: [wanted, x] }", "description of net is made of note, which may be null"),
    ],
)
def test_a_text_with_a_missing_part_stays_with_heat(properties: str, why: str, tmp_path: pathlib.Path) -> None:
    template = net(properties).replace("2021-04-16", "2018-08-31" if "if" not in properties else "2021-04-16")
    done = converted(tmp_path, template)
    assert done.report["resources"]["net"]["kept"]["why"] == why


def test_a_reference_made_of_properties(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("reference: id", 'reference: { text: "/${room}/${name}" }')
    done = converted(tmp_path, net("mtu: 1") + "outputs:\n  id: { value: { get_resource: net } }\n", table)
    assert 'value = "/hall/web"' in str(done.files["outputs.tf"])


# one resource for each item


def test_a_literal_list(tmp_path: pathlib.Path) -> None:
    items = "[{ cidr: 10.0.0.0/24, label: a }, { cidr: 10.0.1.0/24, label: b, part: 7, tag: x }]"
    done = converted(tmp_path, net(f"ranges: {items}, owners: [ann]"))
    first = block(done, 'resource "openstack_networking_subnet_v2" "net_0"')
    assert first.splitlines() == [
        "  network_id = openstack_networking_network_v2.net.id",
        "  ip_version = 4",
        '  cidr = "10.0.0.0/24"',
        '  name = "a-1"',
    ]
    assert 'name = "b-7"\n' in block(done, 'resource "openstack_networking_subnet_v2" "net_1"')
    assert 'target_tenant = "ann"\n' in block(done, 'resource "openstack_networking_rbac_policy_v2" "net_0"')
    subnet = "openstack_networking_subnet_v2.net_1"
    assert {path: (one["as"], one.get("to"), one.get("argument")) for path, one in fates(done).items()} == {
        "name": ("derived", "openstack_networking_network_v2.net", "name"),
        "ranges.0.cidr": ("value", "openstack_networking_subnet_v2.net_0", "cidr"),
        "ranges.0.label": ("derived", "openstack_networking_subnet_v2.net_0", "name"),
        "ranges.1.cidr": ("value", subnet, "cidr"),
        "ranges.1.label": ("derived", subnet, "name"),
        "ranges.1.part": ("derived", subnet, "name"),
        "ranges.1.tag": ("dropped", None, None),
        "owners.0": ("value", "openstack_networking_rbac_policy_v2.net_0", "target_tenant"),
    }


def test_a_list_known_only_at_run_time(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("ranges: { get_param: ranges }, owners: { get_param: people }"))
    written = block(done, 'resource "openstack_networking_subnet_v2" "net"')
    assert "for_each = { for index, member in var.ranges : index => member }\n" in written
    assert 'name = "${each.value.label}-${try(each.value.part, 1)}"\n' in written
    assert "network_id = openstack_networking_network_v2.net.id\n" in written
    policy = block(done, 'resource "openstack_networking_rbac_policy_v2" "net"')
    assert "for_each = toset(var.people)\n" in policy
    assert "target_tenant = each.value\n" in policy


def test_under_a_condition(tmp_path: pathlib.Path) -> None:
    template = net("ranges: [{ cidr: 10.0.0.0/24, label: a }]", "    condition: wanted\n")
    written = block(converted(tmp_path, template), 'resource "openstack_networking_subnet_v2" "net_0"')
    assert "count = local.wanted ? 1 : 0\n" in written
    assert "network_id = openstack_networking_network_v2.net[0].id\n" in written
    template = net("ranges: { get_param: ranges }", "    condition: wanted\n")
    written = block(converted(tmp_path, template), 'resource "openstack_networking_subnet_v2" "net"')
    assert "for_each = { for index, member in var.ranges : index => member if local.wanted }\n" in written


def test_in_a_group(tmp_path: pathlib.Path) -> None:
    grouped = """\
  nets:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: Shop::Net
        properties: { name: "web%index%", ranges: RANGES }
"""
    done = converted(tmp_path, STACK + grouped.replace("RANGES", "[{ cidr: 10.0.0.0/24, label: a }]"))
    written = block(done, 'resource "openstack_networking_subnet_v2" "nets_0"')
    assert "count = 2\n" in written
    assert "network_id = openstack_networking_network_v2.nets[count.index].id\n" in written
    done = converted(tmp_path, STACK + grouped.replace("RANGES", "{ get_param: ranges }"))
    assert done.report["resources"]["nets"]["kept"]["why"].endswith("are known only at run time")


def test_a_list_known_only_after_apply_stays_with_heat(tmp_path: pathlib.Path) -> None:
    more = "  other:\n    type: OS::Neutron::Net\n"
    done = converted(tmp_path, net("owners: { get_attr: [other, subnets] }") + more)
    assert done.report["resources"]["net"]["kept"]["code"] == "HOT404"


def test_an_empty_list_makes_nothing(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("ranges: [], owners: null"))
    assert {path: fates(done)[path]["as"] for path in ("ranges", "owners")} == {
        "ranges": "implied",
        "owners": "implied",
    }


# configurations of providers


def test_a_resource_becomes_the_configuration_of_a_provider(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("cloud: { get_resource: cloud }, owners: [ann]"))
    assert block(done, 'provider "openstack"', "providers.tf").splitlines() == [
        '  alias = "cloud"',
        '  auth_url = "https://shop.example:5000"',
        '  user_name = "clerk"',
        "  password = var.password",
    ]
    assert block(done, 'resource "openstack_networking_network_v2" "net"').startswith("  provider = openstack.cloud\n")
    assert "  provider = openstack.cloud\n" in block(done, 'resource "openstack_networking_rbac_policy_v2" "net_0"')
    assert "sensitive = true" in block(done, 'variable "password"', "variables.tf")
    report = done.report["resources"]["cloud"]
    assert (report["treatment"], report["addresses"]) == ("folded", [])
    assert report["why"] == "it became the configuration provider.openstack.cloud"
    assert fates(done)["cloud"] == {
        "as": "derived",
        "to": "openstack_networking_network_v2.net",
        "argument": "provider",
        "why": "the configuration that the resource became",
    }


DYNAMIC = {
    "a condition": (
        net("cloud: { get_resource: cloud }").replace("Cloud\n", "Cloud\n    condition: wanted\n", 1),
        "cloud has a condition, and the configuration of a provider cannot",
    ),
    "another resource": (
        net("cloud: { get_resource: cloud }").replace("user: clerk", "user: { get_attr: [x, value] }")
        + "  x: { type: OS::Heat::RandomString }\n",
        "user of cloud is known only after apply, and a provider is configured before",
    ),
    "a reference elsewhere": (
        net("cloud: { get_resource: cloud }, note: { get_resource: cloud }, floor: 1"),
        "cloud would be the configuration of a provider, to which nothing else can refer",
    ),
}


@pytest.mark.parametrize(("template", "why"), DYNAMIC.values(), ids=DYNAMIC)
def test_what_is_not_static_stays_with_heat_and_so_does_what_uses_it(
    template: str, why: str, tmp_path: pathlib.Path
) -> None:
    done = converted(tmp_path, template)
    kept = done.report["resources"]
    assert (kept["cloud"]["kept"]["why"], kept["cloud"]["treatment"]) == (why, "embedded")
    assert kept["net"]["treatment"] == "embedded"
    assert "providers.tf" not in done.files


def test_a_choice_that_is_no_resource_stays_with_heat(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("cloud: far"))
    assert "is no resource here that becomes the configuration" in done.report["resources"]["net"]["kept"]["why"]
    assert done.report["resources"]["cloud"]["treatment"] == "folded"


def test_in_a_module_a_configuration_stays_with_heat(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(net("cloud: { get_resource: cloud }"))
    outer = """\
heat_template_version: 2021-04-16
parameters: { password: { type: string, hidden: true } }
resources:
  inner: { type: inner.yaml, properties: { password: { get_param: password } } }
"""
    (tmp_path / "outer.yaml").write_text(outer)
    done = transpile.convert(tmp_path / "outer.yaml", added=used(tmp_path, TABLE))
    assert done.ok
    inner = done.report["modules"]["inner"]["report"]["resources"]
    assert {name: one["treatment"] for name, one in inner.items()} == {"cloud": "embedded", "net": "embedded"}


# whole conversions


@oracles.needs_providers
def test_terraform_accepts_it(tmp_path: pathlib.Path) -> None:
    template = net(
        "cloud: { get_resource: cloud }, floor: 1, note: x, mtu: 1400, owners: { get_param: people }, "
        "ranges: [{ cidr: 10.0.0.0/24, label: a }]"
    ) + net("ranges: { get_param: ranges }", "    condition: wanted\n")[len(STACK) :].replace("  net:", "  two:")
    done = converted(tmp_path, template)
    where = tmp_path / "out"
    where.mkdir()
    for name, text in done.files.items():
        (where / name).write_text(str(text))
    assert oracles.unformatted(where) == ""
    assert oracles.invalid(where) == []


def test_the_commands_take_files_and_directories(tmp_path: pathlib.Path, command: Run) -> None:
    pathlib.Path("maps").mkdir()
    pathlib.Path("maps/a.yaml").write_text("OS::Neutron::Net: { treatment: embedded, why: we said so }\n")
    pathlib.Path("maps/b.yaml").write_text("OS::Neutron::Net: { treatment: embedded, why: not yet }\n")
    pathlib.Path("last.yaml").write_text("OS::Neutron::Net: { treatment: embedded, why: last }\n")
    pathlib.Path("stack.yaml").write_text(
        "heat_template_version: 2021-04-16\nresources: { n: { type: OS::Neutron::Net } }\n"
    )
    ended = command("types", "OS::Neutron::Net", "--mapping", "maps")
    assert (ended.status, ended.out) == (0, "OS::Neutron::Net → stays with Heat: not yet\n")
    assert "maps/b.yaml:1:1: info HOT842: This replaces the mapping of maps/a.yaml." in ended.err
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


# what strangers write

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
    found = said(used(tmp_path, text))
    assert [d for d in found if d.severity == "error"]
    assert all(d.message.isprintable() for d in found)
    assert len(found) <= 101
