"""What must wait for what, collected while resources are written; `depends_on` is written at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

if TYPE_CHECKING:
    from emitters.hcl.tree.nodes import Block


class Wait(NamedTuple):
    """A block that must come after some resources.

    key: the key of the template that says so; empty with `why`, if Heat does so by itself. all_of: the blocks beside
    the main block of these resources are meant, too.
    """

    block: Block
    owner: str
    needs: list[str]
    key: str
    why: str
    all_of: bool = False


@final
class Ordering:
    """What waits. `embedded`: the embedded stacks that wait; they come after all others. `reasons`: why a block waits,
    by the identity of the block.
    """

    def __init__(self) -> None:
        self.waiting: list[Wait] = []
        self.embedded: list[Wait] = []
        self.reasons: dict[int, list[str]] = {}
