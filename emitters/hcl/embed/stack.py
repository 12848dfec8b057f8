"""Embedded stacks: resources that stay with Heat, as one `openstack_orchestration_stack_v1` for each group.

Invariant: all parameters of the template are passed, in the form that Heat prints back. All outputs are strings: if one
is not, the provider loses every output of the stack.
"""

from __future__ import annotations

from typing import NamedTuple, final

from emitters.hcl.embed.inputs import EmbeddedInputs
from emitters.hcl.embed.templates import NestedTemplates
from emitters.hcl.emission import Emission
from emitters.hcl.namespace import UniqueNames, snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.planner import OUTPUT, describe_member
from emitters.hcl.resources.handles import is_traversal
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
from transpile.diagnostics import codes
from transpile.diagnostics.model import make_sentence
from transpile.model import ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import Fate, attribute_path, make_fate
from transpile.text.wrapping import wrap_line

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
    condition: ir.Expr
    form: str


@final
class EmbeddedStack:
    """A group of resources that stay with Heat, and the Terraform resource for their stack."""

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
        self.conditions = () if emission.unit.running.exists else self.shared_conditions()
        self.assumptions = frozenset(self.conditions)
        self.is_read_only = first in emission.unit.plan.readers  # a read-only stack
        self.extra_blocks: list[Block] = []
        self.inputs = EmbeddedInputs(self)
        self.nested_templates = NestedTemplates(emission)

    def naming_rank(self, name: str) -> int:
        """The rank of a member for the name of the stack: the member with the lowest rank gives the stack its name."""
        stack = self.emission.unit.stack
        resource = stack.template.resources.get(name)
        if resource is None:
            return len(NAMING)
        kind = stack.types[name]
        if (name, resource.type) in stack.nested:
            return 0
        return next((i for i, words in enumerate(NAMING) if kind.endswith(words)), USUAL)

    def shared_conditions(self) -> tuple[ir.Expr, ...]:
        """The condition that all members share, which becomes the condition of the stack; empty if they share none."""
        conditions: list[ir.Expr] = []
        for name in self.members:
            resource = self.emission.unit.template.resources.get(name)
            if resource is None or not self.emission.unit.has_count(resource):
                return ()
            conditions += resource.conditions
        forms = {repr(self.emission.data.normalize_condition(c)) for c in conditions}
        return tuple(conditions[:1]) if len(forms) == 1 else ()

    # outputs

    def read_output(
        self,
        key: object,
        preferred_name: str,
        expr: ir.Expr,
        declared: str | None,
        is_string: bool,
        condition: ir.Expr = ir.ALWAYS,
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
            if self.conditions:
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
        stack = self.emission.unit.stack
        aliased = self.nested_templates.alias_member_types(stack, resource, resource.properties)
        member = replace(
            resource,
            properties=aliased,
            depends_on=tuple(d for d in resource.depends_on if d.name in self.member_names),
            condition=ir.ALWAYS if self.conditions else resource.condition,
        )
        rewritten = ir.rebuilt_resource(member, self.inputs.rewrite_expression)
        nested = stack.nested.get((resource.name, resource.type))
        kind = resource.kind if stack.registry else resource.type
        if nested is not None:
            kind = self.nested_templates.request_alias(nested, resource.type)
        return replace(rewritten, type=kind)

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
        for entry in resource.entries:
            self.record_value_fates(report.properties, entry.key, entry.value)
        for key in resource.keys:
            word = self.emission.unit.template.version.dialect.resource.get(key)
            if word in ("type", "properties", "description"):
                continue
            if word is None:
                report.keys[key] = make_fate("implied", why="Heat ignores this key")
            elif word == "depends_on" and any(d.name not in self.member_names for d in resource.depends_on):
                continue  # recorded with the order
            elif word == "condition" and self.conditions:
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
                ir.is_written_condition(condition) and not self.conditions
            ):  # an output without a value would make the provider lose all outputs
                nothing = ir.Lit(None if form == "listed" else "")
                inner = ir.If(self.inputs.rewrite_expression(condition), inner, nothing, fn="if")
            if form != "plain":
                value = ir.Seq((inner,)) if form == "listed" else inner
                params = ir.Map((ir.Entry(PRINTED, value),))
                template = ir.Entry("template", ir.Lit(PRINTED))
                inner = ir.Call("str_replace", ir.Map((template, ir.Entry("params", params))))
            self.outputs[name] = ir.Output(name, inner)
        return bool(new)

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
            timeout = resource.find_property("timeout", "Timeout") if resource is not None else None
            if isinstance(timeout, ir.ParamRef):
                values = self.emission.unit.values_of_parameter(timeout.name)
            else:
                values = [timeout.value] if isinstance(timeout, ir.Lit) else []
            longest = max([longest, *(int(str(v)) for v in values if str(v).isdigit())])
        return longest

    def write_stack_block(self) -> None:
        """Writes the Terraform resource. Called when parameters and outputs are complete."""
        emission, block = self.emission, self.block
        for condition in self.conditions:
            block.add_argument("count", count_if(self.lowering.condition_outside_scope(condition)))
        name: Expr = emission.symbols.stack_name_variable()
        if not emission.unit.running.exists:
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
            inner = block.lifecycle()
            inner.comments += [
                " HOT453: Heat returns ****** for hidden parameters, and Terraform would send that with any change of",
                " this stack. Before you change it, remove ignore_changes: then the values that are set here are sent.",
            ]
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
            inner = block.lifecycle()
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
            lines = [
                f"{lead}{shorten_names(self.members, WIDTH - len(lead) - 1)}.",
                *self.list_reasons(),
            ]
        block.comments += [f" {part}" for line in lines for part in wrap_line(line, WIDTH, break_long_words=False)]

    def write_replacement_trigger(self) -> Expr:
        """Writes the reference whose change replaces a read-only stack: the resource that it reads, or a block with its
        ID.
        """
        arguments = tuple(expr for _, expr in self.inputs.arguments)
        if len(arguments) == 1 and is_traversal(arguments[0]) and self.emission.unit.plan.readers[self.members[0]]:
            return arguments[0]
        label = self.emission.names.reserve_label("terraform_data", self.label)
        keeper = Block("resource", ("terraform_data", label), span=self.block.span)
        for condition in self.conditions:
            keeper.add_argument("count", count_if(self.lowering.condition_outside_scope(condition)))
        keeper.add_argument("input", arguments[0] if len(arguments) == 1 else Tuple(arguments))
        self.extra_blocks.append(keeper)
        return Traversal(("terraform_data", label))


def shorten_names(names: list[str], room: int) -> str:
    """Names for a comment, as many as have room: `a, b and 3 more`. At least one; the report has the others."""
    names = [describe_member(name) for name in names]
    count = len(names) if len(names) <= MANY else MANY - 2
    while True:
        rest = len(names) - count
        text = ", ".join(names[:count]) + (f" and {rest} more" if rest else "")
        if len(text) <= room or count == 1:
            return text
        count -= 1
