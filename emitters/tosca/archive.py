"""Collects the output files: service templates and the files that they name, also as one CSAR archive.

Invariant: a path is relative to the file that names it, and the bytes of an archive depend only on the files, not on
the clock or the machine.
"""

from __future__ import annotations

import io
import pathlib
import posixpath
import zipfile
from collections.abc import Callable
from typing import final

from emitters.tosca import names
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import ir
from transpile.resolve.groups import INSIDE
from transpile.resolve.stack import Stack
from transpile.text.places import avoid_reserved_names
from transpile.text.urls import is_url

MAIN, INPUTS, META = "main.yaml", "inputs.yaml", "TOSCA-Metadata/TOSCA.meta"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip file can hold
CREATOR = "hot2tf"


@final
class TemplateArchive:
    """The output files by their paths.

    `folder`: the folder for all files except the main file; "" for none. `names`, `sources`, `paths`: the name, the
    original file and the output path of each nested template, by the `id()` of its stack. `order`: the nested stacks,
    inner ones first.
    """

    def __init__(self, stack: Stack, folder: str) -> None:
        self.folder = f"{folder}/" if folder else ""
        self.files: dict[str, str | bytes] = {}
        self.order: list[Stack] = []
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}
        self.paths: dict[int, str] = {}
        self.path_by_origin: dict[str, str] = {}  # output path by the file's origin
        self.diagnostics: list[Diagnostic] = []
        self.taken = {name.casefold() for name in (MAIN, f"{self.folder}{INPUTS}", META)}
        self.numbers: dict[str, int] = {}  # the next number to try, by the preferred path
        self.titles = names.ReservedNames()
        self.collect_nested_stacks(stack)

    def collect_nested_stacks(self, stack: Stack) -> None:
        """Collects all nested templates once each, inner ones first."""
        for (_, written), nested in stack.nested.items():
            inner = nested.stack
            if written == INSIDE:
                continue  # its template text is an artifact
            if id(inner) in self.names:
                continue
            self.names[id(inner)] = ""
            self.collect_nested_stacks(inner)
            self.names[id(inner)] = self.titles.reserve_tosca_name(
                names.name_part(pathlib.PurePosixPath(nested.file).stem) or "stack"
            )
            self.sources[id(inner)] = nested.file
            self.paths[id(inner)] = self.reserve_path(path_in_archive(nested.file, "nested"))
            self.order.append(inner)

    def reserve_path(self, path: str) -> str:
        """Reserves a path in the output. If the path is taken, it gets a number: `nested/web_2.yaml`."""
        path = avoid_reserved_names(path)
        stem, dot, suffix = path.rpartition(".")
        candidate, number = self.folder + path, self.numbers.get(path, 2)
        while candidate.casefold() in self.taken:
            candidate = self.folder + (f"{stem}_{number}{dot}{suffix}" if stem else f"{path}_{number}")
            number += 1
        self.numbers[path] = number
        self.taken.add(candidate.casefold())
        return candidate

    def add_template_file(self, stack: Stack, service_path: str, name: str) -> str:
        """Adds a file that a template names. Returns its path relative to the service template at `service_path`.
        Raises UnreadableFile.
        """
        content = stack.root.read_file(name)
        key = content.where or content.path
        if key not in self.path_by_origin:
            self.path_by_origin[key] = self.reserve_path(path_in_archive(content.path, "files"))
            self.files[self.path_by_origin[key]] = content.data
        return relative_path(self.path_by_origin[key], service_path)

    def add_text_file(self, service_path: str, preferred_path: str, text: str) -> str:
        """Adds a file for text that is inside the template."""
        key = f"{service_path} {preferred_path}"
        if key not in self.path_by_origin:
            self.path_by_origin[key] = self.reserve_path(preferred_path)
            self.files[self.path_by_origin[key]] = text
        return relative_path(self.path_by_origin[key], service_path)

    def artifact_reporter(self, stack: Stack) -> Callable[[ir.FileRef], None]:
        """Returns a function that reports that an artifact gives a path, not content."""

        def report_artifact(ref: ir.FileRef) -> None:
            message = f"{ref.name} becomes an artifact: get_artifact returns its location, get_file its content."
            self.diagnostics.append(
                Diagnostic(codes.FILE_AS_ARTIFACT, message, stack.template.source, ref.span.in_text)
            )

        return report_artifact


def relative_path(path: str, origin: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(origin) or ".")


def path_in_archive(path: str, folder: str) -> str:
    """Returns a path below the archive's root. Files from outside the template's directory go into `folder`."""
    if is_url(path) or path.startswith("/") or ".." in path.split("/") or path.startswith("TOSCA-Metadata"):
        return f"{folder}/{path.rstrip('/').rpartition('/')[2] or 'file'}"
    return path


def pack_csar(files: dict[str, str | bytes], definitions: list[str], version: str, *, private: bool) -> bytes:
    """Packs all files into one archive with the main service template as its entry.

    `version`: the CSAR version, 1.1 or 2.0. `private`: after unpacking, only the owner may read the files.
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
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type, member.create_system, member.external_attr = zipfile.ZIP_DEFLATED, 3, mode << 16
            archive.writestr(member, content, compresslevel=9)
    return out.getvalue()
