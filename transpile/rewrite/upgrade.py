"""Rewrites a template of CFN, or of an older version of HOT, for a version of HOT.

Invariant: nothing is approximated. Everything that the target version lacks, or would read differently, is an error
with its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model import ir
from transpile.model.intrinsics import INTRINSICS, PERMUTATIONS
from transpile.model.records import replace
from transpile.resolve import capabilities
from transpile.rewrite import cfn_to_hot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.model.intrinsics import Version
    from transpile.model.span import Located
    from transpile.resolve.stack import Stack
    from transpile.schema.catalog import Property

PATHS = "2014-10-16"  # since then a resource itself resolves the path of get_attr, so a group does it for each member
ALL = "2015-10-15"  # first version with get_attr of all attributes and list_join of several lists
OPTIONAL = "2021-04-16"  # first version in which `if` may omit its third argument


@final
class Upgrade:
    """The rewriting of one template for one version."""

    def __init__(self, stack: Stack, version: Version) -> None:
        self.stack, self.version, self.template = stack, version, stack.template
        self.sink = Sink(stack.template.source)
        self.groups = cfn_to_hot.groups(stack)
        self.mappings = self.named_mappings()
        self.modern = cfn_to_hot.Modern(
            self.template.source,
            self.groups,
            cfn_to_hot.texts(self.template.parameters),
            self.mappings,
            version.functions,
        )
        self.last: str | None = None  # the last version with a function that the target version lacks
        self.renamed: dict[str, dict[str, str]] = {}  # resource → old property → new property

    def named_mappings(self) -> dict[str, str]:
        """For each mapping the name of the parameter that replaces it."""
        template = self.template
        taken = {*template.parameters, *template.resources}
        out: dict[str, str] = {}
        for name in template.mappings:
            label, number = name, 2
            while label in taken:
                label, number = f"{name}_{number}", number + 1
            taken.add(label)
            out[name] = label
        return out

    def say(self, code: str, message: str, where: Located, hint: str = "") -> None:
        self.sink.say(code, message, where.span.in_text, hint)

    def run(self) -> ir.Template:
        """The rewritten template. Its problems are in `sink`."""
        template = self.template
        self.sink.found += capabilities.unknown_to_heat(template)
        parameters = {name: self.param(p) for name, p in template.parameters.items()}
        for name, mapping in template.mappings.items():
            label = self.mappings[name]
            message = f"Mapping {name} becomes the json parameter {label}."
            self.sink.say(codes.MAPPING_AS_PARAMETER, message, mapping.span.in_text)
            about = f"Mapping {name}; do not set a value."
            parameters[label] = ir.Param(label, "json", mapping, about, span=mapping.span)
        if template.conditions and not self.version.has_conditions:
            first = next(iter(template.conditions.values()))
            self.lacks("conditions", first)
        conditions = {
            n: ir.Condition(n, self.expr(c.value, condition=True), (), c.span) for n, c in template.conditions.items()
        }
        return ir.Template(
            self.version,
            template.source,
            template.description,
            template.parameter_groups,
            parameters,
            {},
            conditions,
            {n: self.resource(r) for n, r in template.resources.items()},
            {n: self.output(o) for n, o in template.outputs.items()},
            template.capabilities,
            template.comments,
            sections=template.sections,
        )

    def lacks(self, what: str, where: Located) -> None:
        self.say(codes.NOT_IN_CHOSEN_VERSION, f"Version {self.version.name} has no {what}.", where)

    # declarations

    def param(self, param: ir.Param) -> ir.Param:
        if param.tags is not None and "tags" not in self.version.dialect.parameter:
            self.lacks("tags of parameters", param.tags)
        for constraint in param.constraints:
            if constraint.kind not in self.version.constraints:
                self.lacks(f"constraint {constraint.kind}", constraint)
        return replace(
            param,
            constraints=tuple(replace(c, keys=(f"constraints.{i}",)) for i, c in enumerate(param.constraints)),
            keys=cfn_to_hot.keys(param.keys, self.template.version.dialect.parameter),
        )

    def resource(self, resource: ir.Resource) -> ir.Resource:
        dialect = self.version.dialect.resource
        for key, value in (("condition", resource.condition), ("external_id", resource.external_id)):
            if value is not None and key not in dialect:
                self.lacks(f"{key} of resources", value)
        for entry in resource.ignored:
            message = f"Heat ignores {entry.key} of resource {resource.name}. HOT does not allow it, so it is left out."
            self.sink.say(codes.KEY_IGNORED_BY_HEAT, message, entry.key_span)
        properties = resource.properties
        if properties is not None:
            properties = self.properties(resource, properties)
            found = self.expr(properties)
            properties = found if isinstance(found, ir.Map) else properties
        return replace(
            resource,
            properties=properties,
            metadata=self.maybe(resource.metadata),
            update_policy=self.maybe(resource.update_policy),
            deletion_policy=self.maybe(resource.deletion_policy),
            external_id=self.maybe(resource.external_id),
            condition=None if resource.condition is None else self.expr(resource.condition, condition=True),
            ignored=(),
            keys=cfn_to_hot.keys(resource.keys, self.template.version.dialect.resource),
        )

    def output(self, output: ir.Output) -> ir.Output:
        if output.condition is not None and "condition" not in self.version.dialect.output:
            self.lacks("condition of outputs", output.condition)
        for entry in output.ignored:
            message = f"Heat ignores {entry.key} of output {output.name}, so it is left out."
            self.sink.say(codes.KEY_IGNORED_BY_HEAT, message, entry.key_span)
        return replace(
            output,
            value=self.expr(output.value),
            condition=None if output.condition is None else self.expr(output.condition, condition=True),
            ignored=(),
            keys=cfn_to_hot.keys(output.keys, self.template.version.dialect.output),
        )

    def properties(self, resource: ir.Resource, properties: ir.Map) -> ir.Map:
        """Properties with their current names in place of deprecated ones, as Heat translates them."""
        facts = self.stack.catalog.find(resource.kind)
        if facts is None or "retired" in facts:
            return properties
        renamed = self.renamed.setdefault(resource.name, {})
        found = rename(properties, facts.get("properties", {}), "", renamed)
        for old, new in renamed.items():
            message = f"Property {old} of {resource.type} is now called {new}."
            self.sink.say(codes.RENAMED_PROPERTY, message, resource.name_span.in_text)
        return found

    # expressions

    def maybe(self, expr: ir.Expr | None) -> ir.Expr | None:
        return None if expr is None else self.expr(expr)

    def expr(self, expr: ir.Expr, condition: bool = False) -> ir.Expr:
        """An expression with functions of the target version; unchanged, with an error, if there are none."""
        try:
            found = self.modern.expr(expr)
        except cfn_to_hot.NoCounterpart as e:
            last = INTRINSICS[e.name].until if e.name in INTRINSICS else None
            hint = f"Version {last} supports it: use --hot-version {last}." if last is not None else ""
            self.last = min(filter(None, (self.last, last)), default=None)
            self.say(codes.FUNCTION_MISSING_IN_HOT, f"HOT has no equivalent for this use of {e.name}.", e.expr, hint)
            return expr
        for select in self.modern.selects:
            message = 'For a missing item, Fn::Select returns "", get_attr returns null, and str_split fails.'
            self.say(codes.SELECT_OF_MISSING_ITEM, message, select)
        self.modern.selects.clear()
        self.check(found, condition)
        return found

    def check(self, expr: ir.Expr, condition: bool) -> None:
        """Reports what the target version lacks or would read differently."""
        known = self.version.conditions if condition else self.version.functions
        if isinstance(expr, ir.Map):
            self.same_data(expr.entries, expr)
        elif isinstance(expr, ir.If):
            if expr.fn not in known:
                self.lacks(f"function {expr.fn}", expr)
            elif expr.orelse is None and not self.version.since(OPTIONAL):
                self.lacks("if with two arguments", expr)
            self.check(expr.condition, True)
            self.check(expr.then, condition)
            if expr.orelse is not None:
                self.check(expr.orelse, condition)
            return
        elif isinstance(expr, ir.Repeat):
            if "repeat" not in known:
                self.lacks("function repeat", expr)
            elif expr.permutations is not None and not self.version.since(PERMUTATIONS):
                self.lacks("permutations of repeat", expr)
            self.same_data(expr.for_each, expr)
        elif isinstance(expr, ir.Call):
            if expr.fn not in known:
                self.lacks(f"function {expr.fn}" + (" in conditions" if condition else ""), expr)
            elif (
                expr.fn == "list_join"
                and isinstance(expr.arg, ir.Seq)
                and len(expr.arg.items) != 2
                and not self.version.since(ALL)
            ):
                self.lacks("list_join of several lists", expr)
        elif isinstance(expr, ir.AttrRef):
            self.attribute(expr)
        for child in ir.children(expr):
            self.check(child, condition)

    def same_data(self, entries: tuple[ir.Entry, ...], expr: ir.Expr) -> None:
        """Reports a map that the target version would read as a call."""
        key = entries[0].key if len(entries) == 1 else ""
        if key in self.version.functions or key in self.version.removed:
            message = f"{key} is a function in version {self.version.name}, but data in this template."
            self.say(codes.DIFFERENT_IN_CHOSEN_VERSION, message, expr)

    def attribute(self, ref: ir.AttrRef) -> None:
        was, now = (v.since(PATHS) for v in (self.template.version, self.version))
        if not ref.path and not self.version.since(ALL):
            self.lacks("get_attr of all attributes", ref)
        elif len(ref.path) > 1 and was != now and ref.name in self.groups and ref.path[0] != ir.Lit("refs"):
            since = f"From version {PATHS} on, a path applies to each member of {ref.name}, not to the list of members."
            self.say(codes.DIFFERENT_IN_CHOSEN_VERSION, since, ref)


def rename(given: ir.Map, schema: Mapping[str, Property], path: str, renamed: dict[str, str]) -> ir.Map:
    """A map with its deprecated keys renamed, unless it has the new key, too. `renamed`: collects them by path."""
    names = {entry.key for entry in given.entries}
    entries = []
    for entry in given.entries:
        facts = schema.get(entry.key, {})
        new = facts.get("alias")
        key = entry.key
        if new is not None and new not in names and new in schema:
            key = new
            renamed[f"{path}{entry.key}"] = f"{path}{new}"
        entries.append(ir.Entry(key, inner(entry.value, facts, f"{path}{entry.key}.", renamed), entry.at))
    return ir.Map(tuple(entries), given.span)


def inner(expr: ir.Expr, facts: Property, path: str, renamed: dict[str, str]) -> ir.Expr:
    if isinstance(expr, ir.Map) and "fields" in facts:
        return rename(expr, facts["fields"], path, renamed)
    if isinstance(expr, ir.Seq) and "fields" in facts.get("items", {}):
        items = [inner(item, facts["items"], f"{path}{i}.", renamed) for i, item in enumerate(expr.items)]
        return ir.Seq(tuple(items), expr.span)
    return expr
