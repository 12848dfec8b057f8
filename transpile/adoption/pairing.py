"""Whether a linked template and a running stack belong together.

Invariant: a resource that the template has with a condition that holds runs, and what runs is in the template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic

if TYPE_CHECKING:
    from transpile.adoption.live import LiveStack
    from transpile.resolve.stack import Stack


def pair(stack: Stack, live: LiveStack) -> list[Diagnostic]:
    """What of a stack has no counterpart, in the stack itself. Nested stacks follow from their parents."""
    found = []
    template = stack.template
    for name, resource in template.resources.items():
        running = live.resources.get(name)
        if running is None and stack.enabled.get(name) is True:
            message = f"{name} is in the template, but the running stack has no such resource."
            hint = "If its creation failed, update the stack until it is complete, and export it again."
            found.append(
                Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, template.source, resource.name_span, hint)
            )
        elif running is not None and stack.enabled.get(name) is False:
            message = f"The condition of {name} does not hold, but the running stack has the resource."
            hint = "Export the stack again, together with its parameters."
            found.append(Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, live.source, running.span, hint))
        elif running is not None and running.type and running.type != resource.type:
            message = f"{name} is of type {running.type} in the running stack, and {resource.type} in the template."
            found.append(Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, live.source, running.span))
    for name, one in live.resources.items():
        if name not in template.resources:
            message = f"The running stack has the resource {name}, but the template does not."
            hint = "Update the stack to the template first; Terraform would not know the resource."
            found.append(Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, live.source, one.span, hint))
    return found
