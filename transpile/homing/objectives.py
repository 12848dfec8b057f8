"""The section `optimization`: a goal, operators and functions, in the old and in the new arrangement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.homing import new_objectives, old_objectives
from transpile.homing.model import NEW, Objective

if TYPE_CHECKING:
    from collections.abc import Collection

    from transpile.homing.context import Context
    from transpile.model.ir import Expr


def read(context: Context, section: Expr | None, hpa: Collection[str]) -> Objective | None:
    """The objective; None if there is none, or it cannot be read. `hpa`: names of the constraints of that type."""
    given = context.map(section, "The section optimization", "HOT860")
    if given is None or not given.entries:
        return None
    if context.document.arrangement == NEW:
        return new_objectives.New(context).objective(given)
    return old_objectives.Old(context, hpa).objective(given)
