"""The output files: service templates, the files they name, and all of them as one CSAR.

Invariant: a path is relative to the file that names it, and the bytes of an archive depend only on the files, not on
the clock or the machine.
"""

from __future__ import annotations

import io
import pathlib
import posixpath
import zipfile
from typing import TYPE_CHECKING, final

from emitters.tosca import names
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.resolve.groups import INSIDE
from transpile.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from transpile.model import ir
    from transpile.resolve.stack import Stack

MAIN, INPUTS, META = "main.yaml", "inputs.yaml", "TOSCA-Metadata/TOSCA.meta"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip file can hold
CREATOR = "hot2tf"


@final
class Archive:
    """The files by path. `beside` is the folder for all files except the main one, if the main file is written on its
    own.

    `names`, `sources`: of each nested template, by the identity of its stack.
    """

    def __init__(self, stack: Stack, beside: str) -> None:
        self.beside = f"{beside}/" if beside else ""
        self.files: dict[str, str | bytes] = {}
        self.order: list[Stack] = []
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}
        self.paths: dict[int, str] = {}
        self.where: dict[str, str] = {}  # output path by the file's origin
        self.found: list[Diagnostic] = []
        self.taken = {MAIN, f"{self.beside}{INPUTS}", META}
        self.numbers: dict[str, int] = {}  # the next to try, by the path that was wanted
        self.titles = names.Names()
        self.collect(stack)

    def collect(self, stack: Stack) -> None:
        """Collects all nested templates once each, inner ones first."""
        for (_, written), nested in stack.nested.items():
            inner = nested.stack
            if written == INSIDE:
                continue  # its template text is an artifact
            if id(inner) in self.names:
                continue
            self.names[id(inner)] = ""
            self.collect(inner)
            self.names[id(inner)] = self.titles.take(names.part(pathlib.PurePosixPath(nested.file).stem) or "stack")
            self.sources[id(inner)] = nested.file
            self.paths[id(inner)] = self.place(within(nested.file, "nested"))
            self.order.append(inner)

    def place(self, path: str) -> str:
        """Returns a path that is not taken."""
        stem, dot, suffix = path.rpartition(".")
        wanted, number = self.beside + path, self.numbers.get(path, 2)
        while wanted in self.taken:
            wanted = self.beside + (f"{stem}_{number}{dot}{suffix}" if stem else f"{path}_{number}")
            number += 1
        self.numbers[path] = number
        self.taken.add(wanted)
        return wanted

    def file(self, stack: Stack, of: str, named: str) -> str:
        """Adds a file that a template names. Returns its path relative to the service template at `of`. Raises
        Unreadable.
        """
        found = stack.root.read(named)
        key = found.where or found.path
        if key not in self.where:
            self.where[key] = self.place(within(found.path, "files"))
            self.files[self.where[key]] = found.data
        return relative(self.where[key], of)

    def made(self, of: str, wanted: str, text: str) -> str:
        """Adds a file for text that is inside the template."""
        key = f"{of} {wanted}"
        if key not in self.where:
            self.where[key] = self.place(wanted)
            self.files[self.where[key]] = text
        return relative(self.where[key], of)

    def located(self, stack: Stack) -> Callable[[ir.FileRef], None]:
        """Returns a function that reports that an artifact gives a path, not content."""

        def say(ref: ir.FileRef) -> None:
            message = f"{ref.name} becomes an artifact: get_artifact returns its location, get_file its content."
            self.found.append(Diagnostic(codes.FILE_AS_ARTIFACT, message, stack.template.source, ref.span.in_text))

        return say


def relative(path: str, of: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(of) or ".")


def within(path: str, folder: str) -> str:
    """A path below the archive's root. Files from elsewhere go into `folder`."""
    if is_url(path) or path.startswith("/") or ".." in path.split("/") or path.startswith("TOSCA-Metadata"):
        return f"{folder}/{path.rstrip('/').rpartition('/')[2] or 'file'}"
    return path


def csar(files: dict[str, str | bytes], definitions: list[str], version: str, *, private: bool) -> bytes:
    """Packs all files into one archive with the main service template as its entry. `version` is the CSAR version, 1.1
    or 2.0; `private`: only their owner may read the files that are unpacked.
    """
    mode = 0o600 if private else 0o644
    meta = [
        "TOSCA-Meta-File-Version: 1.1",
        f"CSAR-Version: {version}",
        f"Created-By: {CREATOR}",
        f"Entry-Definitions: {MAIN}",
    ]
    if definitions:
        meta.append(f"Other-Definitions: {' '.join(d if ' ' not in d else repr(d) for d in definitions)}")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in [(META, "\n".join(meta) + "\n"), *sorted(files.items())]:
            one = zipfile.ZipInfo(name, EPOCH)
            one.compress_type, one.create_system, one.external_attr = zipfile.ZIP_DEFLATED, 3, mode << 16
            archive.writestr(one, content, compresslevel=9)
    return out.getvalue()
