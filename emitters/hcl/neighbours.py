"""Finds name clashes with Terraform files that are already in the output directory.

Terraform rejects a directory that declares a name twice, but only at its next run; hot2tf checks before it writes.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import node
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from transpile.model.source import Source

LABELS = {"resource": 2, "data": 2, "ephemeral": 2, "variable": 1, "output": 1, "module": 1, "check": 1}
OVERRIDES = ("override.tf", "_override.tf")  # Terraform merges these into other files: equal names are intended
PROVIDERS = "required_providers"


class Unparsable(Exception):
    """A syntax error. at: its offset."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@node
class Declared(Placed):
    """A declaration whose name must be unique in a directory. `header`: a regular expression for the first line of the
    same declaration in a generated file.
    """

    what: str
    span: Span
    header: str


def clashes(files: Mapping[str, str | bytes], others: Mapping[str, Source]) -> list[Diagnostic]:
    """An error for each name that both an existing file and a generated one in the same folder declare. The arguments
    are by path.
    """
    found: list[Diagnostic] = []
    parsed: dict[str, set[str] | None] = {}
    for path, other in others.items():
        if path.endswith(OVERRIDES):
            continue
        if path.endswith(".json"):
            found.append(
                Diagnostic(
                    codes.TERRAFORM_CODE_NOT_READ,
                    "Names in Terraform's JSON syntax are not checked for clashes.",
                    other,
                )
            )
            continue
        try:
            theirs = list(declarations(other.text))
        except Unparsable as e:
            found.append(
                Diagnostic(
                    codes.TERRAFORM_CODE_NOT_READ,
                    "The HCL parser cannot read this file, so its names are not checked.",
                    other,
                    Span(e.at),
                )
            )
            continue
        folder = posixpath.dirname(path)
        ours = {
            name: text
            for name, text in files.items()
            if name.endswith(".tf") and posixpath.dirname(name) == folder and isinstance(text, str)
        }
        for one in theirs:
            if home := next((name for name in ours if declares(name, ours[name], one, parsed)), ""):
                message = f"{one.what} is also declared in {home}; Terraform allows it only once in a directory."
                found.append(Diagnostic(codes.NAME_ALREADY_DECLARED, message, other, one.span))
    return found


def declares(name: str, text: str, one: Declared, parsed: dict[str, set[str] | None]) -> bool:
    """Whether a generated file contains a declaration. Parsing is slow, so the file is parsed only if a line looks like
    the declaration; a line of a heredoc may look the same. `parsed`: a cache by file name.
    """
    if not re.search(one.header, text, re.M):
        return False
    if name not in parsed:
        try:
            parsed[name] = {declared.what for declared in declarations(text)}
        except Unparsable:  # the parser supports only ASCII identifiers, Terraform allows others
            parsed[name] = None
    known = parsed[name]
    return known is None or one.what in known


def declarations(text: str) -> Iterator[Declared]:
    """The declarations in a Terraform file. Raises Unparsable."""
    import hcl2  # slow to import and rarely needed
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
    return Declared(what, Span(words[0].meta.start_pos, words[-1].meta.end_pos), header)


# parse trees


def parts(tree: Any, *kinds: str) -> list[Any]:
    """The children of a tree that have one of these rule names."""
    return [part for part in tree.children if getattr(part, "data", None) in kinds]


def names(body: Any) -> list[Any]:
    """The argument names in a body."""
    return [argument.children[0] for argument in parts(body, "attribute")]


def text_of(tree: Any) -> str:
    """The text of an identifier or quoted label."""
    text = "".join(str(token) for token in tree.scan_values(lambda _: True))
    return text[1:-1] if text.startswith('"') else text
