"""Copies of the files that a template reads, and variables in place of files that may not be read."""

from __future__ import annotations

import re
from typing import final

from emitters.hcl import namespace
from emitters.hcl.log import EmissionLog
from emitters.hcl.synthetic_variables import SyntheticVariables
from emitters.hcl.tree.nodes import Expr, StringTemplate, Traversal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.text.places import avoid_reserved_names
from transpile.text.source import Root, TemplateFile, UnreadableFile

OUTSIDE = "outside/"  # the folder for files from outside the root


@final
class CopiedFiles:
    """The paths of copied files, and the variables in place of files that hot2tf may not read."""

    def __init__(self, log: EmissionLog, variables: SyntheticVariables, root: Root) -> None:
        self.log, self.variables, self.root = log, variables, root
        self.names = namespace.UniqueNames()  # names in that folder
        self.paths: dict[str, str] = {}  # path of the copy, by original location
        self.folded: set[str] = set()  # these paths, as a file system that ignores case compares them

    def path_of_copy(self, file: TemplateFile) -> str:
        """The path of a file's copy below `files/`: its path below the root, or else as the template writes it, or else
        a free name in the folder for outside files. It does not depend on who reads the file, so that a module has the
        same paths for all its callers.
        """
        if file.where not in self.paths:
            path = self.root.path_from_base(file) or (file.path if file.is_inside_root else "")
            if not path or path.startswith(OUTSIDE) or path.casefold() in self.folded:
                stem, dot, suffix = re.sub(r"[^\w.-]", "_", file.path.rpartition("/")[2]).rpartition(".")
                taken = self.names.reserve_name(f"{OUTSIDE}{stem or suffix or 'file'}")
                path = f"{taken}{dot}{suffix}" if stem else taken
            self.folded.add(path.casefold())
            self.paths[file.where] = avoid_reserved_names(path)
        return self.paths[file.where]

    def variable_for_file(self, ref: ir.FileRef, why: UnreadableFile) -> Traversal:
        """A variable in place of a file that may not be read."""
        key = f"file {ref.name}"
        made = key in self.variables
        preferred_label = "file_" + namespace.snake_case(re.sub(r".*/", "", ref.name).replace(".", "_"))
        variable = self.variables.get_variable(key, preferred_label, f"Content of {ref.name}.", Traversal(("string",)))
        if not made:
            label = variable.parts[1]
            message = f"{ref.name} was not read: {why.detail}. The variable {label} must hold its content."
            hint = f'{why.hint.rstrip(".")}, or pass the content: TF_VAR_{label}="$(cat FILE)".' if why.hint else ""
            self.log.add_diagnostic(codes.FILE_NOT_READ, message, ref, hint)
        return variable


def path_in_module(path: str) -> Expr:
    """An expression for the path of a file in the module's directory: `"${path.module}/files/boot.sh"`."""
    return StringTemplate((Traversal(("path", "module")), f"/{path}"))
