"""The only writer: the files of a conversion, and a file in place of another.

Invariant: nothing that we did not write is touched, and nothing that was edited since. Whatever is in the way is found
before anything is written, and nothing is ever written outside the directory.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from typing import TYPE_CHECKING

from transpile.diagnostics.model import Diagnostic
from transpile.model.source import Source
from transpile.text.source import LIMIT, Unreadable, decode, read_bytes
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MANIFEST = ".hot2tf.json"
NEIGHBOUR_LIMIT = 256 * 1024  # bytes of all that is read of other people's files; their parser is slow


def encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


def manifest(files: Mapping[str, str | bytes]) -> str:
    """The manifest: the files of a run with the hashes of their contents."""
    listed = {
        name: hashlib.sha256(encoded(content)).hexdigest()
        for name, content in sorted(files.items())
        if name != MANIFEST
    }
    return json.dumps({"generator": f"hot2tf {__version__}", "files": listed}, indent=1) + "\n"


def known(directory: pathlib.Path) -> dict[str, str]:
    """The manifest of an earlier run."""
    try:
        found = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def unchanged(path: pathlib.Path, digest: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def inside(directory: pathlib.Path, name: str) -> pathlib.Path:
    """The path of an output file. Raises ValueError if links lead outside the directory."""
    path = directory / name
    path.parent.resolve().relative_to(directory.resolve())
    if path.is_symlink():
        raise ValueError(name)
    return path


def write(directory: pathlib.Path, files: Mapping[str, str | bytes], *, force: bool = False) -> list[Diagnostic]:
    """Writes the files, or returns the conflicts and writes nothing."""
    before = known(directory)
    problems: list[Diagnostic] = []
    if directory.exists() and not directory.is_dir():
        return [Diagnostic("HOT902", f"{directory} is not a directory.")]
    stale = [name for name in before if name not in files]
    for name in [*files, *stale]:
        try:
            path = inside(directory, name)
        except (ValueError, OSError, RuntimeError):
            problems.append(Diagnostic("HOT902", f"{name} is outside {directory}, so it was not written."))
            continue
        above = next((p for p in path.parents if p.exists()), directory)
        if not above.is_dir():
            problems.append(Diagnostic("HOT902", f"{above} is not a directory."))
        elif path.is_dir():
            problems.append(Diagnostic("HOT902", f"{path} is a directory."))
        elif name == MANIFEST or force or not path.exists():
            continue
        elif name not in before and path.read_bytes() != encoded(files[name]):
            problems.append(Diagnostic("HOT901", f"{path} already exists, and hot2tf did not write it."))
        elif (
            name in before
            and not unchanged(path, before[name])
            and (name in stale or path.read_bytes() != encoded(files[name]))
        ):
            problems.append(Diagnostic("HOT901", f"{path} was changed since hot2tf wrote it."))
    if problems:
        return problems
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in stale:
            (directory / name).unlink(missing_ok=True)
            prune(directory, (directory / name).parent)
        for name, content in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encoded(content))
    except OSError as e:
        return [Diagnostic("HOT902", f"{e.filename or directory} cannot be written: {e.strerror}.")]
    return []


def neighbours(
    directory: pathlib.Path, files: Iterable[str], suffixes: tuple[str, ...], found: list[Diagnostic]
) -> dict[str, Source]:
    """Files that hot2tf did not write, by path, in the directory and in those folders below it that files of ours go
    to. Whatever is not read is told in `found`.
    """
    ours = {*files, *known(directory)}
    folders = sorted({str(pathlib.PurePosixPath(name).parent) for name in files if name.endswith(suffixes)})
    out = {}
    left = NEIGHBOUR_LIMIT
    for folder in folders:
        try:
            paths = sorted(path for path in (directory / folder).iterdir() if path.name.endswith(suffixes))
        except OSError:  # there is no such folder yet
            continue
        for path in paths:
            name = path.relative_to(directory).as_posix()
            if name in ours or path.name.startswith("."):
                continue
            try:
                data = read_bytes(path, LIMIT)
                if len(data) > left:
                    raise Unreadable("large", f"hot2tf reads at most {NEIGHBOUR_LIMIT // 1024} KiB of such files")
                left -= len(data)
                out[name] = Source(str(path), decode(data, path.name))
            except Unreadable as e:
                found.append(Diagnostic("HOT907", f"The file was not read: {e.detail}.", Source(str(path), "")))
    return out


def in_the_way(path: pathlib.Path, content: str | bytes, *, force: bool) -> Diagnostic | None:
    """Why a file cannot be written: an existing file is kept unless it is the same, or `force`."""
    try:
        if path.is_dir():
            return Diagnostic("HOT902", f"{path} is a directory.")
        if path.exists() and not force and path.read_bytes() != encoded(content):
            return Diagnostic("HOT901", f"{path} already exists, with different content.")
    except OSError as e:
        return Diagnostic("HOT902", f"{e.filename or path} cannot be written: {e.strerror}.")
    return None


def write_beside(path: pathlib.Path, files: Mapping[str, str | bytes], *, force: bool = False) -> list[Diagnostic]:
    """Writes the first file as `path`, and the others beside it."""
    placed = {name if i else path.name: content for i, (name, content) in enumerate(files.items())}
    return write_files(path.parent, placed, force=force)


def write_files(folder: pathlib.Path, files: Mapping[str, str | bytes], *, force: bool = False) -> list[Diagnostic]:
    """Writes files into a folder of the user, all or none; existing files are kept unless they are the same,
    or `force`.
    """
    problems = [p for name, content in files.items() if (p := in_the_way(folder / name, content, force=force))]
    if problems:
        return problems
    for name, content in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encoded(content))
        except OSError as e:
            return [Diagnostic("HOT902", f"{e.filename or path} cannot be written: {e.strerror}.")]
    return []


def replace(path: pathlib.Path, text: str) -> Diagnostic | None:
    """Replaces an existing file, completely or not at all. A link stays a link, and its target is replaced."""
    import shutil  # slow to import, and most commands replace nothing
    import tempfile

    target = pathlib.Path(os.path.realpath(path))
    written = ""
    try:
        number, written = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(number, "wb") as file:
            file.write(text.encode("utf-8"))
        shutil.copymode(target, written)
        pathlib.Path(written).replace(target)
    except OSError as e:
        if written:
            pathlib.Path(written).unlink(missing_ok=True)
        return Diagnostic("HOT902", f"{path} cannot be written: {e.strerror}.")
    return None


def prune(directory: pathlib.Path, path: pathlib.Path) -> None:
    """Removes directories that became empty."""
    while path not in (directory, path.parent) and path.is_dir() and not any(path.iterdir()):
        path.rmdir()
        path = path.parent
