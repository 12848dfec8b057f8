"""Converts a template to a TOSCA 2.0 service template.

TOSCA 2.0 has only a few data types, so the file declares everything else that it uses: root types, capabilities,
relationships, interfaces, artifacts, and the functions that only Heat has.
"""

from __future__ import annotations

from typing import Any

from emitters.tosca import hotjson
from emitters.tosca.inputs import PSEUDO, TemplateInput, TemplateInputs
from emitters.tosca.model import PORT, ROOT, NodeType
from emitters.tosca.shapes import TEXT, Shape
from emitters.tosca.software import OPERATIONS
from emitters.tosca.v1_3 import types
from emitters.tosca.v1_3.service import ServiceTemplate
from emitters.tosca.v2_0.functions import ValueTranslation20, escape_dollar
from emitters.tosca.v2_0.nodes import NodeWriter20
from emitters.tosca.v2_0.types import (
    DEPENDS,
    FEATURE,
    FILE,
    LIFECYCLE,
    REFERENCES,
    attribute_name,
    define_data_type,
    define_property,
    define_requirement,
    escape_dollars,
    function_declaration,
    shape_definition,
)
from transpile.model import ir
from transpile.schema import parameters


class ServiceTemplate20(ServiceTemplate):
    """A TOSCA 2.0 service template."""

    FUNCTIONS, NODES, NESTS = ValueTranslation20, NodeWriter20, True
    functions: ValueTranslation20

    def build_document(self) -> dict[str, Any]:
        out: dict[str, Any] = {"tosca_definitions_version": "tosca_2_0"}
        if self.stack.template.description:
            out["description"] = self.stack.template.description
        out["metadata"] = self.build_metadata()
        service = self.build_service_template()
        sections: dict[str, Any] = {
            "functions": {name: function_declaration(name) for name in self.functions.used},
            "data_types": {
                name: define_data_type(shape)
                for name, shape in (dict(self.inputs.data_types) | self.model.data_types).items()
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
        sections["node_types"] = self.declare_node_types()
        sections["group_types"] = (
            {"hot.groups.Members": {"description": "the members of a group"}} if self.nodes.groups else {}
        )
        sections["policy_types"] = self.define_policy_types()
        out |= {key: value for key, value in sections.items() if value}
        out["service_template"] = service
        return out

    def build_metadata(self) -> dict[str, str]:
        elsewhere = ("hot.parameter.", "hot.output.")  # these are in the metadata of their inputs and outputs
        return {k: escape_dollar(v) for k, v in super().build_metadata().items() if not k.startswith(elsewhere)}

    # inputs

    def define_input(self, name: str, template_input: TemplateInput) -> dict[str, Any]:
        """The definition of an input."""
        out: dict[str, Any] = shape_definition(template_input.shape)
        if template_input.param is None:
            return {**out, "description": PSEUDO[name]}
        if template_input.param.description is not None:
            out["description"] = template_input.param.description
        extra = {k: v for k, v in template_input.extra.items() if k not in ("constraints", "default")}
        metadata: dict[str, Any] = {
            f"hot.{k}": v if isinstance(v, (str, bool)) else hotjson.to_json_line(v) for k, v in extra.items()
        }
        kept = [
            c for c in template_input.param.constraints if c.kind == "custom_constraint" or c.description is not None
        ]
        if kept:
            metadata["hot.constraints"] = hotjson.to_json_line([constraint_in_hot(c) for c in kept])
        if metadata:
            out["metadata"] = {k: escape_dollar(v) if isinstance(v, str) else v for k, v in metadata.items()}
        if "default" in template_input.definition:
            out["default"] = escape_dollars(template_input.definition["default"])
        clauses = [
            clause for c in template_input.param.constraints for clause in self.validation_clauses(template_input, c)
        ]
        if clauses:
            out["validation"] = clauses[0] if len(clauses) == 1 else {"$and": clauses}
        return out

    def validation_clauses(self, template_input: TemplateInput, constraint: ir.Constraint) -> list[dict[str, Any]]:
        """The validation clauses for a constraint."""
        value = constraint.value
        limits = {e.key: parameters.read_limit(e.value) for e in value.entries} if isinstance(value, ir.Map) else {}
        if constraint.kind == "modulo" and None not in limits.values() and "step" in limits:
            less: Any = {"$difference": ["$value", limits.get("offset") or 0]}
            return [{"$equal": [{"$remainder": [less, limits["step"]]}, 0]}]
        measured: Any = {"$length": ["$value"]} if constraint.kind == "length" else "$value"
        words = {"min": "$greater_or_equal", "max": "$less_or_equal"}
        if constraint.kind in ("length", "range") and not template_input.json:
            kind = (
                float if constraint.kind == "range" and template_input.shape.kind == "float" else int
            )  # both sides of a comparison have the same type
            return [{words[k]: [measured, kind(n)]} for k, n in limits.items() if k in words and n is not None]
        translated = constraint.kind in ("allowed_values", "allowed_pattern") and self.inputs.translate_constraint(
            template_input, constraint
        )
        if not translated:
            return []
        ((_, operand),) = translated[0].items()
        if constraint.kind == "allowed_pattern":
            return [{"$matches": ["$value", escape_dollar(operand)]}]
        if template_input.shape.kind == "list":
            return [{"$has_all_entries": [[escape_dollars(a) for a in operand], "$value"]}]
        return [{"$valid_values": ["$value", [escape_dollars(a) for a in operand]]}]

    # types

    def declare_node_types(self) -> dict[str, Any]:
        external = any(t.external for t in self.model.types.values())
        root: dict[str, Any] = {"description": "any resource"}
        if external:
            root["properties"] = {"external_id": types.external_id_property()}
        root["attributes"] = {"id": {"type": "string", "description": "the value of get_resource"}}
        root["capabilities"] = {"feature": {"type": FEATURE}}
        root["requirements"] = [define_requirement("dependency", DEPENDS), define_requirement("reference", REFERENCES)]
        out: dict[str, Any] = {ROOT: root}
        used = list(self.model.types.values())
        if any(t.member_property for t in used):
            about = "a resource that creates several copies of another one, the template of its members"
            member = define_requirement("member", "hot.relationships.Multiplies", [0, 1])
            out["hot.nodes.Group"] = {"derived_from": ROOT, "description": about, "requirements": [member]}
        if self.nested or any(t.nested is not None for t in used):
            out["hot.nodes.Stack"] = types.nested_stack_type()
        if self.nested:
            own: dict[str, Any] = {
                "derived_from": "hot.nodes.Stack",
                "metadata": {"hot.template": self.archive.sources[id(self.stack)]},
            }
            if properties := self.define_parameter_properties(self.inputs, {}):
                own["properties"] = properties
            if self.outputs:
                own["attributes"] = {attribute_name(n): {"type": "string"} for n in self.outputs}
            out[self.own_type()] = own
        for node_type in used:
            if node_type.nested is not None and not node_type.outputs:
                node_type.outputs = tuple(node_type.nested.stack.template.outputs)
            out[node_type.name] = self.define_node_type(node_type)
        return out

    def define_node_type(self, node_type: NodeType) -> dict[str, Any]:
        if node_type.alias_of is not None:
            out: dict[str, Any] = {"derived_from": node_type.parent, "metadata": {"hot.type": node_type.hot_type}}
            if node_type.actions:
                inputs = {k: {kk: escape_dollars(vv) for kk, vv in v.items()} for k, v in node_type.inputs.items()}
                body = {"inputs": inputs} if inputs else {}
                operations = {OPERATIONS[action][1]: body for action in node_type.actions}
                out["interfaces"] = {"Heat": {"type": LIFECYCLE, "operations": operations}}
            return out
        parent = (
            "hot.nodes.Group"
            if node_type.member_property
            else "hot.nodes.Stack"
            if node_type.nested is not None
            else ROOT
        )
        out = {"derived_from": parent, "metadata": {"hot.type": node_type.hot_type}}
        if node_type.member_property:
            out["metadata"]["hot.member_property"] = node_type.member_property
        properties = {
            k: define_property(shape, types.is_required(node_type, k)) for k, shape in node_type.shapes.items()
        }
        if node_type.nested is not None:
            out["metadata"]["hot.template"] = node_type.nested.file
            properties = self.define_parameter_properties(self.stacks[id(node_type.nested.stack)], node_type.shapes)
        if node_type.metadata:
            about = "the resource's metadata section, as JSON"
            properties["resource_metadata"] = {"type": "string", "description": about, "required": False}
        if properties:
            out["properties"] = properties
        attributes = {attribute_name(name): {"type": "string"} for name in node_type.outputs}
        attributes |= {name: shape_definition(shape) for name, shape in node_type.attributes.items()}
        if "id" in node_type.paths:
            attributes["id_attribute"] = {"type": "string", "description": "the attribute with the name id in Heat"}
        if attributes:
            out["attributes"] = attributes
        requirements = []
        if node_type.hosted:
            requirements.append(define_requirement("host", DEPENDS, [0, 1]))
        if node_type.kind == PORT and node_type.links:
            requirements.append(define_requirement("link", REFERENCES, [0, 1]))
        if requirements:
            out["requirements"] = requirements
        if node_type.operated:
            out["interfaces"] = {"Heat": {"type": LIFECYCLE}}
        return out

    def define_parameter_properties(self, inputs: TemplateInputs, shapes: dict[str, Shape]) -> dict[str, Any]:
        """The parameters of a nested template as properties."""
        out: dict[str, Any] = {}
        for name, template_input in inputs.by_name.items():
            if template_input.param is None:
                continue
            shape = shapes.get(name, template_input.shape)
            named = shape.kind == "record" or any(record.name for _, record in shape.inner_records())
            if named and shape is template_input.shape and inputs is not self.inputs:
                shape = TEXT
            out[name] = define_property(shape, False)
        return out | {name: define_property(shape, False) for name, shape in shapes.items() if name not in out}

    def define_policy_types(self) -> dict[str, Any]:
        out = types.declare_policy_types(self.nodes.policies, {})
        for body in out.values():
            body.pop("derived_from")
        if "hot.policies.Deletion" in out:
            allowed = {"$valid_values": ["$value", ["Delete", "Retain", "Snapshot"]]}
            out["hot.policies.Deletion"]["properties"] = {"policy": {"type": "string", "validation": allowed}}
        if "hot.policies.Update" in out and self.model.update_shapes:
            out["hot.policies.Update"]["properties"] = {
                k: define_property(shape, False) for k, shape in self.model.update_shapes.items()
            }
        return out

    # the service template

    def build_service_template(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if self.inputs.by_name:
            out["inputs"] = {
                name: self.define_input(name, template_input) for name, template_input in self.inputs.by_name.items()
            }
        if self.nested:
            mapped = {
                name: name for name, template_input in self.inputs.by_name.items() if template_input.param is not None
            }
            mappings: dict[str, Any] = {"node_type": self.own_type()}
            if mapped:
                mappings["properties"] = mapped
            if self.outputs:
                mappings["attributes"] = {attribute_name(name): name for name in self.outputs}
            out["substitution_mappings"] = mappings
        out["node_templates"] = {
            name: {k: v for k, v in node_template.items() if k != "capabilities"}
            for name, node_template in self.nodes.templates.items()
        }
        if self.nodes.groups:
            out["groups"] = self.nodes.groups
        if self.nodes.policies:
            policies = [{name: self.rewrite_policy(policy)} for name, policy in self.nodes.policies.items()]
            out["policies"] = policies
        outputs: dict[str, Any] = {}
        for name, definition in self.outputs.items():
            for condition in self.stack.template.outputs[name].conditions:
                condition_text = (
                    condition.name if isinstance(condition, ir.ConditionRef) else hotjson.expression_json(condition)
                )
                definition = {"metadata": {"hot.condition": condition_text}, **definition}
            outputs[name] = definition
        if outputs:
            out["outputs"] = outputs
        return out

    @staticmethod
    def rewrite_policy(policy: dict[str, Any]) -> dict[str, Any]:
        """Replaces get_input by its TOSCA 2.0 form."""
        properties = {
            k: {"$get_input": v["get_input"]} if isinstance(v, dict) and "get_input" in v else v
            for k, v in policy.get("properties", {}).items()
        }
        return {**policy, "properties": properties} if properties else policy


def constraint_in_hot(constraint: ir.Constraint) -> dict[str, Any]:
    hot_constraint = {constraint.kind: hotjson.expression_data(constraint.value)}
    return (
        hot_constraint if constraint.description is None else {**hot_constraint, "description": constraint.description}
    )
