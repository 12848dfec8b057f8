"""Converts a template to a TOSCA 1.3 service template, with all sections in order.

Types come first, and only types in use. If TOSCA has no place for a part of the template, it becomes a string in the
metadata of the file. docs/tosca.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.tosca import hotjson, scaling
from emitters.tosca.archive import TemplateArchive
from emitters.tosca.inputs import TemplateInputs
from emitters.tosca.model import ROOT, NodeModel
from emitters.tosca.references import EXPRESSION, ValueOwner
from emitters.tosca.shapes import ANY, ShapeInference
from emitters.tosca.software import SoftwareOperations, declare_interfaces
from emitters.tosca.v1_3 import types
from emitters.tosca.v1_3.functions import ValueTranslation
from emitters.tosca.v1_3.nodes import NodeWriter
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import ir
from transpile.model.words import count_noun
from transpile.report import StackReport, make_fate
from transpile.resolve.stack import Stack

AUTHOR = "hot2tf"


class ServiceTemplate:
    """A TOSCA 1.3 service template. `name`: its name; `file`: its path in the archive."""

    FUNCTIONS: type[ValueTranslation] = ValueTranslation
    NODES: type[NodeWriter] = NodeWriter
    NESTS = False  # whether lists and maps may be nested

    def __init__(
        self,
        stack: Stack,
        name: str,
        file: str,
        archive: TemplateArchive,
        stacks: Mapping[int, TemplateInputs],
        nested: bool,
    ) -> None:
        self.stack, self.name, self.archive, self.stacks, self.nested = stack, name, archive, stacks, nested
        self.inputs = stacks[id(stack)]
        self.model = NodeModel(stack, self.inputs, archive.names)
        self.functions = self.FUNCTIONS(
            self.model,
            lambda file_name: archive.add_template_file(stack, file, file_name),
            archive.artifact_reporter(stack),
        )
        self.software = SoftwareOperations(
            self.model, self.functions, lambda preferred_path, text: archive.add_text_file(file, preferred_path, text)
        )
        budget = self.stack.template.source.budget
        self.model.settle_shapes(ShapeInference(self.kind_of_expression, budget, nests=self.NESTS))
        self.nodes = self.NODES(self.model, self.functions, self.software)
        self.nodes.write_conditions()
        self.nodes.write_resources()
        scaling.add_scaling_policies(self.model, self.nodes)
        self.outputs, self.output_report = self.write_outputs()
        self.nodes.flush_expression_nodes()

    def kind_of_expression(self, expr: ir.Expr) -> str:
        """The shape kind of a function's value, if known."""
        return self.inputs.shape_kind(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else ""

    # sections

    def build_document(self) -> dict[str, Any]:
        """Builds the document."""
        out: dict[str, Any] = {"tosca_definitions_version": "tosca_simple_yaml_1_3"}
        if self.stack.template.description:
            out["description"] = self.stack.template.description
        out["metadata"] = self.build_metadata()
        nodes = self.declare_node_types()
        conditional = self.has_conditions()
        data = dict(self.inputs.data_types) | self.model.data_types
        sections: dict[str, Any] = {"data_types": types.declare_data_types(data.items())}
        members = any(t.member_property for t in self.model.types.values())
        sections["capability_types"] = types.MEMBER if members else {}
        relationships = dict(types.RELATIONSHIPS) if nodes else {}
        if not conditional:
            relationships.pop("hot.relationships.ConditionedOn", None)
        if not members:
            relationships.pop("hot.relationships.Multiplies", None)
        sections["relationship_types"] = relationships
        operated = any(t.operated for t in self.model.types.values())
        sections["interface_types"] = types.LIFECYCLE if operated else {}
        sections["node_types"] = nodes
        sections["group_types"] = types.MEMBERS if self.nodes.groups else {}
        sections["policy_types"] = types.declare_policy_types(self.nodes.policies, self.model.update_shapes)
        out |= {key: value for key, value in sections.items() if value}
        out["topology_template"] = self.build_topology()
        return out

    def has_conditions(self) -> bool:
        return bool(self.model.conditions) or any(r.is_conditional for r in self.stack.template.resources.values())

    def build_metadata(self) -> dict[str, str]:
        template = self.stack.template
        out = {
            "template_name": self.name,
            "template_author": AUTHOR,
            "template_version": "1.0",
            "hot.heat_template_version": template.version.name,
        }
        for name, template_input in self.inputs.by_name.items():
            if template_input.extra:
                out[f"hot.parameter.{name}"] = hotjson.to_json_line(template_input.extra)
        if template.capabilities:
            out["hot.capabilities"] = hotjson.capabilities_json(template)
        if template.parameter_groups:
            groups = [
                {
                    k: v
                    for k, v in (("label", g.label), ("description", g.description), ("parameters", list(g.parameters)))
                    if v is not None
                }
                for g in template.parameter_groups
            ]
            out["hot.parameter_groups"] = hotjson.to_json_line(groups)
        for name, output in template.outputs.items():
            if output.is_conditional:
                out[f"hot.output.{name}"] = hotjson.to_json_line(
                    {"condition": hotjson.expression_data(output.condition)}
                )
        if not self.nested:
            out |= self.environment_metadata()
        return out

    def environment_metadata(self) -> dict[str, str]:
        """Metadata for the contents of environments other than parameter values."""
        metadata: dict[str, dict[str, Any]] = {}
        for environment in self.stack.environments:
            sections = {
                "requires": environment.requires,
                "resource_registry": environment.registry,
                "parameter_merge_strategies": environment.strategies,
            }
            for section, entries in sections.items():
                for key, entry in entries.items():
                    metadata.setdefault(section, {})[key] = hotjson.expression_data(entry.value)
            for key, entry in environment.other.items():
                metadata[key] = hotjson.expression_data(entry.value)
        return {f"hot.environment.{section}": hotjson.to_json_line(value) for section, value in metadata.items()}

    def declare_node_types(self) -> dict[str, Any]:
        used = list(self.model.types.values())
        conditions = self.has_conditions()
        base = types.parents_used(used)
        if self.nested:
            base |= {"hot.nodes.Stack", ROOT}
        lifted = any(t["type"] in (EXPRESSION, "hot.nodes.Condition") for t in self.nodes.templates.values())
        external = any(t.external for t in used)
        out: dict[str, Any] = {}
        if ROOT in base:
            out[ROOT] = types.root_type(conditions, external)
        if lifted or conditions:
            out[EXPRESSION] = types.expression_type()
        if conditions:
            out["hot.nodes.Condition"] = types.condition_type()
        if "hot.nodes.Group" in base:
            out["hot.nodes.Group"] = types.group_type()
        if "hot.nodes.Stack" in base:
            out["hot.nodes.Stack"] = types.nested_stack_type()
        if self.nested:
            out[self.own_type()] = self.own_definition()
        for node_type in used:
            if node_type.nested is not None and not node_type.outputs:
                node_type.outputs = tuple(node_type.nested.stack.template.outputs)
            definition = types.declare_node_type(node_type, conditions, self.stacks)
            if node_type.actions:
                definition["interfaces"] = declare_interfaces(node_type)
            out[node_type.name] = definition
        return out

    def own_type(self) -> str:
        return f"hot.nodes.stacks.{self.archive.names[id(self.stack)]}"

    def own_definition(self) -> dict[str, Any]:
        """The node type that a nested template substitutes."""
        out: dict[str, Any] = {
            "derived_from": "hot.nodes.Stack",
            "metadata": {"hot.template": self.archive.sources[id(self.stack)]},
        }
        if self.stack.template.capabilities:
            out["metadata"]["hot.capabilities"] = hotjson.capabilities_json(self.stack.template)
        if properties := types.parameter_properties(self.inputs, None):
            out["properties"] = properties
        if outputs := {name: {"type": "string"} for name in self.outputs}:
            out["attributes"] = outputs
        return out

    def build_topology(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if self.inputs.by_name:
            out["inputs"] = {name: template_input.definition for name, template_input in self.inputs.by_name.items()}
            if self.nested:  # the parent stack cannot set these
                missing = {
                    n: {**template_input.definition, "default": ""}
                    for n, template_input in self.inputs.by_name.items()
                    if template_input.param is None
                }
                out["inputs"] |= missing
        if self.nested:
            mapped = [name for name, template_input in self.inputs.by_name.items() if template_input.param is not None]
            mappings: dict[str, Any] = {"node_type": self.own_type()}
            if mapped:
                mappings["properties"] = {name: [name] for name in mapped}
            stack_id = self.stack.template.outputs.get("OS::stack_id")
            if stack_id is not None and isinstance(stack_id.value, ir.ResourceRef):
                mappings["attributes"] = {"id": [self.model.node_names[stack_id.value.name], "id"]}
            out["substitution_mappings"] = mappings
        if self.nodes.templates:
            out["node_templates"] = self.nodes.templates
        if self.nodes.groups:
            out["groups"] = self.nodes.groups
        if self.nodes.policies:
            out["policies"] = [{name: policy} for name, policy in self.nodes.policies.items()]
        if self.outputs:
            out["outputs"] = self.outputs
        return out or {"node_templates": {}}

    def service_diagnostics(self) -> list[Diagnostic]:
        """Diagnostics about the service template as a whole."""
        source = self.stack.template.source
        out = []
        if (number := len(self.functions.places)) > 0:
            use = count_noun(number, "value uses", "values use")
            message = (
                f"{use} functions that TOSCA 1.3 does not have; nodes of type hot.nodes.Expression represent them."
            )
            out.append(Diagnostic(codes.FUNCTIONS_AS_NODES, message, source, self.functions.places[0].in_text))
        return out + self.software.diagnostics

    def write_outputs(self) -> tuple[dict[str, Any], dict[str, Any]]:
        out: dict[str, Any] = {}
        report: dict[str, Any] = {}
        for name, output in self.stack.template.outputs.items():
            owner = ValueOwner(f"output_{name}", is_node=False)
            definition: dict[str, Any] = {}
            if output.description:
                definition["description"] = output.description
            definition["value"] = self.functions.translate_value(output.value, ANY, owner, ())
            self.nodes.flush_expression_nodes()
            out[name] = definition
            report[name] = {"output": name}
            if output.is_conditional:
                word = next(
                    (w for w, m in self.stack.template.version.dialect.output.items() if m == "condition"), "condition"
                )
                report[name]["keys"] = {word: make_fate("value", "metadata", f"hot.output.{name}")}
        return out, report

    # the report

    def build_report(self) -> StackReport:
        report = StackReport()
        report.capabilities = {
            name: make_fate("value", "metadata", "hot.capabilities") for name in self.stack.template.capabilities
        }
        for name, template_input in self.inputs.by_name.items():
            entry: dict[str, Any] = {"input": name}
            keys = {
                path: make_fate("value", f"input.{name}" if to == "constraints" else "metadata", to)
                for path, to in template_input.keys.items()
            }
            for word in template_input.param.keys if template_input.param is not None else ():
                meaning = self.stack.template.version.dialect.parameter.get(word, word)
                if meaning in ("label", "hidden", "immutable", "tags"):
                    keys[word] = make_fate("value", "metadata", f"hot.parameter.{name}")
                elif meaning == "constraint_description":
                    keys[word] = make_fate("derived", "metadata", f"hot.parameter.{name}", "with each constraint")
            if keys:
                entry["keys"] = keys
            report.parameters[name] = entry
        report.conditions = {name: {"node": node} for name, node in self.model.conditions.items()}
        report.outputs = self.output_report
        report.resources = self.nodes.reports
        return report
