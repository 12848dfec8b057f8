"""What an evaluated stack came to: plain values, for everything at once.

The easy rule to break: what Heat refuses has no value and stands in `errors`, by a path like `properties.name`; a
value of None is Heat's null.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@final
@dataclasses.dataclass(frozen=True, slots=True)
class EvaluatedOutput:
    """An output. `requires`: the resources that its value needs; `error`: why it has none."""

    value: Any
    enabled: bool | None = True
    requires: Sequence[str] = ()
    error: str = ""


@final
@dataclasses.dataclass(frozen=True, slots=True)
class EvaluatedResource:
    """A resource whose condition holds.

    `implementation`: what the registry makes of its type, None where that is the type itself; `explicit`, `implicit`:
    the resources that it needs, by `depends_on` and by references; `disabled`: those of them that are not there for
    their conditions; `nested`: the stack that it stands for.
    """

    type: str
    implementation: str | None
    properties: Mapping[str, Any]
    metadata: Any
    deletion_policy: Any
    update_policy: Any
    external_id: Any
    depends_on: Sequence[str]
    explicit: Sequence[str]
    implicit: Sequence[str]
    disabled: Sequence[str]
    hooks: Sequence[str]
    restricted_actions: Sequence[str]
    nested: Evaluated | None
    errors: Mapping[str, str]


@final
@dataclasses.dataclass(frozen=True, slots=True)
class Evaluated:
    """A stack. `disabled`: the resources whose conditions do not hold; `notes`: why stacks inside could not be made."""

    parameters: Mapping[str, Any]
    pseudo_parameters: Mapping[str, Any]
    conditions: Mapping[str, bool | None]
    resources: Mapping[str, EvaluatedResource]
    disabled: Sequence[str]
    outputs: Mapping[str, EvaluatedOutput]
    errors: Mapping[str, str]
    notes: Sequence[str]
