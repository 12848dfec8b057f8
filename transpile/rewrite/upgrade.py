"""Rewrites a template of CFN, or of an older version of HOT, for a version of HOT.

Invariant: nothing is approximated. Everything that the target version lacks, or would read differently, is an error
with its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.front.expressions import describe_wrong_argument
from transpile.model import ir
from transpile.model.intrinsics import (
    ALL_ATTRIBUTES,
    IF_WITHOUT_ELSE,
    INTRINSICS,
    PERMUTATIONS,
    PLUGIN_PATHS,
    SEVERAL_LISTS,
    Version,
)
from transpile.model.records import replace
from transpile.model.span import Located
from transpile.resolve import capabilities
from transpile.resolve.later_forms import later_forms
from transpile.resolve.stack import Stack
from transpile.rewrite import cfn_to_hot

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema


@final
class Upgrade:
    """The rewriting of one template for one version."""

    def __init__(self, stack: Stack, version: Version) -> None:
        self.stack, self.version, self.template = stack, version, stack.template
        self.sink = Sink(stack.template.source)
        self.groups = cfn_to_hot.find_groups(stack)
        self.mappings = self.named_mappings()
        self.rewriter = cfn_to_hot.CfnRewriter(
            self.template.source,
            self.groups,
            cfn_to_hot.scalar_parameters(self.template.parameters),
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

    def report_problem(self, code: str, message: str, where: Located, hint: str = "") -> None:
        self.sink.add(code, message, where.span.in_text, hint)

    def rewrite_template(self) -> ir.Template:
        """The rewritten template. Its problems are in `sink`."""
        template = self.template
        self.sink.diagnostics += capabilities.diagnose_capability_syntax(template)
        parameters = {name: self.rewrite_parameter(p) for name, p in template.parameters.items()}
        for name, mapping in template.mappings.items():
            label = self.mappings[name]
            message = f"Mapping {name} becomes the json parameter {label}."
            self.sink.add(codes.MAPPING_AS_PARAMETER, message, mapping.span.in_text)
            about = f"Mapping {name}; do not set a value."
            parameters[label] = ir.Param(label, "json", mapping, about, span=mapping.span)
        if template.conditions and not self.version.has_conditions:
            first = next(iter(template.conditions.values()))
            self.report_missing("conditions", first)
        conditions = {
            n: ir.Condition(n, self.rewrite_expression(c.value, condition=True), (), c.span)
            for n, c in template.conditions.items()
        }
        return ir.Template(
            self.version,
            template.source,
            template.description,
            template.parameter_groups,
            parameters,
            {},
            conditions,
            {n: self.rewrite_resource(r) for n, r in template.resources.items()},
            {n: self.rewrite_output(o) for n, o in template.outputs.items()},
            template.capabilities,
            template.comments,
            sections=template.sections,
        )

    def report_missing(self, construct: str, where: Located) -> None:
        self.report_problem(codes.NOT_IN_CHOSEN_VERSION, f"Version {self.version.name} has no {construct}.", where)

    # declarations

    def rewrite_parameter(self, parameter: ir.Param) -> ir.Param:
        if parameter.tags is not None and "tags" not in self.version.dialect.parameter:
            self.report_missing("tags of parameters", parameter.tags)
        for constraint in parameter.constraints:
            if constraint.kind not in self.version.constraints:
                self.report_missing(f"constraint {constraint.kind}", constraint)
        return replace(
            parameter,
            constraints=tuple(replace(c, keys=(f"constraints.{i}",)) for i, c in enumerate(parameter.constraints)),
            keys=cfn_to_hot.translate_keys(parameter.keys, self.template.version.dialect.parameter),
        )

    def rewrite_resource(self, resource: ir.Resource) -> ir.Resource:
        dialect = self.version.dialect.resource
        for key in ("condition", "external_id"):
            if key in resource.parts and key not in dialect:
                self.report_missing(f"{key} of resources", resource.parts[key])
        for entry in resource.ignored:
            message = f"Heat ignores {entry.key} of resource {resource.name}. HOT does not allow it, so it is left out."
            self.sink.add(codes.KEY_IGNORED_BY_HEAT, message, entry.key_span)
        renamed = replace(
            resource, properties=self.rename_properties(resource, resource.properties), condition=ir.ALWAYS
        )
        return replace(
            ir.rebuilt_resource(renamed, self.rewrite_expression),
            condition=self.rewrite_condition(resource.condition),
            ignored=(),
            keys=cfn_to_hot.translate_keys(resource.keys, self.template.version.dialect.resource),
        )

    def rewrite_output(self, output: ir.Output) -> ir.Output:
        if output.is_conditional and "condition" not in self.version.dialect.output:
            self.report_missing("condition of outputs", output.condition)
        for entry in output.ignored:
            message = f"Heat ignores {entry.key} of output {output.name}, so it is left out."
            self.sink.add(codes.KEY_IGNORED_BY_HEAT, message, entry.key_span)
        return replace(
            output,
            value=self.rewrite_expression(output.value),
            condition=self.rewrite_condition(output.condition),
            ignored=(),
            keys=cfn_to_hot.translate_keys(output.keys, self.template.version.dialect.output),
        )

    def rename_properties(self, resource: ir.Resource, properties: ir.Map) -> ir.Map:
        """Properties with their current names in place of deprecated ones, as Heat translates them."""
        facts = self.stack.catalog.find_type(resource.kind)
        if not facts or "retired" in facts:
            return properties
        renamed = self.renamed.setdefault(resource.name, {})
        new_properties = rename_keys(properties, facts.get("properties", {}), "", renamed)
        places: dict[str, list[str]] = {}  # the old names in items of lists, by the name without the indices
        for old in renamed:
            places.setdefault(".".join(step for step in old.split(".") if not step.isdecimal()), []).append(old)
        for first, *others in places.values():
            message = f"Property {first} of {resource.type} is now called {renamed[first]}"
            message += f", and {len(others)} other {'items' if len(others) > 1 else 'item'} alike." if others else "."
            self.sink.add(codes.RENAMED_PROPERTY, message, resource.name_span.in_text)
        return new_properties

    # expressions

    def rewrite_condition(self, expression: ir.Expr) -> ir.Expr:
        return self.rewrite_expression(expression, condition=True)

    def rewrite_expression(self, expression: ir.Expr, condition: bool = False) -> ir.Expr:
        """An expression with functions of the target version; unchanged, with an error, if there are none."""
        try:
            rewritten = self.rewriter.rewrite_expression(expression)
        except cfn_to_hot.NoCounterpart as e:
            last = INTRINSICS[e.name].until if e.name in INTRINSICS else None
            hint = f"Version {last} supports it: use --hot-version {last}." if last is not None else ""
            self.last = min(filter(None, (self.last, last)), default=None)
            self.report_problem(
                codes.FUNCTION_MISSING_IN_HOT, f"HOT has no equivalent for this use of {e.name}.", e.expr, hint
            )
            return expression
        for select in self.rewriter.selects:
            message = 'For a missing item, Fn::Select returns "", get_attr returns null, and str_split fails.'
            self.report_problem(codes.SELECT_OF_MISSING_ITEM, message, select)
        self.rewriter.selects.clear()
        self.check_expression(rewritten, condition)
        return rewritten

    def check_expression(self, expression: ir.Expr, condition: bool) -> None:
        """Reports constructs that the target version lacks or would read differently."""
        functions = self.version.conditions if condition else self.version.functions
        if isinstance(expression, ir.Map):
            self.check_same_data(expression.entries, expression)
        elif isinstance(expression, ir.If):
            if expression.fn not in functions:
                self.report_missing(f"function {expression.fn}", expression)
            elif expression.orelse is None and not self.version.has_form(IF_WITHOUT_ELSE):
                self.report_missing(IF_WITHOUT_ELSE.words, expression)
            self.check_expression(expression.condition, True)
            for branch in expression.branches:
                self.check_expression(branch, condition)
            return
        elif isinstance(expression, ir.Repeat):
            if "repeat" not in functions:
                self.report_missing("function repeat", expression)
            elif expression.permutations is not None and not self.version.has_form(PERMUTATIONS):
                self.report_missing(PERMUTATIONS.words, expression)
            self.check_forms(expression)
            self.check_same_data(expression.for_each, expression)
        elif isinstance(expression, ir.Call):
            if expression.fn not in functions:
                self.report_missing(f"function {expression.fn}" + (" in conditions" if condition else ""), expression)
            elif why := describe_wrong_argument(expression.fn, expression.arg):
                message = f"HOT has no equivalent for this use of {expression.fn}: {why}"
                self.report_problem(codes.FUNCTION_MISSING_IN_HOT, message, expression)
            else:
                self.check_forms(expression)
        elif isinstance(expression, ir.AttrRef):
            self.attribute(expression)
        for child in ir.children(expression):
            self.check_expression(child, condition)

    def check_forms(self, call: ir.Expr) -> None:
        """Reports the forms of a call that the target version does not have, but the version of the template does."""
        for form, part in later_forms(self.template, call):
            absent_before = form is not SEVERAL_LISTS and not self.template.version.has_form(form)
            if not self.version.has_form(form) and not absent_before:
                self.report_missing(form.words, part)

    def check_same_data(self, entries: tuple[ir.Entry, ...], expression: ir.Expr) -> None:
        """Reports a map that the target version would read as a call."""
        key = entries[0].key if len(entries) == 1 else ""
        if key in self.version.functions or key in self.version.removed:
            message = f"{key} is a function in version {self.version.name}, but data in this template."
            self.report_problem(codes.DIFFERENT_IN_CHOSEN_VERSION, message, expression)

    def attribute(self, ref: ir.AttrRef) -> None:
        was, now = (v.has_form(PLUGIN_PATHS) for v in (self.template.version, self.version))
        if not ref.path and not self.version.has_form(ALL_ATTRIBUTES):
            self.report_missing(ALL_ATTRIBUTES.words, ref)
        elif len(ref.path) > 1 and was != now and ref.name in self.groups and ref.path[0] != ir.Lit("refs"):
            since = f"From version {PLUGIN_PATHS.since} on"
            message = f"{since}, a path applies to each member of {ref.name}, not to the list of members."
            self.report_problem(codes.DIFFERENT_IN_CHOSEN_VERSION, message, ref)


def rename_keys(properties: ir.Map, schema: Mapping[str, PropertySchema], path: str, renamed: dict[str, str]) -> ir.Map:
    """A map with its deprecated keys renamed, unless it has the new key, too. `renamed`: collects them by path."""
    names = {entry.key for entry in properties.entries}
    entries = []
    for entry in properties.entries:
        facts = schema.get(entry.key, {})
        new = facts.get("alias")
        key = entry.key
        if new is not None and new not in names and new in schema:
            key = new
            renamed[f"{path}{entry.key}"] = f"{path}{new}"
        entries.append(ir.Entry(key, rename_inner_keys(entry.value, facts, f"{path}{entry.key}.", renamed), entry.at))
    return ir.Map(tuple(entries), properties.span)


def rename_inner_keys(expression: ir.Expr, facts: PropertySchema, path: str, renamed: dict[str, str]) -> ir.Expr:
    if isinstance(expression, ir.Map) and "fields" in facts:
        return rename_keys(expression, facts["fields"], path, renamed)
    if isinstance(expression, ir.Seq) and "fields" in facts.get("items", {}):
        items = [
            rename_inner_keys(item, facts["items"], f"{path}{i}.", renamed) for i, item in enumerate(expression.items)
        ]
        return ir.Seq(tuple(items), expression.span)
    return expression
