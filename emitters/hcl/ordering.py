"""Dependencies collected while resources are written; `depends_on` is written from them at the end."""

from __future__ import annotations

from typing import NamedTuple, final

from emitters.hcl.tree.nodes import Block


class Wait(NamedTuple):
    """A block that depends on resources of the template.

    key: the template's key that demands it, for example `depends_on`; "" for an implicit dependency. why: the reason of
    an implicit dependency. all_of: depend on all blocks of these resources, not only on the main blocks.
    """

    block: Block
    owner: str
    needs: list[str]
    key: str
    why: str
    all_of: bool = False


@final
class Ordering:
    """The dependencies.

    `waiting`: of blocks. `embedded`: of embedded stacks, which come after `waiting`. `chained`: pairs of a module call
    and the address that it waits for. `reasons`: comments for `depends_on`, by the block's id().
    """

    def __init__(self) -> None:
        self.waiting: list[Wait] = []
        self.embedded: list[Wait] = []
        self.chained: list[tuple[str, str]] = []
        self.reasons: dict[int, list[str]] = {}
