"""Converts a template to a TOSCA 2.0 service template.

TOSCA 2.0 has only a few data types, so the file declares everything else that it uses: root types, capabilities,
relationships, interfaces, artifacts, and the functions that only Heat has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.tosca import hotjson
from emitters.tosca.inputs import PSEUDO, Input
from emitters.tosca.model import PORT, ROOT, NodeType
from emitters.tosca.shapes import TEXT
from emitters.tosca.software import OPERATIONS
from emitters.tosca.v1_3 import types
from emitters.tosca.v1_3.service import Service
from emitters.tosca.v2_0.functions import Functions20, escaped
from emitters.tosca.v2_0.nodes import Nodes20
from emitters.tosca.v2_0.types import (
    DEPENDS,
    FEATURE,
    FILE,
    LIFECYCLE,
    REFERENCES,
    data_type,
    declared,
    definition,
    dollars,
    name_of,
    need,
    prop,
)
from transpile.model import ir
from transpile.schema import parameters

if TYPE_CHECKING:
    from emitters.tosca.shapes import Shape


class Service20(Service):
    """One TOSCA 2.0 service template."""

    FUNCTIONS, NODES, NESTS = Functions20, Nodes20, True
    functions: Functions20

    def document(self) -> dict[str, Any]:
        out: dict[str, Any] = {"tosca_definitions_version": "tosca_2_0"}
        if self.stack.template.description:
            out["description"] = self.stack.template.description
        out["metadata"] = self.metadata()
        service = self.service()
        sections: dict[str, Any] = {
            "functions": {name: declared(name) for name in self.functions.used},
            "data_types": {
                name: data_type(shape) for name, shape in (dict(self.inputs.data_types) | self.model.data_types).items()
            },
        }
        if any("artifacts" in t for t in self.nodes.templates.values()):
            sections["artifact_types"] = {FILE: {"description": "a file in the archive"}}
        operated = any(t.operated for t in self.model.types.values())
        if operated:
            operations = {o: {"description": action} for action, (_, o) in OPERATIONS.items()}
            sections["interface_types"] = {LIFECYCLE: {"description": "Heat actions", "operations": operations}}
        sections["capability_types"] = {
            FEATURE: {"description": "the capability that the requirements of other nodes refer to"}
        }
        sections["relationship_types"] = {
            DEPENDS: {"description": "the source is created after the target"},
            REFERENCES: {
                "derived_from": DEPENDS,
                "description": "a dependency implied by get_resource or get_attr",
            },
        }
        if any(t.member_property for t in self.model.types.values()):
            sections["relationship_types"]["hot.relationships.Multiplies"] = {
                "description": "the target is the prototype of the source group's members"
            }
        sections["node_types"] = self.node_types()
        sections["group_types"] = (
            {"hot.groups.Members": {"description": "the members of a group"}} if self.nodes.groups else {}
        )
        sections["policy_types"] = self.policy_types()
        out |= {key: value for key, value in sections.items() if value}
        out["service_template"] = service
        return out

    def metadata(self) -> dict[str, str]:
        elsewhere = ("hot.parameter.", "hot.output.")  # these are in the metadata of their inputs and outputs
        return {k: escaped(v) for k, v in super().metadata().items() if not k.startswith(elsewhere)}

    # inputs

    def input(self, name: str, one: Input) -> dict[str, Any]:
        """The definition of an input."""
        out: dict[str, Any] = definition(one.shape)
        if one.param is None:
            return {**out, "description": PSEUDO[name]}
        if one.param.description is not None:
            out["description"] = one.param.description
        extra = {k: v for k, v in one.extra.items() if k not in ("constraints", "default")}
        found: dict[str, Any] = {
            f"hot.{k}": v if isinstance(v, (str, bool)) else hotjson.dumps(v) for k, v in extra.items()
        }
        kept = [c for c in one.param.constraints if c.kind == "custom_constraint" or c.description is not None]
        if kept:
            found["hot.constraints"] = hotjson.dumps([in_hot(c) for c in kept])
        if found:
            out["metadata"] = {k: escaped(v) if isinstance(v, str) else v for k, v in found.items()}
        if "default" in one.definition:
            out["default"] = dollars(one.definition["default"])
        clauses = [clause for c in one.param.constraints for clause in self.clauses(one, c)]
        if clauses:
            out["validation"] = clauses[0] if len(clauses) == 1 else {"$and": clauses}
        return out

    def clauses(self, one: Input, constraint: ir.Constraint) -> list[dict[str, Any]]:
        """The validation clauses for a constraint."""
        value = constraint.value
        limits = {e.key: parameters.read_limit(e.value) for e in value.entries} if isinstance(value, ir.Map) else {}
        if constraint.kind == "modulo" and None not in limits.values() and "step" in limits:
            less: Any = {"$difference": ["$value", limits.get("offset") or 0]}
            return [{"$equal": [{"$remainder": [less, limits["step"]]}, 0]}]
        measured: Any = {"$length": ["$value"]} if constraint.kind == "length" else "$value"
        words = {"min": "$greater_or_equal", "max": "$less_or_equal"}
        if constraint.kind in ("length", "range") and not one.json:
            kind = (
                float if constraint.kind == "range" and one.shape.kind == "float" else int
            )  # both sides of a comparison have the same type
            return [{words[k]: [measured, kind(n)]} for k, n in limits.items() if k in words and n is not None]
        found = constraint.kind in ("allowed_values", "allowed_pattern") and self.inputs.constraint(one, constraint)
        if not found:
            return []
        ((_, asked),) = found[0].items()
        if constraint.kind == "allowed_pattern":
            return [{"$matches": ["$value", escaped(asked)]}]
        if one.shape.kind == "list":
            return [{"$has_all_entries": [[dollars(a) for a in asked], "$value"]}]
        return [{"$valid_values": ["$value", [dollars(a) for a in asked]]}]

    # types

    def node_types(self) -> dict[str, Any]:
        external = any(t.external for t in self.model.types.values())
        root: dict[str, Any] = {"description": "any resource"}
        if external:
            root["properties"] = {"external_id": types.external_id()}
        root["attributes"] = {"id": {"type": "string", "description": "the value of get_resource"}}
        root["capabilities"] = {"feature": {"type": FEATURE}}
        root["requirements"] = [need("dependency", DEPENDS), need("reference", REFERENCES)]
        out: dict[str, Any] = {ROOT: root}
        used = list(self.model.types.values())
        if any(t.member_property for t in used):
            about = "a resource that creates several copies of another one, the template of its members"
            member = need("member", "hot.relationships.Multiplies", [0, 1])
            out["hot.nodes.Group"] = {"derived_from": ROOT, "description": about, "requirements": [member]}
        if self.nested or any(t.nested is not None for t in used):
            out["hot.nodes.Stack"] = types.nested_stack()
        if self.nested:
            own: dict[str, Any] = {
                "derived_from": "hot.nodes.Stack",
                "metadata": {"hot.template": self.archive.sources[id(self.stack)]},
            }
            if properties := self.parameters(self.inputs, {}):
                own["properties"] = properties
            if self.outputs:
                own["attributes"] = {name_of(n): {"type": "string"} for n in self.outputs}
            out[self.own_type()] = own
        for one in used:
            if one.nested is not None and not one.outputs:
                one.outputs = tuple(one.nested.stack.template.outputs)
            out[one.name] = self.node_type(one)
        return out

    def node_type(self, one: NodeType) -> dict[str, Any]:
        if one.alias_of is not None:
            out: dict[str, Any] = {"derived_from": one.parent, "metadata": {"hot.type": one.hot_type}}
            if one.actions:
                inputs = {k: {kk: dollars(vv) for kk, vv in v.items()} for k, v in one.inputs.items()}
                body = {"inputs": inputs} if inputs else {}
                operations = {OPERATIONS[action][1]: body for action in one.actions}
                out["interfaces"] = {"Heat": {"type": LIFECYCLE, "operations": operations}}
            return out
        parent = "hot.nodes.Group" if one.member_property else "hot.nodes.Stack" if one.nested is not None else ROOT
        out = {"derived_from": parent, "metadata": {"hot.type": one.hot_type}}
        if one.member_property:
            out["metadata"]["hot.member_property"] = one.member_property
        properties = {k: prop(shape, types.required(one, k)) for k, shape in one.shapes.items()}
        if one.nested is not None:
            out["metadata"]["hot.template"] = one.nested.file
            properties = self.parameters(self.stacks[id(one.nested.stack)], one.shapes)
        if one.metadata:
            about = "the resource's metadata section, as JSON"
            properties["resource_metadata"] = {"type": "string", "description": about, "required": False}
        if properties:
            out["properties"] = properties
        attributes = {name_of(name): {"type": "string"} for name in one.outputs}
        attributes |= {
            name: {"type": "string"} if shape is None else definition(shape) for name, shape in one.attributes.items()
        }
        if "id" in one.paths:
            attributes["id_attribute"] = {"type": "string", "description": "the attribute with the name id in Heat"}
        if attributes:
            out["attributes"] = attributes
        requirements = []
        if one.hosted:
            requirements.append(need("host", DEPENDS, [0, 1]))
        if one.kind == PORT and one.links:
            requirements.append(need("link", REFERENCES, [0, 1]))
        if requirements:
            out["requirements"] = requirements
        if one.operated:
            out["interfaces"] = {"Heat": {"type": LIFECYCLE}}
        return out

    def parameters(self, inputs: Any, shapes: dict[str, Shape]) -> dict[str, Any]:
        """The parameters of a nested template as properties."""
        out: dict[str, Any] = {}
        for name, one in inputs.all.items():
            if one.param is None:
                continue
            shape = shapes.get(name, one.shape)
            if shape is one.shape and any(r.name for _, r in shape.records()) and inputs is not self.inputs:
                shape = TEXT
            if shape.kind == "record" and shape is one.shape and inputs is not self.inputs:
                shape = TEXT
            out[name] = prop(shape, False)
        return out | {name: prop(shape, False) for name, shape in shapes.items() if name not in out}

    def policy_types(self) -> dict[str, Any]:
        out = types.policy_types(self.nodes.policies, {})
        for body in out.values():
            body.pop("derived_from")
        if "hot.policies.Deletion" in out:
            allowed = {"$valid_values": ["$value", ["Delete", "Retain", "Snapshot"]]}
            out["hot.policies.Deletion"]["properties"] = {"policy": {"type": "string", "validation": allowed}}
        if "hot.policies.Update" in out and self.model.update_shapes:
            out["hot.policies.Update"]["properties"] = {
                k: prop(shape, False) for k, shape in self.model.update_shapes.items()
            }
        return out

    # the service template

    def service(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if self.inputs.all:
            out["inputs"] = {name: self.input(name, one) for name, one in self.inputs.all.items()}
        if self.nested:
            mapped = {name: name for name, one in self.inputs.all.items() if one.param is not None}
            mappings: dict[str, Any] = {"node_type": self.own_type()}
            if mapped:
                mappings["properties"] = mapped
            if self.outputs:
                mappings["attributes"] = {name_of(name): name for name in self.outputs}
            out["substitution_mappings"] = mappings
        out["node_templates"] = {
            name: {k: v for k, v in one.items() if k != "capabilities"} for name, one in self.nodes.templates.items()
        }
        if self.nodes.groups:
            out["groups"] = self.nodes.groups
        if self.nodes.policies:
            policies = [{name: self.policy(policy)} for name, policy in self.nodes.policies.items()]
            out["policies"] = policies
        outputs: dict[str, Any] = {}
        for name, one in self.outputs.items():
            condition = self.stack.template.outputs[name].condition
            if condition is not None:
                said = condition.name if isinstance(condition, ir.ConditionRef) else hotjson.text(condition)
                one = {"metadata": {"hot.condition": said}, **one}
            outputs[name] = one
        if outputs:
            out["outputs"] = outputs
        return out

    @staticmethod
    def policy(policy: dict[str, Any]) -> dict[str, Any]:
        """Replaces get_input by its TOSCA 2.0 form."""
        properties = {
            k: {"$get_input": v["get_input"]} if isinstance(v, dict) and "get_input" in v else v
            for k, v in policy.get("properties", {}).items()
        }
        return {**policy, "properties": properties} if properties else policy


def in_hot(constraint: ir.Constraint) -> dict[str, Any]:
    said = {constraint.kind: hotjson.data(constraint.value)}
    return said if constraint.description is None else {**said, "description": constraint.description}
