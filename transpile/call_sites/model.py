"""The data of the search for call sites: parts of files that a shell runs, and the places where Heat is called.

Invariant: offsets are those of the file's own text, also where a part of it is read with other line breaks.
"""

from __future__ import annotations

from typing import final

from transpile.diagnostics.model import Edit
from transpile.model.records import node
from transpile.repository.shell_words import SHELL, ShellCommand
from transpile.repository.stack_commands import StackCommand

TOP, HERE, UNKNOWN_PLACE = "top", "here", "unknown"  # where a script runs: at the top, in its directory, or somewhere
EXECUTED, DOCUMENT = "executed", "document"
MARKS = ("stack", "heat")


@final
@node
class Fragment:
    """A part of a file that is shell text.

    `unit`: the rule, job or script that runs as a whole. `use`: EXECUTED, or DOCUMENT for examples. `runs_in`: where.
    `lines`: whether a line break ends a command. `forbidden`: characters that a replacement may not have here.
    `item`: the text that begins another item like this one, for an item of a list in YAML. `reason`: why no call in it
    is rewritten; empty if calls may be rewritten. `is_plain`: no shell reads it, but a program that splits words.
    """

    start: int
    end: int
    unit: str
    use: str = EXECUTED
    runs_in: str = UNKNOWN_PLACE
    dialect: str = SHELL
    lines: bool = True
    forbidden: str = ""
    item: str = ""
    reason: str = ""
    is_plain: bool = False
    is_joined: bool = False  # its line breaks are blanks


@final
@node
class HeatCall:
    """A call of Heat. `command`, `shell`: as read, for those in shell text. `action`, `name`, `template`,
    `environments`: the same data from places other than shell text. `reason`: why it is not rewritten.
    """

    path: str
    start: int
    end: int
    action: str
    kind: str
    fragment: Fragment
    command: StackCommand | None = None
    shell: ShellCommand | None = None
    name: str = ""
    template: str = ""
    environments: tuple[str, ...] = ()
    reason: str = ""


@final
@node
class CallReplacement:
    """A call of Heat as it is listed. `stack`: the directory of its stack, empty if that is not known. `replacement`:
    the commands that take its place. `edits`: the changes of the file, none if the call is left for `reason`. `notes`:
    the losses and differences of a rewritten call.
    """

    path: str
    line: int
    action: str
    kind: str
    name: str
    stack: str
    replacement: tuple[str, ...]
    edits: tuple[Edit, ...]
    reason: str
    notes: tuple[str, ...] = ()
    unit: str = ""
