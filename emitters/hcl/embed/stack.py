"""Embedded stacks: resources that stay with Heat, as one `openstack_orchestration_stack_v1` for each group.

Invariant: all parameters of the template are passed, in the form that Heat prints back. All outputs are strings: if one
is not, the provider loses every output of the stack.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple, final

from emitters.hcl.embed.inputs import Inputs
from emitters.hcl.embed.templates import NestedTemplates
from emitters.hcl.embed.texts import attribute_is_text, trusted
from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import Names, snake
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.plan.readers import SINCE
from emitters.hcl.resources.handles import chain
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Fn,
    ForObject,
    Index,
    Name,
    Object,
    Splat,
    Text,
    Tuple,
    one_if,
)
from emitters.hcl.tree.types import ANY, BOOL, NUMBER, STRING, Value
from transpile import targets
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, sentence
from transpile.model import ir
from transpile.model.attribute_paths import MemberCount, select
from transpile.model.intrinsics import version
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import Fate, attribute_path, fate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering

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


class Asked(NamedTuple):
    """An output that something outside the stack needs, with its condition.

    form: plain (a string), printed (as Heat prints the value inside a string), or listed. A listed value is printed as
    the only item of a list. This distinguishes null from an empty string, and a string that looks like JSON from JSON.
    """

    name: str
    expr: ir.Expr
    condition: ir.Expr | None
    form: str


@final
class Embedded:
    """One group of resources that stay with Heat, and the Terraform resource for their stack."""

    def __init__(self, emission: Emission, members: list[str]) -> None:
        self.lowering = emission.lowering
        self.emission, self.members, self.inside = emission, members, frozenset(members)
        first = members[0]
        chief = min(members, key=self.rank)
        wanted = snake(chief) if not chief.startswith(OUTPUT) else "outputs"
        self.label = emission.names.label(STACK, wanted)
        self.address = f"{STACK}.{self.label}"
        self.file = emission.names.template_file(f"{self.label}.yaml")
        self.resources: dict[str, ir.Resource] = {}
        self.outputs: dict[str, ir.Output] = {}
        self.wanted: list[Asked] = []
        self.output_names = Names()
        self.known: dict[object, str] = {}  # names of outputs
        self.local: Name | None = None
        self.block = Block("resource", (STACK, self.label))
        self.old = not emission.unit.template.version.hot
        self.asks_heat = False  # whether the member that is being written asks Heat for its metadata
        self.rich = False  # whether an output needs functions that take maps and lists
        self.when = self.shared() if emission.unit.live is None else None  # a running stack exists
        self.facts = frozenset(() if self.when is None else (self.when,))
        self.reads = first in emission.unit.plan.readers  # a read-only stack
        self.beside: list[Block] = []
        self.into = Inputs(self)
        self.kept = NestedTemplates(emission)

    def rank(self, name: str) -> int:
        """How well a member describes the stack: the one with the lowest rank gives the stack its name."""
        stack = self.emission.unit.stack
        resource = stack.template.resources.get(name)
        if resource is None:
            return len(NAMING)
        kind = stack.types[name]
        if (name, resource.type) in stack.nested:
            return 0
        return next((i for i, words in enumerate(NAMING) if kind.endswith(words)), USUAL)

    def shared(self) -> ir.Expr | None:
        """The condition that all members share, which becomes the condition of the stack; None if they share none."""
        found = []
        for name in self.members:
            resource = self.emission.unit.template.resources.get(name)
            if resource is None or resource.condition is None or not self.emission.unit.counted(resource):
                return None
            found.append(resource.condition)
        return found[0] if len({repr(self.emission.data.meaning(c)) for c in found}) == 1 else None

    # outputs

    def output(
        self,
        key: object,
        wanted: str,
        expr: ir.Expr,
        declared: str | None,
        sure: bool,
        condition: ir.Expr | None = None,
    ) -> Value:
        """The value of an expression over the members, read from an output of the stack, which is added if it is new.

        key: identifies the output, so that the same expression is one output. declared: the type that the catalog
        declares for the value; None if it does not say. A missing output is null: `terraform test` with mocked
        providers has no outputs.
        """
        if key not in self.known:
            self.known[key] = name = self.output_names.take(wanted)
            listed = declared in ("list", "map", "any")
            form = "listed" if listed else "plain" if sure and declared == "string" else "printed"
            self.wanted.append(Asked(name, expr, condition, form))
            self.rich = self.rich or listed
        name, outputs = self.known[key], self.outputs_local()
        if declared in ("list", "map", "any"):
            return Value(Index(Fn("jsondecode", (Fn("lookup", (outputs, name, "[null]")),)), 0), ANY, True)
        read = Fn("lookup", (outputs, name, None))
        if declared in ("integer", "number"):
            return Value(Fn("tonumber", (read,)), NUMBER, True)
        if declared == "boolean":
            return Value(Fn("tobool", (Fn("lower", (read,)),)), BOOL, True)
        return Value(read, STRING, True)

    def outputs_local(self) -> Name:
        """The local that holds the stack's outputs by name."""
        if self.local is None:
            out = Name(("output",))
            label = self.emission.names.locals.take(self.label)
            outputs: Expr = Name((STACK, self.label, "outputs"))
            if self.when is not None:
                outputs = Fn("flatten", (Splat(Name((STACK, self.label)), ("outputs",)),))
            found = ForObject(("output",), outputs, Attr(out, "output_key"), Attr(out, "output_value"))
            self.emission.blocks.locals[label] = Argument(label, found)
            self.local = Name(("local", label))
        return self.local

    # writing

    def write(self) -> None:
        """Writes the members. `write_requested_outputs` adds the outputs, when their readers are written."""
        emission = self.emission
        for name in self.members:
            if name.startswith(OUTPUT):
                continue
            resource = emission.unit.template.resources[name]
            self.lowering = emission.lowering.placed_at(resource)
            self.asks_heat = bool(emission.unit.plan.asks_heat(resource))
            self.resources[name] = self.member(resource)
            self.asks_heat = False
            report = emission.log.resource_report(resource)
            report.treatment, report.addresses = "embedded", [self.address]
            outside = [d.name for d in resource.depends_on if d.name not in self.inside]
            if outside:
                word = next(
                    k for k in resource.keys if emission.unit.template.version.dialect.resource.get(k) == "depends_on"
                )
                emission.ordering.embedded.append(Wait(self.block, resource.name, outside, word, ""))
        at = emission.unit.template.resources[self.members[0]].at if not self.members[0].startswith(OUTPUT) else -1
        self.block.span = Span(at, at + 1)

    def member(self, resource: ir.Resource) -> ir.Resource:
        properties = resource.properties
        stack = self.emission.unit.stack
        inner = self.into.expr(self.kept.typed(stack, resource, properties)) if properties is not None else None
        nested = stack.nested.get((resource.name, resource.type))
        kind = resource.kind if stack.registry else resource.type
        if nested is not None:
            kind = self.kept.alias(nested, resource.type)
        alone = resource.condition is not None and self.when is None
        condition = self.into.expr(resource.condition) if alone and resource.condition is not None else None
        return ir.Resource(
            resource.name,
            kind,
            inner if isinstance(inner, ir.Map) else None,
            self.into.expr(resource.metadata) if resource.metadata is not None else None,
            tuple(d for d in resource.depends_on if d.name in self.inside),
            self.into.expr(resource.update_policy) if resource.update_policy is not None else None,
            self.into.expr(resource.deletion_policy) if resource.deletion_policy is not None else None,
            self.into.expr(resource.external_id) if resource.external_id is not None else None,
            condition,
            resource.description,
            keys=resource.keys,
            span=resource.span,
        )

    # the report

    def account(self) -> None:
        """Records the fates of all members. Called when all inserted values are known."""
        if self.into.inserted:
            self.file += TEMPLATE_FILE
        for name in self.members:
            if not name.startswith(OUTPUT):
                self.account_for(self.emission.unit.template.resources[name])

    def account_for(self, resource: ir.Resource) -> None:
        """Records the fates of a member: values that are parameters, and values in the text."""
        report = self.emission.log.resource_report(resource)
        report.template = self.file
        for entry in resource.properties.entries if resource.properties is not None else ():
            self.leaves(report.properties, entry.key, entry.value)
        for key in resource.keys:
            word = self.emission.unit.template.version.dialect.resource.get(key)
            if word in ("type", "properties", "description"):
                continue
            if word is None:
                report.keys[key] = fate("implied", why="Heat ignores this key")
            elif word == "depends_on" and any(d.name not in self.inside for d in resource.depends_on):
                continue  # recorded with the order
            elif word == "condition" and self.when is not None:
                report.keys[key] = fate("derived", self.address, "count", "the stack exists only if it is true")
            else:
                report.keys[key] = fate("derived", self.address, "template_opts.Bin", AS_IS.format(file=self.file))

    def leaves(self, fates: dict[str, Fate], path: str, expr: ir.Expr) -> None:
        if isinstance(expr, ir.Map) and expr.entries:
            for entry in expr.entries:
                self.leaves(fates, f"{path}.{entry.key}", entry.value)
        elif isinstance(expr, ir.Seq) and expr.items:
            for i, item in enumerate(expr.items):
                self.leaves(fates, f"{path}.{i}", item)
        elif isinstance(expr, ir.ParamRef) and ("json", expr.name, expr.path) in self.into.named:
            fates[path] = fate("derived", self.address, "template_opts.Bin", IN_TEXT)
        elif isinstance(expr, ir.ParamRef) and ("param", expr.name) in self.into.named and not expr.path:
            name = self.into.named["param", expr.name]
            joined = self.into.parameters[name].type == "comma_delimited_list"
            fates[path] = fate(
                "derived" if joined else "value",
                self.address,
                f"parameters.{name}",
                "joined with commas, as Heat expects lists" if joined else "",
            )
        elif (
            isinstance(expr, (ir.ResourceRef, ir.AttrRef))
            and expr.name not in self.inside
            and expr.name in self.emission.unit.template.resources
        ):
            key = (expr.name, attribute_path(expr.path), expr.path) if isinstance(expr, ir.AttrRef) else (expr.name,)
            if self.into.named.get(key) in self.into.inserted:
                fates[path] = fate("reference", self.address, "template_opts.Bin")
            elif key in self.into.named:
                fates[path] = fate("reference", self.address, f"parameters.{self.into.named[key]}")
            else:
                fates[path] = fate("derived", self.address, "template_opts.Bin", AS_IS.format(file=self.file))
        else:
            why = AS_IS.format(file=self.file)
            if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
                why += "; the resource that it references is there too"
            fates[path] = fate("derived", self.address, "template_opts.Bin", why)

    # finishing

    def settle(self) -> bool:
        """Writes the outputs that were requested since the last call. True if there were any."""
        new = self.wanted[len(self.outputs) :]
        for name, expr, condition, form in new:
            inner = self.into.expr(expr)
            if (
                condition is not None and self.when is None
            ):  # an output without a value would make the provider lose all outputs
                nothing = ir.Lit(None if form == "listed" else "")
                inner = ir.If(self.into.expr(condition), inner, nothing, fn="if")
            if form != "plain":
                shown = ir.Seq((inner,)) if form == "listed" else inner
                params = ir.Map((ir.Entry(PRINTED, shown),))
                template = ir.Entry("template", ir.Lit(PRINTED))
                inner = ir.Call("str_replace", ir.Map((template, ir.Entry("params", params))))
            self.outputs[name] = ir.Output(name, inner)
        return bool(new)

    def template(self) -> ir.Template:
        """The embedded template."""
        from transpile.rewrite import cfn_to_hot

        source = self.emission.unit.template
        resources, outputs, conditions = self.resources, self.outputs, self.into.conditions
        exprs: list[ir.Expr] = [
            e
            for r in resources.values()
            for e in (r.properties, r.metadata, r.update_policy, r.condition)
            if e is not None
        ] + [o.value for o in outputs.values()]
        needed = SINCE if self.reads else cfn_to_hot.BASE if self.rich else ""
        if self.old or not source.version.since(needed):
            words = source.version.dialect.resource
            texts = cfn_to_hot.texts(self.into.parameters)
            modern = cfn_to_hot.Modern(source.source, self.emission.unit.groups, texts)
            resources = {n: cfn_to_hot.resource(r, modern, words) for n, r in resources.items()}
            outputs = {n: ir.Output(n, modern.expr(o.value)) for n, o in outputs.items()}
            conditions = {n: ir.Condition(n, modern.expr(c.value), (), c.span) for n, c in conditions.items()}
            exprs = (
                [e for r in resources.values() for e in (r.properties, r.metadata, r.update_policy) if e is not None]
                + [o.value for o in outputs.values()]
                + [c.value for c in conditions.values()]
            )
            recent = bool(self.reads or conditions) or any(r.condition is not None for r in resources.values())
            used = cfn_to_hot.least(exprs, recent)
            chosen = version(max(used, source.version.date) if not self.old else used)
        else:
            chosen = source.version
        name = source.source.name.rpartition("/")[2]
        kept = self.emission.unit.comments_in(resources.values())
        what = "Attributes that Terraform cannot read" if self.reads else "Resources that stay with Heat"
        description = f"{what}. Part of {name}."
        parameters = self.into.parameters
        return ir.Template(
            chosen, source.source, description, (), parameters, {}, conditions, resources, outputs, comments=kept
        )

    def text(self) -> str:
        """The text of the embedded template. Instead of a `get_param` of an inserted value, it has an interpolation."""
        shown, mark = self.template(), "inserted"
        printed: str = targets.load("hot").show(shown)
        if not self.into.inserted:
            return printed
        while mark in printed:  # a mark must not occur in the text by itself
            mark += "_"
        marks = {f"{mark}_{i}_": name for i, name in enumerate(self.into.inserted)}
        words = {name: ir.Lit(word) for word, name in marks.items()}
        printed = targets.load("hot").show(with_literals(shown, words))
        parts = re.split(f"({mark}_[0-9]+_)", printed)
        text = strings.template([Name((marks[p],)) if p in marks else p for p in parts], "jsonencode")
        again = strings.rendered(text, "jsonencode", {name: word for word, name in marks.items()})
        if again != printed:
            message = f"{self.file} failed verification: Terraform would read it as something else."
            raise Stopped([Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message, shown.source)])
        return text

    def reasons(self) -> list[str]:
        """Why the members stay with Heat, without members that only follow others."""
        why: dict[str, list[str]] = {}
        for member in self.members:
            reason = self.emission.unit.plan.kept[member]
            if not reason.drawn:
                why.setdefault(reason.why, []).append(member)
        if len(self.members) == 1:
            return [sentence(one) for one in why]
        out = [f"{listed(names, WIDTH - len(one) - 3)}: {one}." for one, names in why.items()]
        return out if len(out) <= REASONS else [*out[: REASONS - 1], f"{len(out) - REASONS + 1} more reasons."]

    def place(self) -> tuple[int, int]:
        """The offsets of the name of the first member in the template: its start and its end."""
        first = self.members[0]
        template = self.emission.unit.template
        if first.startswith(OUTPUT):
            at = template.outputs[first.removeprefix(OUTPUT)].at
        else:
            at = template.resources[first].at
        return at, at + len(first.removeprefix(OUTPUT))

    def waiting(self) -> int:
        """The longest known time that a member waits for a signal, in seconds."""
        longest = 0
        for name in self.members:
            resource = self.emission.unit.template.resources.get(name)
            if resource is None or resource.properties is None:
                continue
            given = resource.properties.get("timeout") or resource.properties.get("Timeout")
            if isinstance(given, ir.ParamRef):
                known = self.emission.unit.known_values(given.name)
            else:
                known = [given.value] if isinstance(given, ir.Lit) else []
            longest = max([longest, *(int(str(v)) for v in known if str(v).isdigit())])
        return longest

    def finish(self) -> None:
        """Writes the Terraform resource. Called when parameters and outputs are complete."""
        emission, block = self.emission, self.block
        if self.when is not None:
            block.set("count", one_if(self.lowering.test_outside(self.when)))
        name: Expr = emission.symbols.stack_name()
        if emission.unit.live is None:
            name = Text((name, f"-{self.label.replace('_', '-')}"))
        block.set("name", name)
        block.set("disable_rollback", True)
        path = Text((Name(("path", "module")), f"/{self.file}"))
        values = tuple(self.into.inserted.items())
        text = Fn("templatefile", (path, Object(values))) if values else Fn("file", (path,))
        block.set("template_opts", Object((("Bin", text),)))
        environment = self.kept.environment()
        # the provider always parses an environment, and fails without one
        block.set("environment_opts", Object((("Bin", environment or NO_ENVIRONMENT),)))
        if environment is not None:
            for name in self.members:
                if not name.startswith(OUTPUT):
                    emission.log.report.resources[name].templates = list(self.kept.aliases.values())
        if self.into.arguments:
            block.set("parameters", Object(tuple((name, expr) for name, expr in self.into.arguments)))
        if self.into.hidden:
            inner = block.block("lifecycle")
            inner.comments.append(
                ' HOT453: Heat returns ****** for hidden parameters. To change one, use "terraform apply -replace".'
            )
            inner.set("ignore_changes", Tuple(tuple(Index(Name(("parameters",)), name) for name in self.into.hidden)))
            emission.log.say(
                codes.HIDDEN_EMBEDDED_PARAMETER,
                f"Hidden parameters are passed to {self.address}: {', '.join(self.into.hidden)}.",
                Span(max(block.at, 0), -1),
                once=self.label,
            )
        if self.reads and self.into.arguments:
            inner = block.block("lifecycle")
            inner.comments.append(" Heat cannot point this stack at another resource, so it is replaced.")
            inner.set("replace_triggered_by", Tuple((self.identity(),)))
        if (seconds := self.waiting()) > HOUR:
            limit = block.block("timeouts")
            limit.comments.append(" The default timeout of the provider is one hour. Heat waits longer here.")
            limit.set("create", f"{seconds // 60 + 10}m")
        if self.reads:
            lines = [f"HOT457: {emission.unit.plan.kept[self.members[0]].why}; Heat does."]
        else:
            lead = "HOT450: kept in Heat: "
            lines = [f"{lead}{listed(self.members, WIDTH - len(lead) - 1)}.", *self.reasons()]
        block.comments += [f" {part}" for line in lines for part in textwrap.wrap(line, WIDTH, break_long_words=False)]

    def identity(self) -> Expr:
        """The reference whose change replaces a read-only stack: the resource that it reads, or a block with its ID."""
        given = tuple(expr for _, expr in self.into.arguments)
        if len(given) == 1 and chain(given[0]) and self.emission.unit.plan.readers[self.members[0]]:
            return given[0]
        label = self.emission.names.label("terraform_data", self.label)
        keeper = Block("resource", ("terraform_data", label), span=self.block.span)
        if self.when is not None:
            keeper.set("count", one_if(self.lowering.test_outside(self.when)))
        keeper.set("input", given[0] if len(given) == 1 else Tuple(given))
        self.beside.append(keeper)
        return Name(("terraform_data", label))


def listed(names: list[str], room: int) -> str:
    """Names for a comment, as many as have room: `a, b and 3 more`. At least one; the report has the others."""
    count = len(names) if len(names) <= MANY else MANY - 2
    while True:
        rest = len(names) - count
        text = ", ".join(names[:count]) + (f" and {rest} more" if rest else "")
        if len(text) <= room or count == 1:
            return text
        count -= 1


def with_literals(template: ir.Template, words: Mapping[str, ir.Lit]) -> ir.Template:
    """A template with literals in place of the references to some parameters. words: the literals, by parameter."""

    def changed(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.ParamRef) and expr.name in words:
            return words[expr.name]
        return ir.rebuilt(expr, changed)

    def maybe(expr: ir.Expr | None) -> Any:
        return None if expr is None else changed(expr)

    resources = {
        name: replace(
            one,
            properties=maybe(one.properties),
            metadata=maybe(one.metadata),
            update_policy=maybe(one.update_policy),
            deletion_policy=maybe(one.deletion_policy),
            external_id=maybe(one.external_id),
            condition=maybe(one.condition),
        )
        for name, one in template.resources.items()
    }
    outputs = {name: replace(one, value=changed(one.value)) for name, one in template.outputs.items()}
    conditions = {name: replace(one, value=changed(one.value)) for name, one in template.conditions.items()}
    return replace(template, resources=resources, outputs=outputs, conditions=conditions)


@final
class EmbeddedHandle:
    """The handle of a resource that stays with Heat."""

    def __init__(self, embedded: Embedded, resource: ir.Resource) -> None:
        self.embedded, self.resource = embedded, resource

    def running(self, lowering: Lowering, ref: ir.Expr, what: str) -> CannotSay:
        """The error for a native resource that reads a running one, which stays with Heat. The old stack gets the
        output only when the adoption reduces it; until then, each plan would show changes.
        """
        name = self.resource.name
        why = f"{what} of {name}, which stays with Heat, is known only when the old stack is reduced"
        return CannotSay(codes.KEPT_IN_HEAT, why, ref)

    def physical_id(self) -> str | None:
        """The physical ID of a running resource; None if it is unknown, or if `get_resource` means something else."""
        emission, name = self.embedded.emission, self.resource.name
        live, kind = emission.unit.live, emission.unit.tables.find(emission.unit.stack.types[name])
        found = live.resources(name) if live is not None and not live.module else []
        same = kind is not None and kind.treatment == "native" and kind.reference == "id"
        return found[0].physical_id if same and found and found[0] is not None else None

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        emission, name = self.embedded.emission, self.resource.name
        if emission.unit.live is not None:
            if (known := self.physical_id()) is not None:
                self.embedded.emission.log.resource_report(self.resource).reference = self.embedded.emission.log.shown(
                    known
                )
                return Value(known, STRING)
            if not lowering.scope.in_output:
                raise self.running(lowering, ref, "the reference")
        value = self.embedded.output(
            (name,), name, ir.ResourceRef(name, span=ref.span), "string", True, self.resource.condition
        )
        self.embedded.emission.log.resource_report(self.resource).reference = self.embedded.emission.log.shown(
            value.expr
        )
        return value

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        emission, name = self.embedded.emission, self.resource.name
        if emission.unit.live is not None and not lowering.scope.in_output:
            raise self.running(lowering, ref, attribute_path(ref.path[:1]) or "an attribute")
        kind = emission.unit.stack.types[name]
        facts = emission.unit.stack.catalog.find(kind)
        word, first = attribute_path(ref.path), attribute_path(ref.path[:1])
        declared: str | None = (facts or {}).get("attributes", {}).get(first) if len(ref.path) == 1 else None
        if declared is None and len(ref.path) == 1:
            declared = "any" if facts is None else None
        if kind.endswith("Group") and kind.startswith("OS::Heat::"):  # over all members, or of one
            declared = "integer" if isinstance(select(kind, ref.path), MemberCount) else "any"
        elif first == "show":
            declared = "map" if len(ref.path) == 1 else "any"
        sure = trusted(kind, first)
        if declared == "any" and attribute_is_text(emission.unit.stack, name, ref.path):
            declared = "string"
        wanted = "_".join([name, *[w for w in word.replace(".", "_").split("_") if w]])
        value = self.embedded.output(
            (name, ref.path),
            wanted,
            ir.AttrRef(name, ref.path, ref.fn, ref.span),
            declared,
            sure,
            self.resource.condition,
        )
        emission.log.resource_report(self.resource).attributes.setdefault(word, emission.log.shown(value.expr))
        return value
