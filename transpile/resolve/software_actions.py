"""Reports actions of software configuration that Heat refuses, ignores, or never runs.

Invariant: only actions that are known are reported. Heat refuses such actions when it creates the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.diagnostics.spelling import Guess
from transpile.model import heat_types, ir
from transpile.resolve.lifecycle import ACTIONS, DEPLOYMENTS, USUAL, is_component, referenced_config
from transpile.resolve.stack import Stack


def check_software_actions(stack: Stack, sink: Sink, evaluate_value: Callable[[ir.Expr], Any], *, create: bool) -> None:
    """Checks the actions of all deployments and components of a stack. `evaluate_value`: None if a value is unknown.
    `create`: errors of Heat when it creates the stack are errors.
    """
    refused = "error" if create else ""
    for resource in stack.template.resources.values():
        if stack.enabled[resource.name] is False or resource.is_existing:
            continue
        kind, properties = stack.types[resource.name], resource.properties
        if kind == heat_types.SOFTWARE_COMPONENT:
            check_component_actions(resource, properties, sink, evaluate_value, refused)
        elif kind in DEPLOYMENTS and (written := resource.find_value("actions")):
            config = referenced_config(stack, properties)
            if config is not None and is_component(stack, config):
                message = f"Heat ignores the actions of {resource.name}: its component {config.name} has its own."
                sink.add(codes.PROPERTY_IGNORED_BY_HEAT, message, written, severity="info")


def check_component_actions(
    component: ir.Resource,
    properties: ir.Map,
    sink: Sink,
    evaluate_value: Callable[[ir.Expr], Any],
    refused: str,
) -> None:
    """Two configurations of a component for one action, which Heat refuses; and actions that no deployment has."""
    parts = properties.get("configs")
    taken: dict[str, int] = {}  # the configuration of each action
    for number, part in enumerate(parts.items if isinstance(parts, ir.Seq) else ()):
        if not isinstance(part, ir.Map):
            continue
        written = part.get("actions")
        if written is None or written == ir.NULL:
            actions: list[tuple[str, ir.Expr]] = [(word, part) for word in USUAL]
        else:
            actions = list(list_actions(written, evaluate_value))
        if again := {word: place for word, place in actions if taken.setdefault(word, number) != number}:
            before = taken[next(iter(again))]
            message = (
                f"{component.name}.configs.{number}: Heat refuses two configurations for the same action; "
                f"configuration {before} runs on {' and '.join(word for word in again if taken[word] == before)}, too."
            )
            sink.add(codes.PROPERTY_CONSTRAINT_VIOLATED, message, next(iter(again.values())), severity=refused)
        for word, place in actions:
            if word not in ACTIONS:
                message = f"Heat never runs the action {word} of {component.name}."
                hint = guess_action(word, sink)
                sink.add(codes.ACTION_NEVER_RUN, message, place, hint)


def guess_action(word: str, sink: Sink) -> Guess:
    """The action that a word may mean: `create` -> CREATE."""
    return Guess(word, word.upper(), certain=True) if word.upper() in ACTIONS else sink.guess_name(word, ACTIONS)


def list_actions(written: ir.Expr, evaluate_value: Callable[[ir.Expr], Any]) -> Iterator[tuple[str, ir.Expr]]:
    """The known actions, each with its place."""
    if isinstance(written, ir.Seq):
        values = [(evaluate_value(item), item) for item in written.items]
    else:
        whole = evaluate_value(written)
        values = [(value, written) for value in whole] if isinstance(whole, list) else []
    yield from ((value, place) for value, place in values if isinstance(value, str))
