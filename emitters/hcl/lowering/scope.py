"""The scope of an expression: the context that affects how it is lowered."""

from __future__ import annotations

from typing import final

from emitters.hcl.tree.nodes import Argument, Expr
from transpile.model import ir
from transpile.model.records import node
from transpile.model.span import NOWHERE, Span, WithSpan


@final
@node
class LoweringScope(WithSpan):
    """An immutable scope; an inner scope is a modified copy.

    owner: prefix for labels of locals. resource: the resource that owns the expression, if any. facts: conditions known
    to hold here. bound: placeholders of loops and groups, with their replacements. index: the one that stands for the
    index of a group's member, which Heat replaces in values, not in keys. in_output: inside an output, where
    missing values are null; its writer tests that the resources of references exist. nullable: a reference to a
    disabled resource is null. fixed: expressions may not be moved to locals. hashed: the text is hashed, so every byte
    matters. in_text: a reference to a stored text means the text. repeated: `count` or `for_each` of the resource.
    loop: `for_each` of a nested block. span: the place of the property being written.
    """

    owner: str = ""
    resource: str = ""
    facts: frozenset[ir.Expr] = frozenset()
    bound: tuple[tuple[str, Expr], ...] = ()
    index: str = ""
    in_output: bool = False
    nullable: bool = False
    fixed: bool = False
    hashed: bool = False
    in_text: bool = False
    repeated: Argument | None = None
    loop: Argument | None = None
    span: Span = NOWHERE
