"""Converts the files of a page, and returns the data that the page shows.

Invariant: requests and answers are JSON, so that the page needs to know nothing of Python. The files of an answer are
those that the command in it writes, byte for byte (`tests/playground` compares).
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import pathlib
import posixpath
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from transpile import pipeline, targets
from transpile.diagnostics import registry
from transpile.diagnostics.model import Diagnostic
from transpile.guarded.process import answer_in_this_process
from transpile.model.records import replace
from transpile.page.links import LineRange
from transpile.page.page import PageContent
from transpile.playground.command import OUTPUT, command_line, path_options
from transpile.settings.command_paths import describe_paths
from transpile.settings.table import OF_TARGETS, Request
from transpile.text.addresses import follow_directory
from transpile.text.jinja import WrongValue
from transpile.todo_page import add_todo_page

REPOSITORY = ".git"  # templates may read all files of the page, as those of a repository
MOMENT = (1980, 1, 1, 0, 0, 0)  # of all files in an archive, so that equal conversions give equal archives


class WrongRequest(ValueError):
    """The page sent a request that hot2tf cannot carry out. The message is for the user."""


@final
class PlaygroundSession:
    """Converts in a directory that is its own: each request replaces all that is there."""

    def __init__(self, directory: pathlib.Path) -> None:
        self.directory = directory
        self.files: Mapping[str, str | bytes] = {}  # of the last conversion

    def answer(self, request_text: str) -> str:
        """The answer to a request, both JSON.

        A request has `files` (by path: a text, or `{"base64": …}`), `template` (a path), `environments` (paths),
        `options` (fields of `Request`), and `render` and `parameters` (maps; `render` may be null). `guarded`: whether
        the page ends this process if it takes too long.
        """
        request = json.loads(request_text)
        answer_in_this_process(bool(request.get("guarded")))
        try:
            return json.dumps(self.convert(request))
        except (WrongRequest, WrongValue, targets.UnknownTarget, targets.WrongOption) as e:
            self.files = {}
            return json.dumps({"refused": str(e)})

    def convert(self, request: Mapping[str, Any]) -> dict[str, Any]:
        template, paths = request["template"], list(request.get("environments", ()))
        self.write_files(request["files"])
        if template not in request["files"]:
            raise WrongRequest(f"There is no file {template}.")
        asked = make_request(request, paths)
        with contextlib.chdir(self.directory):
            done = pipeline.run_conversion(pathlib.Path(template), asked)
            target = targets.find_target(asked.to)
            add_todo_page(target, done, OUTPUT)
            if target.writes == targets.DIRECTORY and done.files:
                done.files = dict(follow_directory(pathlib.Path(OUTPUT), done.files, target.follow).files)
        self.files = done.files
        names = FileNames(request["files"], template)
        shown = PageContent(done) if done.ok and target.addresses else None
        return {
            "ok": done.ok,
            "files": {name: as_text(content) for name, content in done.files.items()},
            "diagnostics": [describe_diagnostic(d, names) for d in done.diagnostics],
            "items": [] if shown is None else describe_items(shown, names),
            "command": command_line(request),
            "has_secrets": any(done.hide(text) != text for text in list_texts(request)),
        }

    def write_files(self, files: Mapping[str, Any]) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)
        (self.directory / REPOSITORY).mkdir(parents=True)
        for name, content in files.items():
            if not is_relative_name(name):
                raise WrongRequest(f"{name} is no name of a file below a directory.")
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_bytes(content))

    def archive(self) -> bytes:
        """The files of the last conversion as a ZIP archive, in one folder."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(self.files.items()):
                entry = zipfile.ZipInfo(f"{OUTPUT}/{name}", MOMENT)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        return stream.getvalue()


def list_texts(request: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a request in which values of hidden parameters may be; a link of the page has them all."""
    yield from (content for content in request["files"].values() if isinstance(content, str))
    yield from (request.get("parameters") or {}).values()


def make_request(request: Mapping[str, Any], environments: Sequence[str]) -> Request:
    """Returns the request of the command for a request of the page. Raises WrongRequest."""
    given = dict(request.get("options", {}))
    known = {"to", "plugin_dirs", "mappings", "options", *OF_TARGETS}
    if unknown := sorted(given.keys() - known):
        raise WrongRequest(f"The page does not know the option {unknown[0]}.")
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    asked = Request(environments=tuple(environments), parameters=dict(request.get("parameters") or {}), **fields)
    if request.get("render") is not None:
        asked = replace(asked, render=dict(request["render"]))
    target = targets.find_target(asked.to)
    if target.writes == targets.FILE:
        further = {targets.BESIDE.name: f"{OUTPUT}.files", **asked.options}
        asked = replace(asked, options=further)
    return replace(asked, paths=describe_paths(request["template"], OUTPUT, path_options(request)))


@final
class FileNames:
    """The files of the page, by the names that diagnostics and links use. `template`: the one that is converted."""

    def __init__(self, files: Mapping[str, Any], template: str) -> None:
        self.files, self.folder, self.template = files, posixpath.dirname(template), template

    def locate(self, name: str) -> str:
        """The path of a file of the page; empty if it is none."""
        if name == posixpath.basename(self.template):
            return self.template
        nearby = posixpath.normpath(posixpath.join(self.folder, name))
        return next((path for path in (nearby, name) if path in self.files), "")


def describe_items(content: PageContent, names: FileNames) -> list[dict[str, Any]]:
    """The resources, parameters and so on of a conversion, with the lines on both sides that belong to each."""

    def lines(place: LineRange) -> dict[str, Any]:
        return {"file": place.file, "first": place.first, "last": place.last}

    return [
        {
            "kind": item.kind,
            "name": item.name,
            "fate": item.fate,
            "about": item.about,
            "place": {**lines(item.place), "file": names.locate(item.place.file)},
            "to": [lines(place) for place in dict.fromkeys(item.to)],
        }
        for item in content.items
    ]


def describe_diagnostic(diagnostic: Diagnostic, names: FileNames) -> dict[str, Any]:
    """A diagnostic with its explanation."""
    rule = registry.rule_of_code(diagnostic.code)
    fields = {**diagnostic.as_json(), "title": rule.title, "why": rule.why}
    if diagnostic.source is not None:
        fields["path"] = names.locate(diagnostic.source.name)
    return fields


def is_relative_name(name: str) -> bool:
    plain = posixpath.normpath(name)
    return plain == name and not posixpath.isabs(name) and name.split("/")[0] not in ("..", ".", "", REPOSITORY)


def as_bytes(content: Any) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else base64.b64decode(content["base64"])


def as_text(content: str | bytes) -> Any:
    """A file for JSON: text as it is, other bytes in base64."""
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def working_directory() -> pathlib.Path:
    """A directory for a session in a browser, where nothing else has files."""
    return pathlib.Path(os.sep) / "stack" / "files"
