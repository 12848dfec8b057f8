"""Runs one input in this process, in a directory of its own, and returns its outcome.

Invariant: the directory is empty before each input, and nothing above it changes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import pathlib
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from typing import Any

import typer.main

import transpile
from tests.fuzz.case import EDITOR, LIBRARY, Case
from tests.fuzz.watch import TooSlow, limited
from tests.language_server.test_robust import asked, whole
from transpile.cli.application import make_application
from transpile.initialization import pipelines
from transpile.language_server.documents import TextDocument
from transpile.language_server.workspace import Workspace

ROOT = str(pathlib.Path(transpile.__file__).parents[1])
OURS = tuple(os.path.join(ROOT, part) for part in ("transpile", "emitters", "grammars"))
MEMORY = "/dev/shm"  # where files cost least, if the system has it
WORK, OUT, REPORT = "work", "out", "report.json"
INITIAL = ("hot2tf.toml", "hot2tf-migrate.yaml", *(form.file for form in pipelines.FORMS.values()))


def is_of_init(name: str, case: Case) -> bool:
    """Whether `hot2tf init` writes a file of this name."""
    return case.argv[0] == "init" and name in INITIAL


@dataclasses.dataclass
class Outcome:
    """The outcome of an input. `raised`: the place and kind of an exception, empty if there was none; `files`: the
    files below the output, or those that the library returned; `results`: files that another option names; `strays`:
    other files that appeared, changed or vanished.
    """

    status: int = 0
    out: str = ""
    err: str = ""
    raised: str = ""
    trace: str = ""
    slow: bool = False
    seconds: float = 0.0
    files: dict[str, bytes] = dataclasses.field(default_factory=dict)
    report: bytes | None = None
    results: dict[str, bytes] = dataclasses.field(default_factory=dict)
    strays: list[str] = dataclasses.field(default_factory=list)

    def digest(self) -> str:
        """A digest of the parts that must be equal in each run."""
        checksum = hashlib.sha256(repr((self.status, self.out, self.err, self.raised, self.report)).encode())
        for name, content in sorted((self.files | self.results).items()):
            checksum.update(repr(name).encode())
            checksum.update(content)
        return checksum.hexdigest()


class Box:
    """A directory in which inputs run, one after the other."""

    def __init__(self) -> None:
        self.top = tempfile.mkdtemp(prefix="hot2tf-fuzz-", dir=MEMORY if os.path.isdir(MEMORY) else None)
        self.work = os.path.join(self.top, WORK)
        self.before = os.getcwd()
        # Typer makes its commands anew in each run, which takes as long as a conversion.
        self.command: Any = typer.main.get_command(make_application())
        keep_parsers(self.command)

    def close(self) -> None:
        os.chdir(self.before)
        shutil.rmtree(self.top, ignore_errors=True)

    def run(self, case: Case) -> Outcome:
        os.chdir(self.top)
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        os.chdir(self.work)
        written = self.place(case)
        outcome = Outcome()
        began = time.process_time()
        try:
            with limited():
                if case.argv[0] == LIBRARY:
                    self.call(case, outcome)
                elif case.argv[0] == EDITOR:
                    self.edit(case, outcome)
                else:
                    self.spoken(case, outcome)
        except TooSlow as e:
            outcome.slow, outcome.raised, outcome.trace = True, f"slow in {place(e)}", format_error(e)
        except BaseException as e:  # an input may lead to any exception
            outcome.raised, outcome.trace = f"{type(e).__name__} in {place(e)}", format_error(e)
        outcome.seconds = time.process_time() - began
        self.look(case, written, outcome)
        return outcome

    def place(self, case: Case) -> dict[str, bytes]:
        written = {}
        for name, file in case.files.items():
            if "/" in name:
                os.makedirs(os.path.dirname(name), exist_ok=True)
            written[name] = file.bytes()
            with open(name, "wb") as stream:  # a Path takes as long as the rest
                stream.write(written[name])
        return written

    def spoken(self, case: Case, outcome: Outcome) -> None:
        """Runs the command line. Exceptions other than its exit are raised."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace", newline="\n") for _ in range(2))
        stdin = case.files[case.stdin].bytes() if case.stdin else b""
        before = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin)), out, err
        try:
            self.command.main(args=case.argv, prog_name="hot2tf")
        except SystemExit as e:
            outcome.status = e.code if isinstance(e.code, int) else 1 if e.code else 0
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
            outcome.out, outcome.err = (self.neutral(stream) for stream in (out, err))

    def neutral(self, stream: io.TextIOWrapper) -> str:
        """The text of a stream, without the name of the directory, which differs in each run."""
        stream.flush()
        stream.seek(0)
        return stream.read().replace(self.top, "TOP")

    def call(self, case: Case, outcome: Outcome) -> None:
        """Calls the library with the template as a text."""
        _, to, *rest, main = case.argv
        flags = list(zip(rest[::2], rest[1::2], strict=True))
        done = transpile.convert(
            case.files[main].content(),
            to=to,
            environments=[pathlib.Path(value) for flag, value in flags if flag == "-e"],
            parameters=dict(value.split("=", 1) for flag, value in flags if flag == "--parameter"),
            root=".",
        )
        outcome.status = 0 if done.ok else 1
        outcome.files = {n: c.encode() if isinstance(c, str) else c for n, c in done.files.items()}
        outcome.err = "".join(f"{d.severity} {d.code}: {d.message}\n" for d in done.diagnostics).replace(
            self.top, "TOP"
        )

    def edit(self, case: Case, outcome: Outcome) -> None:
        """Opens the template in an editor that asks for everything there is, at some places."""
        path = pathlib.Path(self.work, case.argv[-1])
        text = case.files[case.argv[-1]].content().encode("utf-8", "replace").decode("utf-8")
        workspace = Workspace([pathlib.Path(self.work)])
        document = TextDocument(path.as_uri(), path, text, 1)
        counts = whole(document, workspace)
        for share in case.argv[1:-1]:
            at = int(float(share) * len(text))
            document.edited = document.positions.line_at(at)
            counts += asked(document, workspace, at)
        outcome.err = repr(sorted(counts.items()))

    def look(self, case: Case, written: dict[str, bytes], outcome: Outcome) -> None:
        """Finds the files that appeared."""
        there = dict(files_below(self.work))
        for name, content in written.items():
            current = there.pop(name, None)
            if current != content:
                if (case.argv[0] == "fmt" or "--fix" in case.argv or is_of_init(name, case)) and current is not None:
                    outcome.files[name] = current
                else:
                    outcome.strays.append(name)
        for name, content in there.items():
            if name.startswith(f"{OUT}/.hot2tf/"):  # the state of migrate has the times of files
                continue
            if name == OUT or name.startswith((f"{OUT}/", f"{OUT}.files/")) or is_of_init(name, case):
                outcome.files[name] = content
            elif name == REPORT and "--report" in case.argv:
                outcome.report = content
            elif name in case.argv:  # where an option says that a result goes
                outcome.results[name] = content
            else:
                outcome.strays.append(name)
        outcome.strays += [f"../{name}" for name in os.listdir(self.top) if name != WORK]


def keep_parsers(command: Any) -> None:
    """Lets a command and those below it make their parsers once. A parser keeps nothing of the lines that it has
    parsed.
    """
    make_parser, parsers = command.make_parser, list[Any]()

    def kept_parser(context: Any) -> Any:
        if not parsers:
            parsers.append(make_parser(context))
        parsers[0].ctx = context
        return parsers[0]

    command.make_parser = kept_parser
    for below in getattr(command, "commands", {}).values():
        keep_parsers(below)


def files_below(top: str) -> Iterator[tuple[str, bytes]]:
    for folder, _, names in os.walk(top):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as stream:
                yield os.path.relpath(path, top), stream.read()


def place(error: BaseException) -> str:
    """The innermost function of ours that an exception passed through."""
    location = "nowhere of ours"
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(OURS):
            location = f"{os.path.relpath(code.co_filename, ROOT)}:{code.co_qualname}"
        trace = trace.tb_next
    return location


def format_error(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)[-12:])[-4000:]
