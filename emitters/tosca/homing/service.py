"""Writes a homing template as a service template, alone or with the nodes of a stack."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

from emitters.tosca import printer
from emitters.tosca.homing import types
from emitters.tosca.homing.topology import HomingInput, HomingTopology, InputCall
from emitters.tosca.v2_0.types import escape_dollars
from transpile.homing.model import LinkedHomingTemplate
from transpile.targets import Output

MAIN = "main.yaml"


def emit_service(
    linked: LinkedHomingTemplate, modern: bool, stack_document: Mapping[str, Any] | None, present: Mapping[str, str]
) -> Output:
    """The files. `modern`: TOSCA 2.0. `stack_document`: the document of a stack to which the policies are added;
    `present`: by demand, the node of that stack which it is.
    """
    body = "service_template" if modern else "topology_template"
    inside = dict(stack_document[body]) if stack_document is not None else {}
    policy_names = {name for each in inside.get("policies", ()) for name in each}
    topology = HomingTopology(
        linked, present, set(inside.get("node_templates", ())) | set(inside.get("inputs", ())), policy_names
    )
    out: dict[str, Any] = dict(stack_document or service_head(linked, modern))
    used = [policy["type"] for policy in topology.policies.values()]
    own = [node["type"] for node in topology.nodes.values()]
    fields = [types.POLICY_TYPES[name][1] for name in used] + [types.NODE_TYPES[name] for name in own]
    data = [kind for each in fields for kind in types.needed_types(each)]
    sections = {
        "data_types": types.data_types(data, modern=modern),
        "node_types": types.node_types(own, modern=modern),
        "policy_types": types.policy_types(used, modern=modern),
    }
    if stack_document is not None:
        out["metadata"] = {**out.get("metadata", {}), "homing.template_version": linked.document.version}
    tail = out.pop(body, None)
    assert tail is None or tail == (stack_document or {}).get(body)
    for name, more in sections.items():
        if more:
            out[name] = {**out.get(name, {}), **more}
    renamed = name_inputs(topology, set(inside.get("inputs", ())))
    written = {renamed[name]: input_definition(declaration, modern) for name, declaration in topology.inputs.items()}
    nodes = {name: render_calls(node, renamed, modern) for name, node in topology.nodes.items()}
    policies = [{name: render_calls(policy, renamed, modern)} for name, policy in topology.policies.items()]
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
    demands = {name: {"node": own} for name, own in topology.demands.items()}
    constraints = {
        name: {"type": constraint.type, "policy": topology.named[name]}
        for name, constraint in linked.constraints.items()
    }
    report = {
        "parameters": {name: {"input": renamed[name]} for name in linked.parameters},
        "homing": {"demands": demands, "constraints": constraints},
    }
    return Output({MAIN: printer.print_document(out, linked.document.source)}, report, topology.diagnostics)


def service_head(linked: LinkedHomingTemplate, modern: bool) -> dict[str, Any]:
    name = pathlib.PurePath(linked.document.source.name).stem or "template"
    metadata = {
        "template_name": name,
        "template_author": "hot2tf",
        "template_version": "1.0",
        "homing.template_version": linked.document.version,
    }
    version = "tosca_2_0" if modern else "tosca_simple_yaml_1_3"
    return {"tosca_definitions_version": version, "metadata": escape_dollars(metadata) if modern else metadata}


def name_inputs(topology: HomingTopology, taken: set[str]) -> dict[str, str]:
    """The names of the inputs, by parameter. A name that the stack uses already gets a suffix."""
    out: dict[str, str] = {}
    for name in topology.inputs:
        own = name
        while own in taken:
            own = f"homing_{own}"
        taken.add(own)
        out[name] = own
    return out


def input_definition(declaration: HomingInput, modern: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"type": declaration.type}
    if declaration.description:
        out["description"] = declaration.description
    out["default"] = escape_dollars(declaration.default) if modern else declaration.default
    return out


def render_calls(value: Any, renamed: Mapping[str, str], modern: bool) -> Any:
    """Data with its calls of get_input in the form of the version."""
    if isinstance(value, InputCall):
        name = renamed[value["get_input"]]
        return {"$get_input": name} if modern else {"get_input": name}
    if isinstance(value, dict):
        return {escape_dollars(k) if modern else k: render_calls(v, renamed, modern) for k, v in value.items()}
    if isinstance(value, list):
        return [render_calls(item, renamed, modern) for item in value]
    return escape_dollars(value) if modern else value
