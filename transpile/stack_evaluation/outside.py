"""What only a real stack knows, as far as the caller supplies it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from transpile.evaluate.interpreter import ABSENT
from transpile.model.records import field, record

if TYPE_CHECKING:
    from collections.abc import Callable


def member_names() -> Callable[[], str]:
    """Names for the members of scaling groups, which Heat takes by chance."""
    numbers = itertools.count()
    return lambda: f"member{next(numbers):06d}"


@record
class Outside:
    """What only a real stack knows.

    `reference` and `attribute` take the address of a resource: its name, behind those of the resources whose stacks it
    lies in, with dots between; ABSENT for what they do not know. Such a reference is then `ADDRESS-id`, such an
    attribute `attr:ADDRESS:NAME`. `deep`: go into the stacks that resources stand for, else they are asked for, too.
    """

    reference: Callable[[str], Any] = lambda address: ABSENT
    attribute: Callable[[str, tuple[Any, ...]], Any] = lambda address, path: ABSENT
    stack_name: str = "stack"
    stack_id: str = "00000000-0000-4000-8000-000000000000"
    project_id: str = "project"
    zones: tuple[str, ...] = ("nova",)
    member: Callable[[], str] = field(default_factory=member_names)
    deep: bool = True
