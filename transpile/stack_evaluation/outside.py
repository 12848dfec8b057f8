"""Holds the values that only a real stack has, as far as a caller supplies them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from transpile.evaluate.interpreter import ABSENT
from transpile.model.records import field, record


def make_member_names() -> Callable[[], str]:
    """Returns a function that makes up names for members of scaling groups: member000000, … Heat's own are random."""
    numbers = itertools.count()
    return lambda: f"member{next(numbers):06d}"


@record
class Outside:
    """The values that only a real stack has.

    `reference` and `attribute` take the address of a resource: its name after those of the resources whose stacks
    contain it, separated by dots. If they return ABSENT, the reference is `ADDRESS-id`, and the attribute
    `attr:ADDRESS:NAME`. `member`: makes up a name for a member; `deep`: attributes of nested stacks are evaluated, not
    read from `attribute`; `yaql`: YAQL is computed.
    """

    reference: Callable[[str], Any] = lambda address: ABSENT
    attribute: Callable[[str, tuple[Any, ...]], Any] = lambda address, path: ABSENT
    stack_name: str = "stack"
    stack_id: str = "00000000-0000-4000-8000-000000000000"
    project_id: str = "project"
    zones: tuple[str, ...] = ("nova",)
    member: Callable[[], str] = field(default_factory=make_member_names)
    deep: bool = True
    yaql: bool = True
