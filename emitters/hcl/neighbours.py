"""Terraform code of other people in the directory that ours goes to: which names are in both.

Terraform refuses a directory in which a name is declared twice. It says so only later, so hot2tf asks first.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

from transpile.diagnostics.model import Diagnostic
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from transpile.model.source import Source

LABELS = {"resource": 2, "data": 2, "ephemeral": 2, "variable": 1, "output": 1, "module": 1, "check": 1}
OVERRIDES = ("override.tf", "_override.tf")  # Terraform lays these over the others: the same names are meant there
PROVIDERS = "required_providers"


class Unparsable(Exception):
    """A text that the parser does not take, and where it stopped."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@node
class Declared:
    """Something that may be declared once in a directory. `header`: the regular expression of how its first line
    begins in our files.
    """

    what: str
    at: int
    end: int
    header: str


def clashes(files: Mapping[str, str | bytes], others: Mapping[str, Source]) -> list[Diagnostic]:
    """An error for each name in files of others that a file of ours beside them declares as well. All by path."""
    found: list[Diagnostic] = []
    parsed: dict[str, set[str] | None] = {}
    for path, other in others.items():
        if path.endswith(OVERRIDES):
            continue
        if path.endswith(".json"):
            found.append(Diagnostic("HOT907", "Names in Terraform's JSON syntax are not compared.", other))
            continue
        try:
            theirs = list(declarations(other.text))
        except Unparsable as e:
            found.append(Diagnostic("HOT907", "The parser of HCL does not take this.", other, e.at))
            continue
        folder = posixpath.dirname(path)
        ours = {
            name: text
            for name, text in files.items()
            if name.endswith(".tf") and posixpath.dirname(name) == folder and isinstance(text, str)
        }
        for one in theirs:
            if home := next((name for name in ours if declares(name, ours[name], one, parsed)), ""):
                message = f"{one.what} is in {home} as well, and Terraform allows it only once in a directory."
                found.append(Diagnostic("HOT906", message, other, one.at, one.end))
    return found


def declares(name: str, text: str, one: Declared, parsed: dict[str, set[str] | None]) -> bool:
    """Whether a file of ours declares something. It is parsed only if a line looks like that, for parsing is slow; and
    it must be, for a line of a long text may look the same. `parsed`: what is known of our files from before.
    """
    if not re.search(one.header, text, re.M):
        return False
    if name not in parsed:
        try:
            parsed[name] = {declared.what for declared in declarations(text)}
        except Unparsable:  # the parser knows ASCII names only, and Terraform others as well
            parsed[name] = None
    known = parsed[name]
    return known is None or one.what in known


def declarations(text: str) -> Iterator[Declared]:
    """What a text in Terraform's syntax declares; raises Unparsable."""
    import hcl2  # slow to import, and hardly any directory has such files
    from lark.exceptions import LarkError

    try:
        body = hcl2.parses_to_tree(text).children[0]
    except (LarkError, RecursionError, ValueError) as e:
        raise Unparsable(max(getattr(e, "pos_in_stream", 0) or 0, 0)) from e
    for block in parts(body, "block"):
        words = parts(block, "identifier", "keyword", "string")
        kind, *labels = map(text_of, words)
        (inside,) = parts(block, "body")
        header = "^" + re.escape(" ".join([kind, *(f'"{one}"' for one in labels)]))
        if kind == "locals":
            for name in names(inside):
                yield declared([name], f"local.{text_of(name)}", f"^  {re.escape(text_of(name))} *=")
        elif kind == "terraform":
            for inner in parts(inside, "block"):
                if text_of(inner.children[0]) == PROVIDERS:
                    yield declared(inner.children[:1], PROVIDERS, f"^  {PROVIDERS} ")
        elif kind == "provider":
            if "alias" not in map(text_of, names(inside)):
                yield declared(words, ".".join([kind, *labels]), header)
        elif len(labels) == LABELS.get(kind):
            scope = [] if kind == "resource" else ["var" if kind == "variable" else kind]
            yield declared(words, ".".join([*scope, *labels]), header)


def declared(words: Sequence[Any], what: str, header: str) -> Declared:
    return Declared(what, words[0].meta.start_pos, words[-1].meta.end_pos, header)


# the parser's trees


def parts(tree: Any, *kinds: str) -> list[Any]:
    """The parts of a tree that rules of the grammar made; tokens are none."""
    return [part for part in tree.children if getattr(part, "data", None) in kinds]


def names(body: Any) -> list[Any]:
    """The names of the arguments in a body."""
    return [argument.children[0] for argument in parts(body, "attribute")]


def text_of(tree: Any) -> str:
    """The text of a name or a quoted label."""
    text = "".join(str(token) for token in tree.scan_values(lambda _: True))
    return text[1:-1] if text.startswith('"') else text
