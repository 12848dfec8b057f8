"""Renames the addresses of members to instances of their block, in one directory and in paths through modules.

Invariant: `depends_on` names whole blocks, as Terraform wants it; everything else names the instance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, final

from emitters.hcl.emission import Emission
from emitters.hcl.roll_up.families import MODULE, Family, add_attributes, names_of_block
from emitters.hcl.tree.addresses import Key, join_steps, list_steps, split_address
from emitters.hcl.tree.nodes import Argument, Block, Expr, Note, Traversal, Tuple
from emitters.hcl.tree.printer import print_inline
from emitters.hcl.tree.rebuilding import rebuild_expression
from transpile.diagnostics.model import Diagnostic
from transpile.model.lazy_patterns import compile_lazily

DEPENDS_ON = "depends_on"
ADDRESS = compile_lazily(r"(?<![\w.-])(?:module|[a-z]\w*_\w+)\.[\w-]+(?![\w-])")  # in a text


class FamilyMember(NamedTuple):
    """A family, and the place of a member in it."""

    family: Family
    place: int


@final
class DirectoryNames:
    """The addresses of one directory. `members`: by the names of the addresses that are gone."""

    def __init__(self, families: Sequence[Family]) -> None:
        self.families = families
        self.members = {
            names_of_block(block): FamilyMember(family, place)
            for family in families
            for place, block in enumerate(family.members)
        }

    def find_member(self, expr: Expr) -> tuple[FamilyMember, tuple[str, ...]] | None:
        """The member that a name refers to, and the attributes after it."""
        if not isinstance(expr, Traversal) or len(expr.parts) < 2:
            return None
        member = self.members.get((expr.parts[0], expr.parts[1]))
        return (member, expr.parts[2:]) if member is not None else None

    def rename_node(self, expr: Expr) -> Expr:
        if (reference := self.find_member(expr)) is None:
            return expr
        (family, place), rest = reference
        return add_attributes(family.address_of_member(place), rest)

    def rename_expression(self, expr: Expr) -> Expr:
        """An expression with the new addresses."""
        return rebuild_expression(expr, self.rename_node)

    def rename_argument(self, argument: Argument) -> Expr:
        """The value of an argument with the new addresses."""
        if argument.name == DEPENDS_ON and isinstance(argument.value, Tuple):
            return self.rename_depends_on(argument.value)
        return self.rename_expression(argument.value)

    def rename_depends_on(self, value: Tuple) -> Expr:
        """A list of blocks with the new ones, each once."""
        renamed = [
            Traversal(reference[0].family.names) if (reference := self.find_member(item)) is not None else item
            for item in value.items
        ]
        if all(new is old for new, old in zip(renamed, value.items, strict=True)):
            return value
        return Tuple(tuple(dict.fromkeys(renamed)))

    def rename_text(self, text: str) -> str:
        """A text, such as a message, with the new addresses."""

        def rename_match(match: re.Match[str]) -> str:
            kind, _, label = match[0].partition(".")
            member = self.members.get((kind, label))
            return member.family.instance_address(member.place) if member is not None else match[0]

        return ADDRESS.sub(rename_match, text) if self.members else text


NOTHING_RENAMED = DirectoryNames(())


@final
class PathNames:
    """The addresses of all directories, as they are seen from one of them."""

    def __init__(self, names: Mapping[int, DirectoryNames], emissions: Mapping[str, Emission]) -> None:
        """names: by id() of the emission. emissions: of modules, by label."""
        self.names, self.emissions = names, emissions

    def in_directory(self, emission: Emission) -> DirectoryNames:
        return self.names.get(id(emission), NOTHING_RENAMED)

    def rename_path(self, emission: Emission, path: Expr) -> Expr:
        """The address of a resource or instance that may be inside modules."""
        steps = list_steps(path)
        out: list[Any] = []
        here: Emission | None = emission
        at = 0
        while at < len(steps):
            names = 3 if steps[at] == "data" else 2
            head = steps[at : at + names]
            at += names
            keys = steps[at : at + 1] if at < len(steps) and isinstance(steps[at], Key) else []
            at += len(keys)
            member = self.in_directory(here).members.get((head[0], head[1])) if here is not None else None
            out += (
                [*member.family.names, Key(member.family.key_of(member.place))]
                if member is not None
                else [*head, *keys]
            )
            if head[0] != MODULE or here is None or head[1] not in here.modules:
                out += steps[at:]
                break
            here = self.emissions.get(here.modules[head[1]].label)
        return join_steps(out)

    def rename_path_text(self, emission: Emission, text: str) -> str:
        """Renames the members in an address that is a text."""
        expr = join_steps(split_address(text))
        renamed = self.rename_path(emission, expr)
        return text if renamed == expr else print_inline(renamed)

    def rename_keys(self, emission: Emission, values: dict[str, Any]) -> None:
        """Renames the addresses that are the keys of a mapping, in place."""
        renamed = {self.rename_path_text(emission, address): value for address, value in values.items()}
        values.clear()
        values.update(renamed)


class Unrolled:
    """A conversion whose blocks stay as they are. It answers the questions about families in the files, and in
    all texts with addresses.
    """

    def roll_files(self, emission: Emission, files: dict[str, list[Argument | Block | Note]]) -> None:
        """Replaces the members of families in the files of a directory, and all references to them."""

    def rename_report(self, emission: Emission, body: dict[str, Any]) -> dict[str, Any]:
        """The report of a directory with the new addresses, and with the families."""
        return body

    def rename_diagnostics(self, emission: Emission, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Diagnostics about a directory with the new addresses."""
        return list(diagnostics)

    def rename_keys(self, by_address: dict[str, Any]) -> None:
        """Replaces addresses of the root that are the keys of something."""

    def rename_address(self, address: str) -> str:
        """The new form of an address of the root."""
        return address

    def rename_targets(self, blocks: Sequence[Block]) -> list[Block]:
        """Import blocks of the root with the new addresses."""
        return list(blocks)

    def rename_path(self, emission: Emission, path: Expr) -> Expr:
        """An address through modules, as seen from a directory."""
        return path

    def names_in(self, emission: Emission) -> DirectoryNames:
        """The new addresses in a directory."""
        return NOTHING_RENAMED


UNROLLED = Unrolled()
