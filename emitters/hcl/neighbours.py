"""Finds name clashes with Terraform files that are already in the output directory.

Terraform rejects a directory that declares a name twice, but only at its next run; hot2tf checks before it writes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.source import Source
from transpile.model.span import Span, WithSpan

LABELS = {"resource": 2, "data": 2, "ephemeral": 2, "variable": 1, "output": 1, "module": 1, "check": 1}
OVERRIDES = ("override.tf", "_override.tf")  # Terraform merges these into other files: equal names are intended
PROVIDERS = "required_providers"
BACKENDS = ("backend", "cloud")  # the blocks that say where the state is: a directory has one at most
ANY_BACKEND = compile_lazily(r'^\s*backend\s+"|"backend"\s*:|^\s*cloud\s*\{|"cloud"\s*:', re.M)  # in JSON syntax, too
IMPORTS = "imports.tf"


class Unparsable(Exception):
    """A syntax error in a Terraform file. at: its offset in the text."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@node
class HclDeclaration(WithSpan):
    """A declaration whose name must be unique in a directory.

    address: for example `var.size`. span: its place in the file. header: a regular expression for the first
    line of the same declaration in a generated file.
    """

    address: str
    span: Span
    header: str


def find_problems(files: Mapping[str, str | bytes], others: Mapping[str, Source]) -> list[Diagnostic]:
    """The problems of generated files next to the existing ones. The arguments are those of `find_name_clashes`."""
    return [*find_name_clashes(files, others), *warn_of_local_state(files, others)]


def warn_of_local_state(files: Mapping[str, str | bytes], others: Mapping[str, Source]) -> list[Diagnostic]:
    """A warning if running resources are imported into a state that is a local file."""
    if IMPORTS not in files:
        return []
    texts = [text for name, text in files.items() if name.endswith(".tf") and isinstance(text, str)]
    theirs = [other.text for path, other in others.items() if not posixpath.dirname(path)]
    if any(ANY_BACKEND.search(text) for text in (*(t for t in texts if "backend" in t), *theirs)):
        return []
    return [diagnose_local_state()]


def diagnose_local_state() -> Diagnostic:
    """The warning that the state of running resources is lost with this machine."""
    message = "No backend is chosen, so the state of the running resources will be a local file in this directory."
    return Diagnostic(codes.LOCAL_STATE_OF_RUNNING_STACK, message)


def find_name_clashes(files: Mapping[str, str | bytes], others: Mapping[str, Source]) -> list[Diagnostic]:
    """An error for each name that an existing file and a generated file in the same folder both declare.

    files: the generated files, by path. others: the existing Terraform files, by path. A file that cannot be checked
    gets a diagnostic, too.
    """
    diagnostics: list[Diagnostic] = []
    parsed: dict[str, set[str] | None] = {}
    for path, other in others.items():
        if path.endswith(OVERRIDES):
            continue
        if path.endswith(".json"):
            diagnostics.append(
                Diagnostic(
                    codes.TERRAFORM_CODE_NOT_READ,
                    "Names in Terraform's JSON syntax are not checked for clashes.",
                    other,
                )
            )
            continue
        try:
            theirs = list(read_declarations(other.text))
        except Unparsable as e:
            diagnostics.append(
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
        for declaration in theirs:
            if home := next((name for name in ours if file_declares(name, ours[name], declaration, parsed)), ""):
                message = (
                    f"{declaration.address} is also declared in {home}; Terraform allows it only once in a directory."
                )
                diagnostics.append(Diagnostic(codes.NAME_ALREADY_DECLARED, message, other, declaration.span))
    return diagnostics


def file_declares(name: str, text: str, declaration: HclDeclaration, parsed: dict[str, set[str] | None]) -> bool:
    """Whether a generated file contains a declaration. Parsing is slow, so the file is parsed only if a line looks like
    the declaration; a line of a heredoc may look the same. parsed: a cache of the declared names, by file name.
    """
    if not re.search(declaration.header, text, re.M):
        return False
    if name not in parsed:
        try:
            parsed[name] = {declared.address for declared in read_declarations(text)}
        except Unparsable:  # the parser supports only ASCII identifiers, Terraform allows others
            parsed[name] = None
    declared_names = parsed[name]
    return declared_names is None or declaration.address in declared_names


def read_declarations(text: str) -> Iterator[HclDeclaration]:
    """The declarations in a Terraform file. Raises Unparsable."""
    import hcl2  # slow to import and rarely needed
    from lark.exceptions import LarkError

    try:
        body = hcl2.parses_to_tree(text).children[0]
    except (LarkError, RecursionError, ValueError) as e:
        raise Unparsable(max(getattr(e, "pos_in_stream", 0) or 0, 0)) from e
    for block in children_of_kind(body, "block"):
        words = children_of_kind(block, "identifier", "keyword", "string")
        kind, *labels = map(label_text, words)
        (inside,) = children_of_kind(block, "body")
        header = "^" + re.escape(" ".join([kind, *(f'"{label}"' for label in labels)]))
        if kind == "locals":
            for name in argument_names(inside):
                yield make_declaration([name], f"local.{label_text(name)}", f"^  {re.escape(label_text(name))} *=")
        elif kind == "terraform":
            for inner in children_of_kind(inside, "block"):
                if (name := label_text(inner.children[0])) == PROVIDERS:
                    yield make_declaration(inner.children[:1], PROVIDERS, f"^  {PROVIDERS} ")
                elif name in BACKENDS:
                    yield make_declaration(inner.children[:1], "the backend", "^  backend ")
        elif kind == "provider":
            if "alias" not in map(label_text, argument_names(inside)):
                yield make_declaration(words, ".".join([kind, *labels]), header)
        elif len(labels) == LABELS.get(kind):
            scope = [] if kind == "resource" else ["var" if kind == "variable" else kind]
            yield make_declaration(words, ".".join([*scope, *labels]), header)


def make_declaration(words: Sequence[Any], address: str, header: str) -> HclDeclaration:
    return HclDeclaration(address, Span(words[0].meta.start_pos, words[-1].meta.end_pos), header)


# parse trees


def children_of_kind(tree: Any, *kinds: str) -> list[Any]:
    """The children of a tree that have one of these rule names."""
    return [part for part in tree.children if getattr(part, "data", None) in kinds]


def argument_names(body: Any) -> list[Any]:
    """The argument names in a body."""
    return [argument.children[0] for argument in children_of_kind(body, "attribute")]


def label_text(tree: Any) -> str:
    """The text of an identifier or quoted label."""
    text = "".join(str(token) for token in tree.scan_values(lambda _: True))
    return text[1:-1] if text.startswith('"') else text
