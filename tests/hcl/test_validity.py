"""The output is valid for Terraform, or nothing is written.

Each fault is made in the tree of a valid conversion: the check finds it, and so does real terraform. For all values of
properties, the check accepts the output, and so does real terraform.
"""

from __future__ import annotations

import pathlib
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

import transpile
from emitters.hcl.assemble import validity
from emitters.hcl.tree.nodes import Argument, Attr, Block, Fn, Index, Traversal, expression_from_data
from emitters.hcl.tree.printer import print_hcl
from tests.support import form_outcomes, forms, oracles
from tests.support.examples import examples

INNER = """
heat_template_version: 2018-08-31
parameters:
  name: {type: string}
  cfg: {type: json, default: {cidr: 10.0.0.0/24}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: {get_param: [cfg, cidr]}}}
outputs:
  id: {value: {get_resource: net}}
"""
ROOT = """
heat_template_version: 2018-08-31
parameters:
  some: {type: boolean, default: true}
conditions: {some: {get_param: some}}
resources:
  lan: {type: inner.yaml, properties: {name: lan, cfg: {cidr: 10.1.0.0/24}}}
  port: {type: OS::Neutron::Port, properties: {network: {get_attr: [lan, id]}, name: port}}
  more: {type: OS::Neutron::Port, condition: some, properties: {network: {get_attr: [lan, id]}}}
  looked: {type: OS::Neutron::Port, condition: some, properties: {network: private}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, networks: [{port: {get_resource: port}}], user_data_update_policy: IGNORE}
"""
Blocks = Mapping[str, Block]  # of the directory, by address


def argument(block: Block, name: str) -> Argument:
    argument = block.find_argument(name)
    assert argument is not None
    return argument


def change(address: str, name: str, value: Any) -> Callable[[Blocks], None]:
    def mutate(blocks: Blocks) -> None:
        argument(blocks[address], name).value = value

    return mutate


def drop(address: str, name: str) -> Callable[[Blocks], None]:
    def mutate(blocks: Blocks) -> None:
        blocks[address].body.remove(argument(blocks[address], name))

    return mutate


def add(address: str, name: str, value: Any) -> Callable[[Blocks], None]:
    return lambda blocks: blocks[address].body.insert(0, Argument(name, value))


PORT, MORE, SERVER = (
    "openstack_networking_port_v2.port",
    "openstack_networking_port_v2.more",
    "openstack_compute_instance_v2.server",
)
LOOKED, DATA = "openstack_networking_port_v2.looked", Traversal(("data", "openstack_networking_network_v2", "private"))
NET = "openstack_networking_network_v2.net"
FAULTS: Mapping[str, tuple[Callable[[Blocks], None], str]] = {  # and a part of the message
    "output": (change(PORT, "network_id", Traversal(("module", "lan", "name"))), "the module has no output name"),
    "block": (change(PORT, "network_id", Traversal((*NET.split("."), "id"))), "names nothing"),
    "variable": (change(PORT, "name", Traversal(("var", "nowhere"))), "var.nowhere names nothing"),
    "local": (change(PORT, "name", Traversal(("local", "nowhere"))), "local.nowhere names nothing"),
    "attribute": (change(SERVER, "name", Traversal((*PORT.split("."), "label"))), "has no attribute label"),
    "attribute of data": (change(LOOKED, "network_id", Attr(Index(DATA, 0), "label")), "has no attribute label"),
    "instance": (change(SERVER, "name", Traversal((*MORE.split("."), "name"))), "needs an index"),
    "index": (change(SERVER, "name", Attr(Index(Traversal(tuple(PORT.split("."))), 0), "name")), "has no instances"),
    "each": (change(PORT, "name", Traversal(("each", "key"))), "each.key names nothing"),
    "inside a call": (change(PORT, "name", Fn("upper", (Traversal(("var", "nowhere")),))), "names nothing"),
    "unknown argument of a call": (add("module.lan", "colour", "red"), "the module has no variable colour"),
    "missing argument of a call": (drop("module.lan", "name"), "requires a value for name"),
    "value of a call": (change("module.lan", "name", expression_from_data(["a"])), "name must be a text"),
    "key of a call": (change("module.lan", "cfg", expression_from_data({"net": "a"})), "requires the key cidr"),
    "default": (change("variable.some", "default", "perhaps"), "the default must be true or false"),
    "argument twice": (add(PORT, "name", "again"), "name would be set twice"),
    "unknown argument": (add(PORT, "colour", "red"), "it has no argument colour"),
    "argument of the provider": (add(PORT, "all_fixed_ips", expression_from_data(["a"])), "the provider's to set"),
    "required argument": (drop(PORT, "network_id"), "network_id is required"),
    "second lifecycle": (lambda blocks: blocks[SERVER].body.append(Block("lifecycle")), "more than 1 lifecycle"),
    "unknown block": (lambda blocks: blocks[PORT].body.append(Block("colour")), "it has no block colour"),
}

BY_PROVIDER = (
    "argument of the provider",
)  # faults that only the provider's own code refuses; the tests have its schema


def convert(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, mutate: Callable[[Blocks], None]
) -> transpile.Conversion:
    """Converts the template, with a change in the tree of its root. The output is in `out`."""
    (tmp_path / "inner.yaml").write_text(INNER)
    (tmp_path / "root.yaml").write_text(ROOT)
    original = validity.find_faults

    def find_faults(emission: Any, files: Mapping[str, Sequence[Any]], modules: Any) -> Any:
        module = emission.unit.module
        if module.is_root:
            blocks = {item.address: item for items in files.values() for item in items if isinstance(item, Block)}
            mutate(blocks)
        folder = tmp_path / "out" / ("" if module.is_root else "modules/inner")
        folder.mkdir(parents=True, exist_ok=True)
        for name, items in files.items():
            (folder / name).write_text(print_hcl(items))
        return original(emission, files, modules)

    monkeypatch.setattr(validity, "find_faults", find_faults)
    return transpile.convert(tmp_path / "root.yaml", root=tmp_path)


def test_a_valid_tree_is_written(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = convert(tmp_path, monkeypatch, lambda blocks: None)
    assert [d.message for d in done.diagnostics if d.severity == "error"] == []
    assert "modules/inner/main.tf" in done.files


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_an_internal_error_with_a_place(
    fault: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate, message = FAULTS[fault]
    done = convert(tmp_path, monkeypatch, mutate)
    errors = [d for d in done.diagnostics if d.severity == "error"]
    assert done.files == {}
    assert {error.code for error in errors} == {"HOT900"}
    assert message in errors[0].message
    assert errors[0].span is not None
    assert errors[0].span.at > 0


@oracles.needs_providers
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in BY_PROVIDER])
def test_terraform_refuses_it_too(fault: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    convert(tmp_path, monkeypatch, FAULTS[fault][0])
    assert oracles.invalid(tmp_path / "out") != []


def sample() -> list[forms.Case]:
    """A property with each form of a value in each place, of types drawn at random; more properties with --long."""
    draw = random.Random(4)
    drawn = list(forms.every_case(draw, 0.0003 * examples(100)))
    draw.shuffle(drawn)
    cases: dict[str, list[forms.Case]] = {}
    for case in drawn:
        form_and_place = case.name.split(" ", 2)[2].split(" + ")[0]
        cases.setdefault(form_and_place, []).append(case)
    return [case for same in cases.values() for case in same[: 1 + examples(100) // 33]]


def test_no_form_of_a_value_is_an_internal_error() -> None:
    """Real Heat refuses the refused templates, too."""
    outcomes = list(form_outcomes.convert_cases(sample(), "faithful"))
    assert [(o.case.name, o.why) for o in outcomes if o.kind not in (form_outcomes.FINE, form_outcomes.REFUSED)] == []
    assert len([o for o in outcomes if o.kind == form_outcomes.FINE]) > 100


@pytest.mark.long
@oracles.needs_providers
def test_terraform_accepts_output_that_the_check_passes() -> None:
    outcomes = form_outcomes.validate(form_outcomes.convert_cases(sample(), "faithful"))
    assert [(o.case.name, o.why) for o in outcomes if o.kind == form_outcomes.INVALID] == []
