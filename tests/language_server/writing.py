"""Documents for the tests: a text with a mark for the cursor, in a directory with other files."""

from __future__ import annotations

import pathlib
from typing import NamedTuple

from transpile.language_server.documents import TextDocument
from transpile.language_server.workspace import Workspace

MARK = "‸"
HEAD = "heat_template_version: 2018-08-31\n"


class Written(NamedTuple):
    """A document with a cursor."""

    document: TextDocument
    workspace: Workspace
    offset: int

    def at(self, word: str, after: int = 0) -> int:
        """The offset of a word, which occurs in the text."""
        return self.document.text.index(word) + after


def written(folder: pathlib.Path, text: str, name: str = "stack.yaml", **files: str) -> Written:
    """A document with a text that has one mark, or none; `files`: others by name, with `_` for the dot."""
    for other, content in files.items():
        (folder / other.replace("_", ".")).write_text(content, encoding="utf-8")
    offset = max(text.find(MARK), 0)
    text = text.replace(MARK, "", 1)
    path = folder / name
    document = TextDocument(path.as_uri(), path, text, 1)
    document.edited = document.positions.line_at(offset)
    path.write_text(text, encoding="utf-8")
    workspace = Workspace([folder])
    workspace.open[document.uri] = document
    return Written(document, workspace, offset)
