"""A stack for a target that keeps nested templates as they are: the template with everything that it names.

Invariant: all files keep their places relative to each other, so that the names in them still hold.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
from typing import TYPE_CHECKING

from transpile import pipeline
from transpile.front import template as templates
from transpile.resolve import nested_templates
from transpile.text.source import Root, Unreadable, from_bytes, load
from transpile.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.additions import Additions
    from transpile.pipeline import Conversion
    from transpile.settings.table import Request
    from transpile.text.source import File

MOST = 10_000  # files of one stack


def files(
    main: str,
    environments: Sequence[str],
    done: Conversion,
    request: Request,
    added: Additions,
) -> tuple[dict[str, bytes], dict[str, bytes | None]]:
    """The files of a converted stack by their places below a common directory, and what was read for them.

    main, environments: paths from the root of the request, which is for each template alone. Nested templates are
    converted, other files are copied. What cannot be read or converted is copied as it is, or left out; the conversion
    of the main template has said so.
    """
    root = os.fspath(request.root or "")
    reader = Root(root, root)
    first = next(iter(done.files.values()))
    found: dict[str, bytes] = {main: first if isinstance(first, bytes) else first.encode("utf-8")}
    waiting: list[tuple[str, bool]] = [(main, True), *((name, False) for name in environments)]
    for name in environments:
        found[name] = pathlib.Path(root, name).read_bytes()
    for name, is_template in waiting:
        if not is_template or len(found) > MOST:
            continue
        here = Root(root, os.path.dirname(f"{reader.directory}/{name}"))
        for file, nested in named(pathlib.Path(root, name), here):
            if file.path not in found and file.inside:
                found[file.path] = converted(pathlib.Path(file.where), request, added) if nested else file.data
                waiting.append((file.path, nested))
        reader.reads.update(here.reads)
    base = posixpath.commonpath([posixpath.dirname(f"/{name}") for name in found])
    return {posixpath.relpath(f"/{name}", base): data for name, data in sorted(found.items())}, reader.reads


def named(path: pathlib.Path, root: Root) -> list[tuple[File, bool]]:
    """The files that a template names, and whether each is a template."""
    out = []
    template, _ = templates.read(load(path))
    for name, _, as_type in nested_templates.named_files(template) if template is not None else ():
        try:
            file = root.read(name)
        except Unreadable:  # a diagnostic of the main template says so
            continue
        if not is_url(file.path):
            out.append((file, as_type or is_template(file)))
    return out


def is_template(file: File) -> bool:
    """Whether a file is a template, whatever it is named for."""
    if not file.path.endswith((".yaml", ".yml", ".template")):
        return False
    try:
        template, sink = templates.read(from_bytes(file.data, file.path))
    except (Unreadable, RecursionError, ValueError):
        return False
    return template is not None and not any(one.severity == "error" for one in sink.found)


def converted(path: pathlib.Path, request: Request, added: Additions) -> bytes:
    done = pipeline.converted(path, request, added=added)
    if not done.ok:
        return path.read_bytes()
    first = next(iter(done.files.values()))
    return first if isinstance(first, bytes) else first.encode("utf-8")
