"""Texts with positions, and the only reader of files.

Invariant: everything is read through `load_source` (files that the user names) or `Root` (files that a template
names), so that no file outside the template's root is read and no URL is fetched unless it is allowed.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import pathlib
import stat
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.model.records import node
from transpile.model.source import Source, name_file
from transpile.model.span import Span
from transpile.text.urls import is_allowed_url, is_url, map_url

LIMIT = 8 * 1024 * 1024  # bytes of one template; Heat's own default limit is 512 KiB
FILE_LIMIT = 64 * 1024 * 1024  # bytes of one file that a template names
NAME_LIMIT = 32_767  # characters of a path; no system has longer ones
FETCH_SECONDS = 30
# Without O_NONBLOCK, opening a pipe waits until somebody writes to it, maybe for ever.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
JINJA_NAMES = (".j2", ".j2.yaml", ".j2.yml", ".j2.template", ".j2.json")  # endings of the names of Jinja2 sources
REPOSITORY = ".git"  # the directory of a git repository; a template may read nothing in it
USER = os.getuid() if hasattr(os, "getuid") else 0


class UnreadableFile(Exception):
    """A file that cannot be read.

    `kind`: missing, outside, url, directory, denied, large or encoding; `detail`: a clause without a full stop; `hint`:
    the option that would allow it.
    """

    def __init__(self, kind: str, detail: str, offset: int = 0, hint: str = "") -> None:
        super().__init__(detail)
        self.kind, self.detail, self.offset, self.hint = kind, detail, offset, hint
        self.source: Source | None = None


UNREADABLE = {
    "large": codes.FILE_TOO_LARGE,
    "encoding": codes.INVALID_CHARACTER,
}  # by kind of failure; HOT113 for the others


def diagnose_unreadable(error: UnreadableFile, display_name: str) -> Diagnostic:
    """The diagnostic for a file that cannot be read. `display_name`: its name in diagnostics."""
    source = error.source or name_file(display_name)
    return Diagnostic(
        UNREADABLE.get(error.kind, codes.UNREADABLE_FILE),
        f"The file cannot be read: {error.detail}.",
        source,
        Span(error.offset),
    )


_overrides: dict[str, bytes] = {}  # by path without links


@contextlib.contextmanager
def override_files(texts: Mapping[str, bytes]) -> Iterator[None]:
    """While the block runs, these contents are read in place of files. `texts`: by path without links. Processes that
    are forked in the block read them, too.
    """
    before = dict(_overrides)
    _overrides.update(texts)
    try:
        yield
    finally:
        _overrides.clear()
        _overrides.update(before)


def read_bytes(path: str | os.PathLike[str], limit: int) -> bytes:
    """The bytes of a regular file. Raises UnreadableFile for anything else."""
    name = os.path.basename(path)
    if _overrides and (other := _overrides.get(os.path.realpath(path))) is not None:
        return other
    try:
        file = os.open(path, FLAGS)
        try:
            status = os.fstat(file)
            if stat.S_ISDIR(status.st_mode):
                raise UnreadableFile("directory", f"{name} is a directory")
            if stat.S_ISFIFO(status.st_mode):
                raise UnreadableFile("denied", f"{name} is not a regular file")
            # os.read allocates as many bytes as it is asked for, so it is not asked for the whole limit.
            data = os.read(file, min(status.st_size, limit) + 1)
            while len(data) != status.st_size and len(data) <= limit:  # the file changed, or has no size, as in /proc
                if not (more := os.read(file, limit + 1 - len(data))):
                    break
                data += more
        finally:
            os.close(file)
    except FileNotFoundError:
        raise UnreadableFile("missing", f"{name} does not exist") from None
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) else str(e)
        raise UnreadableFile("denied", f"{name} cannot be read: {reason}") from None
    if len(data) > limit:
        raise UnreadableFile("large", f"{name} has more than {limit // 1024 // 1024} MiB")
    return data


def decode_utf8(data: bytes, name: str) -> str:
    """UTF-8 text; Heat's client reads nothing else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as e:
        offset = len(data[: e.start].decode("utf-8", "replace"))
        raise UnreadableFile(
            "encoding", f"{name} is not UTF-8: byte 0x{data[e.start]:02x} at offset {e.start}", offset
        ) from None


def load_source(path: str | os.PathLike[str], name: str | None, budget: Budget) -> Source:
    """The text of a file that the user names. Raises UnreadableFile."""
    return from_bytes(read_bytes(path, LIMIT), name or str(path), budget)


def from_large_bytes(data: bytes, name: str, budget: Budget) -> Source:
    """The text of a file with many documents, which are limited one by one. Raises UnreadableFile."""
    return Source(name, decode_utf8(data, name), budget=budget)


def from_bytes(data: bytes, name: str, budget: Budget) -> Source:
    """The text of bytes, for example of standard input. Raises UnreadableFile."""
    if len(data) > LIMIT:
        raise UnreadableFile("large", f"{name} has more than {LIMIT // 1024 // 1024} MiB")
    try:
        return Source(name, decode_utf8(data, name), budget=budget)
    except UnreadableFile as e:
        e.source = Source(name, data.decode("utf-8", "replace"), budget=budget)
        raise


def from_text(text: str, name: str, budget: Budget) -> Source:
    """A source of a text, for example of a caller of the API. Raises UnreadableFile, also for lone surrogates, which a
    string of Python can have, but no UTF-8 file.
    """
    if len(text) > LIMIT:
        raise UnreadableFile("large", f"{name} has more than {LIMIT // 1024 // 1024} MiB")
    offset = lone_surrogate(text)
    if offset < 0:
        return Source(name, text, budget=budget)
    error = UnreadableFile("encoding", f"{name} contains a lone surrogate, U+{ord(text[offset]):04X}", offset)
    error.source = Source(name, text.encode("utf-8", "replace").decode("utf-8"), budget=budget)
    raise error


def lone_surrogate(text: str) -> int:
    """The offset of the first lone surrogate, which UTF-8 cannot encode; -1 if there is none."""
    if text.isascii():
        return -1
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as e:
        return e.start
    return -1


@node
class TemplateFile:
    """A file that a template names. `path`: relative to the root, with forward slashes, or a URL; `where`: its absolute
    path without links, or its URL.
    """

    path: str
    data: bytes
    where: str = ""

    @property
    def is_inside_root(self) -> bool:
        """Whether the file is below the root."""
        return not (self.path.startswith("../") or is_url(self.path))

    def decode_text(self) -> str:
        return decode_utf8(self.data, self.path)


def find_repository(directory: str | os.PathLike[str]) -> str:
    """The repository around a directory: the nearest directory with `.git`, itself or above it; empty if there is none.

    Home directories and the directories above them do not count, because they contain too much else; nor does a
    repository of another user or on another file system.
    """
    try:
        real = os.path.realpath(directory)
        home, status = os.path.realpath(pathlib.Path.home()), os.stat(real)
        for above in (real, *map(str, pathlib.PurePath(real).parents)):
            mark = os.path.join(above, REPOSITORY)
            if os.path.dirname(above) == above or pathlib.PurePath(home).is_relative_to(above):
                return ""
            if os.stat(above).st_dev != status.st_dev:
                return ""
            if os.path.lexists(mark):
                return above if os.lstat(mark).st_uid in (status.st_uid, USER) else ""
    except (OSError, ValueError, RuntimeError):
        return ""
    return ""


@final
class Root:
    """The directory whose files templates may read; without one they may read nothing.

    `base`: relative names are relative to it, a directory or (`remote`) a URL. `allow`: other directories and
    beginnings of URLs that may be read. `trusting`: the user has named no root. Then the repository around the
    directory may be read, too, and an environment may name files of its own directory and repository. `stack_files`:
    the files of a running stack, by name; they replace the file system. `unsaved`: unsaved texts of an editor, by path
    without links; each is read only where its file could be. `url_map`: the directories that stand for beginnings of
    URLs.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str] | None,
        base: str | os.PathLike[str] | None = None,
        allow: Sequence[str] = (),
        *,
        trusting: bool = False,
        stack_files: Mapping[str, str] | None = None,
        unsaved: Mapping[str, bytes] | None = None,
        url_map: Mapping[str, str] | None = None,
    ) -> None:
        self.url_map = url_map or {}
        self.stack_files, self.depth = stack_files, count_common_parts(stack_files) if stack_files else 0
        self.unsaved = unsaved or {}
        self.directory = None if directory is None else os.fspath(directory)
        self.base = self.directory if base is None else os.fspath(base)
        self.remote = self.base is not None and is_url(self.base)
        self.allow, self.trusting = tuple(allow), trusting
        if trusting and self.directory is not None and (around := find_repository(self.directory)):
            self.allow += (around,)
        self._environments: dict[str, Root] = {}
        self._results: dict[str, TemplateFile | UnreadableFile] = {}
        self._by_base: dict[str | None, Root] = {}
        self._reals: dict[str, str] = {}
        self.reads: dict[str, bytes | None] = {}  # the requested files, by path or URL; None if unreadable

    def read_file(self, name: str) -> TemplateFile:
        """The file of a name, relative to the base. Errors are remembered, too. Raises UnreadableFile."""
        if name not in self._results:
            try:
                self._results[name] = self._read_uncached(name)
            except UnreadableFile as e:
                self._results[name] = e
        result = self._results[name]
        if isinstance(result, UnreadableFile):
            raise result
        return result

    def replace_missing_file(self, name: str, data: bytes) -> bool:
        """Gives a file that could not be read these contents from now on. Returns whether it has a place for them."""
        path = self._path_of_name(name)
        if path is not None:
            self._results[name] = TemplateFile(self._display_path(path), data, path)
        return path is not None

    def folder_of_name(self, name: str) -> str | None:
        """The directory that a name leads to, relative to the root; None if it leads to none that may be read."""
        try:
            path = self._path_of_name(name)
            return None if path is None else self._display_path(os.path.dirname(path))
        except UnreadableFile:
            return None

    def _path_of_name(self, name: str) -> str | None:
        """The absolute path that a name leads to; None if it leads to no path."""
        if self.directory is None or self.base is None or self.remote or self.stack_files is not None or is_url(name):
            return None
        try:
            return resolve_below(self._resolve_directory(self.base), name.removeprefix("file://"))
        except (ValueError, OSError, RuntimeError):
            return None

    def requested_names(self) -> list[str]:
        """The names that were asked for."""
        return list(self._results)

    def with_base(self, base: str | None) -> Root:
        """The same rules for names relative to another base."""
        if base not in self._by_base:
            root = self._by_base[base] = Root(
                self.directory,
                base,
                self.allow,
                stack_files=self.stack_files,
                unsaved=self.unsaved,
                url_map=self.url_map,
            )
            root.trusting = self.trusting
            root._by_base, root._reals, root._environments = self._by_base, self._reals, self._environments
            root.reads = self.reads
        return self._by_base[base]

    def for_environment(self, folder: pathlib.Path | None) -> Root:
        """The rules for names in an environment, and in the files that it names."""
        base = self.base if folder is None else str(folder)
        if base is None or folder is None or not self.trusting:
            return self.with_base(base)
        if base not in self._environments:
            allow = (*self.allow, find_repository(base) or base)
            root = Root(self.directory, base, allow, unsaved=self.unsaved, url_map=self.url_map)
            root.trusting = True
            root._environments, root.reads = self._environments, self.reads
            self._environments[base] = root
        return self._environments[base]

    def for_file(self, file: TemplateFile) -> Root:
        """The same rules for names that are relative to a file."""
        folder = file.where.rpartition("/")[0] + "/" if is_url(file.where) else os.path.dirname(file.where)
        return self.with_base(folder)

    def path_from_base(self, file: TemplateFile) -> str:
        """The path of a file relative to the base, with forward slashes; empty if it is not below the base."""
        if self.base is None or self.remote or is_url(file.where):
            return ""
        folder = os.path.join(self._resolve_directory(self.base), "")
        return pathlib.Path(file.where[len(folder) :]).as_posix() if file.where.startswith(folder) else ""

    def _read_uncached(self, name: str) -> TemplateFile:
        if "\0" in name or not 0 < len(name) <= NAME_LIMIT:
            raise UnreadableFile("missing", "it is not a valid file name")
        if self.stack_files is not None:
            return self._read_stack_file(name, self.stack_files)
        if self.base is not None and self.remote:
            name = urllib.parse.urljoin(self.base, name)
        if name.startswith("file:///"):
            name = urllib.parse.unquote(name[len("file://") :])
        if (mapped := map_url(name, self.url_map) if is_url(name) else None) is not None:
            name = os.path.join(os.path.abspath(mapped[0]), mapped[1])
        elif is_url(name):
            if not is_allowed_url(name, self.allow):
                raise UnreadableFile(
                    "url",
                    "URLs are only fetched if you allow them",
                    hint=self._suggest_mapping(name) or f"Use --allow {name} to allow it.",
                )
            self.reads[name] = None
            return self._record_read(name, fetch_url(name, self.allow), name)
        if self.directory is None or self.base is None or (self.remote and not mapped):
            raise UnreadableFile("outside", "the directory of the template is unknown")
        try:
            path = resolve_below(self._resolve_directory(self.directory if mapped else self.base), name)
        except (ValueError, OSError, RuntimeError) as e:
            too_long = isinstance(e, OSError) and e.errno == errno.ENAMETOOLONG
            why = "its name is too long" if too_long else "it is outside the template's directory"
            raise UnreadableFile("outside", why) from None
        display_path = self._display_path(path)
        self.reads[path] = None
        unsaved = self.unsaved.get(path)
        return self._record_read(display_path, read_bytes(path, FILE_LIMIT) if unsaved is None else unsaved, path)

    def _read_stack_file(self, name: str, stack_files: Mapping[str, str]) -> TemplateFile:
        """A file of a running stack by its name, or by a name relative to the file that contains it."""
        for candidate in (name, urllib.parse.urljoin(self.base or "", name)):
            if candidate in stack_files:
                path = "/".join(parts_of(candidate)[self.depth :]) or "file"
                return TemplateFile(path, stack_files[candidate].encode("utf-8", "replace"), candidate)
        raise UnreadableFile("missing", "the running stack has no such file")

    def _record_read(self, display_name: str, data: bytes, where: str) -> TemplateFile:
        self.reads[where] = data
        return TemplateFile(display_name, data, where)

    def _display_path(self, path: str) -> str:
        """The path of a file relative to the root. Raises UnreadableFile if it is neither below the root nor allowed,
        and for files in `.git`.
        """
        assert self.directory is not None
        root = self._resolve_directory(self.directory)
        for place in (
            root,
            *(
                self._resolve_directory(allowed_directory)
                for allowed_directory in self.allow
                if not is_url(allowed_directory)
            ),
        ):
            below = os.path.join(place, "")  # with a separator at its end
            if path == place or path.startswith(below):
                if REPOSITORY in path[len(below) :].split(os.sep):
                    raise UnreadableFile(
                        "outside", f"templates may read nothing in {REPOSITORY}", hint="Copy it elsewhere."
                    )
                return pathlib.Path(os.path.relpath(path, root)).as_posix()
        inside = find_repository(self.directory)
        where = ("repository" if inside else "template's directory") if self.trusting else "root"
        raise UnreadableFile("outside", f"it is outside the {where}", hint=self._suggest_option(path, root))

    def _suggest_option(self, path: str, root: str) -> str:
        """A sentence with the option that would allow a file: the root that contains both it and the template."""
        common = os.path.commonpath((root, path))
        if os.path.dirname(common) == common:
            return f"Use --allow {os.path.dirname(path)} to allow it."
        near = os.path.relpath(common)
        return f"Use --root {near if len(near) < len(common) else common} to allow it."

    def _suggest_mapping(self, url: str) -> str:
        """A sentence with the option that reads the file of the tree that a URL may mean; empty if there is none."""
        if self.directory is None:
            return ""
        parts = parts_of(url)[-DEEPEST_URL:]
        places = dict.fromkeys((self.directory, self.base, find_repository(self.directory)))
        for begin in range(len(parts)):
            end = "/".join(parts[begin:])
            for place in filter(None, places):
                path = self._resolve_directory(os.path.join(place, *parts[begin:]))
                if not url.endswith(f"/{end}") or not os.path.isfile(path):
                    continue
                with contextlib.suppress(UnreadableFile):
                    display_path = self._display_path(path)
                    prefix, where = url.removesuffix(end), os.path.relpath(place)
                    return f"Use --map-url {prefix}={where} if it is {display_path}, which lies here."
        return ""

    def _resolve_directory(self, directory: str) -> str:
        """The path of a directory without links. The results are kept, because each takes system calls."""
        if directory not in self._reals:
            try:
                self._reals[directory] = os.path.realpath(directory)
            except ValueError:  # no system has such a name, so nothing is in it
                self._reals[directory] = os.path.join(directory, "\0")
        return self._reals[directory]


def parts_of(name: str) -> list[str]:
    """The parts of the path of a name or URL, without `.` and `..`: `https://h/a/b.yaml` -> `[a, b.yaml]`."""
    path = urllib.parse.unquote(urllib.parse.urlsplit(name).path)
    return [part for part in path.split("/") if part not in ("", ".", "..")]


def count_common_parts(names: Iterable[str]) -> int:
    """The number of leading directories that the paths of all names have in common."""
    paths = [parts_of(name)[:-1] for name in names]
    return sum(1 for _ in itertools.takewhile(lambda same: len(set(same)) == 1, zip(*paths, strict=False)))


DEEPEST_URL = 30  # parts of a URL that are looked for in the tree
LONGEST_PATH = 1 << 15  # characters: no system that Python runs on takes more


def resolve_below(directory: str, name: str) -> str:
    """The absolute path of a name relative to a directory, with links resolved. The directory has no links, so only the
    parts of the name are checked, which is faster than `realpath`.
    """
    if len(name) > LONGEST_PATH:  # the system refuses it, too, but each part would be looked at before
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), name)
    whole = os.path.join(directory, name)
    if os.sep != "/" or name.startswith("/") or ".." in name:
        return os.path.realpath(whole)
    path = directory.rstrip("/")
    for part in name.split("/"):
        if part not in ("", "."):
            path = f"{path}/{part}"
            if os.path.islink(path):
                return os.path.realpath(whole)
    return path or "/"


def fetch_url(url: str, allow: Sequence[str]) -> bytes:
    """The content of an allowed URL; redirections must be allowed, too. Raises UnreadableFile."""
    import http.client
    import urllib.error
    import urllib.request

    class Redirections(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
            if not is_allowed_url(newurl, allow):
                raise UnreadableFile("url", f"it redirects to {newurl}, which is not allowed")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    if not url.startswith(("http://", "https://")):
        raise UnreadableFile("url", "only http and https URLs can be fetched")
    try:
        with urllib.request.build_opener(Redirections).open(url, timeout=FETCH_SECONDS) as answer:
            data: bytes = answer.read(FILE_LIMIT + 1)
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as e:
        raise UnreadableFile("missing", f"it cannot be fetched: {e}") from None
    if len(data) > FILE_LIMIT:
        raise UnreadableFile("large", f"{url} has more than {FILE_LIMIT // 1024 // 1024} MiB")
    return data
