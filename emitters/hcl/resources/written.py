"""The output for a property: arguments and blocks of its resource, other resources, and fates for the report.

Invariant: a rule or a hook returns it, and changes neither a block nor the report. `Writer.add` does that.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias, final

from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Object
from transpile.model import ir
from transpile.model.records import node, replace
from transpile.model.span import NOWHERE, Located
from transpile.report import NO_VALUE

Part: TypeAlias = Argument | Block


class PathFate(NamedTuple):
    """The fate of a property, or of something in it. path: in the template (`rules.0.port`). argument: the path in the
    block. to: the address of the block; empty for the block that is being written, or if there is none.
    """

    path: str
    how: str
    argument: str = ""
    why: str = ""
    to: str = ""
    code: str = ""

    @property
    def is_in_block(self) -> bool:
        """Whether there is something in a block."""
        return self.how not in ("implied", "dropped")

    def in_resource(self, address: str) -> PathFate:
        """The same fate, with the address of the block if there is something in it."""
        return self if self.to or not self.is_in_block else self._replace(to=address)


@final
@node
class Written:
    """The output for a property, or for a part of one.

    parts: arguments and nested blocks, in order. The argument `meta.name` goes into the nested block `meta`, which
    several properties share. resources: blocks of further resources. entries: argument, key and value of entries of a
    map that several properties fill; without a key, the value is a map with entries. ignored: arguments whose later
    changes Terraform ignores.
    """

    parts: tuple[Part, ...] = ()
    fates: tuple[PathFate, ...] = ()
    resources: tuple[Block, ...] = ()
    entries: tuple[tuple[str, Expr | None, Expr], ...] = ()
    ignored: tuple[str, ...] = ()

    # one part

    @staticmethod
    def value(entry: ir.Entry, argument: str, value: Expr, how: str = "value", why: str = "") -> Written:
        """A property as one argument."""
        return Written.argument(argument, value, entry) + Written.fate(entry.key, path_in_block(argument), how, why)

    @staticmethod
    def argument(name: str, value: Expr, where: Located = NOWHERE) -> Written:
        """An argument, without a fate."""
        return Written((Argument(name, value, where.span),))

    @staticmethod
    def fate(path: str, argument: str, how: str = "value", why: str = "", to: str = "") -> Written:
        """The fate of something that is written."""
        return Written(fates=(PathFate(path, how, argument, why, to),))

    @staticmethod
    def implied(path: str, why: str, argument: str = "", to: str = "") -> Written:
        """The output for a property that needs none, for the reason `why`."""
        return Written(fates=(PathFate(path, "implied", argument, why, to),))

    @staticmethod
    def default(path: str) -> Written:
        """The output for a property that is null or empty, so that the default applies."""
        return Written.implied(path, NO_VALUE)

    @staticmethod
    def entry(argument: str, key: Expr | None, value: Expr) -> Written:
        """An entry of a map that several properties fill."""
        return Written(entries=((argument, key, value),))

    # several parts

    @property
    def pairs(self) -> tuple[tuple[Expr, Expr], ...]:
        """The entries, without the name of their map."""
        return tuple((key, value) for _, key, value in self.entries if key is not None)

    def __add__(self, other: Written) -> Written:
        return Written(
            self.parts + other.parts,
            self.fates + other.fates,
            self.resources + other.resources,
            self.entries + other.entries,
            self.ignored + other.ignored,
        )

    def without_fates(self) -> Written:
        """The same output without fates: the whole gets one."""
        return replace(self, fates=())

    def as_map(self, argument: str, where: Located) -> Written:
        """The same output with its entries, if there are any, as one argument."""
        maps = (Argument(argument, Object(self.pairs), where.span),) if self.entries else ()
        return replace(self, parts=(*self.parts, *maps), entries=())

    def in_block(self, block: Block) -> Written:
        """The same output as the content of a nested block."""
        add_parts(block, self.parts)
        return replace(self, parts=(block,))

    def in_resource(self, block: Block) -> Written:
        """The same output as the content of a further resource, which comes before those inside it."""
        add_parts(block, self.parts)
        fates = tuple(fate.in_resource(block.address) for fate in self.fates)
        return replace(self, parts=(), fates=fates, resources=(block, *self.resources))


NOTHING = Written()


def join_written(several: Iterable[Written]) -> Written:
    """All of several, in order."""
    return functools.reduce(operator.add, several, NOTHING)


def add_entry(shared: Expr, key: Expr | None, value: Expr) -> Expr:
    """A map with one more entry; without a key, with those of another map."""
    if key is None:
        return value if shared == Object(()) else Fn("merge", (shared, value))
    if isinstance(shared, Object):
        return Object((*shared.entries, (key, value)))
    return Fn("merge", (shared, Object(((key, value),))))


def path_in_block(argument: str) -> str:
    """The path of an argument for the report: `meta.0.name` for `meta.name`."""
    return argument.replace(".", ".0.")


def add_parts(block: Block, parts: Iterable[Part]) -> None:
    """Adds arguments and nested blocks to a block. The first property of a shared block makes it, because an empty one
    may lack arguments that the provider requires.
    """
    for part in parts:
        inner = block
        if isinstance(part, Argument) and "." in part.name:
            *names, part.name = part.name.split(".")
            for name in names:
                inner = shared_block(inner, name)
                if inner.at < 0:
                    inner.span = part.span
        inner.body.append(part)


def shared_block(block: Block, name: str) -> Block:
    """The nested block of this name, which is made if there is none."""
    shared = (item for item in block.body if isinstance(item, Block) and item.type == name)
    return next(shared, None) or block.add_block(name)
