"""What only a real stack knows, as far as the caller supplies it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from transpile.evaluate.interpreter import ABSENT
from transpile.model.records import field, record

if TYPE_CHECKING:
    from collections.abc import Callable


def member_names() -> Callable[[], str]:
    """Names for members of scaling groups; Heat's are random."""
    numbers = itertools.count()
    return lambda: f"member{next(numbers):06d}"


@record
class Outside:
    """What only a real stack knows.

    `reference` and `attribute` take a resource's address: its name after those of the resources whose stacks contain
    it, separated by dots. They return ABSENT for what they do not know; the reference is then `ADDRESS-id`, the
    attribute `attr:ADDRESS:NAME`. `deep`: evaluate nested stacks instead of asking for their attributes.
    """

    reference: Callable[[str], Any] = lambda address: ABSENT
    attribute: Callable[[str, tuple[Any, ...]], Any] = lambda address, path: ABSENT
    stack_name: str = "stack"
    stack_id: str = "00000000-0000-4000-8000-000000000000"
    project_id: str = "project"
    zones: tuple[str, ...] = ("nova",)
    member: Callable[[], str] = field(default_factory=member_names)
    deep: bool = True
