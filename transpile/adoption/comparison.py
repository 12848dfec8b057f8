"""What a template of a repository means otherwise than the one that Heat has stored.

Invariant: values are compared, as Heat computes them, and not texts: a comment, an order of keys or another version
makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.span import START
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.results import evaluate_stack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.adoption.live import LiveStack
    from transpile.resolve.stack import Stack
    from transpile.stack_evaluation.results import Evaluated

KEYS = ("type", "properties", "metadata", "deletion_policy")


def compare(stored: Stack, given: Stack, live: LiveStack) -> list[Diagnostic]:
    """The differences, each at its place in the template of the repository."""
    ids = {".".join(path): one.physical_id for path, one in live.walk()}

    def reference(address: str) -> Any:
        found = ids.get(address)
        return ABSENT if found is None else found

    outside = Outside(reference, stack_name=live.name, stack_id=live.id, project_id=live.project)
    try:
        before, after = evaluate_stack(stored, outside), evaluate_stack(given, outside)
    except EvaluationError as e:
        return [
            Diagnostic(
                codes.TEMPLATE_DIFFERS_FROM_STACK, f"The two templates cannot be compared: {e}.", given.template.source
            )
        ]
    return list(differences(before, after, given))


def differences(before: Evaluated, after: Evaluated, given: Stack) -> Iterator[Diagnostic]:
    template = given.template
    for name in {**before.resources, **after.resources}:
        resource = template.resources.get(name)
        span = resource.name_span if resource is not None else START
        one, other = before.resources.get(name), after.resources.get(name)
        if one is None or other is None:
            message = f"{name} is only in the {'given template' if one is None else 'template of the running stack'}."
            yield Diagnostic(codes.TEMPLATE_DIFFERS_FROM_STACK, message, template.source, span)
            continue
        words = sorted(
            {
                *(key for key in KEYS if key != "properties" and getattr(one, key) != getattr(other, key)),
                *(
                    key
                    for key in {**one.properties, **other.properties}
                    if one.properties.get(key, ABSENT) != other.properties.get(key, ABSENT)
                ),
            }
        )
        if words:
            message = f"{name} differs from the running stack: {', '.join(words)}."
            yield Diagnostic(codes.TEMPLATE_DIFFERS_FROM_STACK, message, template.source, span)
        if one.nested is not None and other.nested is not None and one.nested != other.nested and not words:
            message = f"The stack nested in {name} differs from the running one."
            yield Diagnostic(codes.TEMPLATE_DIFFERS_FROM_STACK, message, template.source, span)
