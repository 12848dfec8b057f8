"""Constructs, each many times in one template: for each type of the catalog, each constraint of a parameter, each
function, and the other parts of a template. `MULTIPLIED` makes them for a number; `COVERING` are a few with each
mechanism.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

from emitters.hcl.tables.tables import find_raw_mapping
from tests.limits.generated import VERSION, resource, write_template
from tests.limits.refused import CALLS
from tests.support import samples
from transpile.model.intrinsics import INTRINSICS
from transpile.schema.catalog import read_openstack_catalog

Make = Callable[[int], str]
NET = resource("Neutron::Net")


def many_of_type(kind: str) -> Make:
    """So many resources of a type beside the same others, to which they refer."""

    def make(number: int) -> str:
        sample = samples.required(kind)
        resource = {"type": kind, "properties": sample.properties}
        return write_template({**sample.others, **{f"r{n}": copy.deepcopy(resource) for n in range(number)}})

    return make


def chain_of_type(kind: str) -> Make:
    """Each waits for the one before it."""

    def make(number: int) -> str:
        resources = json.loads(many_of_type(kind)(number))["resources"]
        for n in range(1, number):
            resources[f"r{n}"]["depends_on"] = f"r{n - 1}"
        return write_template(resources)

    return make


def one_of_type(kind: str) -> Make:
    """One that waits for so many others, and all of which it is that it may refer to."""

    def make(number: int) -> str:
        resources = json.loads(many_of_type(kind)(1))["resources"]
        resources["r0"]["depends_on"] = [f"n{n}" for n in range(number)]
        return write_template({**resources, **{f"n{n}": NET for n in range(number)}})

    return make


def calls_of(name: str) -> Make:
    """So many outputs with a call of a function."""
    row = INTRINSICS[name]
    value = {name: CALLS[name][0]}

    def make(number: int) -> str:
        is_condition = name in ("equals", "not", "and", "or")
        outputs = {f"o{n}": {"value": {"if": ["c", 1, 2]} if is_condition else value} for n in range(number)}
        conditions = {f"c{n}": value for n in range(number)} if is_condition else {}
        template = {
            "heat_template_version": VERSION if row.until is None else row.until,
            "parameters": {
                "p": {"type": "string", "default": "a"},
                "j": {"type": "json", "default": {"k": "v"}},
                "l": {"type": "comma_delimited_list", "default": "a,b"},
            },
            "resources": {"r": NET},
            "outputs": outputs,
        }
        if row.until is None:
            template["conditions"] = {"c": {"equals": ["a", "a"]}, **conditions}
        return json.dumps(template)

    return make


def parameters_with(**facts: Any) -> Make:
    """So many parameters, each read by a resource."""

    def make(number: int) -> str:
        parameters = {f"p{n}": {"type": "string", "default": f"value{n}", **facts} for n in range(number)}
        nets = {f"n{n}": resource("Neutron::Net", name={"get_param": f"p{n}"}) for n in range(number)}
        return write_template(nets, parameters=parameters)

    return make


def repeated(**makers: Callable[[int], Mapping[str, Any]]) -> Make:
    """A template whose resources are made for each number from 0. One with `@` in its name is made once."""

    def make(number: int) -> str:
        resources: dict[str, Any] = {}
        for maker in makers.values():
            for n in range(number):
                resources |= maker(n)
        return write_template(resources)

    return make


def ports_and_subnets(number: int) -> str:
    net = {"get_resource": "net"}
    resources = {"net": NET}
    resources |= {f"s{n}": resource("Neutron::Subnet", network=net, cidr=f"10.0.{n}.0/24") for n in range(number)}
    return write_template(resources | {f"p{n}": resource("Neutron::Port", network=net) for n in range(number)})


def deployments_of_one_server(number: int) -> str:
    server = resource("Nova::Server", image="i", flavor="f", user_data_format="SOFTWARE_CONFIG")
    resources = {"s": server}
    for n in range(number):
        resources[f"c{n}"] = resource("Heat::SoftwareConfig", group="script", config=f"echo {n}")
        own = {"config": {"get_resource": f"c{n}"}, "server": {"get_resource": "s"}}
        resources[f"d{n}"] = resource("Heat::SoftwareDeployment", **own)
    return write_template(resources)


def volumes_of_servers(number: int) -> str:
    resources: dict[str, Any] = {}
    for n in range(number):
        resources[f"s{n}"] = resource("Nova::Server", image="i", flavor="f")
        resources[f"v{n}"] = resource("Cinder::Volume", size=1)
        of = {"volume_id": {"get_resource": f"v{n}"}, "instance_uuid": {"get_resource": f"s{n}"}}
        resources[f"a{n}"] = resource("Cinder::VolumeAttachment", **of)
    return write_template(resources)


def placeholders_of_one_text(number: int) -> str:
    parameters = {f"p{n}": {"type": "string", "default": "v"} for n in range(number)}
    values = {f"$v{n}$": {"get_param": f"p{n}"} for n in range(number)}
    text = "".join(f"export A{n}=$v{n}$\n" for n in range(number))
    output = {"value": {"str_replace": {"template": text, "params": values}}}
    return write_template({"net": NET}, parameters=parameters, outputs={"o": output})


def conditions_in_a_chain(number: int) -> str:
    conditions: dict[str, Any] = {"c0": {"equals": [{"get_param": "e"}, "a"]}}
    conditions |= {f"c{n}": {"not": f"c{n - 1}"} for n in range(1, number)}
    nets = {f"n{n}": NET | {"condition": f"c{n}"} for n in range(number)}
    return write_template(nets, parameters={"e": {"type": "string", "default": "a"}}, conditions=conditions)


def unknown_names(number: int) -> str:
    return write_template({f"n{n}": resource("Neutron::Net", nmae={"get_param": f"q{n}"}) for n in range(number)})


def comments(number: int) -> str:
    body = "".join(f"  # comment {n}\n  n{n}:  # tail\n    # type\n    type: OS::Neutron::Net\n" for n in range(number))
    return f"heat_template_version: {VERSION}\nresources:\n  z: {{type: OS::Neutron::Net}}\n{body}"


KINDS = tuple(read_openstack_catalog().type_names())


def mechanisms_of_type(kind: str) -> set[str]:
    """The mechanisms that convert a type: its treatment, and the hooks of its table."""
    waiting: list[Any] = [find_raw_mapping(kind) or {}]
    mechanisms = {f"treatment {waiting[0].get('treatment', 'native')}"}
    while waiting:
        part = waiting.pop()
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            mechanisms |= {f"{key} {value}"} if key in ("hook", "finish") else set()
            waiting += [value] if isinstance(value, (dict, list)) else []
    return mechanisms


def covering_types() -> list[str]:
    """A few types that have, together, each mechanism of all types."""
    mechanisms = {kind: mechanisms_of_type(kind) for kind in KINDS}
    missing, chosen = set[str]().union(*mechanisms.values()), list[str]()
    while missing:
        chosen.append(max(KINDS, key=lambda kind: len(mechanisms[kind] & missing)))
        missing -= mechanisms[chosen[-1]]
    return chosen


OTHERS: dict[str, Make] = {
    **{f"calls of {name}": calls_of(name) for name in CALLS if name not in INTRINSICS or INTRINSICS[name].since},
    "parameters": parameters_with(),
    "hidden parameters": parameters_with(hidden=True),
    "parameters with a length": parameters_with(constraints=[{"length": {"min": 1, "max": 90}}]),
    "parameters with a pattern": parameters_with(constraints=[{"allowed_pattern": "[a-z0-9]+"}]),
    "ports and subnets": ports_and_subnets,
    "deployments of one server": deployments_of_one_server,
    "volumes of servers": volumes_of_servers,
    "placeholders of one text": placeholders_of_one_text,
    "conditions in a chain": conditions_in_a_chain,
    "unknown names": unknown_names,
    "comments": comments,
}
MULTIPLIED: dict[str, Make] = {
    **{f"many {kind}": many_of_type(kind) for kind in KINDS},
    **{f"chain of {kind}": chain_of_type(kind) for kind in KINDS},
    **{f"{kind} after many": one_of_type(kind) for kind in KINDS},
    **OTHERS,
}
CHAINED = 4  # types whose dependencies are multiplied, too
COVERING = (  # shapes with each mechanism
    *OTHERS,
    *(f"many {kind}" for kind in covering_types()),
    *(name for kind in covering_types()[:CHAINED] for name in (f"chain of {kind}", f"{kind} after many")),
)
