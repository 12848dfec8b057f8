"""The error for what HCL cannot express."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from transpile.model import ir


class Existing(NamedTuple):
    """A resource outside the template that must be read: which resource needs it, its type and its ID."""

    owner: str
    type: str
    id: ir.Expr


class CannotSay(Exception):
    """HCL has no expression for this, so its owner stays with Heat.

    code: the diagnostic. why: the reason, as the end of a sentence. at, end: offsets in the template's text. blame: the
    resource that must stay with Heat because of it; None for the owner of the expression. `ref` is set where the owner
    could be native if this attribute were read by other means, and `existing` where that holds for something outside
    the template.
    """

    def __init__(self, code: str, why: str, at: int = -1, end: int = -1, blame: str | None = None) -> None:
        super().__init__(why)
        self.code, self.why, self.at, self.end, self.blame = code, why, at, end, blame
        self.ref: ir.AttrRef | None = None
        self.existing: Existing | None = None
