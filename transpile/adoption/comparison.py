"""Compares the template of a repository with the one that Heat has stored.

Invariant: the values that Heat computes are compared, not the texts. So comments, the order of keys and the version of
HOT make no difference.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from transpile.adoption.live import LiveStack
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.span import START
from transpile.resolve.stack import Stack
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.results import EvaluatedStack, evaluate_stack

LINKS = ("depends_on", "explicit", "implicit", "disabled", "update_policy", "external_id")
COMPARED_KEYS = ("type", "properties", "metadata", "deletion_policy")


def compare_templates(stored_stack: Stack, repository_stack: Stack, live: LiveStack) -> list[Diagnostic]:
    """The differences, each at its place in the template of the repository."""
    ids = {".".join(path): resource.physical_id for path, resource in live.walk_resources()}

    def find_physical_id(address: str) -> Any:
        physical_id = ids.get(address)
        return ABSENT if physical_id is None else physical_id

    outside = Outside(find_physical_id, stack_name=live.name, stack_id=live.id, project_id=live.project)
    names = {posixpath.basename(name) for name in live.files}

    def shorten(value: Any) -> Any:
        """A value in which files of the stack go by their last names: Heat's client stores them as URLs. Their content
        is compared with the nested stacks.
        """
        if isinstance(value, dict):
            return {key: shorten(item) for key, item in value.items()}
        if isinstance(value, list):
            return [shorten(item) for item in value]
        if isinstance(value, str) and "\n" not in value and (last := posixpath.basename(value)) in names:
            return last
        return value

    try:
        before, after = evaluate_stack(stored_stack, outside), evaluate_stack(repository_stack, outside)
    except EvaluationError as e:
        return [
            Diagnostic(
                codes.TEMPLATE_DIFFERS_FROM_STACK,
                f"The two templates cannot be compared: {e}.",
                repository_stack.template.source,
            )
        ]
    return list(find_template_differences(before, after, repository_stack, shorten))


def list_values(stack: EvaluatedStack) -> dict[str, Any]:
    """The values of a nested stack as plain data: its resources, those of stacks nested in it, and its outputs."""
    return {
        "parameters": dict(stack.parameters),
        "resources": {
            name: {
                **{key: getattr(resource, key) for key in (*COMPARED_KEYS, *LINKS)},
                "properties": dict(resource.properties),
                "nested": list_values(resource.nested) if resource.nested is not None else None,
            }
            for name, resource in stack.resources.items()
        },
        "outputs": {name: output.value for name, output in stack.outputs.items()},
        "errors": dict(stack.errors),
    }


def find_template_differences(
    before: EvaluatedStack, after: EvaluatedStack, repository_stack: Stack, shorten: Callable[[Any], Any]
) -> Iterator[Diagnostic]:
    template = repository_stack.template
    for name in {**before.resources, **after.resources}:
        resource = template.resources.get(name)
        span = resource.name_span if resource is not None else START
        stored_resource, repository_resource = before.resources.get(name), after.resources.get(name)
        if stored_resource is None or repository_resource is None:
            where = "given template" if stored_resource is None else "template of the running stack"
            message = f"{name} is only in the {where}."
            yield Diagnostic(codes.TEMPLATE_DIFFERS_FROM_STACK, message, template.source, span)
            continue
        changed_keys = sorted(
            {
                *(
                    key
                    for key in COMPARED_KEYS
                    if key != "properties"
                    and shorten(getattr(stored_resource, key)) != shorten(getattr(repository_resource, key))
                ),
                *(
                    key
                    for key in {**stored_resource.properties, **repository_resource.properties}
                    if shorten(stored_resource.properties.get(key, ABSENT))
                    != shorten(repository_resource.properties.get(key, ABSENT))
                ),
            }
        )
        if changed_keys:
            message = f"{name} differs from the running stack: {', '.join(changed_keys)}."
            yield Diagnostic(codes.TEMPLATE_DIFFERS_FROM_STACK, message, template.source, span)
        if (
            stored_resource.nested is not None
            and repository_resource.nested is not None
            and shorten(list_values(stored_resource.nested)) != shorten(list_values(repository_resource.nested))
            and not changed_keys
        ):
            message = f"The stack nested in {name} differs from the running one."
            yield Diagnostic(codes.TEMPLATE_DIFFERS_FROM_STACK, message, template.source, span)
