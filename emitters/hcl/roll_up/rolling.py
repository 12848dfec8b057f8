"""Rolls up a whole conversion: finds the families of all directories, proves them, and writes them.

Invariant: everything is planned, judged, tested and imported by the blocks of single resources; then their addresses
are replaced in the output. So a family changes no value, and one that would is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from emitters.hcl.assemble.data_order import WholeGraph
from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.roll_up.comparison import Comparison, copy_emission, with_blocks
from emitters.hcl.roll_up.cycles import find_families_on_cycles
from emitters.hcl.roll_up.families import MODULE, Family, names_of_block
from emitters.hcl.roll_up.names import NOTHING_RENAMED, DirectoryNames, PathNames, Unrolled
from emitters.hcl.roll_up.search import FamilySearch
from emitters.hcl.tree.nodes import Argument, Block, Expr, Note
from emitters.hcl.tree.rebuilding import rebuild_block
from transpile.diagnostics.model import Diagnostic
from transpile.model.meter import LimitExceeded
from transpile.model.records import replace

LOCALS, MAIN = "locals.tf", "main.tf"
CYCLE, OTHERWISE = "Terraform would refuse a cycle", "Terraform would plan something else"
TOO_LARGE = "they are too many to compare"
MOST_CALLS = 10_000  # chains of module calls
ROOT = ""  # the label of the root
Item = Argument | Block | Note
Files = dict[str, list[Item]]


@final
class RollUp(Unrolled):
    """The families of a conversion, by directory. modules: the attempts at the modules that it uses, by label."""

    def __init__(self, root: Attempt, modules: Mapping[str, Attempt]) -> None:
        self.attempts = {**modules, ROOT: root}
        self.searches = {label: FamilySearch(attempt.emission) for label, attempt in self.attempts.items()}
        self.labels = {id(attempt.emission): label for label, attempt in self.attempts.items()}

    @property
    def families(self) -> list[Family]:
        return [family for search in self.searches.values() for family in search.families]

    def find_families(self, root: ModuleDirectory) -> None:
        """Finds the families, and drops those that Terraform would refuse or plan differently."""
        for search in self.searches.values():
            search.settle()
        if self.families and count_chains(root, {}) > MOST_CALLS:
            self.drop_all(TOO_LARGE)
        whole = WholeGraph(root) if self.families else None
        while self.families and whole is not None:
            if circular := find_families_on_cycles(whole, self.names):
                self.drop_families(circular, CYCLE)
                continue
            different = self.find_differences()
            if different is None:
                self.drop_all(TOO_LARGE)
            elif not different:
                break
            else:
                self.drop_families(different, OTHERWISE)
        for search in self.searches.values():
            search.report_left()
            addresses = search.emission.blocks.written_addresses
            addresses.clear()
            for family in search.families:
                for place, block in enumerate(family.members):
                    addresses[block.address] = family.instance_address(place)

    def drop_families(self, families: Sequence[tuple[Emission, Family | None]], why: str) -> None:
        """Leaves families as they are; None means all of a directory."""
        for emission, family in families:
            search = self.searches[self.labels[id(emission)]]
            for other in list(search.families) if family is None else [family]:
                search.drop_family(other, why)
        for search in self.searches.values():
            search.settle()

    def drop_all(self, why: str) -> None:
        self.drop_families([(search.emission, None) for search in self.searches.values()], why)

    @property
    def names(self) -> dict[int, DirectoryNames]:
        """The new addresses, by id() of the emission."""
        return {id(search.emission): search.names for search in self.searches.values()}

    @property
    def paths(self) -> PathNames:
        """The new addresses through modules."""
        emissions = {label: attempt.emission for label, attempt in self.attempts.items() if label != ROOT}
        return PathNames(self.names, emissions)

    def find_differences(self) -> list[tuple[Emission, Family | None]] | None:
        """The families whose plan would differ from that of their members. None if the limits of the conversion
        leave no room to find out.
        """
        budget = self.attempts[ROOT].emission.unit.template.source.budget
        spent, exceeded = dict(budget.spent), dict(budget.exceeded_optional_limits)
        try:
            after = {label: self.roll_attempt(label) for label in self.attempts}
            return list(Comparison(self.attempts, after, self.paths).find_differences())
        except (LimitExceeded, RecursionError):
            return None
        finally:
            budget.spent, budget.exceeded_optional_limits = spent, exceeded

    def roll_attempt(self, label: str) -> Attempt:
        """A copy of an attempt in which families are one block each."""
        attempt, search = self.attempts[label], self.searches[label]
        emission = attempt.emission
        calls = {
            block.labels[0]: family.label
            for family in search.families
            for block in family.members
            if block.type == MODULE
        }
        other = copy_emission(emission, calls, [])
        roller = DirectoryRoller(search, other)
        blocks = other.blocks
        blocks.main = roller.roll_items(emission.blocks.main)
        blocks.data = [block for block in roller.roll_items(emission.blocks.data) if isinstance(block, Block)]
        blocks.outputs = [block for block in roller.roll_items(emission.blocks.outputs) if isinstance(block, Block)]
        renamed = roller.roll_items(list(emission.blocks.locals.values()))
        blocks.locals = {item.name: item for item in (*renamed, *roller.values) if isinstance(item, Argument)}
        return with_blocks(attempt, other)

    def roll_files(self, emission: Emission, files: Files) -> None:
        search = self.searches[self.labels[id(emission)]]
        if not search.families:
            return
        roller = DirectoryRoller(search, emission)
        for name, items in files.items():
            files[name] = roller.roll_items(items)
            rename_comments(files[name], search.names)
        if roller.values:
            locals_block = next((i for i in files[LOCALS] if isinstance(i, Block) and i.type == "locals"), None)
            if locals_block is None:
                locals_block = Block("locals")
                files[LOCALS].append(locals_block)
            locals_block.body += roller.values

    # other texts with addresses

    def rename_path(self, emission: Emission, path: Expr) -> Expr:
        return self.paths.rename_path(emission, path)

    def names_in(self, emission: Emission) -> DirectoryNames:
        return self.names.get(id(emission), NOTHING_RENAMED)

    def rename_report(self, emission: Emission, body: dict[str, Any]) -> dict[str, Any]:
        search = self.searches[self.labels[id(emission)]]
        if search.families:
            body = rename_texts(body, search.names)
            body["rolled_up"] = {
                family.address: [block.address for block in family.members] for family in search.families
            }
        root = self.attempts[ROOT].emission
        if self.families:
            for resource in body["resources"].values():
                if "import" in resource:
                    resource["import"] = dict(resource["import"])
                    self.paths.rename_keys(root, resource["import"])
        return body

    def rename_diagnostics(self, emission: Emission, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        names = self.searches[self.labels[id(emission)]].names
        return [replace(d, message=names.rename_text(d.message), hint=names.rename_text(d.hint)) for d in diagnostics]

    def rename_keys(self, by_address: dict[str, Any]) -> None:
        if self.families:
            self.paths.rename_keys(self.attempts[ROOT].emission, by_address)

    def rename_address(self, address: str) -> str:
        return self.paths.rename_path_text(self.attempts[ROOT].emission, address) if self.families else address

    def rename_targets(self, blocks: Sequence[Block]) -> list[Block]:
        root, paths = self.attempts[ROOT].emission, self.paths

        def rename_target(argument: Argument) -> Any:
            return paths.rename_path(root, argument.value) if argument.name == "to" else argument.value

        return [rebuild_block(block, rename_target) for block in blocks]


def count_chains(directory: ModuleDirectory, counted: dict[int, int]) -> int:
    """The number of chains of calls below a directory, itself included. counted: by id() of a directory."""
    if id(directory) not in counted:
        counted[id(directory)] = 1 + sum(count_chains(inner, counted) for inner in directory.inner.values())
    return counted[id(directory)]


@final
class DirectoryRoller:
    """Replaces members in items of one directory. `values`: the locals with the values of families."""

    def __init__(self, search: FamilySearch, emission: Emission) -> None:
        self.search, self.emission = search, emission
        self.values: list[Argument] = []
        self.written: set[int] = set()  # id() of families

    def roll_items(self, items: Sequence[Item]) -> list[Item]:
        members = self.search.names.members
        out: list[Item] = []
        for item in items:
            if isinstance(item, Block) and item.type in ("resource", MODULE):
                member = members.get(names_of_block(item))
                if member is not None:
                    out += self.write_family(member.family)
                    continue
            out.append(self.rename_item(item))
        return out

    def write_family(self, family: Family) -> Iterator[Item]:
        """Writes the block of a family, in the place of the first of its members."""
        if id(family) in self.written:
            return
        self.written.add(id(family))
        merged = self.search.merge_family(family)
        blocks = self.emission.blocks
        blocks.owner_of[id(merged.block)] = blocks.owner_of[id(family.members[0])]
        reasons = {name: why for b in family.members for name, why in blocks.ignored_of.get(id(b), {}).items()}
        if reasons:
            blocks.ignored_of[id(merged.block)] = reasons
        if merged.values is not None:
            self.values.append(merged.values)
        yield merged.block

    def rename_item(self, item: Item) -> Item:
        names = self.search.names
        if isinstance(item, Argument):
            value = names.rename_argument(item)
            return item if value is item.value else replace(item, value=value)
        if isinstance(item, Note):
            return item
        block = rebuild_block(item, names.rename_argument)
        if block is not item:
            blocks = self.emission.blocks
            tables: tuple[dict[int, Any], ...] = (blocks.owner_of, blocks.ignored_of, blocks.member_of)
            for by_block in tables:
                if id(item) in by_block:
                    by_block[id(block)] = by_block[id(item)]
        return block


def rename_comments(items: Sequence[Item], names: DirectoryNames) -> None:
    """Replaces addresses in the comments of items, in place."""
    for item in items:
        lines = item.lines if isinstance(item, Note) else item.comments
        lines[:] = map(names.rename_text, lines)
        if isinstance(item, Block):
            rename_comments(item.body, names)


def rename_texts(value: Any, names: DirectoryNames) -> Any:
    """A part of a report with the new addresses; keys stay."""
    if isinstance(value, str):
        return names.rename_text(value)
    if isinstance(value, dict):
        return {key: rename_texts(inner, names) for key, inner in value.items()}
    return [rename_texts(inner, names) for inner in value] if isinstance(value, list) else value
