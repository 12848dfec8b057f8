"""The decisions about the calls in one file, and the facts that they share.

Invariant: a decision has an edit, or a reason why it has none.
"""

from __future__ import annotations

import posixpath
import re
from typing import final

from transpile.call_sites.creations import Creations
from transpile.call_sites.finder import FileCalls
from transpile.call_sites.model import HeatCall
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.stacks import Place, StackOfCall
from transpile.call_sites.terraform_commands import quote_directory
from transpile.diagnostics.model import Edit
from transpile.model.records import node

COLLECTIONS = ("list", "set", "tuple", "map", "object", "json")  # types of outputs
TIMEOUT_DROPPED = "the timeout is dropped: resources of Terraform have their own"
PIPES, CHAINS = ("|", "|&"), ("&&", "||")


@final
@node
class CallDecision:
    """The decision about one call. `replacement`: the commands that take its place, as people read them, without
    secrets. `edit`: the change of the file; None if the call is left, for `reason`. `notes`: the losses of the
    rewritten call.
    """

    call: HeatCall
    stack: StackOfCall
    replacement: tuple[str, ...] = ()
    edit: Edit | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()


@final
class FileContext:
    """The facts that all decisions about a file's calls share. `dest`: the top of the result, from the top of the
    repository; empty if it is not known. `ready`: units and directories in which `init` ran before; `created`: those in
    which the stack was written before.
    """

    def __init__(self, file: FileCalls, dest: str, creations: Creations) -> None:
        self.file, self.dest, self.creations = file, dest, creations
        self.ready: set[tuple[str, str]] = set()
        self.created: set[tuple[str, str]] = set()

    def path_to(self, facts: StackFacts, place: Place) -> str | None:
        """The path of a stack's directory from where a call runs; None if it cannot be written safely."""
        path = posixpath.relpath(posixpath.join(self.dest or "DEST", facts.location.directory), place.base or ".")
        if place.prefix:
            prefix = re.sub(r"\{\{\s*(\w+)\s*\}\}", r"{{ \1 }}", place.prefix)
            return f"{prefix}/{path}" if quote_directory("", path) is not None else None
        return quote_directory("", path)
