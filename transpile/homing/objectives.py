"""Reads the section `optimization`: a goal, operators and functions, in the old or in the new arrangement."""

from __future__ import annotations

from collections.abc import Collection

from transpile.diagnostics import codes
from transpile.homing import new_objectives, old_objectives
from transpile.homing.context import SectionContext
from transpile.homing.model import NEW, TemplateObjective
from transpile.model.ir import Expr


def read_objective(context: SectionContext, section: Expr | None, hpa: Collection[str]) -> TemplateObjective | None:
    """The objective; None if there is none, or if it cannot be read. `hpa`: the names of the constraints of
    that type.
    """
    section_map = context.expect_map(section, "The section optimization", codes.NOT_A_HOMING_TEMPLATE)
    if not section_map or not section_map.entries:
        return None
    if context.document.arrangement == NEW:
        return new_objectives.NewObjectiveReader(context).read_objective(section_map)
    return old_objectives.OldObjectiveReader(context, hpa).read_objective(section_map)
