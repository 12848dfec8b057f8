"""The blocks of one Terraform directory while it is written.

Invariant: each local exists once, and only if something uses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from emitters.hcl import namespace
from emitters.hcl.namespace import Namespace
from emitters.hcl.tree.nodes import Argument, Block, Expr, Note, Traversal, walk_expression
from transpile.model.span import NOWHERE, Located, Span


@final
class DirectoryBlocks:
    """The blocks by the file that they belong to, and copied files, which contain no blocks."""

    def __init__(self, names: Namespace) -> None:
        self.names = names
        self.main: list[Argument | Block | Note] = []
        self.data: list[Block] = []
        self.outputs: list[Block] = []
        self.configurations: list[Block] = []  # of providers
        self.locals: dict[str, Argument] = {}
        self.local_of: dict[tuple[Any, ...], str] = {}  # expression → local
        self.files: dict[str, str | bytes] = {}
        self.owner_of: dict[int, str] = {}  # id of a block → its resource in the template
        self.ignored_of: dict[int, Mapping[str, str]] = {}  # id of a block → arguments, with the reasons
        self.member_of: dict[int, str] = {}  # id of a block → its member of a chain of resources
        self.checked: dict[int, int] = {}  # id of a block that suits its provider → how many items it had then
        self.written_addresses: dict[str, str] = {}  # of members of families, by the address before they were rolled up

    def share_local(self, label: str, expr: Expr, span: Span = NOWHERE) -> Traversal:
        """A local for an expression. Equal expressions share one local, which has the label of the first caller."""
        key = (expr, *map(type, walk_expression(expr)))  # 1 == True in Python
        if key not in self.local_of:
            name = self.names.locals.reserve_name(namespace.snake_case(label))
            self.locals[name] = Argument(name, expr, span)
            self.local_of[key] = name
        return Traversal(("local", self.local_of[key]))

    def add_local(self, label: str, value: Expr, where: Located) -> None:
        """Adds a local whose name is already reserved."""
        self.locals[label] = Argument(label, value, where.span)

    def add_block(self, block: Block, owner: str, member: str = "") -> None:
        """Adds a block to main.tf. owner: its resource in the template. member: its member of a chain."""
        self.owner_of[id(block)] = owner
        if member:
            self.member_of[id(block)] = member
        self.main.append(block)

    def find_owner(self, block: Argument | Block | Note) -> str:
        """The resource of the template that a block is made from; empty if there is none."""
        return self.owner_of.get(id(block), "")

    def walk_owned(self) -> Iterator[tuple[Block, str]]:
        """The resources that are made from resources of the template, each with its owner."""
        for block in self.main:
            if isinstance(block, Block) and block.type == "resource" and (owner := self.find_owner(block)):
                yield block, owner

    def written_address(self, block: Block) -> str:
        """The address of a block in the files: that of an instance, if it became a member of a family."""
        return self.written_addresses.get(block.address, block.address)
