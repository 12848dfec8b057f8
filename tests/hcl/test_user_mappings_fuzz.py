"""Random changes of mapping tables end in diagnostics or in Terraform code, never in a traceback."""

from __future__ import annotations

import copy
import json
import pathlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

import transpile
from emitters.hcl.neighbours import read_declarations
from tests.support.shop import SCHEMA, SHOP, TABLE, list_diagnostics, net, used
from transpile.diagnostics.model import has_errors

WORDS = (
    "to text each item owner fields constants block drop implied embed hook lookup result empty write generated keys"
)
WORDS += " values json unless stored unsent code treatment resource reference provider properties attributes show named"
WORDS += " differs finish why stays_with prefer name mtu ranges owners cloud room"
VALUES: list[Any] = [
    *(None, True, 0, -1, 3.5, "", "a", "a b", "x}\n", "${name}", "${", "TODO", [], ["a"], [1], {}, {"to": "x"}, [{}]),
]
VALUES += [
    *("id", "cidr", "openstack_networking_subnet_v2", "shop_net", "data.x", "network", "port"),
    *("embedded", "provider"),
]
ASKED = ("mtu: 3", "floor: 2, note: x", "ranges: { get_param: ranges }, cloud: { get_resource: cloud }")
LISTS = "ranges: [{ cidr: 10.0.0.0/24, label: a }], owners: [a, b]"
OUTPUTS = "outputs:\n  o: { value: { get_resource: net } }\n  m: { value: { get_attr: [net, mtu] } }\n"
STACKS = [net(properties) + OUTPUTS for properties in (*ASKED, LISTS)]


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """All places in a table: the collection, and the key or index."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from spots(value[key])


def changed(table: Any, dice: random.Random) -> Any:
    table = copy.deepcopy(table)
    for _ in range(dice.choice((1, 1, 2, 3))):
        inside, key = dice.choice([*spots(table)] or [({}, "x")])
        chance = dice.random()
        if chance < 0.45:
            inside[key] = copy.deepcopy(dice.choice(VALUES))
        elif chance < 0.6 and key in inside:
            del inside[key]
        elif isinstance(inside, dict):
            inside[dice.choice(WORDS.split())] = copy.deepcopy(dice.choice(VALUES))
    return table


@pytest.mark.parametrize("seed", range(40))
def test_random_tables(seed: int, tmp_path: pathlib.Path) -> None:
    dice = random.Random(seed)
    (tmp_path / "shop.json").write_text(json.dumps(SCHEMA))
    bases = [yaml.safe_load(text) for text in (TABLE, SHOP, SHOP.replace(", schema: shop.json", ""))]
    for _ in range(5):
        added = used(tmp_path, yaml.safe_dump(changed(dice.choice(bases), dice)))
        if has_errors(list_diagnostics(added)):
            continue
        for stack in STACKS:
            for name, text in transpile.convert(stack, added=added).files.items():
                if name.endswith(".tf"):
                    assert list(read_declarations(str(text))) is not None  # python-hcl2 reads it
