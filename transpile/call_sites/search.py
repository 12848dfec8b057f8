"""Searches a repository for calls of Heat, and suggests a replacement for each.

Invariant: nothing of the repository is changed or run, no link is followed, and files that git ignores, and those that
hot2tf wrote, are not searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from transpile.call_sites.arguments import Refused, variable_arguments
from transpile.call_sites.creations import Creations
from transpile.call_sites.finder import HEAT_MARK, PYTHON, FileCalls, kind_of_file, may_have_calls
from transpile.call_sites.model import DOCUMENT, CallReplacement
from transpile.call_sites.rewriting import FileRewriting
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.stacks import StackTable
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import field, node
from transpile.model.source import name_file
from transpile.repository.ignoring import IgnoreRules
from transpile.repository.stack_commands import ADOPT, CREATE, UPDATE
from transpile.repository.walking import HIDDEN_DIRECTORIES, TreeWalk, escape_path, is_encodable_path
from transpile.rewrite.edits import print_patch
from transpile.text.source import UnreadableFile, read_bytes

MOST_FILES = 20_000  # that are read
TEXT_LIMIT = 512 * 1024  # bytes of a script or document
MODULE_LIMIT = 1024 * 1024  # bytes of a Python module


@final
@node
class CallSearch:
    """The result of a search. `patch`: of all edits, in git's form. `files`: the number of files with calls."""

    sites: list[CallReplacement]
    patch: str
    diagnostics: list[Diagnostic] = field(default_factory=list)


def search_calls(
    top: str,
    stacks: Sequence[StackFacts],
    templates: Iterable[str],
    environments: Iterable[str],
    *,
    dest: str = "",
    exclude: Sequence[str] = (),
) -> CallSearch:
    """The calls of Heat in a repository. `top`: its directory; all paths begin there. `dest`: the result's directory;
    empty if it is not known yet.
    """
    diagnostics: list[Diagnostic] = []
    files = list(read_files(top, dest, exclude, diagnostics))
    table = StackTable(stacks, templates, environments)
    table.learn_names(files)
    creations = find_creations(files, table)
    sites, patches = list[CallReplacement](), list[str]()
    for file in files:
        of_file = FileRewriting(file, table, dest, creations).list_sites()
        sites += of_file
        if edits := [edit for site in of_file for edit in site.edits]:
            patches.append(print_patch(file.path, file.text, edits))
    return CallSearch(sites, "".join(patches), diagnostics)


def read_files(top: str, dest: str, exclude: Sequence[str], diagnostics: list[Diagnostic]) -> Iterable[FileCalls]:
    """The files with calls of Heat, in the order of the walk."""
    walk = TreeWalk(top, IgnoreRules(top, exclude), may_have_calls, HIDDEN_DIRECTORIES)
    count = 0
    inside = f"{dest}/"
    for tree_file in walk.walk_files():
        path = tree_file.path
        if (dest and path.startswith(inside)) or not is_encodable_path(path):
            continue
        count += 1
        if count > MOST_FILES:
            message = f"Only {MOST_FILES} files were searched for calls of Heat."
            diagnostics.append(Diagnostic(codes.SCRIPTS_NOT_SEARCHED, message, name_file(escape_path(path))))
            return
        try:
            data = read_bytes(f"{top}/{path}", MODULE_LIMIT if path.endswith(".py") else TEXT_LIMIT)
        except UnreadableFile as e:
            message = f"The file was not searched for calls of Heat: {e.detail}."
            diagnostics.append(Diagnostic(codes.SCRIPTS_NOT_SEARCHED, message, name_file(escape_path(path))))
            continue
        kind = kind_of_file(path, data)
        if kind and b"\0" not in data and HEAT_MARK.search(data):
            file = FileCalls(path, data.decode("utf-8", "surrogateescape"), kind, data)
            if file.calls:
                yield file


def find_creations(files: Iterable[FileCalls], table: StackTable) -> Creations:
    """The variables on the command lines that create stacks, in executed files."""
    creations = Creations()
    for file in files:
        for call in file.calls:
            if call.action not in (CREATE, UPDATE, ADOPT) or call.command is None or file.kind == PYTHON:
                continue
            if call.fragment.use == DOCUMENT:
                continue
            stack = table.find_stack(file, call)
            if stack.facts is None or stack.reason:
                continue
            try:
                arguments = list(variable_arguments(call.command, stack.facts, file.text, stack.name).values())
            except Refused:
                arguments = []
            creations.add(stack.facts.plan.output, file, arguments)
    return creations
