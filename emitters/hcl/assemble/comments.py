"""Places the template's comments, and the comments of diagnostics, in the output files.

Invariant: no comment is lost. It goes to the innermost block or argument that contains its position; without one, to
the block that its resource became; without that, to the head of the file for its section of the template, where it
names its declaration if that is not written.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.emission import Emission
from emitters.hcl.tree.nodes import Argument, Block, Note
from transpile.model import ir
from transpile.model.ir import Comment

Item = Argument | Block | Note
Declaration = ir.Param | ir.Resource | ir.Output
FILES = {
    "parameters": "variables.tf",
    "parameter_groups": "variables.tf",
    "conditions": "locals.tf",
    "mappings": "locals.tf",
    "outputs": "outputs.tf",
}


class PlacedItem(NamedTuple):
    """An item of the output, its source range in the template, the list that contains it, and its file."""

    at: int
    end: int
    item: Argument | Block
    siblings: list[Item]
    file: str


def place_comments(emission: Emission, embedded: list[EmbeddedStack], files: dict[str, list[Item]]) -> None:
    """Adds all comments to the items of the files. embedded: their templates keep the comments of their resources."""
    template, module = emission.unit.template, emission.unit.module
    left_out = [module.stack.template.outputs[name] for name in module.left_out]
    printed = {id(c) for e in embedded for c in emission.unit.comments_in(e.resources.values())}
    pending = [c for c in template.comments if id(c) not in printed]  # embedded templates have the others
    pending += [Comment(f" {text}", at, at=at) for at, text in emission.log.notes]
    if not pending:
        return
    pending.sort(key=lambda c: c.at)
    owners = find_owners(
        sorted({c.anchor for c in pending}), sorted(list_placed_items(files), key=lambda p: (p.at, -p.end))
    )
    declarations: list[Declaration] = [
        *template.parameters.values(),
        *template.resources.values(),
        *template.outputs.values(),
        *left_out,
    ]
    declarations.sort(key=lambda declaration: declaration.at)
    members = {declaration.at for declaration in declarations}
    notes = {id(c) for c in pending} - {id(c) for c in template.comments}
    lost: Declaration | None = None  # the subject of the comment before, if it is not written
    heads: dict[str, list[str]] = {}
    tails: dict[str, list[str]] = {}
    last: list[str] | None = None
    before = 0
    for comment in pending:
        owner = owners.get(comment.anchor)
        ends = comment.where == "after" and comment.anchor in members
        if owner is not None and ends and owner.file != file_of_section(template, comment.anchor):
            owner = None  # the comment ends its section of the template, so it stays in the file of that section
        declaration = find_declaration(declarations, comment.anchor) if owner is None and not ends else None
        if declaration is not None and (block := find_written_block(emission, declaration, files)) is not None:
            lines = block.comments
            declaration = None
        elif owner is None:
            lines = (tails if comment.where == "after" else heads).setdefault(
                file_of_section(template, comment.anchor), []
            )
        elif comment.where == "after":
            lines = note_lines_after(owner, comment)
        else:
            lines = owner.item.comments
        between = template.source.text[before : comment.at]
        if lines and lines is last and between.count("\n") > 1 and not between.strip():
            lines.append("")  # keeps a blank line between comments of the template
        if declaration is not None and id(comment) not in notes:
            if declaration is not lost:
                lines.append(f" About {declaration.name}, which is not written here:")
            lines.append(f"  {comment.text}")
        else:
            lines.append(comment.text)
        lost = declaration
        last, before = lines, comment.at + 1 + len(comment.text)
    for name, lines in heads.items():
        files[name if files.get(name) else "main.tf"].insert(0, Note(lines))
    for name, lines in tails.items():
        files[name if files.get(name) else "main.tf"].append(Note(lines))


def find_declaration(declarations: Sequence[Declaration], anchor: int) -> Declaration | None:
    """The declaration that contains an offset. declarations: in text order."""
    index = bisect.bisect_right(declarations, anchor, key=lambda declaration: declaration.at) - 1
    if index < 0 or anchor >= max(declarations[index].end, declarations[index].at + 1):
        return None
    return declarations[index]


def find_written_block(emission: Emission, declaration: Declaration, files: Mapping[str, list[Item]]) -> Block | None:
    """The block that a resource became a part of, by the addresses in the report."""
    if not isinstance(declaration, ir.Resource):
        return None
    addresses = emission.log.addresses_of(declaration.name)
    for items in files.values():
        for item in items:
            if isinstance(item, Block) and ".".join(item.labels) in addresses:
                return item
    return None


def list_placed_items(files: Mapping[str, list[Item]]) -> Iterable[PlacedItem]:
    for name, items in files.items():
        bodies = [items]
        for body in bodies:  # it grows
            for item in body:
                if type(item) is Note:
                    continue
                if (span := item.span).at >= 0:
                    yield PlacedItem(span.at, max(span.end, span.at + 1), item, body, name)
                if type(item) is Block:
                    bodies.append(item.body)


def find_owners(anchors: list[int], items: list[PlacedItem]) -> dict[int, PlacedItem]:
    """The innermost item around each offset, in one sweep over both sorted lists."""
    out: dict[int, PlacedItem] = {}
    around: list[PlacedItem] = []
    index = 0
    for anchor in anchors:
        while index < len(items) and items[index].at <= anchor:
            around.append(items[index])
            index += 1
        around = [p for p in around if p.end > anchor]
        if around:
            begun = (
                p for p in around if p.at == anchor and isinstance(p.item, Block)
            )  # takes precedence over its first argument
            out[anchor] = next(begun, None) or min(around, key=lambda p: p.end - p.at)
    return out


def note_lines_after(place: PlacedItem, comment: Comment) -> list[str]:
    """The lines of the note for a comment behind an item: at the end of a block if the comment is inside it, otherwise
    after the item. The note is added if there is none.
    """
    item, siblings = place.item, place.siblings
    if isinstance(item, Block) and comment.anchor > item.at:
        if not (item.body and isinstance(item.body[-1], Note)):
            item.body.append(Note([]))
        note = item.body[-1]
    else:
        after = next(i for i, sibling in enumerate(siblings) if sibling is item) + 1
        if not (after < len(siblings) and isinstance(siblings[after], Note)):
            siblings.insert(after, Note([]))
        note = siblings[after]
    assert isinstance(note, Note)
    return note.lines


def file_of_section(template: ir.Template, anchor: int) -> str:
    """The output file for the section of the template at an offset."""
    section = "version"
    for name, at in sorted(template.sections.items(), key=lambda s: s[1]):
        if at <= anchor:
            section = name
    return FILES.get(section, "main.tf")
