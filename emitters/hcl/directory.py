"""A Terraform directory while it is made: its blocks, names, files, notes and report.

The easy rule to break: whatever is written is asked for here, so that each thing (variable, local, data source, file)
exists once and only if something needs it. Comments and notes find their place by the offsets that arguments and
blocks carry.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl import namespace
from emitters.hcl.assemble.keys import Wait, keys_of
from emitters.hcl.lowering.files import Files
from emitters.hcl.lowering.lower import CannotSay, Lowering
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.data_sources import Lookups, looks_like_id
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Name, Note, Object, Text, one_if, walk
from emitters.hcl.tree.types import ANY, BOOL, JSON, NUMBER, STRING, STRINGS, Type, Value
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.model import ir
from transpile.model.intrinsics import REGION
from transpile.report import Report, ResourceReport
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from emitters.hcl.embed.stack import Embedded
    from emitters.hcl.nested.calls import Call
    from emitters.hcl.nested.modules import Module, Modules
    from emitters.hcl.plan.planner import Plan
    from emitters.hcl.resources.handles import Handle
    from emitters.hcl.resources.mapping import Lookup, Rule
    from emitters.hcl.resources.writer import Writer
    from transpile.resolve.environments import Given
    from transpile.resolve.linker import Stack

NAME_BYTES = 200  # of a file of ours, before its suffix; systems take 255
TYPES = {"string": STRING, "number": NUMBER, "boolean": BOOL, "comma_delimited_list": STRINGS, "json": JSON}


@final
class Directory:
    """One attempt at writing a stack under a plan.

    What cannot be said raises; the plan is then changed, and another attempt made. `module`: it is one of `modules`.
    """

    def __init__(self, stack: Stack, plan: Plan, modules: Modules | None = None, module: Module | None = None) -> None:
        self.stack, self.plan, self.template = stack, plan, stack.template
        self.modules, self.module = modules, module  # all there are; the one that this is, if it is one
        self.calls: dict[str, Module] = {}  # by the label of the call
        self.made_calls: list[Call] = []
        self.output_values: dict[str, Value] = {}
        self.sensitive_outputs: set[str] = set()
        self.report = Report()
        self.sink = Sink(stack.template.source)
        self.notes: list[tuple[int, str]] = []  # offset, text
        self.noted: set[tuple[int, str]] = set()
        self.once: set[Any] = set()
        self.lowering = Lowering(self)
        self.lookups = Lookups(self)
        self.handles: dict[str, Handle] = {}
        self.variables: dict[str, str] = {}  # parameter → variable
        self.made_up: dict[str, Block] = {}  # variables that no parameter stands behind
        self.locals: dict[str, Argument] = {}
        self.local_of: dict[Any, str] = {}
        self.conditions: dict[str, str] = {}
        self.mappings: dict[str, str] = {}
        self.data: list[Block] = []
        self.main: list[Argument | Block | Note] = []
        self.outputs: list[Block] = []
        self.embedded: list[Embedded] = []
        self.folded: dict[str, tuple[Expr, Type]] = {}  # what became of resources that are only values
        self.owner_of: dict[int, str] = {}  # block → the resource it belongs to
        self.waiting: list[Wait] = []
        self.waits: list[tuple[Embedded, list[str], ir.Resource, str]] = []
        self.reasons: dict[int, list[str]] = {}
        self.counted_data: dict[tuple[str, str], bool] = {}
        self.repeated_data: set[tuple[str, str]] = set()  # those with an instance for each member of a group
        self.files: dict[str, str | bytes] = {}
        self.template_names = namespace.Names()  # of files below templates/
        self.copies = Files(self)
        self.labels: dict[str, namespace.Names] = {}
        self.providers: set[str] = set()
        self.repeated: Argument | None = None  # count or for_each of the resource being written
        self.loop: Argument | None = None  # for_each of one of its blocks alone
        self.in_text = False  # whether a reference to a stored text means the text
        self.at, self.end = -1, -1  # the property being written
        self.namespace()

    def namespace(self) -> None:
        """Names for all variables, conditions and mappings, before anything refers to them."""
        template = self.template
        taken = namespace.Names()
        self.variables = taken.assign([(name, namespace.variable(name)) for name in template.parameters])
        self.variable_names = taken
        hidden = {name for name, param in template.parameters.items() if param.hidden}
        self.secret = {self.variables[name] for name in hidden | (self.module.secret if self.module else set())}
        self.local_names = namespace.Names()
        wanted = [(f"condition {name}", namespace.snake(name)) for name in template.conditions] + [
            (f"mapping {name}", namespace.snake(name)) for name in template.mappings
        ]
        given = self.local_names.assign(wanted)
        self.conditions = {name: given[f"condition {name}"] for name in template.conditions}
        self.mappings = {name: given[f"mapping {name}"] for name in template.mappings}
        self.output_names = namespace.Names().assign([(name, namespace.output(name)) for name in template.outputs])

    @functools.cached_property
    def named(self) -> frozenset[str]:
        """The resources whose names the template reads: where it gives none, the one that Heat would make up counts."""
        template = self.template
        refs = [ref for resource in template.resources.values() for ref in resource.refs]
        refs += [ref for output in template.outputs.values() for ref in output.refs]
        first = ir.Lit("name")
        return frozenset(r.name for r in refs if isinstance(r, ir.AttrRef) and r.path[:1] == (first,))

    @functools.cached_property
    def groups(self) -> frozenset[str]:
        """The resources whose attributes are lists over members, or those of a nested stack."""
        from transpile.rewrite import cfn_to_hot

        return cfn_to_hot.groups(self.stack)

    @functools.cached_property
    def by_anchor(self) -> list[ir.Comment]:
        return sorted(self.template.comments, key=lambda c: c.anchor)

    def comments_in(self, resources: Iterable[ir.Resource]) -> tuple[ir.Comment, ...]:
        """The comments that belong to resources, in the order of the text."""
        found: list[ir.Comment] = []
        for one in resources:
            first, last = (bisect.bisect_left(self.by_anchor, at, key=lambda c: c.anchor) for at in (one.at, one.end))
            found += self.by_anchor[first:last]
        return tuple(sorted(found, key=lambda c: c.at))

    # saying things

    def say(
        self,
        code: str,
        message: str,
        at: int = -1,
        end: int = -1,
        hint: str = "",
        note: str = "",
        once: Any = None,
        severity: str = "",
    ) -> None:
        """A diagnostic; with `note` also a comment at the spot; `severity` in the place of the rule's."""
        if at < 0:
            at, end = self.at, self.end
        key = (code, once if once is not None else (message, at))
        if key not in self.once:
            self.once.add(key)
            self.sink.found.append(Diagnostic(code, message, self.template.source, max(at, 0), end, hint, severity))
            if note:
                self.note(at, code, note)

    def note(self, at: int, code: str, text: str) -> None:
        """A comment in the output at what an offset became; each once."""
        if (found := (max(at, 0), f"{code}: {text}")) not in self.noted:
            self.noted.add(found)
            self.notes.append(found)

    def differs(self, code: str, message: str, at: int = -1, end: int = -1, severity: str = "") -> None:
        """A diagnostic of what the output does not do as Heat does it, which a comment says there as well."""
        self.say(code, message, at, end, note=message, severity=severity)

    # parameters

    def parameter(self, ref: ir.ParamRef) -> Value:
        """The variable of a parameter or pseudo parameter."""
        name = ref.name
        param = self.template.parameters.get(name)
        if param is not None:
            return Value(Name(("var", self.variables[name])), TYPES[param.type])
        return self.pseudo(ref)

    def pseudo(self, ref: ir.ParamRef) -> Value:
        name = ref.name
        if name not in self.template.version.pseudo:
            raise CannotSay("HOT201", f"there is no parameter {name}", ref.at, ref.end)
        if name in ("OS::stack_name", "AWS::StackName"):
            return Value(self.stack_name(), STRING)
        if name == "OS::project_id":
            return Value(Name(("data", *self.current_project(), "project_id")), STRING)
        if name == "AWS::Region":
            self.differs("HOT542", f"Heat's answer is always {REGION}; that is written here.", ref.at, ref.end)
            return Value(REGION, STRING)
        if self.plan.prefer != FAITHFUL and "stack" in name.lower():
            return Value(self.stack_id(ref), STRING)
        raise CannotSay("HOT541", "the ID of the stack exists only in Heat", ref.at, ref.end)

    def region(self) -> Name | None:
        """The variable for the region that a module is called for; None where all calls leave it to the provider."""
        if self.module is None or not self.module.regional:
            return None
        if "region" not in self.made_up:
            block = Block("variable", (self.variable_names.take("region"),))
            block.set("description", "Region to make this in; the provider's own if null.")
            block.set("type", Name(("string",)))
            block.set("default", None)
            self.made_up["region"] = block
        return Name(("var", self.made_up["region"].labels[0]))

    def stack_id(self, ref: ir.ParamRef) -> Expr:
        """What stands for the ID of the stack, where the user would rather have that than Heat: a UUID that stays."""
        address = ("random_uuid", "stack_id")
        if not any(isinstance(b, Block) and b.labels == address for b in self.main):
            self.label(*address)
            self.providers.add("random")
            self.main.append(Block("resource", address))
        self.differs("HOT564", "A UUID stands for the stack's ID here.", ref.at, ref.end)
        return Name((*address, "result"))

    def stack_name(self) -> Name:
        """The variable that stands for the name of the stack."""
        if "stack_name" not in self.made_up:
            label = self.variable_names.take("stack_name")
            block = Block("variable", (label,))
            block.set("description", "Name of the stack; what Heat would name by itself is named after it.")
            block.set("type", Name(("string",)))
            self.made_up["stack_name"] = block
            self.report.parameters["OS::stack_name" if self.template.version.hot else "AWS::StackName"] = {
                "variable": label
            }
        return Name(("var", self.made_up["stack_name"].labels[0]))

    def generated_name(self, name: str, index: Expr | None = None) -> Text:
        """`<stack>-<name>`, in the place of the name that Heat would make up; with the index in a group."""
        return Text((self.stack_name(), f"-{name}", *(("-", index) if index is not None else ())))

    def facade(self, what: str) -> Value:
        """The variable for what the resource says that this template stands for."""
        key = f"facade_{what}"
        if key not in self.made_up:
            block = Block("variable", (self.variable_names.take(key),))
            block.set(
                "description", f"{what.replace('_', ' ').capitalize()} of the resource that this module stands for."
            )
            block.set("type", Name(("any" if what != "deletion_policy" else "string",)))
            block.set("default", Object(()) if what != "deletion_policy" else "Delete")
            self.made_up[key] = block
        return Value(Name(("var", self.made_up[key].labels[0])), STRING if what == "deletion_policy" else ANY)

    def hidden_default(self, param: ir.Param, given: Given) -> Name:
        """A variable for what an environment gives to a hidden parameter of a nested template: it stands in no file."""
        from emitters.hcl.assemble import variables

        key = f"hidden {param.name}"
        if key not in self.made_up:
            block = Block("variable", (self.variable_names.take(namespace.variable(param.name)),))
            block.set("description", f"Value of {param.name} for nested templates.")
            block.set("type", variables.KINDS[param.type])
            block.set("sensitive", True)
            self.made_up[key] = block
            label = block.labels[0]
            self.secret.add(label)
            source = given.environment.source if given.environment is not None else None
            message = f"The value of {param.name} is hidden, and not written; it is the variable {label}."
            self.sink.found.append(Diagnostic("HOT520", message, source, 0, -1, f"Set TF_VAR_{label}."))
        return Name(("var", self.made_up[key].labels[0]))

    def left_open(self, resource: ir.Resource, prop: str, rule: Rule) -> Name:
        """A variable for a property that has no value."""
        key = f"open {resource.name}.{prop}"
        if key not in self.made_up:
            what = f"{prop}_{rule.result}" if rule.lookup is not None and rule.result in ("id", "name") else prop
            block = Block("variable", (self.variable_names.take(namespace.snake(f"{resource.name}_{what}")),))
            form = ", an ID" if what == f"{prop}_id" else ""
            block.set("description", f"Property {prop} of {resource.name}{form}; the template leaves it open.")
            block.set("type", Name((rule.type.kind,)))
            block.set("nullable", False)
            self.made_up[key] = block
        return Name(("var", self.made_up[key].labels[0]))

    def hidden(self, name: str) -> bool:
        param = self.template.parameters.get(name)
        return param is not None and (param.hidden or (self.module is not None and name in self.module.secret))

    def known_values(self, name: str) -> list[Any]:
        """The values of a parameter that are known: given, default, allowed."""
        param = self.template.parameters.get(name)
        if param is None:
            return []
        found: list[Any] = []
        if name in self.stack.given:
            found.append(self.stack.given[name].value)
        if param.default is not None and ir.literal(param.default):
            found.append(ir.data(param.default))
        if self.module is not None and any(name in call.given for call in self.module.calls):
            found = []  # whatever the calls give
        for constraint in param.constraints:
            if constraint.kind == "allowed_values" and isinstance(constraint.value, ir.Seq):
                found += [item.value for item in constraint.value.items if isinstance(item, ir.Lit)]
        out: list[Any] = []
        for value in found:
            if param.type == "comma_delimited_list":
                out += (
                    value.split(",") if isinstance(value, str) and value else value if isinstance(value, list) else []
                )
            elif param.type == "json":  # which may be written as a text
                with contextlib.suppress(ValueError):
                    out.append(parameters.convert("json", value))
            else:
                out.append(value)
        return out

    def form(self, name: str, lookup: Lookup) -> str:
        """Whether what is known of a parameter is names, IDs, or does not tell."""
        if self.module is not None and (told := self.form_of_calls(self.module, name, lookup)) is not None:
            return told
        return form_of([str(v) for v in self.known_values(name)], lookup)

    def form_in_mapping(self, expr: ir.Expr, lookup: Lookup) -> str:
        """The same for what a template of the CFN era looks up in its mappings; "" for any other expression."""
        if not isinstance(expr, ir.Call) or expr.fn != "Fn::FindInMap" or not isinstance(expr.arg, ir.Seq):
            return ""
        name, *keys = expr.arg.items
        found = self.template.mappings.get(str(name.value)) if isinstance(name, ir.Lit) else None
        if found is None or len(keys) != 2:
            return ""
        words = [str(key.value) if isinstance(key, ir.Lit) else None for key in keys]
        rows = [row.value for row in found.entries if words[0] in (None, row.key) and isinstance(row.value, ir.Map)]
        cells = [cell.value for row in rows for cell in row.entries if words[1] in (None, cell.key)]
        return form_of([str(cell.value) if isinstance(cell, ir.Lit) else "" for cell in cells], lookup)

    def form_of_calls(self, module: Module, name: str, lookup: Lookup) -> str | None:
        """What the calls of a module tell of a parameter: what is made elsewhere has an ID; None if they do not give
        it.
        """
        forms = set()
        for call in module.calls:
            given = call.given.get(name)
            if isinstance(given, (ir.ResourceRef, ir.AttrRef)):
                forms.add("id")
            elif isinstance(given, (ir.Lit, ir.ParamRef)) and self.modules is not None:
                known = self.modules.known(call.stack, given) or []
                forms.add(form_of([v if isinstance(v, str) else "" for v in known], lookup))
            elif given is not None or name not in self.stack.given:
                forms.add("")
        return None if not any(name in call.given for call in module.calls) else forms.pop() if len(forms) == 1 else ""

    def unknown_at_plan(self, expr: ir.Expr) -> bool:
        """Whether a value depends on what only an apply can tell."""
        return any(isinstance(e, (ir.ResourceRef, ir.AttrRef)) for e in ir.walk(expr))

    # conditions, locals, data

    def settled(self, condition: ir.Expr) -> ir.Expr:
        """A condition by its definition, a literal if it is constant."""
        return self.stack.settled(condition)

    def condition(self, ref: ir.ConditionRef) -> Expr:
        """The local that a condition became."""
        name = ref.name
        label = self.conditions[name]
        if label not in self.locals:
            condition = self.template.conditions[name]
            self.locals[label] = Argument(
                label, None, condition.at, condition.end
            )  # stands first, before those that it needs
            try:
                with self.lowering.owned(label):
                    value = self.lowering.condition(condition.value)
            except CannotSay:
                del self.locals[label]
                raise
            if self.sensitive(value):
                self.say(
                    "HOT524",
                    f"Condition {name} tests a hidden parameter; whether it holds is shown.",
                    condition.at,
                    condition.end,
                    note="tests a hidden parameter; whether it holds is no secret.",
                )
                value = Fn("nonsensitive", (value,))
            self.locals[label].value = value
            self.report.conditions[name] = {"local": label}
        return Name(("local", label))

    def guard_test(self, lowering: Lowering, fact: ir.Expr) -> Expr:
        """A condition as a test outside of where it is assumed."""
        with lowering.owned(lowering.owner, fixed=True):
            return lowering.condition(fact)

    def shown(self, ref: ir.ParamRef, value: Expr) -> Expr:
        """A parameter where Terraform takes nothing sensitive: keys of instances are shown."""
        if not self.hidden(ref.name):
            return value
        self.say(
            "HOT524", f"The values of {ref.name}, which is hidden, are shown as keys of for_each.", ref.at, ref.end
        )
        return Fn("nonsensitive", (value,))

    def sensitive(self, expr: Expr) -> bool:
        """Whether an expression depends on a hidden parameter, as far as variables and locals tell."""
        return bool(self.secret) and any(
            isinstance(e, Name) and e.parts[0] == "var" and e.parts[1] in self.secret for e in walk(expr)
        )

    def mapping(self, name: str) -> Expr:
        """The local that a mapping became."""
        label = self.mappings[name]
        if label not in self.locals:
            mapping = self.template.mappings[name]
            self.locals[label] = Argument(label, self.lowering.expr(mapping), mapping.at, mapping.end)
        return Name(("local", label))

    def local(self, label: str, expr: Expr, at: int = -1, end: int = -1) -> Name:
        """A local for an expression; the same one for the same expression, whoever asked for it first."""
        key = repr(expr)  # for 1 and true are equal to Python
        if key not in self.local_of:
            found = self.local_names.take(namespace.snake(label))
            self.locals[found] = Argument(found, expr, at, end)
            self.local_of[key] = found
        return Name(("local", self.local_of[key]))

    def label(self, kind: str, wanted: str) -> str:
        """A label for a resource of a Terraform type."""
        return self.labels.setdefault(kind, namespace.Names()).take(wanted)

    def data_source(self, kind: str, wanted: str) -> tuple[str, str]:
        return kind, self.labels.setdefault(f"data.{kind}", namespace.Names()).take(wanted)

    def data_once(
        self, key: str, kind: str, wanted: str, arguments: Iterable[tuple[str, Expr]], comment: str = ""
    ) -> tuple[str, str]:
        """The address of a data source that everybody shares."""
        found = self.local_of.get(("data", key))
        if found is None:
            address = self.data_source(kind, wanted)
            block = Block("data", address, comments=[comment] if comment else [])
            for name, value in arguments:
                block.set(name, value)
            self.data.append(block)
            self.local_of["data", key] = address[1]
            return address
        return kind, found

    def zones(self) -> tuple[str, str, str]:
        return ("data", *self.data_once("zones", "openstack_compute_availability_zones_v2", "zones", []))

    def external_network(self) -> tuple[str, str]:
        """The one external network there is."""
        comment = " Heat takes the one external network there is."
        return self.data_once("external", "openstack_networking_network_v2", "external", [("external", True)], comment)

    def current_project(self) -> tuple[str, str]:
        """What the credentials are for: the project that Heat would make the stack in."""
        return self.data_once("project", "openstack_identity_auth_scope_v3", "current", [("name", "current")])

    def repetition(self, lowering: Lowering) -> Argument | None:
        return (self.loop or self.repeated) if lowering.bound else None

    # resources

    def handle(self, name: str, ref: ir.Expr) -> Handle:
        """How a resource is referred to."""
        found = self.handles.get(name)
        if found is None:
            raise CannotSay("HOT202", f"there is no resource {name}", getattr(ref, "at", -1), getattr(ref, "end", -1))
        return found

    def resource_report(self, resource: ir.Resource) -> ResourceReport:
        if resource.name not in self.report.resources:
            line, _ = self.template.source.position(resource.at)
            self.report.resources[resource.name] = ResourceReport(resource.type, line)
        return self.report.resources[resource.name]

    def counted(self, resource: ir.Resource) -> bool:
        """Whether a resource may be there or not."""
        return resource.condition is not None and not isinstance(self.settled(resource.condition), ir.Lit)

    @contextlib.contextmanager
    def writing(self, resource: ir.Resource, label: str) -> Iterator[None]:
        """Sets what is known while a resource is written: its condition, and how often it is repeated."""
        facts: frozenset[ir.Expr] = frozenset()
        if self.counted(resource):
            assert resource.condition is not None
            self.repeated = Argument("count", one_if(self.lowering.condition(resource.condition)))
            facts = frozenset((resource.condition,))
        try:
            with self.lowering.owned(label, facts=facts, resource=resource.name):
                yield
        finally:
            self.repeated = None

    @contextlib.contextmanager
    def text_context(self, text: bool) -> Iterator[None]:
        """Whether a reference to a stored text means the text."""
        saved, self.in_text = self.in_text, text
        try:
            yield
        finally:
            self.in_text = saved

    def add_local(self, label: str, value: Expr, at: int, end: int) -> None:
        """A local whose name was taken before."""
        self.locals[label] = Argument(label, value, at, end)

    def finish_resource(self, writer: Writer) -> None:
        """Puts the blocks of a resource into the directory, and its keys' fates into the report."""
        resource = writer.resource
        report = writer.report
        report.addresses = [block.address for block in writer.blocks]
        if resource.description:
            writer.block.comments += [f" {line}" if line else "" for line in resource.description.strip().splitlines()]
        for name, value, _ in writer.lifecycle:
            writer.block.block("lifecycle").set(name, value)
        keys_of(self, resource, writer.blocks)
        for block in writer.blocks:
            self.owner_of[id(block)] = resource.name
            self.main.append(block)

    # files

    def heat_template(self, name: str) -> str:
        """The path of a template of Heat's, by the name that it should have."""
        stem, dot, suffix = name.rpartition(".")
        stem = re.sub(r"[^\w.-]", "_", stem).encode()[:NAME_BYTES].decode(errors="ignore")
        return f"{self.template_names.take(f'templates/{stem}')}{dot}{suffix}"

    def check_text(self, text: str, ref: ir.Expr) -> None:
        if not text.isascii():
            import unicodedata

            if not unicodedata.is_normalized("NFC", text):
                self.differs("HOT571", "Terraform makes every string NFC; this text is not.", ref.at, ref.end)


def form_of(known: list[str], lookup: Lookup) -> str:
    """Whether values are all names, all IDs, or do not tell."""
    if not known:
        return ""
    ids = [looks_like_id(lookup, v) for v in known]
    return "id" if all(ids) else "name" if not any(ids) and all(known) else ""
