"""Collects the files of a stack for a target that keeps nested templates: the template and all files that it names.

Invariant: all files keep their places relative to each other, so that the names in them still hold.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
from collections.abc import Sequence

from transpile import pipeline
from transpile.additions import Additions
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import TooManyErrors
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.meter import LimitExceeded
from transpile.pipeline import Conversion
from transpile.resolve import nested_templates
from transpile.settings.table import Request
from transpile.text.source import Root, TemplateFile, UnreadableFile, from_bytes, load_source
from transpile.text.urls import is_url

MOST_FILES = 10_000  # files of one stack


def bundle_files(
    main: str,
    environments: Sequence[str],
    conversion: Conversion,
    request: Request,
    added: Additions,
) -> tuple[dict[str, bytes], dict[str, bytes | None]]:
    """Returns the files of a converted stack by their places below a common directory, and the files that were read for
    them.

    main, environments: paths from the root of the request, which is for each template alone. Nested templates are
    converted, other files are copied. A template that cannot be converted is copied, and a file that cannot be read is
    left out; the conversion of the main template has reported it.
    """
    root = os.fspath(request.root or "")
    reader = Root(root, root)
    first = next(iter(conversion.files.values()))
    files: dict[str, bytes] = {main: first if isinstance(first, bytes) else first.encode("utf-8")}
    waiting: list[tuple[str, bool]] = [(main, True), *((name, False) for name in environments)]
    for name in environments:
        files[name] = pathlib.Path(root, name).read_bytes()
    for name, is_template in waiting:
        if not is_template or len(files) > MOST_FILES:
            continue
        here = Root(root, os.path.dirname(f"{reader.directory}/{name}"))
        for file, nested in read_named_files(pathlib.Path(root, name), here):
            if file.path not in files and file.is_inside_root:
                files[file.path] = (
                    convert_nested_template(pathlib.Path(file.where), request, added) if nested else file.data
                )
                waiting.append((file.path, nested))
        reader.reads.update(here.reads)
    base = posixpath.commonpath([posixpath.dirname(f"/{name}") for name in files])
    return {posixpath.relpath(f"/{name}", base): data for name, data in sorted(files.items())}, reader.reads


def read_named_files(path: pathlib.Path, root: Root) -> list[tuple[TemplateFile, bool]]:
    """The files that a template names, and whether each is a template. One with too many errors names none: Heat
    refuses it anyway.
    """
    files = []
    template, source = None, load_source(path, None, Budget())
    with RunGuard([], source):
        template, _ = templates.read_template(source)
    for name, _, as_type in nested_templates.named_files(template) if template is not None else ():
        try:
            file = root.read_file(name)
        except UnreadableFile:  # a diagnostic of the main template says so
            continue
        if not is_url(file.path):
            files.append((file, as_type or is_template_file(file)))
    return files


def is_template_file(file: TemplateFile) -> bool:
    """Whether a file is a template: a `get_file` may name one, too."""
    if not file.path.endswith((".yaml", ".yml", ".template")):
        return False
    try:
        template, sink = templates.read_template(from_bytes(file.data, file.path, Budget()))
    except (UnreadableFile, TooManyErrors, LimitExceeded, RecursionError, ValueError):
        return False
    return template is not None and not any(diagnostic.severity == "error" for diagnostic in sink.diagnostics)


def convert_nested_template(path: pathlib.Path, request: Request, added: Additions) -> bytes:
    conversion = pipeline.run_conversion(path, request, added=added)
    if not conversion.ok:
        return path.read_bytes()
    first = next(iter(conversion.files.values()))
    return first if isinstance(first, bytes) else first.encode("utf-8")
