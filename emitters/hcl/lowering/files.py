"""Copies of the files that a template reads, and variables in place of files that may not be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from emitters.hcl import namespace
from emitters.hcl.tree.nodes import Expr, Name, Text
from transpile.diagnostics import codes

if TYPE_CHECKING:
    from emitters.hcl.log import Log
    from emitters.hcl.synthetic_variables import SyntheticVariables
    from transpile.model import ir
    from transpile.text.source import File, Root, Unreadable

OUTSIDE = "outside/"  # the folder for files from outside the root


@final
class Files:
    """The paths of copied files, and the variables in place of files that hot2tf may not read."""

    def __init__(self, log: Log, variables: SyntheticVariables, root: Root) -> None:
        self.log, self.variables, self.root = log, variables, root
        self.names = namespace.Names()  # names in that folder
        self.paths: dict[str, str] = {}  # path of the copy, by original location

    def stored(self, found: File) -> str:
        """The path of a file's copy below `files/`: its path below the root, or else as the template writes it, or else
        a free name in the folder for outside files. It does not depend on who reads the file, so that a module has the
        same paths for all its callers.
        """
        if found.where not in self.paths:
            path = self.root.below(found) or (found.path if found.inside else "")
            if not path or path.startswith(OUTSIDE) or path in self.paths.values():
                stem, dot, suffix = re.sub(r"[^\w.-]", "_", found.path.rpartition("/")[2]).rpartition(".")
                taken = self.names.take(f"{OUTSIDE}{stem or suffix or 'file'}")
                path = f"{taken}{dot}{suffix}" if stem else taken
            self.paths[found.where] = path
        return self.paths[found.where]

    def unread(self, ref: ir.FileRef, why: Unreadable) -> Name:
        """A variable in place of a file that may not be read."""
        key = f"file {ref.name}"
        made = key in self.variables
        wanted = "file_" + namespace.snake(re.sub(r".*/", "", ref.name).replace(".", "_"))
        found = self.variables.get(key, wanted, f"Content of {ref.name}.", Name(("string",)))
        if not made:
            label = found.parts[1]
            message = f"{ref.name} was not read: {why.detail}. The variable {label} must hold its content."
            hint = f'{why.hint.rstrip(".")}, or pass the content: TF_VAR_{label}="$(cat FILE)".' if why.hint else ""
            self.log.say(codes.FILE_NOT_READ, message, ref, hint)
        return found


def path_of(path: str) -> Expr:
    """An expression for the path of a file in the module's directory: `"${path.module}/files/boot.sh"`."""
    return Text((Name(("path", "module")), f"/{path}"))
