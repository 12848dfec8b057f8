"""The only writer of files: the directory of a conversion, and single files.

Invariant: files that hot2tf did not write, or that were edited since, stay. All conflicts are found before anything is
written. If a run is killed or fails, the next one completes it.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.registry import message_of_rule
from transpile.model.budget import Budget
from transpile.model.source import Source, name_file
from transpile.text import manifest, places
from transpile.text.addresses import Follow, FollowedDirectory, follow_directory
from transpile.text.base_store import BASE
from transpile.text.directory_plan import CONFLICT_HINT, DirectoryPlan, EarlierRun
from transpile.text.manifest import MANIFEST, encode_content
from transpile.text.source import LIMIT, UnreadableFile, decode_utf8, read_bytes

NEIGHBOUR_LIMIT = 256 * 1024  # bytes of the user's own files that are read in all; their parser is slow


def has_marker(name: str, content: bytes) -> bool:
    """Whether a file's first line names hot2tf: the default for how a target recognises its files."""
    return b"hot2tf" in content.partition(b"\n")[0]


class DirectoryChange(NamedTuple):
    """The changes of one directory. changed: whether anything was written or removed. merged, kept, marked: as in a
    `DirectoryPlan`. plan: the plan, None if it could not be made. followed: all its files, and the changed addresses.
    """

    changed: bool
    problems: list[Diagnostic]
    merged: list[str]
    kept: list[str]
    marked: list[str]
    plan: DirectoryPlan | None = None
    followed: FollowedDirectory | None = None


def write_directory(
    directory: pathlib.Path,
    files: Mapping[str, str | bytes],
    *,
    owns: Callable[[str, bytes], bool] = has_marker,
    left: Collection[str] = (),
    force: bool = False,
    private: Collection[str] = (),
) -> list[Diagnostic]:
    """Like `update_directory`, and returns the problems alone."""
    return update_directory(directory, files, owns=owns, left=left, force=force, private=private).problems


def update_directory(
    directory: pathlib.Path,
    files: Mapping[str, str | bytes],
    *,
    owns: Callable[[str, bytes], bool] = has_marker,
    left: Collection[str] = (),
    optional: Collection[str] = (),
    force: bool = False,
    private: Collection[str] = (),
    conflicts: bool = False,
    writes: bool = True,
    follow: Follow | None = None,
) -> DirectoryChange:
    """Writes the files of a directory and removes those of an earlier run, or returns the conflicts and changes
    nothing. A warning names files of the earlier run's manifest that hot2tf would never write. `left`: files that stay
    as they are. `optional`: files that are written again if a person removed them. `private`: files that only their
    owner may read. `conflicts`: write conflicts with markers, which is an error, too. `writes`: whether anything is
    written at all. `follow`: the function of the target that follows addresses of the earlier run.
    """
    try:
        followed = follow_directory(directory, files, follow)
        plan = DirectoryPlan(
            directory,
            followed.files,
            owns=owns,
            left=left,
            optional={*optional, *followed.added},
            accepted=followed.accepted,
            force=force,
            conflicts=conflicts,
        )
        if plan.problems:
            return DirectoryChange(False, plan.problems, [], [], [], plan)
        unresolved = [
            Diagnostic(
                codes.FILES_WOULD_BE_OVERWRITTEN,
                f"{directory / name} was changed since hot2tf wrote it, and hot2tf changes the same lines.",
                hint="Choose the right lines, and remove the markers." if writes else CONFLICT_HINT,
            )
            for name in plan.marked
        ]
        changed = writes and not (plan.is_carried_out() and not find_too_open_files(directory, private))
        if changed:
            carry_out_plan(directory, plan, private)
        problems = [*plan.warnings, *unresolved, *followed.diagnostics]
        kept = plan.merged, plan.kept, plan.marked
        return DirectoryChange(changed, problems, *kept, plan, followed)
    except OSError as e:
        return DirectoryChange(False, [unwritable(e.filename or directory, e.strerror)], [], [], [])


def find_too_open_files(directory: pathlib.Path, private: Collection[str]) -> list[str]:
    """The private files that others may read."""
    return [
        name
        for name in private
        if places.kind_at_path(directory / name) == places.FILE and places.is_readable_by_others(directory / name)
    ]


def carry_out_plan(directory: pathlib.Path, plan: DirectoryPlan, private: Collection[str]) -> None:
    """Writes and removes files. The manifest lists the old and the new ones until all is done, so a killed run is
    known.
    """
    directory.mkdir(parents=True, exist_ok=True)
    earlier = plan.earlier
    last = plan.contents.get(MANIFEST)
    if last is not None:
        places.write_atomically(
            directory / MANIFEST,
            encode_content(manifest.print_unfinished_manifest(last, earlier.files, manifest.read_addresses(directory))),
        )
    paths = {name: directory / name for name in plan.contents if name != MANIFEST}
    for folder in {path.parent: None for path in paths.values()}:
        folder.mkdir(parents=True, exist_ok=True)
    for name, path in paths.items():
        write_if_changed(path, plan.contents[name], private=name in private)
    for name in plan.removed:
        places.remove_file(directory / name)
    for name in earlier.files:
        if not places.find_obstacle(directory, name):
            places.remove_unfinished(places.temporary_path(directory / name))
            places.remove_empty_directories(directory, (directory / name).parent)
    if last is not None:
        base = plan.base
        if base is not None and not places.find_obstacle(directory, BASE):
            write_if_changed(directory / BASE, base, private=bool(private))
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
                sources[name] = Source(str(path), decode_utf8(data, path.name), budget=Budget())
            except UnreadableFile as e:
                diagnostics.append(
                    Diagnostic(
                        codes.TERRAFORM_CODE_NOT_READ, f"The file was not read: {e.detail}.", name_file(str(path))
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
            places.remove_unfinished(places.temporary_path(folder / name))
            write_if_changed(folder / name, data, private=name in own)
    except OSError as e:
        return [unwritable(e.filename or path, e.strerror)]
    return []


def unwritable(path: object, why: object) -> Diagnostic:
    """The diagnostic for a path that cannot be written, e.g. because the disk is full."""
    return Diagnostic(
        codes.OUTPUT_CANNOT_BE_WRITTEN,
        message_of_rule(codes.OUTPUT_CANNOT_BE_WRITTEN, path=str(path), why=str(why)),
    )


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
        return unwritable(path, e.strerror)
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
        return unwritable(path, e.strerror)
    return None


def try_user_file(user_path: str) -> Diagnostic | None:
    """Why nothing can be written at a path that a user names: the disk is full, or the device takes nothing. None if a
    few bytes can be written there.
    """
    path = pathlib.Path(user_path)
    try:
        if places.is_device(path):
            places.try_device(path)
        else:
            places.try_directory(next(above for above in path.absolute().parents if above.exists()), path.name)
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


def diagnose_kept_file(path: pathlib.Path) -> Diagnostic:
    """The warning about a file that a person wrote or edited, and that is left as it is."""
    return Diagnostic(codes.EDITED_FILE_KEPT, f"{path} is not ours, or was edited, so it stays.")


def refuse_links(user_path: str) -> Diagnostic | None:
    """Why hot2tf does not write to a path that the user names: it leads through a link; None if it does not."""
    try:
        link = next(places.find_links(user_path), None)
    except (OSError, ValueError) as e:
        return unwritable(user_path, e)
    if link is None:
        return None
    hint = f"If the link is yours, name it with a slash at the end: {user_path}{os.sep}"
    return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{link} is a link; hot2tf writes through no link.", hint=hint)
