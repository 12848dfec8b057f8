"""Draws what needs what in a stack, and what becomes of each resource with `--to hcl`.

Invariant: what becomes of a resource is read from the report of the conversion, and not worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.graph import build
from emitters.graph.model import Graph
from emitters.hcl import emitter as hcl
from emitters.hcl import options as hcl_options
from transpile.diagnostics.model import has_errors
from transpile.resolve.stack import Stack
from transpile.settings.target_options import extend_options
from transpile.targets import LOAD, Option, Output, Target

FORMS = ("mermaid", "dot", "svg")
ENDINGS = {"mermaid": "mmd", "dot": "dot", "svg": "svg"}


def emit_graph(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The graph of a stack. If the conversion fails, all resources are drawn as not converted."""
    form = str(options["form"])
    values = {**hcl.TARGET.read_options({}), **options, hcl_options.WITH_README.name: False}
    converted = hcl.emit_directory(stack, extend_options(options, values))
    report = converted.report if not has_errors(converted.diagnostics) else None
    graph = build.build_graph(stack, report, int(options["depth"]), str(options["only"]))
    return Output({f"graph.{ENDINGS[form]}": print_graph(form, graph)}, converted.report, [])


def print_graph(form: str, graph: Graph) -> str:
    if form == "mermaid":
        from emitters.graph import mermaid

        return mermaid.write_mermaid(graph)
    if form == "dot":
        from emitters.graph import dot

        return dot.write_dot(graph)
    from emitters.graph import svg

    return svg.write_svg(graph)


TARGET = Target(
    "graph",
    emit_graph,
    nested=LOAD,
    options=(
        Option("form", "The language of the graph.", values=FORMS, default=FORMS[0]),
        Option("depth", "How many levels of nested stacks to open; 0 means all.", int, default=0),
        Option("only", "Draw only what becomes Terraform, or stays with Heat.", values=build.ONLY, default=build.ALL),
        hcl_options.PREFER,
        hcl_options.KEEP,
    ),
    tables=hcl.tables_of,
)
