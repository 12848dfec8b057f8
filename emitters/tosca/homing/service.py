"""A homing template as a service template, alone or beside the nodes of a stack."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

from emitters.tosca import printer
from emitters.tosca.homing import types
from emitters.tosca.homing.topology import HomingInput, HomingTopology, InputCall
from emitters.tosca.v2_0.types import dollars
from transpile.targets import Output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.homing.model import LinkedHomingTemplate

MAIN = "main.yaml"


def emit_service(
    linked: LinkedHomingTemplate, modern: bool, beside: Mapping[str, Any] | None, present: Mapping[str, str]
) -> Output:
    """The files. `modern`: TOSCA 2.0. `beside`: the document of a stack to which the policies are added; `present`: its
    nodes that demands are, by the demand.
    """
    body = "service_template" if modern else "topology_template"
    inside = dict(beside[body]) if beside is not None else {}
    known = {name for each in inside.get("policies", ()) for name in each}
    found = HomingTopology(
        linked, present, set(inside.get("node_templates", ())) | set(inside.get("inputs", ())), known
    )
    out: dict[str, Any] = dict(beside or service_head(linked, modern))
    used = [one["type"] for one in found.policies.values()]
    own = [one["type"] for one in found.nodes.values()]
    fields = [types.POLICY_TYPES[name][1] for name in used] + [types.NODE_TYPES[name] for name in own]
    data = [kind for each in fields for kind in types.needed_types(each)]
    sections = {
        "data_types": types.data_types(data, modern=modern),
        "node_types": types.node_types(own, modern=modern),
        "policy_types": types.policy_types(used, modern=modern),
    }
    if beside is not None:
        out["metadata"] = {**out.get("metadata", {}), "homing.template_version": linked.document.version}
    tail = out.pop(body, None)
    assert tail is None or tail == (beside or {}).get(body)
    for name, more in sections.items():
        if more:
            out[name] = {**out.get(name, {}), **more}
    renamed = name_inputs(found, set(inside.get("inputs", ())))
    written = {renamed[name]: input_definition(one, modern) for name, one in found.inputs.items()}
    nodes = {name: render_calls(one, renamed, modern) for name, one in found.nodes.items()}
    policies = [{name: render_calls(one, renamed, modern)} for name, one in found.policies.items()]
    if written:
        inside = {
            "inputs": {**inside.get("inputs", {}), **written},
            **{k: v for k, v in inside.items() if k != "inputs"},
        }
    inside["node_templates"] = {**inside.get("node_templates", {}), **nodes}
    outputs = inside.pop("outputs", None)
    if policies:
        inside["policies"] = [*inside.get("policies", []), *policies]
    if outputs is not None:
        inside["outputs"] = outputs
    out[body] = inside
    demands = {name: {"node": own} for name, own in found.demands.items()}
    constraints = {name: {"type": one.type, "policy": found.named[name]} for name, one in linked.constraints.items()}
    report = {
        "parameters": {name: {"input": renamed[name]} for name in linked.parameters},
        "homing": {"demands": demands, "constraints": constraints},
    }
    return Output({MAIN: printer.show(out, linked.document.source)}, report, found.found)


def service_head(linked: LinkedHomingTemplate, modern: bool) -> dict[str, Any]:
    name = pathlib.PurePath(linked.document.source.name).stem or "template"
    metadata = {
        "template_name": name,
        "template_author": "hot2tf",
        "template_version": "1.0",
        "homing.template_version": linked.document.version,
    }
    version = "tosca_2_0" if modern else "tosca_simple_yaml_1_3"
    return {"tosca_definitions_version": version, "metadata": dollars(metadata) if modern else metadata}


def name_inputs(found: HomingTopology, taken: set[str]) -> dict[str, str]:
    """The names of the inputs, by parameter: another one where the stack has it."""
    out: dict[str, str] = {}
    for name in found.inputs:
        own = name
        while own in taken:
            own = f"homing_{own}"
        taken.add(own)
        out[name] = own
    return out


def input_definition(one: HomingInput, modern: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"type": one.type}
    if one.description:
        out["description"] = one.description
    out["default"] = dollars(one.default) if modern else one.default
    return out


def render_calls(value: Any, renamed: Mapping[str, str], modern: bool) -> Any:
    """Data with its calls of get_input in the form of the version."""
    if isinstance(value, InputCall):
        name = renamed[value["get_input"]]
        return {"$get_input": name} if modern else {"get_input": name}
    if isinstance(value, dict):
        return {dollars(k) if modern else k: render_calls(v, renamed, modern) for k, v in value.items()}
    if isinstance(value, list):
        return [render_calls(one, renamed, modern) for one in value]
    return dollars(value) if modern else value
