"""Whether a linked template and a running stack belong together.

Invariant: every resource whose condition holds runs, and every running resource is in the template.
"""

from __future__ import annotations

import posixpath

from transpile.adoption.live import LiveStack
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.resolve.stack import Stack


def is_same_type(running: str, written: str, live: LiveStack) -> bool:
    """Whether a type of a running stack is the one in a template. Heat's client stores the file of a nested template as
    a URL: `file:///home/me/node.yaml` is `node.yaml`.
    """
    return running == written or (running in live.files and posixpath.basename(running) == posixpath.basename(written))


def check_pairing(stack: Stack, live: LiveStack) -> list[Diagnostic]:
    """The resources of the outermost stack that have no counterpart. Nested stacks follow from the resources."""
    diagnostics = []
    template = stack.template
    for name, resource in template.resources.items():
        running = live.resources.get(name)
        if running is None and stack.enabled.get(name) is True:
            message = f"{name} is in the template, but the running stack has no such resource."
            hint = "If its creation failed, update the stack until it is complete, and export it again."
            diagnostics.append(
                Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, template.source, resource.name_span, hint)
            )
        elif running is not None and stack.enabled.get(name) is False:
            message = f"The condition of {name} does not hold, but the running stack has the resource."
            hint = "Export the stack again, together with its parameters."
            diagnostics.append(
                Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, live.source, running.span, hint)
            )
        elif running is not None and running.type and not is_same_type(running.type, resource.type, live):
            message = f"{name} is of type {running.type} in the running stack, and {resource.type} in the template."
            diagnostics.append(Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, live.source, running.span))
    for name, live_resource in live.resources.items():
        if name not in template.resources:
            message = f"The running stack has the resource {name}, but the template does not."
            hint = "Update the stack to the template first; Terraform would not know the resource."
            diagnostics.append(
                Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, live.source, live_resource.span, hint)
            )
    return diagnostics
