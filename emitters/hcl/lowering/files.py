"""Files that a template names with `get_file`: copies below files/, or variables where they may not be read.

The easy rule to break: what stands in the output names nothing of the machine; a file from outside the root is kept
apart from those inside, and a text that is no UTF-8 goes as Heat's client sends it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from emitters.hcl import namespace
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.rewrites import split_in
from emitters.hcl.tree.nodes import Block, Expr, Fn, Name, Text, Tuple
from emitters.hcl.tree.types import STRING, Value
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.lowering.lower import Lowering
    from transpile.model import ir
    from transpile.text.source import File

OUTSIDE = "outside/"  # the folder of what comes from outside the root


@final
class Files:
    """The files of one directory."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self.names = namespace.Names()  # of what stands in that folder
        self.outside: dict[str, str] = {}  # by where it was

    def text(self, ref: ir.FileRef) -> Value:
        """The text of a file: copied to files/, or a variable where it may not be read."""
        from emitters.hcl.lowering import template_files

        try:
            found = self.directory.stack.root.read(ref.name)
        except Unreadable as e:
            return Value(split_in(self.unread(ref, e), self.directory.lowering.bound), STRING)
        path = f"files/{self.stored(found)}"
        try:
            text = found.text()
        except Unreadable:  # Heat's client sends what is no text as base64, in lines
            self.directory.differs(
                "HOT571",
                f"{ref.name} is not UTF-8; Heat's client sends it as base64, and so does this.",
                ref.at,
                ref.end,
            )
            self.directory.files[path] = found.data
            encoded = Fn("filebase64", (path_of(path),))
            return Value(
                Fn("join", ("", Tuple((Fn("join", ("\n", Fn("regexall", (".{1,76}", encoded)))), "\n")))), STRING
            )
        self.directory.check_text(text, ref)
        if template_files.replaced(self.directory.lowering, text):
            return template_files.file(self.directory, self.directory.lowering, self.stored(found), text)
        self.directory.files[path] = found.data
        return Value(Fn("file", (path_of(path),)), STRING)

    def template(self, lowering: Lowering, ref: ir.FileRef, params: ir.Map, call: ir.Call) -> Value:
        """str_replace over a file: a template of Terraform's own, rewritten from it."""
        from emitters.hcl.lowering import functions, template_files

        try:
            found = self.directory.stack.root.read(ref.name)
            text = found.text()
        except Unreadable as e:
            if e.kind == "encoding":
                raise CannotSay("HOT571", f"{ref.name} is not UTF-8", ref.at, ref.end) from None
            text_ = split_in(self.unread(ref, e), lowering.bound)
            return functions.replace_at_run_time(lowering, Value(text_, STRING), params)
        self.directory.check_text(text, ref)
        functions.check(lowering, call, text, params)
        return template_files.file(self.directory, lowering, self.stored(found), text, params)

    def stored(self, found: File) -> str:
        """The path of a copy below files/: as below the root, and what comes from elsewhere in a folder of its own."""
        if found.inside and not found.path.startswith(OUTSIDE):
            return found.path
        if found.where not in self.outside:
            stem, dot, suffix = re.sub(r"[^\w.-]", "_", found.path.rpartition("/")[2]).rpartition(".")
            taken = self.names.take(f"{OUTSIDE}{stem or suffix or 'file'}")
            self.outside[found.where] = f"{taken}{dot}{suffix}" if stem else taken
        return self.outside[found.where]

    def unread(self, ref: ir.FileRef, why: Unreadable) -> Name:
        """A variable in the place of a file that may not be read."""
        key = f"file {ref.name}"
        if key not in self.directory.made_up:
            label = self.directory.variable_names.take(
                "file_" + namespace.snake(re.sub(r".*/", "", ref.name).replace(".", "_"))
            )
            block = Block("variable", (label,))
            block.set("description", f"Text of {ref.name}.")
            block.set("type", Name(("string",)))
            self.directory.made_up[key] = block
            self.directory.say(
                "HOT581", f"{ref.name} was not read: {why.detail}. Its text is the variable {label}.", ref.at, ref.end
            )
        return Name(("var", self.directory.made_up[key].labels[0]))


def path_of(path: str) -> Expr:
    """The path of a file of the directory, as functions take it."""
    return Text((Name(("path", "module")), f"/{path}"))
