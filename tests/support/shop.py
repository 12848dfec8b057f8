"""Types of a shop, a table that maps them, and the results of conversions: for the tests of users' mappings."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping
from typing import Any

import yaml

import transpile
from emitters.hcl.emitter import tables_of
from emitters.hcl.neighbours import read_declarations
from transpile import mapping_files
from transpile.additions import Additions
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.pipeline import Conversion
from transpile.schema.catalog import Catalog, read_openstack_catalog
from transpile.schema.catalog.facts import PropertySchema, TypeFacts

STRING: PropertySchema = {"type": "string"}
NEEDED: PropertySchema = {"type": "string", "required": True}
TYPES: Mapping[str, TypeFacts] = yaml.safe_load("""
Shop::Cloud:
  properties: {url: {type: string, required: true}, user: {type: string}, password: {type: string}}
  attributes: {}
Shop::Net:
  properties:
    cloud: {type: string}
    name: {type: string, required: true}
    room: {type: string, default: hall}
    floor: {type: string}
    note: {type: string}
    mtu: {type: integer}
    ranges:
      type: list
      items:
        type: map
        fields:
          cidr: {type: string, required: true}
          label: {type: string, required: true}
          part: {type: integer, default: 1}
          tag: {type: string}
    owners: {type: list, items: {type: string}}
  attributes: {mtu: integer, colour: string}
""")
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


def attributes(**attribute_kinds: Any) -> dict[str, Any]:
    """Attributes of a schema: a type, and how it is set."""
    return {name: {"type": kind[0], kind[1]: True} for name, kind in attribute_kinds.items()}


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


def used(where: pathlib.Path, *texts: str, types: Mapping[str, TypeFacts] = TYPES, schema: Any = None) -> Additions:
    """The additions by `--mapping` and by plug-ins with these types. schema: of the provider shop."""
    names = []
    for i, text in enumerate(texts):
        names.append(where / f"map{i}.yaml")
        names[-1].write_text(text, encoding="utf-8")
    if schema is not None:
        (where / "shop.json").write_text(json.dumps(schema), encoding="utf-8")
    mapping_tables, diagnostics = mapping_files.read_mapping_files(names, budget=Budget())
    return Additions(Catalog({**read_openstack_catalog().plugin_types, **types}), mapping_tables, diagnostics)


def list_diagnostics(added: Additions) -> list[Diagnostic]:
    return [*added.diagnostics, *tables_of(added)[1]]


def net(properties: str, rest: str = "") -> str:
    return f"{STACK}  net:\n    type: Shop::Net\n{rest}    properties: {{ name: web, {properties} }}\n"


def converted(
    where: pathlib.Path, template: str, table: str = TABLE, types: Mapping[str, TypeFacts] = TYPES
) -> Conversion:
    done = transpile.convert(template, added=used(where, table, types=types))
    assert done.ok, [d.message for d in done.diagnostics]
    for name, text in done.files.items():
        if name.endswith(".tf"):
            assert isinstance(text, str)
            assert list(read_declarations(text)) is not None  # python-hcl2 reads it
    return done


def block(done: Conversion, header: str, file: str = "main.tf") -> str:
    """A block as written, by its first line."""
    text = str(done.files.get(file, ""))
    match = re.search(rf"^{re.escape(header)} \{{\n(.*?)^\}}", text, re.M | re.S)
    assert match is not None, text
    return re.sub(r" +=", " =", match[1])


def fates(done: Conversion, name: str = "net") -> Mapping[str, Any]:
    property_fates: Mapping[str, Any] = done.report["resources"][name]["properties"]
    return property_fates
