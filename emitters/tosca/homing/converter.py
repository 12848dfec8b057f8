"""Converts homing templates to TOSCA: a service template with their policies, alone or with the nodes of a stack."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

from emitters.tosca import printer
from emitters.tosca.emitter import HotConverter, build_services, companion_files, pack_output
from emitters.tosca.homing import types
from emitters.tosca.homing.topology import HomingInput, HomingTopology, InputCall
from emitters.tosca.v2_0.types import escape_dollars
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.homing.engine import ENGINE
from transpile.homing.model import LinkedHomingTemplate
from transpile.homing.summary import count_demands
from transpile.targets import Converter, Option, Output

MAIN = "main.yaml"


def convert_homing_template(linked: LinkedHomingTemplate, options: Mapping[str, Any]) -> Output:
    """The files of a homing template. Option `with`: a stack, to whose nodes the policies are added."""
    modern, stack = options["tosca_version"] == "2.0", options.get("with")
    if stack is None:
        return pack_output(emit_service(linked, modern, None, {}), [], options)
    diagnostics: list[Diagnostic] = []
    archive, _, services, main = build_services(HotConverter(diagnostics).convert_stack(stack), options, diagnostics)
    if main is None:
        return Output({}, {}, diagnostics)
    present = {demand: main.model.node_names[demand] for demand in linked.demands if demand in main.model.node_names}
    output = emit_service(linked, modern, main.build_document(), present)
    output.files |= companion_files(archive, services)
    output.diagnostics += [
        *diagnostics,
        *archive.diagnostics,
        *(d for template in [*services, main] for d in template.service_diagnostics()),
    ]
    for demand, at in linked.demands.items():
        if demand not in present:
            message = f"The stack has no resource {demand}, so the demand is a node of its own."
            place = linked.document.source
            output.diagnostics.append(Diagnostic(codes.DEMAND_WITHOUT_RESOURCE, message, place, at.span.in_text))
    return pack_output(output, sorted(archive.paths.values()), options)


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


CONVERTER = Converter(
    convert_homing_template,
    options=(
        ENGINE,
        Option("with", "Of homing templates: the HOT template whose resources the demands are.", stack=True),
    ),
    summary=count_demands,
)
