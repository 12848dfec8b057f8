"""Follows the addresses of a directory from run to run: writes the `moved` blocks that a state of any of them needs.

Invariant: Terraform accepts the blocks. None moves from an address that is still used, and no two have one source or
one target. So each earlier address leads to the present address of its object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from emitters.hcl.address_rows import AddressRow, read_rows, walk_addresses
from emitters.hcl.moves.comparison import AddressComparison, Loss
from emitters.hcl.namespace import LEGAL
from emitters.hcl.tree.addresses import Key, join_steps, list_steps, split_address
from emitters.hcl.tree.nodes import Block, Expr, Index, Note
from emitters.hcl.tree.printer import Item, print_hcl, print_inline
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.text.addresses import EarlierAddresses, FollowedAddresses

MOVED_FILE = "moved.tf"
FIRST_LINES = [
    " Addresses of earlier versions of this directory: Terraform moves them in its state, and creates nothing again.",
    " Delete the blocks of a version, or this file, when every state has been applied with that version or a later",
    " one.",
]
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


class RecordedMove(NamedTuple):
    """A move that a version of the directory made. source, target: addresses as texts."""

    version: int
    source: str
    target: str


def follow_addresses(files: Mapping[str, str | bytes], now: Any, earlier: EarlierAddresses | None) -> FollowedAddresses:
    """Compares the addresses of a directory with earlier ones, and returns the `moved` blocks and diagnostics that
    follow. now: its addresses. earlier: the remembered addresses of the directory; None for a new one.
    """
    rows = read_rows(now["resources"])
    before: list[AddressRow] | None = None
    version, moves = 0, list[RecordedMove]()
    if earlier is not None:
        try:
            before = read_rows(earlier.section["resources"])
            version, moves = read_history(earlier.section)
        except MALFORMED:
            before = None
        moved = earlier.read(MOVED_FILE)
        moves = list(drop_deleted(moves, moved or ""))  # whoever deleted a block has applied its version
    comparison = AddressComparison(before if before is not None else rows, rows)
    new = [(print_inline(move.source), print_inline(move.target)) for move in comparison.moves]
    if new:
        version += 1
    moves = join_moves(moves, [RecordedMove(version, *pair) for pair in new], rows)
    section = {"resources": now["resources"], "version": version, "moved": [list(move) for move in moves]}
    more: dict[str, str | bytes] = {}
    if written := [move for move in moves if not is_implied(move, moves)]:
        more[MOVED_FILE] = print_moves(written, rows, first_line(files))
    diagnostics = [*describe(comparison.losses), *describe_replaced(comparison.replaced)]
    diagnostics += [
        Diagnostic(codes.REPLACED_INSTEAD_OF_UPDATED, f"Terraform replaces {each.address}: {each.why}.")
        for each in comparison.replaced_by_both
    ]
    return FollowedAddresses(more, frozenset({MOVED_FILE}), section, diagnostics, new)


def read_history(section: Mapping[str, Any]) -> tuple[int, list[RecordedMove]]:
    """The version and the moves of a section. Raises one of MALFORMED."""
    moves = []
    for version, source, target in section.get("moved", ()):
        for address in (source, target):
            names = [step for step in split_address(address) if not isinstance(step, Key)]
            if len(names) < 2 or len(names) % 2 or not all(LEGAL.fullmatch(name) for name in names):
                raise ValueError(address)
        moves.append(RecordedMove(int(version), source, target))
    return int(section.get("version", 0)), moves


def join_moves(
    moves: Iterable[RecordedMove], new: Iterable[RecordedMove], rows: list[AddressRow]
) -> list[RecordedMove]:
    """The moves of all versions that Terraform accepts together. An older move to an address from which something else
    comes now leads to where that comes from.
    """
    declared = {print_inline(address) for address, _, _ in walk_addresses(rows)}
    new = list(new)
    sources_by_target = {move.target: move.source for move in new}
    taken = {move.source for move in new}
    joined = []
    for move in moves:
        if move.source in declared or move.source in taken:
            continue
        target = move.target
        if target in sources_by_target:
            target = sources_by_target[target]
        if target != move.source:
            joined.append(move._replace(target=target))
    return [*joined, *new]


def is_implied(move: RecordedMove, moves: Iterable[RecordedMove]) -> bool:
    """Whether Terraform makes a move by itself: a resource gets or loses `count`, and no other move joins this one."""
    source, target = split_address(move.source), split_address(move.target)
    longer, shorter = (source, target) if len(source) > len(target) else (target, source)
    if longer != [*shorter, Key(0)] or shorter[-2] == "module":
        return False
    return not any(other.target == move.source or other.source == move.target for other in moves)


def drop_deleted(moves: Iterable[RecordedMove], text: str) -> Iterator[RecordedMove]:
    """The moves without those whose blocks a person deleted from the file."""
    lines = {" ".join(line.split()) for line in text.splitlines()}
    moves = list(moves)
    for move in moves:
        if is_implied(move, moves):
            yield move
            continue
        whole = shorten_move(move)
        sources = {f"from = {move.source}", f"from = {whole[0]}"}
        if sources & lines:
            yield move


def shorten_move(move: RecordedMove) -> tuple[str, str]:
    """The addresses of a move without the keys at their ends."""
    source, target = (join_steps(split_address(text)) for text in (move.source, move.target))
    return print_inline(source.of if isinstance(source, Index) else source), print_inline(
        target.of if isinstance(target, Index) else target
    )


def print_moves(moves: list[RecordedMove], rows: list[AddressRow], first: str) -> str:
    """The file with the blocks. All instances of a resource that moves as a whole have one block."""
    declared = {shorten_address(address) for address, _, _ in walk_addresses(rows)}
    items: list[Item] = [Note([first.removeprefix("#")]), Note(list(FIRST_LINES))]
    last, written = 0, set[tuple[str, str]]()
    for move in moves:
        if move.version != last:
            last = move.version
            items.append(Note([f" Version {last}"]))
        source, target = (
            list_steps(join_steps(split_address(move.source))),
            list_steps(join_steps(split_address(move.target))),
        )
        keys = [steps[-1] if isinstance(steps[-1], Key) else None for steps in (source, target)]
        if keys[0] == keys[1] and keys[0] is not None and print_inline(join_steps(source[:-1])) not in declared:
            source, target = source[:-1], target[:-1]
        pair = print_inline(join_steps(source)), print_inline(join_steps(target))
        if pair in written:
            continue
        written.add(pair)
        block = Block("moved")
        block.add_argument("from", join_steps(source))
        block.add_argument("to", join_steps(target))
        items.append(block)
    return print_hcl(items)


def shorten_address(address: Expr) -> str:
    return print_inline(address.of if isinstance(address, Index) else address)


def first_line(files: Mapping[str, str | bytes]) -> str:
    """The line that begins all our files of code."""
    text = next((text for name, text in files.items() if name.endswith(".tf") and "/" not in name), "")
    return (text if isinstance(text, str) else text.decode("utf-8", "replace")).partition("\n")[0]


def describe_replaced(replaced: Iterable[Loss]) -> Iterator[Diagnostic]:
    for each in replaced:
        yield Diagnostic(
            codes.DESTROYED_THOUGH_HEAT_KEEPS,
            f"Terraform replaces {each.address}, which Heat updates: {each.why}.",
            hint="Read the plan before you apply it; docs/replaced-arguments.md has all such arguments.",
        )


def describe(losses: Iterable[Loss]) -> Iterator[Diagnostic]:
    for loss in losses:
        yield Diagnostic(
            codes.DESTROYED_THOUGH_HEAT_KEEPS,
            f"Terraform destroys {loss.address}, which Heat keeps: {loss.why}.",
            hint="Read the plan before you apply it. If nothing of it may be lost, run `terraform state mv` first.",
        )
