"""Refuses resource types that are misspelt names of Heat's own types.

An unknown type may be that of a plug-in in the cloud, so a conversion leaves it to Heat. But `OS::Nova::Srver` is in
one of Heat's namespaces and close to a type there: Heat would refuse it, and output that needs it would be of no use.
"""

from __future__ import annotations

from collections.abc import Callable

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.diagnostics.registry import message_of_rule
from transpile.resolve.stack import Stack, walk_stacks


def report_misspelt_types(stack: Stack, is_known: Callable[[str], bool]) -> list[Diagnostic]:
    """An error for each misspelt type in a stack and in those nested in it. `is_known`: whether a type that is not
    Heat's is known otherwise, for example to a mapping table.
    """
    catalog = stack.catalog
    diagnostics: dict[Diagnostic, None] = {}
    for member in walk_stacks(stack):
        sink = Sink(member.template.source)
        for resource in member.template.resources.values():
            kind = member.types[resource.name]
            if catalog.has_type_name(kind) or not catalog.has_namespace(kind) or is_known(kind):
                continue
            if guess := sink.guess_name(kind, catalog.type_names()):
                sink.add(
                    codes.UNKNOWN_RESOURCE_TYPE,
                    message_of_rule(codes.UNKNOWN_RESOURCE_TYPE, kind=kind),
                    resource.type_span,
                    guess,
                )
        diagnostics |= dict.fromkeys(sink.diagnostics)
    return list(diagnostics)
