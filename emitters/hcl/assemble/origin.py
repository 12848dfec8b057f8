"""The first line of each file, which says that hot2tf wrote it, and how it is recognized in a later run."""

from __future__ import annotations

import re

from emitters.hcl.tree.nodes import Note

CODE = re.compile(r"(?:modules/[^/]+/)?[a-z]+\.tf|terraform\.tfvars")
README = "README.md"
BESIDE = re.compile(r"(?:modules/[^/]+/)?(?:files|templates)/.+|release/.+|ADOPT\.md")
MARK = "by hot2tf."


def note(source: str) -> Note:
    """The comment at the top of a file. `source`: the name of the template; what has no name is text."""
    name = named(source)
    return Note([f" Converted from {name} {MARK}" if name else f" Converted {MARK}"])


def named(source: str) -> str:
    """The name of a file without the path to it; empty for what has no name, such as standard input."""
    name = re.split(r"[/\\]", source)[-1]
    return "" if "<" in name else name


def owns(name: str, content: bytes) -> bool:
    """Whether an earlier run may have written a file: it has one of our names and, if it is Terraform code, our first
    line. Whoever removes that line keeps the file.
    """
    if CODE.fullmatch(name):
        return content.partition(b"\n")[0].rstrip().endswith(MARK.encode())
    return name == README or BESIDE.fullmatch(name) is not None
