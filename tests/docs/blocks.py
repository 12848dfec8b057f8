"""Reads the examples of a page: each fenced block, with the directives in a comment before it.

Invariant: nothing is run here. A comment is `<!-- KEY: VALUE -->`, with one pair on each line, before the block:

    in: DIRECTORY     from here on, examples run in a new copy of this directory of the repository; `empty` for none
    run: COMMAND      a command that readers need not see; it runs before the block
    file: NAME        the block is a file; it is written. The paragraph "`NAME`:" before the block says the same
    template: NAME    the same for a part of a template: the version is added
    shows: FILE       the block is in this file, paragraph by paragraph; of JSON, the file has all that is in the block
    fails: STATUS     the exit status of the last command of the block
    needs: PROGRAM    the block is skipped without this program; `terraform` stands for terraform and its providers
    not run: REASON   the block is not run

`console` blocks have commands after `$ ` and their output, standard error last. `sh` blocks have only commands,
and `python` blocks are run as a script. In shown output, `…` stands for any text, and a line
that begins with it, also as a comment, for any lines.
"""

from __future__ import annotations

import pathlib
import re
from typing import Final

from transpile.model.records import EMPTY, record

ROOT: Final = pathlib.Path(__file__).parents[2]
# tests of their own compare these
GENERATED = ("diagnostics.md", "resource-types.md", "import-ids.md", "replaced-arguments.md")
PROSE = ("", "text", "mermaid")  # languages of blocks that are no examples: trees, formulas, pictures
RUN = ("console", "sh", "bash", "python")
KEYS = ("in", "run", "file", "template", "shows", "fails", "needs", "not run")
PART = re.compile(
    r"""
    ^(?P<indent>\ *)<!--(?P<comment>.*?)-->\ *$
    | ^`(?P<name>[\w./-]+)`:$
    | ^(?P<space>\ *)(?P<fence>```+)(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^\ *(?P=fence)\ *$
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


@record
class Block:
    """One fenced block. `directives`: of the comments about it, in order; `line`: its first line."""

    language: str
    text: str
    line: int
    directives: tuple[tuple[str, str], ...] = ()

    @property
    def directive_map(self) -> dict[str, str]:
        return dict(self.directives) if self.directives else dict(EMPTY)

    @property
    def has_a_role(self) -> bool:
        return self.language in (*PROSE, *RUN) or bool(
            {"file", "template", "shows", "not run"} & set(self.directive_map)
        )


class WrongComment(ValueError):
    """A comment says something that has no meaning."""


def pages() -> list[pathlib.Path]:
    """The pages that people write."""
    docs = ROOT / "docs"
    paths = [ROOT / "README.md", *sorted(docs.glob("*.md")), *sorted((docs / "internals").glob("*.md"))]
    return [page for page in paths if page.name not in GENERATED]


def blocks(text: str) -> list[Block]:
    """The blocks of a page. Raises WrongComment."""
    result: list[Block] = []
    directives: list[tuple[str, str]] = []
    end = 0
    for part in PART.finditer(text):
        if (
            text[end : part.start()].strip()
            and directives
            and directives[-1][0] == "file"
            and part["fence"] is not None
        ):
            directives = [
                directive for directive in directives if directive[0] != "file"
            ]  # a name, but of something else than this block
        end = part.end()
        line = text.count("\n", 0, part.start()) + 1
        if part["comment"] is not None:
            directives += pairs(part["comment"], line)
        elif part["name"] is not None:
            directives.append(("file", part["name"]))
        else:
            indent = len(part["space"])
            body = "".join(
                text_line[indent:] if text_line[:indent].isspace() or not indent else text_line
                for text_line in lines(part["text"])
            )
            result.append(Block(part["language"], body, line, tuple(directives)))
            directives = []
    return result


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def pairs(comment: str, line: int) -> list[tuple[str, str]]:
    directives = []
    for text_line in filter(None, map(str.strip, comment.splitlines())):
        key, _, value = text_line.partition(": ")
        if key not in KEYS or not value:
            raise WrongComment(f"line {line}: {text_line!r} is none of {', '.join(KEYS)} with a value")
        directives.append((key, value))
    return directives
