"""Likely mistakes that Heat accepts.

Invariant: none is an error, and none is reported if an unknown value could make it right.
"""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, make_spelling_fix
from transpile.evaluate.placeholders import occurring_placeholders, sort_placeholders
from transpile.model import heat_types
from transpile.model.ir import (
    Call,
    Condition,
    ConditionRef,
    Expr,
    If,
    Lit,
    Map,
    Output,
    ParamRef,
    Repeat,
    Resource,
    Seq,
    Template,
    is_plain_data,
    walk,
)
from transpile.model.span import Span
from transpile.resolve.later_forms import parameter_type
from transpile.resolve.stack import Stack

BEGIN = 2  # letters of a name that are right; comparing all keys with all names would cost more than the whole check


def check_lints(stack: Stack, sink: Sink) -> None:
    """Reports all likely mistakes in one template."""
    template = stack.template
    check_unused(template, sink)
    check_unused_placeholders(template, sink)
    check_index_variables(stack, sink)
    check_duplicate_dependencies(template, sink)
    check_outdated_types(stack, sink)
    check_comparisons(template, sink)


def check_comparisons(template: Template, sink: Sink) -> None:
    """Comparisons of values that are never equal in Heat: YAML reads `yes` as a boolean, and a string is no boolean and
    no number.
    """
    for call in template.calls:
        if not isinstance(call, Call) or not isinstance(call.arg, Seq) or len(call.arg.items) != 2:
            continue
        first, second = call.arg.items
        if call.fn in ("equals", "Fn::Equals"):
            kinds = [kind_of_value(template, first), kind_of_value(template, second)]
            if "string" in kinds and {*kinds} & {"boolean", "number"}:
                other = first if kinds[0] != "string" else second
                message = f"A string never equals a {next(k for k in kinds if k != 'string')}, so this is always false."
                hint = "Quote the value, if a string is meant." if isinstance(other, Lit) else ""
                sink.add(codes.NEVER_EQUAL, message, call, hint)
        elif call.fn == "filter" and isinstance(first, Seq):
            source = {kind_of_value(template, item) for item in second.items} if isinstance(second, Seq) else {""}
            if isinstance(second, ParamRef) and parameter_type(template, second) == "comma_delimited_list":
                source = {"string"}
            for item in first.items:
                if source == {"string"} and kind_of_value(template, item) in ("boolean", "number"):
                    message = "The list has only strings, and no string equals this value, so filter removes nothing."
                    sink.add(codes.NEVER_EQUAL, message, item, "Quote the value, if a string is meant.")


def kind_of_value(template: Template, expr: Expr) -> str:
    """The kind of an expression's value, if it is certain: string, boolean or number; else empty."""
    if isinstance(expr, Lit):
        if isinstance(expr.value, bool):
            return "boolean"
        if isinstance(expr.value, (int, float)):
            return "number"
        return "string" if isinstance(expr.value, str) else ""
    kind = parameter_type(template, expr)
    return kind if kind in ("string", "boolean", "number") else ""


def referenced_names(template: Template, kind: type[ParamRef | ConditionRef]) -> set[str]:
    """The names in all references of one kind."""
    owners: list[Condition | Resource | Output] = [*template.conditions.values(), *template.resources.values()]
    owners += template.outputs.values()
    return {ref.name for owner in owners for ref in owner.refs if isinstance(ref, kind)}


def check_unused(template: Template, sink: Sink) -> None:
    """Parameters, conditions and mappings that nothing refers to; a computed name may refer to any of them."""
    computed = {call.fn for call in template.calls if isinstance(call, Call)}
    if template.parameters and not computed & {"get_param", "Ref"}:
        used = referenced_names(template, ParamRef)
        for param in template.parameters.values():
            if param.name not in used:
                message = f"Nothing uses the parameter {param.name}."
                sink.add(codes.UNUSED_PARAMETER, message, param.name_span)
    inline = any(isinstance(c, If) and not isinstance(c.condition, (ConditionRef, Lit)) for c in template.calls)
    if template.conditions and not inline:
        used = referenced_names(template, ConditionRef)
        for condition in template.conditions.values():
            if condition.name not in used:
                message = f"Nothing uses the condition {condition.name}."
                sink.add(codes.UNUSED_CONDITION, message, condition.name_span)
    if template.mappings:
        finds = [c.arg for c in template.calls if isinstance(c, Call) and c.fn == "Fn::FindInMap"]
        firsts = [arg.items[0] if isinstance(arg, Seq) and arg.items else None for arg in finds]
        names = {str(first.value) if isinstance(first, Lit) else None for first in firsts}
        for name, mapping in template.mappings.items():
            if None not in names and name not in names:
                sink.add(codes.UNUSED_MAPPING, f"Nothing uses the mapping {name}.", Span(mapping.at, mapping.at))


def check_unused_placeholders(template: Template, sink: Sink) -> None:
    """Placeholders that do not occur in the text."""
    for call in template.calls:
        if isinstance(call, Call) and call.fn == "str_replace" and isinstance(call.arg, Map):
            text, params = call.arg.get("template"), call.arg.get("params")
            if isinstance(text, Lit) and isinstance(text.value, str) and isinstance(params, Map):
                keys = sort_placeholders(entry.key for entry in params.entries)
                occurring = {key for key, _ in occurring_placeholders(text.value, keys)}
                for entry in params.entries:
                    if entry.key not in occurring:
                        message = f"{entry.key} does not occur in the text."
                        sink.add(codes.UNUSED_STR_REPLACE_PLACEHOLDER, message, entry.key_span)
        elif isinstance(call, Repeat):
            written = template.source.text[call.at : call.end] if is_plain_data(call.template) else ""
            for entry in call.for_each:
                if written.count(entry.key) == 1 and is_plain_in_yaml(entry.key):
                    message = f"{entry.key} does not occur in the template of repeat, so all items are the same."
                    sink.add(codes.UNUSED_REPEAT_PLACEHOLDER, message, entry.key_span)
        elif isinstance(call, If) and call.orelse is not None and call.then == call.orelse:
            sink.add(codes.IDENTICAL_BRANCHES, "Both branches are the same.", call)


def is_plain_in_yaml(text: str) -> bool:
    """Whether a text looks the same in any YAML style."""
    return text.isprintable() and not set(text) & set("'\"\\")


def check_index_variables(stack: Stack, sink: Sink) -> None:
    """Groups whose placeholder for the index of a member is not used."""
    for resource in stack.template.resources.values():
        if resource.kind != heat_types.RESOURCE_GROUP:
            continue
        variable, definition = resource.properties.get("index_var"), resource.properties.get("resource_def")
        if not isinstance(variable, Lit) or not isinstance(variable.value, str) or definition is None:
            continue
        written = stack.template.source.text[definition.at : definition.end]
        if variable.value not in written and is_plain_in_yaml(variable.value) and definition.at >= 0:
            message = f"{variable.value} does not occur in resource_def, so all members are the same."
            sink.add(codes.UNUSED_INDEX_VAR, message, variable)


def check_duplicate_dependencies(template: Template, sink: Sink) -> None:
    """Names that occur twice in depends_on."""
    for resource in template.resources.values():
        seen: set[str] = set()
        for name in resource.depends_on:
            if name.name in seen:
                sink.add(codes.DUPLICATE_DEPENDENCY, f"{resource.name} depends on {name.name} twice.", name)
            seen.add(name.name)


def check_outdated_types(stack: Stack, sink: Sink) -> None:
    """Types that Heat keeps only for existing stacks."""
    for resource in stack.template.resources.values():
        facts = stack.find_facts(resource)
        if "retired" in facts:
            last = facts["retired"]
            message = f"{resource.type} is a placeholder without effect. Heat {last} was the last to implement it."
        elif facts.get("status"):
            message = f"Heat lists {resource.type} as {facts['status']}: it is for old stacks only."
        else:
            continue
        sink.add(codes.OUTDATED_RESOURCE_TYPE, message, resource.type_span)


def check_misspelt_functions(template: Template, sink: Sink) -> None:
    """Reports maps in properties, metadata and outputs that were meant as calls of functions: their only key is nearly
    the name of one. Only names with an underscore count, because maps of data seldom have such a key, and only where
    nothing else can be meant.
    """
    function_names = [name for name in template.version.functions if "_" in name]
    begins = {name[:BEGIN] for name in function_names}
    values = [value for r in template.resources.values() for value in (r.properties, r.metadata) if value]
    values += [output.value for output in template.outputs.values()]
    for value in values:
        for part in walk(value):
            if not isinstance(part, Map) or len(part.entries) != 1:
                continue
            entry = part.entries[0]
            if "_" not in entry.key or entry.key[:BEGIN] not in begins or entry.at < 0:
                continue
            if (guess := sink.guess_name(entry.key, function_names)).certain:
                message = f"{entry.key} is not a function, so Heat takes this for a map."
                fix = make_spelling_fix(template.source, entry.key_span, guess)
                sink.add(codes.MISSPELT_FUNCTION, message, entry.key_span, str(guess), fix=fix)
