"""Embedded stacks: resources that stay with Heat, as one `openstack_orchestration_stack_v1` for each group.

Invariant: all parameters of the template are passed, in the form that Heat prints back. All outputs are strings: if one
is not, the provider loses every output of the stack.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple, final

from emitters.hcl.embed.inputs import EmbeddedInputs
from emitters.hcl.embed.templates import NestedTemplates
from emitters.hcl.embed.texts import is_reliable_string, is_string_attribute
from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import UniqueNames, snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.plan.readers import SINCE
from emitters.hcl.resources.handles import is_traversal
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Fn,
    ForObject,
    Index,
    Object,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
    count_if,
)
from emitters.hcl.tree.types import ANY, BOOL, NUMBER, STRING, TypedValue
from transpile import targets
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, make_sentence
from transpile.model import ir
from transpile.model.attribute_paths import MemberCount, parse_attribute_path
from transpile.model.intrinsics import look_up_template_version
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import Fate, attribute_path, make_fate

STACK = "openstack_orchestration_stack_v1"
PRINTED = "value"  # placeholder that converts a value to text
HOUR = 3600
REASONS, WIDTH, MANY = 6, 96, 5  # of the comment above a stack: lines, columns, names in a list
USUAL = 3
NAMING: tuple[tuple[str, ...], ...] = (  # endings of types, by rank: the best type to name a stack after comes first
    ("ResourceGroup", "ResourceChain", "AutoScalingGroup", "InstanceGroup", "::Cluster"),
    ("Server", "EC2::Instance"),
    ("Deployment", "Deployments", "DeploymentGroup"),
    (),  # all others
    ("Config", "LaunchConfiguration", "MultipartMime", "ScalingPolicy", "AccessPolicy", "AccessKey", "IAM::User"),
    ("Handle", "WaitCondition", "::SwiftSignal"),
)
NO_ENVIRONMENT = "{}"
AS_IS = "in {file}, as in the template"
TEMPLATE_FILE = ".tftpl"  # suffix of a file in which Terraform inserts values
IN_TEXT = "inserted as JSON: Heat would print a parameter in another way than Terraform"


class RequestedOutput(NamedTuple):
    """An output that something outside the stack needs, with its condition.

    form: plain (a string), printed (as Heat prints the value inside a string), or listed. A listed value is printed as
    the only item of a list. This distinguishes null from an empty string, and a string that looks like JSON from JSON.
    """

    name: str
    expr: ir.Expr
    condition: ir.Expr | None
    form: str


@final
class EmbeddedStack:
    """One group of resources that stay with Heat, and the Terraform resource for their stack."""

    def __init__(self, emission: Emission, members: list[str]) -> None:
        self.lowering = emission.lowering
        self.emission, self.members, self.member_names = emission, members, frozenset(members)
        first = members[0]
        chief = min(members, key=self.naming_rank)
        preferred_label = snake_case(chief) if not chief.startswith(OUTPUT) else "outputs"
        self.label = emission.names.reserve_label(STACK, preferred_label)
        self.address = f"{STACK}.{self.label}"
        self.file = emission.names.reserve_template_file(f"{self.label}.yaml")
        self.resources: dict[str, ir.Resource] = {}
        self.outputs: dict[str, ir.Output] = {}
        self.requested_outputs: list[RequestedOutput] = []
        self.output_names = UniqueNames()
        self.names_by_key: dict[object, str] = {}  # names of outputs
        self.outputs_reference: Traversal | None = None
        self.block = Block("resource", (STACK, self.label))
        self.is_cfn = not emission.unit.template.version.is_hot
        self.asks_heat = False  # whether the member that is being written asks Heat for its metadata
        self.has_structured_outputs = False  # whether an output needs functions that take maps and lists
        self.condition = self.shared_condition() if emission.unit.live is None else None  # a running stack exists
        self.assumptions = frozenset(() if self.condition is None else (self.condition,))
        self.is_read_only = first in emission.unit.plan.readers  # a read-only stack
        self.extra_blocks: list[Block] = []
        self.inputs = EmbeddedInputs(self)
        self.nested_templates = NestedTemplates(emission)

    def naming_rank(self, name: str) -> int:
        """How well a member describes the stack: the one with the lowest rank gives the stack its name."""
        stack = self.emission.unit.stack
        resource = stack.template.resources.get(name)
        if resource is None:
            return len(NAMING)
        kind = stack.types[name]
        if (name, resource.type) in stack.nested:
            return 0
        return next((i for i, words in enumerate(NAMING) if kind.endswith(words)), USUAL)

    def shared_condition(self) -> ir.Expr | None:
        """The condition that all members share, which becomes the condition of the stack; None if they share none."""
        conditions = []
        for name in self.members:
            resource = self.emission.unit.template.resources.get(name)
            if resource is None or resource.condition is None or not self.emission.unit.has_count(resource):
                return None
            conditions.append(resource.condition)
        return (
            conditions[0] if len({repr(self.emission.data.normalize_condition(c)) for c in conditions}) == 1 else None
        )

    # outputs

    def read_output(
        self,
        key: object,
        preferred_name: str,
        expr: ir.Expr,
        declared: str | None,
        is_string: bool,
        condition: ir.Expr | None = None,
    ) -> TypedValue:
        """The value of an expression over the members, read from an output of the stack, which is added if it is new.

        key: identifies the output, so that the same expression is one output. declared: the type that the catalog
        declares for the value; None if it does not say. A missing output is null: `terraform test` with mocked
        providers has no outputs.
        """
        if key not in self.names_by_key:
            self.names_by_key[key] = name = self.output_names.reserve_name(preferred_name)
            is_structured = declared in ("list", "map", "any")
            form = "listed" if is_structured else "plain" if is_string and declared == "string" else "printed"
            self.requested_outputs.append(RequestedOutput(name, expr, condition, form))
            self.has_structured_outputs = self.has_structured_outputs or is_structured
        name, outputs = self.names_by_key[key], self.add_outputs_local()
        if declared in ("list", "map", "any"):
            return TypedValue(Index(Fn("jsondecode", (Fn("lookup", (outputs, name, "[null]")),)), 0), ANY, True)
        read = Fn("lookup", (outputs, name, None))
        if declared in ("integer", "number"):
            return TypedValue(Fn("tonumber", (read,)), NUMBER, True)
        if declared == "boolean":
            return TypedValue(Fn("tobool", (Fn("lower", (read,)),)), BOOL, True)
        return TypedValue(read, STRING, True)

    def add_outputs_local(self) -> Traversal:
        """The local that holds the stack's outputs by name."""
        if self.outputs_reference is None:
            out = Traversal(("output",))
            label = self.emission.names.locals.reserve_name(self.label)
            outputs: Expr = Traversal((STACK, self.label, "outputs"))
            if self.condition is not None:
                outputs = Fn("flatten", (Splat(Traversal((STACK, self.label)), ("outputs",)),))
            outputs_by_name = ForObject(("output",), outputs, Attr(out, "output_key"), Attr(out, "output_value"))
            self.emission.blocks.locals[label] = Argument(label, outputs_by_name)
            self.outputs_reference = Traversal(("local", label))
        return self.outputs_reference

    # writing

    def write_members(self) -> None:
        """Writes the members. `write_requested_outputs` adds the outputs, when their readers are written."""
        emission = self.emission
        for name in self.members:
            if name.startswith(OUTPUT):
                continue
            resource = emission.unit.template.resources[name]
            self.lowering = emission.lowering.with_position(resource)
            self.asks_heat = bool(emission.unit.plan.why_server_needs_heat(resource))
            self.resources[name] = self.embed_member(resource)
            self.asks_heat = False
            report = emission.log.resource_report(resource)
            report.treatment, report.addresses = "embedded", [self.address]
            outside = [d.name for d in resource.depends_on if d.name not in self.member_names]
            if outside:
                word = next(
                    k for k in resource.keys if emission.unit.template.version.dialect.resource.get(k) == "depends_on"
                )
                emission.ordering.embedded.append(Wait(self.block, resource.name, outside, word, ""))
        at = emission.unit.template.resources[self.members[0]].at if not self.members[0].startswith(OUTPUT) else -1
        self.block.span = Span(at, at + 1)

    def embed_member(self, resource: ir.Resource) -> ir.Resource:
        properties = resource.properties
        stack = self.emission.unit.stack
        inner = (
            self.inputs.rewrite_expression(self.nested_templates.alias_member_types(stack, resource, properties))
            if properties is not None
            else None
        )
        nested = stack.nested.get((resource.name, resource.type))
        kind = resource.kind if stack.registry else resource.type
        if nested is not None:
            kind = self.nested_templates.request_alias(nested, resource.type)
        alone = resource.condition is not None and self.condition is None
        condition = (
            self.inputs.rewrite_expression(resource.condition) if alone and resource.condition is not None else None
        )
        return ir.Resource(
            resource.name,
            kind,
            inner if isinstance(inner, ir.Map) else None,
            self.inputs.rewrite_expression(resource.metadata) if resource.metadata is not None else None,
            tuple(d for d in resource.depends_on if d.name in self.member_names),
            self.inputs.rewrite_expression(resource.update_policy) if resource.update_policy is not None else None,
            self.inputs.rewrite_expression(resource.deletion_policy) if resource.deletion_policy is not None else None,
            self.inputs.rewrite_expression(resource.external_id) if resource.external_id is not None else None,
            condition,
            resource.description,
            keys=resource.keys,
            span=resource.span,
        )

    # the report

    def record_fates(self) -> None:
        """Records the fates of all members. Called when all inserted values are known."""
        if self.inputs.inserted_values:
            self.file += TEMPLATE_FILE
        for name in self.members:
            if not name.startswith(OUTPUT):
                self.record_member_fates(self.emission.unit.template.resources[name])

    def record_member_fates(self, resource: ir.Resource) -> None:
        """Records the fates of a member: values that are parameters, and values in the text."""
        report = self.emission.log.resource_report(resource)
        report.template = self.file
        for entry in resource.properties.entries if resource.properties is not None else ():
            self.record_value_fates(report.properties, entry.key, entry.value)
        for key in resource.keys:
            word = self.emission.unit.template.version.dialect.resource.get(key)
            if word in ("type", "properties", "description"):
                continue
            if word is None:
                report.keys[key] = make_fate("implied", why="Heat ignores this key")
            elif word == "depends_on" and any(d.name not in self.member_names for d in resource.depends_on):
                continue  # recorded with the order
            elif word == "condition" and self.condition is not None:
                report.keys[key] = make_fate("derived", self.address, "count", "the stack exists only if it is true")
            else:
                report.keys[key] = make_fate("derived", self.address, "template_opts.Bin", AS_IS.format(file=self.file))

    def record_value_fates(self, fates: dict[str, Fate], path: str, expr: ir.Expr) -> None:
        if isinstance(expr, ir.Map) and expr.entries:
            for entry in expr.entries:
                self.record_value_fates(fates, f"{path}.{entry.key}", entry.value)
        elif isinstance(expr, ir.Seq) and expr.items:
            for i, item in enumerate(expr.items):
                self.record_value_fates(fates, f"{path}.{i}", item)
        elif isinstance(expr, ir.ParamRef) and ("json", expr.name, expr.path) in self.inputs.parameter_names:
            fates[path] = make_fate("derived", self.address, "template_opts.Bin", IN_TEXT)
        elif isinstance(expr, ir.ParamRef) and ("param", expr.name) in self.inputs.parameter_names and not expr.path:
            name = self.inputs.parameter_names["param", expr.name]
            joined = self.inputs.parameters[name].type == "comma_delimited_list"
            fates[path] = make_fate(
                "derived" if joined else "value",
                self.address,
                f"parameters.{name}",
                "joined with commas, as Heat expects lists" if joined else "",
            )
        elif (
            isinstance(expr, (ir.ResourceRef, ir.AttrRef))
            and expr.name not in self.member_names
            and expr.name in self.emission.unit.template.resources
        ):
            key = (expr.name, attribute_path(expr.path), expr.path) if isinstance(expr, ir.AttrRef) else (expr.name,)
            if self.inputs.parameter_names.get(key) in self.inputs.inserted_values:
                fates[path] = make_fate("reference", self.address, "template_opts.Bin")
            elif key in self.inputs.parameter_names:
                fates[path] = make_fate("reference", self.address, f"parameters.{self.inputs.parameter_names[key]}")
            else:
                fates[path] = make_fate("derived", self.address, "template_opts.Bin", AS_IS.format(file=self.file))
        else:
            why = AS_IS.format(file=self.file)
            if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
                why += "; the resource that it references is there too"
            fates[path] = make_fate("derived", self.address, "template_opts.Bin", why)

    # finishing

    def write_requested_outputs(self) -> bool:
        """Writes the outputs that were requested since the last call. True if there were any."""
        new = self.requested_outputs[len(self.outputs) :]
        for name, expr, condition, form in new:
            inner = self.inputs.rewrite_expression(expr)
            if (
                condition is not None and self.condition is None
            ):  # an output without a value would make the provider lose all outputs
                nothing = ir.Lit(None if form == "listed" else "")
                inner = ir.If(self.inputs.rewrite_expression(condition), inner, nothing, fn="if")
            if form != "plain":
                shown = ir.Seq((inner,)) if form == "listed" else inner
                params = ir.Map((ir.Entry(PRINTED, shown),))
                template = ir.Entry("template", ir.Lit(PRINTED))
                inner = ir.Call("str_replace", ir.Map((template, ir.Entry("params", params))))
            self.outputs[name] = ir.Output(name, inner)
        return bool(new)

    def build_template(self) -> ir.Template:
        """The embedded template."""
        from transpile.rewrite import cfn_to_hot

        source = self.emission.unit.template
        resources, outputs, conditions = self.resources, self.outputs, self.inputs.conditions
        exprs: list[ir.Expr] = [
            e
            for r in resources.values()
            for e in (r.properties, r.metadata, r.update_policy, r.condition)
            if e is not None
        ] + [o.value for o in outputs.values()]
        needed = SINCE if self.is_read_only else cfn_to_hot.BASE if self.has_structured_outputs else ""
        if self.is_cfn or not source.version.is_hot_since(needed):
            words = source.version.dialect.resource
            texts = cfn_to_hot.scalar_parameters(self.inputs.parameters)
            modern = cfn_to_hot.CfnRewriter(source.source, self.emission.unit.group_names, texts)
            resources = {n: cfn_to_hot.rewrite_cfn_resource(r, modern, words) for n, r in resources.items()}
            outputs = {n: ir.Output(n, modern.rewrite_expression(o.value)) for n, o in outputs.items()}
            conditions = {
                n: ir.Condition(n, modern.rewrite_expression(c.value), (), c.span) for n, c in conditions.items()
            }
            exprs = (
                [e for r in resources.values() for e in (r.properties, r.metadata, r.update_policy) if e is not None]
                + [o.value for o in outputs.values()]
                + [c.value for c in conditions.values()]
            )
            recent = bool(self.is_read_only or conditions) or any(r.condition is not None for r in resources.values())
            used = cfn_to_hot.minimum_version(exprs, recent)
            chosen = look_up_template_version(max(used, source.version.date) if not self.is_cfn else used)
        else:
            chosen = source.version
        name = source.source.name.rpartition("/")[2]
        kept = self.emission.unit.comments_in(resources.values())
        what = "Attributes that Terraform cannot read" if self.is_read_only else "Resources that stay with Heat"
        description = f"{what}. Part of {name}."
        parameters = self.inputs.parameters
        return ir.Template(
            chosen, source.source, description, (), parameters, {}, conditions, resources, outputs, comments=kept
        )

    def print_template(self) -> str:
        """The text of the embedded template. Instead of a `get_param` of an inserted value, it has an interpolation."""
        shown, mark = self.build_template(), "inserted"
        printed: str = targets.load_target_module("hot").show(shown)
        if not self.inputs.inserted_values:
            return printed
        while mark in printed:  # a mark must not occur in the text by itself
            mark += "_"
        marks = {f"{mark}_{i}_": name for i, name in enumerate(self.inputs.inserted_values)}
        words = {name: ir.Lit(word) for word, name in marks.items()}
        printed = targets.load_target_module("hot").show(replace_parameters(shown, words))
        parts = re.split(f"({mark}_[0-9]+_)", printed)
        text = strings.print_template_file([Traversal((marks[p],)) if p in marks else p for p in parts], "jsonencode")
        again = strings.render_template_file(text, "jsonencode", {name: word for word, name in marks.items()})
        if again != printed:
            message = f"{self.file} failed verification: Terraform would read it as something else."
            raise Stopped([Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message, shown.source)])
        return text

    def list_reasons(self) -> list[str]:
        """Why the members stay with Heat, without members that only follow others."""
        why: dict[str, list[str]] = {}
        for member in self.members:
            reason = self.emission.unit.plan.kept[member]
            if not reason.indirect:
                why.setdefault(reason.why, []).append(member)
        if len(self.members) == 1:
            return [make_sentence(text) for text in why]
        out = [f"{shorten_names(names, WIDTH - len(text) - 3)}: {text}." for text, names in why.items()]
        return out if len(out) <= REASONS else [*out[: REASONS - 1], f"{len(out) - REASONS + 1} more reasons."]

    def declaration_range(self) -> tuple[int, int]:
        """The offsets of the name of the first member in the template: its start and its end."""
        first = self.members[0]
        template = self.emission.unit.template
        if first.startswith(OUTPUT):
            at = template.outputs[first.removeprefix(OUTPUT)].at
        else:
            at = template.resources[first].at
        return at, at + len(first.removeprefix(OUTPUT))

    def longest_wait(self) -> int:
        """The longest known time that a member waits for a signal, in seconds."""
        longest = 0
        for name in self.members:
            resource = self.emission.unit.template.resources.get(name)
            if resource is None or resource.properties is None:
                continue
            timeout = resource.properties.get("timeout") or resource.properties.get("Timeout")
            if isinstance(timeout, ir.ParamRef):
                values = self.emission.unit.values_of_parameter(timeout.name)
            else:
                values = [timeout.value] if isinstance(timeout, ir.Lit) else []
            longest = max([longest, *(int(str(v)) for v in values if str(v).isdigit())])
        return longest

    def write_stack_block(self) -> None:
        """Writes the Terraform resource. Called when parameters and outputs are complete."""
        emission, block = self.emission, self.block
        if self.condition is not None:
            block.add_argument("count", count_if(self.lowering.condition_outside_scope(self.condition)))
        name: Expr = emission.symbols.stack_name_variable()
        if emission.unit.live is None:
            name = StringTemplate((name, f"-{self.label.replace('_', '-')}"))
        block.add_argument("name", name)
        block.add_argument("disable_rollback", True)
        path = StringTemplate((Traversal(("path", "module")), f"/{self.file}"))
        values = tuple(self.inputs.inserted_values.items())
        text = Fn("templatefile", (path, Object(values))) if values else Fn("file", (path,))
        block.add_argument("template_opts", Object((("Bin", text),)))
        environment = self.nested_templates.print_environment()
        # the provider always parses an environment, and fails without one
        block.add_argument("environment_opts", Object((("Bin", environment or NO_ENVIRONMENT),)))
        if environment is not None:
            for name in self.members:
                if not name.startswith(OUTPUT):
                    emission.log.report.resources[name].templates = list(self.nested_templates.aliases.values())
        if self.inputs.arguments:
            block.add_argument("parameters", Object(tuple((name, expr) for name, expr in self.inputs.arguments)))
        if self.inputs.hidden_parameters:
            inner = block.add_block("lifecycle")
            inner.comments.append(
                ' HOT453: Heat returns ****** for hidden parameters. To change one, use "terraform apply -replace".'
            )
            inner.add_argument(
                "ignore_changes",
                Tuple(tuple(Index(Traversal(("parameters",)), name) for name in self.inputs.hidden_parameters)),
            )
            emission.log.add_diagnostic(
                codes.HIDDEN_EMBEDDED_PARAMETER,
                f"Hidden parameters are passed to {self.address}: {', '.join(self.inputs.hidden_parameters)}.",
                Span(max(block.at, 0), -1),
                once=self.label,
            )
        if self.is_read_only and self.inputs.arguments:
            inner = block.add_block("lifecycle")
            inner.comments.append(" Heat cannot point this stack at another resource, so it is replaced.")
            inner.add_argument("replace_triggered_by", Tuple((self.write_replacement_trigger(),)))
        if (seconds := self.longest_wait()) > HOUR:
            limit = block.add_block("timeouts")
            limit.comments.append(" The default timeout of the provider is one hour. Heat waits longer here.")
            limit.add_argument("create", f"{seconds // 60 + 10}m")
        if self.is_read_only:
            lines = [f"HOT457: {emission.unit.plan.kept[self.members[0]].why}; Heat does."]
        else:
            lead = "HOT450: kept in Heat: "
            lines = [f"{lead}{shorten_names(self.members, WIDTH - len(lead) - 1)}.", *self.list_reasons()]
        block.comments += [f" {part}" for line in lines for part in textwrap.wrap(line, WIDTH, break_long_words=False)]

    def write_replacement_trigger(self) -> Expr:
        """The reference whose change replaces a read-only stack: the resource that it reads, or a block with its ID."""
        arguments = tuple(expr for _, expr in self.inputs.arguments)
        if len(arguments) == 1 and is_traversal(arguments[0]) and self.emission.unit.plan.readers[self.members[0]]:
            return arguments[0]
        label = self.emission.names.reserve_label("terraform_data", self.label)
        keeper = Block("resource", ("terraform_data", label), span=self.block.span)
        if self.condition is not None:
            keeper.add_argument("count", count_if(self.lowering.condition_outside_scope(self.condition)))
        keeper.add_argument("input", arguments[0] if len(arguments) == 1 else Tuple(arguments))
        self.extra_blocks.append(keeper)
        return Traversal(("terraform_data", label))


def shorten_names(names: list[str], room: int) -> str:
    """Names for a comment, as many as have room: `a, b and 3 more`. At least one; the report has the others."""
    count = len(names) if len(names) <= MANY else MANY - 2
    while True:
        rest = len(names) - count
        text = ", ".join(names[:count]) + (f" and {rest} more" if rest else "")
        if len(text) <= room or count == 1:
            return text
        count -= 1


def replace_parameters(template: ir.Template, literals: Mapping[str, ir.Lit]) -> ir.Template:
    """A template with literals in place of the references to some parameters. words: the literals, by parameter."""

    def substitute(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.ParamRef) and expr.name in literals:
            return literals[expr.name]
        return ir.rebuilt(expr, substitute)

    def substitute_optional(expr: ir.Expr | None) -> Any:
        return None if expr is None else substitute(expr)

    resources = {
        name: replace(
            resource,
            properties=substitute_optional(resource.properties),
            metadata=substitute_optional(resource.metadata),
            update_policy=substitute_optional(resource.update_policy),
            deletion_policy=substitute_optional(resource.deletion_policy),
            external_id=substitute_optional(resource.external_id),
            condition=substitute_optional(resource.condition),
        )
        for name, resource in template.resources.items()
    }
    outputs = {name: replace(output, value=substitute(output.value)) for name, output in template.outputs.items()}
    conditions = {
        name: replace(condition, value=substitute(condition.value)) for name, condition in template.conditions.items()
    }
    return replace(template, resources=resources, outputs=outputs, conditions=conditions)


@final
class EmbeddedHandle:
    """The handle of a resource that stays with Heat."""

    def __init__(self, embedded: EmbeddedStack, resource: ir.Resource) -> None:
        self.embedded, self.resource = embedded, resource

    def running_resource_error(self, lowering: HclLowering, ref: ir.Expr, what: str) -> CannotSay:
        """The error for a native resource that reads a running one, which stays with Heat. The old stack gets the
        output only when the adoption reduces it; until then, each plan would show changes.
        """
        name = self.resource.name
        why = f"{what} of {name}, which stays with Heat, is known only when the old stack is reduced"
        return CannotSay(codes.KEPT_IN_HEAT, why, ref)

    def find_physical_id(self) -> str | None:
        """The physical ID of a running resource; None if it is unknown, or if `get_resource` means something else."""
        emission, name = self.embedded.emission, self.resource.name
        live, kind = emission.unit.live, emission.unit.tables.find_mapping(emission.unit.stack.types[name])
        instances = live.running_resources(name) if live is not None and not live.module else []
        same = kind is not None and kind.treatment == "native" and kind.reference == "id"
        return instances[0].physical_id if same and instances and instances[0] is not None else None

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        emission, name = self.embedded.emission, self.resource.name
        if emission.unit.live is not None:
            if (physical_id := self.find_physical_id()) is not None:
                self.embedded.emission.log.resource_report(
                    self.resource
                ).reference = self.embedded.emission.log.reported_text(physical_id)
                return TypedValue(physical_id, STRING)
            if not lowering.scope.in_output:
                raise self.running_resource_error(lowering, ref, "the reference")
        value = self.embedded.read_output(
            (name,), name, ir.ResourceRef(name, span=ref.span), "string", True, self.resource.condition
        )
        self.embedded.emission.log.resource_report(self.resource).reference = self.embedded.emission.log.reported_text(
            value.expr
        )
        return value

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        emission, name = self.embedded.emission, self.resource.name
        if emission.unit.live is not None and not lowering.scope.in_output:
            raise self.running_resource_error(lowering, ref, attribute_path(ref.path[:1]) or "an attribute")
        kind = emission.unit.stack.types[name]
        facts = emission.unit.stack.catalog.find_type(kind)
        word, first = attribute_path(ref.path), attribute_path(ref.path[:1])
        declared: str | None = (facts or {}).get("attributes", {}).get(first) if len(ref.path) == 1 else None
        if declared is None and len(ref.path) == 1:
            declared = "any" if facts is None else None
        if kind.endswith("Group") and kind.startswith("OS::Heat::"):  # over all members, or of one
            declared = "integer" if isinstance(parse_attribute_path(kind, ref.path), MemberCount) else "any"
        elif first == "show":
            declared = "map" if len(ref.path) == 1 else "any"
        is_string = is_reliable_string(kind, first)
        if declared == "any" and is_string_attribute(emission.unit.stack, name, ref.path):
            declared = "string"
        preferred_name = "_".join([name, *[w for w in word.replace(".", "_").split("_") if w]])
        value = self.embedded.read_output(
            (name, ref.path),
            preferred_name,
            ir.AttrRef(name, ref.path, ref.fn, ref.span),
            declared,
            is_string,
            self.resource.condition,
        )
        emission.log.resource_report(self.resource).attributes.setdefault(word, emission.log.reported_text(value.expr))
        return value
