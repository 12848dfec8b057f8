"""Where an expression stands, as far as that changes what it becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.model.records import node

if TYPE_CHECKING:
    from emitters.hcl.tree.nodes import Argument, Expr
    from transpile.model import ir


@final
@node
class Scope:
    """A value: a scope inside another one is a changed copy of it.

    owner: the label that locals are named after. resource: the resource that owns the expressions, if one does.
    facts: conditions known to hold here. bound: placeholders of loops and groups, with what replaces them. in_output:
    in an output, where what is missing is null. nullable: a reference to a resource that is not there is null. fixed:
    expressions must stay in place and may not become locals. hashed: every byte of a text counts. in_text: a reference
    to a stored text means the text. repeated: `count` or `for_each` of the resource. loop: `for_each` of one of its
    blocks. at, end: the property being written, as offsets in the template.
    """

    owner: str = ""
    resource: str = ""
    facts: frozenset[ir.Expr] = frozenset()
    bound: tuple[tuple[str, Expr], ...] = ()
    in_output: bool = False
    nullable: bool = False
    fixed: bool = False
    hashed: bool = False
    in_text: bool = False
    repeated: Argument | None = None
    loop: Argument | None = None
    at: int = -1
    end: int = -1
