"""The only writer of files: the directory of a conversion, and single files.

Invariant: files that hot2tf did not write, or that were edited since, stay. All conflicts are found before anything is
written. If a run is killed or fails, the next one completes it.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Collection, Iterable, Mapping

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.source import Source
from transpile.text import manifest, places
from transpile.text.manifest import MANIFEST, encode_content
from transpile.text.source import LIMIT, UnreadableFile, decode_utf8, read_bytes

IGNORING = ".gitignore"  # the only hidden file that a target writes
NEIGHBOUR_LIMIT = 256 * 1024  # bytes of the user's own files that are read in all; their parser is slow


def has_marker(name: str, content: bytes) -> bool:
    """Whether a file's first line names hot2tf: the default for how a target recognises its files."""
    return b"hot2tf" in content.partition(b"\n")[0]


class EarlierRun:
    """The files that an earlier run wrote into a directory, by its manifest.

    `owns`: whether the target writes files of this name and content.
    """

    def __init__(self, directory: pathlib.Path, owns: Callable[[str, bytes], bool]) -> None:
        self.directory, self.owns = directory, owns
        self.files = manifest.read_manifest(directory)

    def find_conflict(self, name: str, new: bytes | None) -> Diagnostic | None:
        """Why an existing file may not be replaced or, if `new` is None, removed; None if it may."""
        path = self.directory / name
        existing = places.read_regular_file(path)
        if existing is None:
            there = places.kind_at_path(path) == places.FILE
            return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{path} cannot be read.") if there else None
        if existing == new:
            return None
        if name in self.files and manifest.hash_content(existing) not in self.files[name]:
            return Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, f"{path} was changed since hot2tf wrote it.")
        if name not in self.files or not self.could_be_ours(name, existing):
            return Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, f"{path} already exists, and hot2tf did not write it.")
        return None

    def could_be_ours(self, name: str, existing: bytes) -> bool:
        """Whether hot2tf writes files of this name and content. The manifest alone does not prove it, because somebody
        who can change a template can write a manifest, too.
        """
        hidden = name != IGNORING and any(part.startswith(".") for part in name.split("/"))
        return places.is_plain_path(name) and not hidden and self.owns(name, existing)


def write_directory(
    directory: pathlib.Path,
    files: Mapping[str, str | bytes],
    *,
    owns: Callable[[str, bytes], bool] = has_marker,
    left: Collection[str] = (),
    force: bool = False,
    private: Collection[str] = (),
) -> list[Diagnostic]:
    """Writes the files of a directory and removes those of an earlier run, or returns the conflicts and changes
    nothing. A warning names files of the earlier run's manifest that hot2tf would never write. `left`: files that stay
    as they are. `private`: files that only their owner may read.
    """
    try:
        return check_and_write(directory, files, owns, left, private, force=force)
    except OSError as e:
        return [
            Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{e.filename or directory} cannot be written: {e.strerror}.")
        ]


def check_and_write(
    directory: pathlib.Path,
    files: Mapping[str, str | bytes],
    owns: Callable[[str, bytes], bool],
    left: Collection[str],
    private: Collection[str],
    *,
    force: bool,
) -> list[Diagnostic]:
    above = next((p for p in [directory, *directory.parents] if p.exists()), directory)
    if above.exists() and not above.is_dir():
        return [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{above} is not a directory.")]
    earlier = EarlierRun(directory, owns)
    files = {name: content for name, content in files.items() if name not in left}
    problems: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    stale = []
    for name, content in files.items():
        if reason := places.find_obstacle(directory, name):
            problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason))
        elif (
            name != MANIFEST
            and not force
            and (problem := earlier.find_conflict(name, encode_content(content))) is not None
        ):
            problems.append(problem)
    for name in earlier.files:
        if name in files or name in left:
            continue
        blocked = places.find_obstacle(directory, name)
        there = None if blocked else places.read_regular_file(directory / name)
        if there is None and not blocked and places.kind_at_path(directory / name) == places.FILE:
            problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{directory / name} cannot be read."))
        elif there is not None and earlier.could_be_ours(name, there):
            stale.append(name)
            if not force and (problem := earlier.find_conflict(name, None)) is not None:
                problems.append(problem)
        elif there is not None or not places.is_plain_path(name):
            warnings.append(
                Diagnostic(
                    codes.FOREIGN_FILE_IN_MANIFEST, f"{MANIFEST} lists {name}, which hot2tf does not write; it is left."
                )
            )
    if problems:
        return problems
    write_and_remove(directory, files, earlier, stale, private)
    return warnings


def write_and_remove(
    directory: pathlib.Path,
    files: Mapping[str, str | bytes],
    earlier: EarlierRun,
    stale: Iterable[str],
    private: Collection[str],
) -> None:
    """Writes and removes files. The manifest lists the old and the new ones until all is done, so a killed run is
    known.
    """
    directory.mkdir(parents=True, exist_ok=True)
    last = encode_content(files[MANIFEST]) if MANIFEST in files else None
    if last is not None:
        places.write_atomically(
            directory / MANIFEST, encode_content(manifest.print_unfinished_manifest(files, earlier.files))
        )
    for name, content in files.items():
        path, data = directory / name, encode_content(content)
        if name == MANIFEST:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(path, data, private=name in private)
    for name in stale:
        places.remove_file(directory / name)
    for name in earlier.files:
        if not places.find_obstacle(directory, name):
            places.remove_file(places.temporary_path(directory / name))
            places.remove_empty_directories(directory, (directory / name).parent)
    if last is not None:
        places.write_atomically(directory / MANIFEST, last)


def write_if_changed(path: pathlib.Path, data: bytes, *, private: bool) -> None:
    """Writes a file, unless it already has this content and these permissions."""
    if places.read_regular_file(path) != data or (private and places.is_readable_by_others(path)):
        places.write_atomically(path, data, places.PRIVATE if private else None)


def find_foreign_files(
    directory: pathlib.Path, optional: Collection[str], owns: Callable[[str, bytes], bool]
) -> list[str]:
    """Of the optional files those that exist and that hot2tf did not write, or that were edited since: they stay.
    Raises OSError.
    """
    earlier = EarlierRun(directory, owns)
    return [name for name in sorted(optional) if earlier.find_conflict(name, None) is not None]


def read_neighbours(
    directory: pathlib.Path, files: Iterable[str], suffixes: tuple[str, ...], diagnostics: list[Diagnostic]
) -> dict[str, Source]:
    """The user's own files with these suffixes, by path, in the directory and in those folders below it that `files` go
    to. A file that cannot be read adds a diagnostic to `diagnostics`.
    """
    try:
        ours = {*files, *manifest.read_manifest(directory)}
    except OSError:  # the writer reports the same error
        return {}
    folders = sorted({str(pathlib.PurePosixPath(name).parent) for name in files if name.endswith(suffixes)})
    sources = {}
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
                    raise UnreadableFile("large", f"hot2tf reads at most {NEIGHBOUR_LIMIT // 1024} KiB of such files")
                left -= len(data)
                sources[name] = Source(str(path), decode_utf8(data, path.name))
            except UnreadableFile as e:
                diagnostics.append(
                    Diagnostic(
                        codes.TERRAFORM_CODE_NOT_READ, f"The file was not read: {e.detail}.", Source(str(path), "")
                    )
                )
    return sources


def write_file_set(
    path: pathlib.Path, files: Mapping[str, str | bytes], *, force: bool = False, private: Collection[str] = ()
) -> list[Diagnostic]:
    """Writes the first file as `path`, and the others into the same directory. An existing file with other content is a
    conflict unless `force`, and then nothing is written. `private`: files that only their owner may read.
    """
    placed = {name if i else path.name: encode_content(content) for i, (name, content) in enumerate(files.items())}
    own = {name if i else path.name for i, name in enumerate(files) if name in private}
    folder = path.parent
    try:
        problems = [p for name, data in placed.items() if (p := find_obstruction(folder, name, data, force=force))]
        if problems:
            return problems
        for name, data in reversed(placed.items()):  # the first file refers to the others, so it comes last
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            places.remove_file(places.temporary_path(folder / name))
            write_if_changed(folder / name, data, private=name in own)
    except OSError as e:
        return [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{e.filename or path} cannot be written: {e.strerror}.")]
    return []


def find_obstruction(folder: pathlib.Path, name: str, data: bytes, *, force: bool) -> Diagnostic | None:
    """Why a file cannot be written; None if it can."""
    if reason := places.find_obstacle(folder, name):
        return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason)
    there = places.read_regular_file(folder / name)
    if there is None and places.kind_at_path(folder / name) == places.FILE:
        return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{folder / name} cannot be read.")
    if there is not None and there != data and not force:
        return Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, f"{folder / name} already exists, with different content.")
    return None


def replace_file(path: pathlib.Path, text: str) -> Diagnostic | None:
    """Replaces an existing file, completely or not at all. A link is an error: its target is not replaced."""
    try:
        if places.kind_at_path(path) == places.LINK:
            return Diagnostic(
                codes.OUTPUT_CANNOT_BE_WRITTEN,
                f"{path} is a link; hot2tf writes through no link. Name the file itself.",
            )
        places.write_atomically(path, text.encode("utf-8"))
    except OSError as e:
        return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{path} cannot be written: {e.strerror}.")
    return None


def write_user_file(user_path: str, data: bytes, mode: int | None = None) -> Diagnostic | None:
    """Writes a file that the user names, and replaces an existing one. A device, such as /dev/stdout, is written to.
    `mode`: its permissions, as for `places.write_atomically`.
    """
    path = pathlib.Path(user_path)
    if (problem := find_user_file_problem(user_path)) is not None:
        return problem
    try:
        if places.is_device(path):
            path.write_bytes(data)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            places.write_atomically(path, data, mode)
    except OSError as e:
        return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{path} cannot be written: {e.strerror}.")
    return None


def find_user_file_problem(user_path: str) -> Diagnostic | None:
    """Why a file that the user names cannot be written, as far as that is known before; None if it can."""
    path = pathlib.Path(user_path)
    try:
        if places.is_device(path):
            return None
        if (problem := refuse_links(user_path)) is not None:
            return problem
        kind = places.kind_at_path(path)
        above = next(p for p in path.absolute().parents if p.exists())
        if kind not in (places.FILE, places.NOTHING):
            reason = f"{path} is {kind}."
        elif not above.is_dir():
            reason = f"{above} is not a directory."
        elif not os.access(above, os.W_OK | os.X_OK):  # a file is replaced, which the directory must allow
            reason = f"{above} may not be written to."
        else:
            return None
    except (OSError, ValueError) as e:
        reason = f"{user_path} cannot be written: {getattr(e, 'strerror', None) or e}."
    return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason)


def refuse_links(user_path: str) -> Diagnostic | None:
    """Why hot2tf does not write to a path that the user names: it leads through a link; None if it does not."""
    try:
        link = next(places.find_links(user_path), None)
    except (OSError, ValueError) as e:
        return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{user_path} cannot be written: {e}.")
    if link is None:
        return None
    hint = f"If the link is yours, name it with a slash at the end: {user_path}{os.sep}"
    return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{link} is a link; hot2tf writes through no link.", hint=hint)
