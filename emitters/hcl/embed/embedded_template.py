"""The template of an embedded stack, as a template and as text.

Invariant: a text into which Terraform inserts values is rendered again and compared; if it differs, the conversion
stops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.plan.readers import SINCE
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import Traversal
from transpile import targets
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model import ir
from transpile.model.intrinsics import look_up_template_version
from transpile.model.records import replace


def build_template(embedded: EmbeddedStack) -> ir.Template:
    """The embedded template."""
    from transpile.rewrite import cfn_to_hot

    source = embedded.emission.unit.template
    resources, outputs, conditions = embedded.resources, embedded.outputs, embedded.inputs.conditions
    exprs: list[ir.Expr] = [e for r in resources.values() for e in r.parts.values()] + [
        o.value for o in outputs.values()
    ]
    needed = SINCE if embedded.is_read_only else cfn_to_hot.BASE if embedded.has_structured_outputs else ""
    if embedded.is_cfn or not source.version.is_hot_since(needed):
        words = source.version.dialect.resource
        texts = cfn_to_hot.scalar_parameters(embedded.inputs.parameters)
        modern = cfn_to_hot.CfnRewriter(source.source, embedded.emission.unit.group_names, texts)
        resources = {n: cfn_to_hot.rewrite_cfn_resource(r, modern, words) for n, r in resources.items()}
        outputs = {n: ir.Output(n, modern.rewrite_expression(o.value)) for n, o in outputs.items()}
        conditions = {n: ir.Condition(n, modern.rewrite_expression(c.value), (), c.span) for n, c in conditions.items()}
        exprs = (
            [e for r in resources.values() for key, e in r.parts.items() if key != "condition"]
            + [o.value for o in outputs.values()]
            + [c.value for c in conditions.values()]
        )
        recent = bool(embedded.is_read_only or conditions) or any(r.is_conditional for r in resources.values())
        used = cfn_to_hot.minimum_version(exprs, recent)
        chosen = look_up_template_version(max(used, source.version.date) if not embedded.is_cfn else used)
    else:
        chosen = source.version
    name = "running stacks" if embedded.emission.unit.running.is_root else source.source.name.rpartition("/")[2]
    kept = embedded.emission.unit.comments_in(resources.values())
    contents = "Attributes that Terraform cannot read" if embedded.is_read_only else "Resources that stay with Heat"
    description = f"{contents}. Part of {name}."
    parameters = embedded.inputs.parameters
    return ir.Template(
        chosen, source.source, description, (), parameters, {}, conditions, resources, outputs, comments=kept
    )


def print_template(embedded: EmbeddedStack) -> str:
    """The text of the embedded template. Instead of a `get_param` of an inserted value, it has an interpolation."""
    template, mark = build_template(embedded), "inserted"
    printed: str = targets.load_target_module("hot").show(template)
    if not embedded.inputs.inserted_values:
        return printed
    while mark in printed:  # a mark must not occur in the text by itself
        mark += "_"
    marks = {f"{mark}_{i}_": name for i, name in enumerate(embedded.inputs.inserted_values)}
    words = {name: ir.Lit(word) for word, name in marks.items()}
    printed = targets.load_target_module("hot").show(replace_parameters(template, words))
    parts = re.split(f"({mark}_[0-9]+_)", printed)
    text = strings.print_template_file([Traversal((marks[p],)) if p in marks else p for p in parts], "jsonencode")
    again = strings.render_template_file(text, "jsonencode", {name: word for word, name in marks.items()})
    if again != printed:
        message = f"{embedded.file} failed verification: Terraform would read it as something else."
        raise Stopped([Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message, template.source)])
    return text


def replace_parameters(template: ir.Template, literals: Mapping[str, ir.Lit]) -> ir.Template:
    """A template with literals in place of the references to some parameters. words: the literals, by parameter."""

    def substitute(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.ParamRef) and expr.name in literals:
            return literals[expr.name]
        return ir.rebuilt(expr, substitute)

    resources = {name: ir.rebuilt_resource(resource, substitute) for name, resource in template.resources.items()}
    outputs = {name: replace(output, value=substitute(output.value)) for name, output in template.outputs.items()}
    conditions = {
        name: replace(condition, value=substitute(condition.value)) for name, condition in template.conditions.items()
    }
    return replace(template, resources=resources, outputs=outputs, conditions=conditions)
