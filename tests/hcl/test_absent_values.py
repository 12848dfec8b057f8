"""Properties that a condition leaves out: every property of every mapped type, as the samples set them."""

from __future__ import annotations

import json
import pathlib
import random
from collections.abc import Iterator
from typing import Any

import pytest

import transpile
from emitters.hcl.tables import tables
from tests.support import oracles, planning, samples
from tests.support.examples import sampled
from tests.support.files import write_files
from transpile.diagnostics import codes
from transpile.schema.catalog import read_openstack_catalog

EMPTY: dict[str, Any] = {"list": [], "map": {}, "string": ""}
FORMS = ("left out", "null", "empty", "in a branch")
KINDS = [kind for service in tables.list_services() for kind in tables.load_table(service) if kind.startswith("OS::")]
# Several properties share one map argument, and the judge takes it for that of one: HOT910 at a right value.
MERGED = ("OS::Glance::Image", "OS::Glance::WebImage", "OS::Neutron::Port")


def leave_out(kind: str, name: str, value: Any, form: str) -> Any:
    """The value of a property under the condition `there`, and otherwise nothing, in one of its forms."""
    match form:
        case "left out":
            return {"if": ["there", value]}
        case "null":
            return {"if": ["there", value, None]}
        case "empty":
            schema = (read_openstack_catalog().find_type(kind) or {})["properties"].get(name, {})
            return {"if": ["there", value, EMPTY.get(schema.get("type", ""))]}
    return {"if": [{"not": "there"}, {"if": ["there", value]}, value]}


def templates(kind: str, form: str, there: bool) -> Iterator[str]:
    """The samples of a type, with each property that is not required under a condition."""
    needed = samples.required(kind).properties
    for sample in samples.samples(kind):
        properties = {
            name: value if name in needed else leave_out(kind, name, value, form)
            for name, value in sample.properties.items()
        }
        template = {
            "heat_template_version": "2021-04-16",
            "parameters": {"there": {"type": "boolean", "default": there}},
            "conditions": {"there": {"get_param": "there"}},
            "resources": {**sample.others, "sample": {"type": kind, "properties": properties}},
        }
        yield json.dumps(template)


@pytest.mark.parametrize("kind", sampled([kind for kind in KINDS if kind not in MERGED], 5))
def test_terraform_can_compute_a_resource_without_absent_values(kind: str) -> None:
    for form in FORMS:
        for there in (True, False):
            for template in templates(kind, form, there):
                done = transpile.convert(template)
                wrong = [d.message for d in done.diagnostics if d.code == codes.VALUE_DIFFERS_FROM_HEAT]
                assert not wrong, (form, template)


@pytest.mark.parametrize("default", [{"k": None}, {"k": ""}, {}])
@pytest.mark.parametrize(
    ("kind", "name", "needed"),
    [
        ("AWS::EC2::Instance", "SubnetId", {"ImageId": "i", "InstanceType": "f"}),
        ("AWS::EC2::Instance", "UserData", {"ImageId": "i", "InstanceType": "f"}),
        ("OS::Nova::Server", "user_data", {"image": "i", "flavor": "f", "user_data_format": "RAW"}),
        ("OS::Neutron::SecurityGroup", "rules", {}),
        ("OS::Neutron::Subnet", "host_routes", {"network": "n", "cidr": "10.0.0.0/24"}),
        ("OS::Cinder::VolumeType", "projects", {"name": "n", "is_public": False}),
        ("OS::Manila::Share", "access_rules", {"share_protocol": "NFS", "size": 1}),
    ],
)
def test_null_at_a_path_is_no_value(kind: str, name: str, needed: dict[str, Any], default: dict[str, Any]) -> None:
    properties = {**needed, name: {"get_param": ["p", "k"]}}
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": {"p": {"type": "json", "default": default}},
        "resources": {"r": {"type": kind, "properties": properties}},
    }
    done = transpile.convert(json.dumps(template))
    assert [d.message for d in done.diagnostics if d.code == codes.VALUE_DIFFERS_FROM_HEAT] == []
    if name == "SubnetId":  # without one, Heat creates no port
        assert done.report["resources"]["r"]["treatment"] == "embedded"


@oracles.needs_providers
def test_terraform_plans_a_resource_without_absent_values(tmp_path: pathlib.Path) -> None:
    """Sixty templates, drawn from all types and forms, each a module of one root. A pool is refused by Heat, too: it
    needs a load balancer or a listener.
    """
    kinds = [kind for kind in KINDS if not kind.endswith("::Pool")]
    drawn = random.Random(1).sample([(kind, form) for kind in kinds for form in FORMS], 60)
    for number, (kind, form) in enumerate(drawn):
        done = transpile.convert(list(templates(kind, form, False))[-1])
        write_files(tmp_path / f"m{number}", done.files)
    assert planning.refused_together(tmp_path, [f"m{number}" for number in range(60)]) == ""
