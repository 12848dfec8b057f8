"""The exception for expressions that HCL cannot express."""

from __future__ import annotations

from typing import NamedTuple

from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.source import Source
from transpile.model.span import Located, WithSpan


class Existing(NamedTuple):
    """An existing resource outside the template that must be read. owner: the resource that needs it."""

    owner: str
    type: str
    id: ir.Expr


class CannotSay(WithSpan, Exception):
    """HCL cannot express this, so the owner of the expression is kept in Heat.

    code: the code of the diagnostic. why: the reason, a clause that ends a sentence. where: its place in the template.
    blame: the resource to keep in Heat; None for the owner of the expression. ref: an attribute that only Heat can
    read. If it is set, the owner can be native, and a small read-only Heat stack reads the attribute. existing: the
    same for a resource outside the template. avoidable: only `--prefer faithful` fails here; the other preferences
    write something else. source: the text in which the place lies, if that is not the template that is being written.
    """

    def __init__(
        self, code: str, why: str, where: Located, blame: str | None = None, *, avoidable: bool = False
    ) -> None:
        super().__init__(why)
        self.code, self.why, self.span, self.blame = code, why, where.span, blame
        self.avoidable = avoidable
        self.ref: ir.AttrRef | None = None
        self.existing: Existing | None = None
        self.source: Source | None = None


def only_at_run_time(subject: str, where: Located, blame: str | None = None) -> CannotSay:
    """The reason for a value that must be a literal. subject: the subject with its verb, as in `the disks of web
    are`.
    """
    return CannotSay(codes.ONLY_AT_RUN_TIME, f"{subject} known only at run time", where, blame)


def computed_attribute(name: str, ref: ir.AttrRef) -> CannotSay:
    """The reason for `{get_attr: [NAME, {get_param: attribute}]}`, for which HCL has no expression."""
    return CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"the attribute of {name} is known only at run time", ref, name)


def computed_members(group: ir.Resource) -> CannotSay:
    """The reason for a group whose types of members are not known, e.g. `resource: {get_param: definition}`."""
    why = f"the members of {group.name} are known only at run time"
    where = group.find_property("resource_def", "resource")
    where = (where.get("type") or where) if isinstance(where, ir.Map) else where
    return CannotSay(codes.ONLY_AT_RUN_TIME, why, group.name_span if where is None else where, group.name)
