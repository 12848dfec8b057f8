"""Writes type definitions: the node types in use, with only the properties and attributes in use, and their base types.

Only forms that all tools accept are written. A type has a normative parent if TOSCA has a suitable type. Requirements
are optional. Policy, group and relationship types have no metadata.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from emitters.tosca import hotjson
from emitters.tosca.inputs import TemplateInputs
from emitters.tosca.model import PARENTS, PORT, ROOT, SERVER, NodeType
from emitters.tosca.references import CONDITION, EXPRESSION
from emitters.tosca.shapes import TEXT, Shape
from transpile.model import heat_types, ir

MANY, ONE = [0, "UNBOUNDED"], [0, 1]


def requirement_definition(
    name: str, relationship: str, occurrences: list[Any], node: str, capability: str
) -> dict[str, Any]:
    return {
        name: {
            "capability": capability,
            "node": node,
            "relationship": relationship,
            "occurrences": list(occurrences),
        }
    }


def reference_requirement() -> dict[str, Any]:
    return requirement_definition(
        "reference", "hot.relationships.References", MANY, "tosca.nodes.Root", "tosca.capabilities.Node"
    )


def condition_requirement() -> dict[str, Any]:
    return requirement_definition(
        "condition", "hot.relationships.ConditionedOn", ONE, CONDITION, "tosca.capabilities.Node"
    )


RELATIONSHIPS = {
    "hot.relationships.References": {
        "derived_from": "tosca.relationships.DependsOn",
        "description": "a dependency implied by get_resource or get_attr",
    },
    "hot.relationships.ConditionedOn": {
        "derived_from": "tosca.relationships.DependsOn",
        "description": "the source exists only if the condition is true",
    },
    "hot.relationships.Multiplies": {
        "derived_from": "tosca.relationships.Root",
        "description": "the target is the prototype of the source group's members",
    },
}
MEMBER = {
    "hot.capabilities.Member": {
        "derived_from": "tosca.capabilities.Root",
        "description": "a node template that a group creates copies of",
    }
}
LIFECYCLE = {
    "openstack.interfaces.heat.Lifecycle": {
        "derived_from": "tosca.interfaces.Root",
        "description": "Heat actions for which the Standard interface has no operation",
        "operations": {
            "update": {"description": "UPDATE"},
            "suspend": {"description": "SUSPEND"},
            "resume": {"description": "RESUME"},
        },
    }
}
MEMBERS = {
    "hot.groups.Members": {
        "derived_from": "tosca.groups.Root",
        "description": "the members of a ResourceGroup or an AutoScalingGroup",
    }
}
ABOUT = {
    "hot.policies.Deletion": "what happens to the resource when the stack is deleted",
    "hot.policies.Update": "the resource's update_policy",
    "hot.policies.Scaling": "the number of its targets, for orchestrators that do not support Heat's groups",
}


def declare_data_types(records: Iterable[tuple[str, Shape]]) -> dict[str, Any]:
    return {name: declare_data_type(shape) for name, shape in records}


def declare_data_type(shape: Shape) -> dict[str, Any]:
    out: dict[str, Any] = {"derived_from": "tosca.datatypes.Root"}
    if shape.fields:
        out["properties"] = {
            key: property_definition(field, key in shape.required) for key, field in shape.fields.items()
        }
    return out


# Attributes of normative parents that have the name of a property in Heat. A type that declares the property must
# declare the attribute, too: unfurl takes a property for the attribute of that name, and fails where it is read.
NETWORK = {"type": "tosca.datatypes.network.NetworkInfo"}
SHADOWED: Mapping[str, Mapping[str, Any]] = {SERVER: {"networks": {"type": "map", "entry_schema": NETWORK}}}


def property_definition(shape: Shape, required: bool) -> dict[str, Any]:
    out = shape.schema_definition()
    notes = shape.notes
    if notes.description:
        out["description"] = notes.description
    if not required:
        out["required"] = False
    if notes.default is not None:
        out["default"] = notes.default
    if notes.clauses:
        out["constraints"] = notes.clauses
    elif shape.allowed:
        out["constraints"] = [{"valid_values": shape.allowed}]
    return out


def root_type(conditions: bool, external: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"derived_from": "tosca.nodes.Root"}
    if external:
        out["properties"] = {"external_id": external_id_property()}
    out["attributes"] = {"id": {"type": "string", "description": "the value of get_resource"}}
    out["requirements"] = [reference_requirement(), *([condition_requirement()] if conditions else [])]
    return out


def external_id_property() -> dict[str, Any]:
    return {"type": "string", "description": "the ID of an existing resource", "required": False}


def expression_type() -> dict[str, Any]:
    return {
        "derived_from": "tosca.nodes.Root",
        "description": (
            "The value of a HOT function that TOSCA 1.3 has no counterpart for. `expression` is its JSON text; each "
            "get_param, get_attr, get_resource, get_file and condition name in it finds its TOSCA value in `arguments`."
        ),
        "properties": {
            "expression": {"type": "string"},
            "arguments": {"type": "map", "entry_schema": {"type": "string"}, "required": False},
        },
        "attributes": {"value": {"type": "string"}},
        "requirements": [reference_requirement()],
    }


def condition_type() -> dict[str, Any]:
    return {
        "derived_from": EXPRESSION,
        "description": "a condition of the template; its value is 'true' or 'false'",
    }


def group_type() -> dict[str, Any]:
    about = "a resource that creates several copies of another one, the template of its members"
    member = requirement_definition(
        "member", "hot.relationships.Multiplies", ONE, "tosca.nodes.Root", "hot.capabilities.Member"
    )
    return {"derived_from": ROOT, "description": about, "requirements": [member]}


def nested_stack_type() -> dict[str, Any]:
    about = "a nested stack; its type's properties are the parameters, its attributes the outputs"
    return {"derived_from": ROOT, "description": about}


def declare_node_type(node_type: NodeType, conditions: bool, stacks: Mapping[int, TemplateInputs]) -> dict[str, Any]:
    """The definition of a node type."""
    if node_type.alias_of is not None:
        return {"derived_from": node_type.parent, "metadata": {"hot.type": node_type.hot_type}}
    parent = node_type.parent
    if node_type.kind == heat_types.SOFTWARE_DEPLOYMENT and node_type.hosted:
        parent = "tosca.nodes.SoftwareComponent"
    elif node_type.member_property and parent == ROOT:
        parent = "hot.nodes.Group"
    out: dict[str, Any] = {"derived_from": parent, "metadata": {"hot.type": node_type.hot_type}}
    if node_type.member_property:
        out["metadata"]["hot.member_property"] = node_type.member_property
    inside = None if node_type.nested is None else stacks[id(node_type.nested.stack)]
    if node_type.nested is not None:
        out["metadata"]["hot.template"] = node_type.nested.file
        if node_type.nested.stack.template.capabilities:
            out["metadata"]["hot.capabilities"] = hotjson.capabilities_json(node_type.nested.stack.template)
    properties = {
        key: property_definition(shape, is_required(node_type, key)) for key, shape in node_type.shapes.items()
    }
    if inside is not None:
        properties = parameter_properties(inside, node_type)
    own_root = parent in (ROOT, "hot.nodes.Group", "hot.nodes.Stack")
    if node_type.external and not own_root:
        properties = {"external_id": external_id_property()} | properties
    if node_type.metadata:
        about = "the resource's metadata section, as JSON"
        properties["resource_metadata"] = {"type": "string", "description": about, "required": False}
    if properties:
        out["properties"] = properties
    attributes: dict[str, Any] = {} if own_root and "id" not in node_type.shapes else {"id": {"type": "string"}}
    for name in node_type.outputs:
        attributes.setdefault(name, {"type": "string"})
    for name, shape in node_type.attributes.items():
        attributes[name] = shape.schema_definition()
    for name, definition in SHADOWED.get(node_type.kind, {}).items():
        if name in node_type.shapes and name in node_type.paths:
            attributes[name] = definition
    if attributes:
        out["attributes"] = attributes
    if node_type.member:
        out["capabilities"] = {"member": {"type": "hot.capabilities.Member"}}
    requirements = [] if own_root else [reference_requirement(), *([condition_requirement()] if conditions else [])]
    if node_type.kind == PORT and node_type.links:
        requirements.append(
            requirement_definition(
                "link",
                "tosca.relationships.network.LinksTo",
                ONE,
                "tosca.nodes.network.Network",
                "tosca.capabilities.network.Linkable",
            )
        )
    if requirements:
        out["requirements"] = requirements
    if node_type.operated:
        out["interfaces"] = {"Heat": {"type": "openstack.interfaces.heat.Lifecycle"}}
    return out


def is_required(node_type: NodeType, key: str) -> bool:
    """Whether a property is required: Heat requires it, and all nodes set it."""
    facts = node_type.facts.get("properties", {}).get(key, {})
    uses = node_type.uses.get(key, [])
    return bool(facts.get("required")) and len(uses) == node_type.nodes and ir.NULL not in uses


def parameter_properties(inputs: TemplateInputs, supplier: NodeType | None) -> dict[str, Any]:
    """Returns the parameters of a nested template as properties.

    A property has the type of the input; for a json parameter, it has the type of the values. `supplier`: the node type
    that supplies the values, or None for the nested template's own type.
    """
    out: dict[str, Any] = {}
    shapes = supplier.shapes if supplier is not None else {}
    for name, template_input in inputs.by_name.items():
        if template_input.param is None:
            continue
        shape = template_input.shape
        if supplier is not None:
            shape = shapes.get(name, shape)
            if template_input.param.type != "json" and is_assignable(template_input.shape, shape):
                shape = template_input.shape
            elif name not in shapes and any(True for _ in template_input.shape.inner_records()):
                shape = Shape(shape.kind, TEXT) if shape.kind in ("list", "map") else TEXT
        out[name] = shape.schema_definition()
        optional = template_input.param.default is not None or name in inputs.stack.bindings
        if optional or (supplier is not None and not (name in shapes and len(supplier.uses[name]) == supplier.nodes)):
            out[name]["required"] = False
        if (
            shape is template_input.shape
            and isinstance(template_input.definition.get("default"), (str, int, float))
            and not template_input.json
        ):
            out[name]["default"] = template_input.definition["default"]
    return out | {name: property_definition(shape, False) for name, shape in shapes.items() if name not in out}


def is_assignable(shape: Shape, declared: Shape) -> bool:
    """Whether a value written for `shape` is valid where `declared` is declared."""
    return shape.kind == declared.kind and (
        shape.kind not in ("list", "map") or shape.shape_at().kind == declared.shape_at().kind
    )


def declare_policy_types(policies: Mapping[str, Mapping[str, Any]], updates: Mapping[str, Shape]) -> dict[str, Any]:
    """The types of the policies in use."""
    used = {p["type"] for p in policies.values()}
    out: dict[str, Any] = {}
    if "hot.policies.Deletion" in used:
        out["hot.policies.Deletion"] = {
            "derived_from": "tosca.policies.Root",
            "description": ABOUT["hot.policies.Deletion"],
            "properties": {
                "policy": {"type": "string", "constraints": [{"valid_values": ["Delete", "Retain", "Snapshot"]}]}
            },
        }
    if "hot.policies.Update" in used:
        out["hot.policies.Update"] = {
            "derived_from": "tosca.policies.Update",
            "description": ABOUT["hot.policies.Update"],
        }
        if updates:
            out["hot.policies.Update"]["properties"] = {
                key: property_definition(shape, False) for key, shape in updates.items()
            }
    if "hot.policies.Scaling" in used:
        words = ("min_instances", "max_instances", "default_instances", "increment", "cooldown")
        out["hot.policies.Scaling"] = {
            "derived_from": "tosca.policies.Scaling",
            "description": ABOUT["hot.policies.Scaling"],
            "properties": {word: {"type": "integer", "required": False} for word in words},
        }
    return out


def parents_used(types: Iterable[NodeType]) -> set[str]:
    """The base types that these node types derive from."""
    out = set()
    for node_type in types:
        if node_type.alias_of is not None:
            continue
        if node_type.member_property:
            out |= {"hot.nodes.Group", ROOT}
        elif node_type.nested is not None:
            out |= {"hot.nodes.Stack", ROOT}
        elif node_type.kind not in PARENTS and not node_type.hosted:
            out.add(ROOT)
    return out
