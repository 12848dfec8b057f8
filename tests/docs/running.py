"""Runs the examples of a page in a directory of its own, and compares their output and files.

Invariant: a page never changes the repository; each `in:` begins with a fresh copy. Commands have no network to use,
no colours, and a terminal of 80 columns.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from tests.docs.blocks import ROOT, Block, blocks
from transpile.model.records import record

SECONDS = 120
VERSION = "heat_template_version: 2021-04-16\n\n"
ANY = "…"
KEPT = ("PATH", "HOME", "LANG", "TF_CLI_CONFIG_FILE", "TMPDIR")  # of the environment
# The exit trap writes the directory in which the command ended, and its exported variables.
SHELL = "{command}\nstatus=$?\nexec >/dev/null 2>&1\npwd > {place}/cwd\nenv -0 > {place}/env\nexit $status\n"


@record
class Problem:
    """An example that does something else than the page says. `got`: its output, if that is the reason."""

    line: int
    why: str
    got: str | None = None

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class Page:
    """The examples of one page, run in order."""

    def __init__(self, path: pathlib.Path, where: pathlib.Path, *, terraform: bool = False) -> None:
        self.blocks = blocks(path.read_text(encoding="utf-8"))
        self.terraform = terraform
        self.place = where
        self.count = 0
        (where / "bin").mkdir(parents=True)
        start = "import sys; sys.argv[0] = 'hot2tf'; from transpile.cli.process import command; command()"
        for program, words in (("hot2tf", f' -c "{start}"'), ("python", "")):
            (where / "bin" / program).write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
            (where / "bin" / program).chmod(0o755)
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
            "PATH": f"{where / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "NO_COLOR": "1",
            "TERM": "dumb",
            "COLUMNS": "80",
            "CHECKPOINT_DISABLE": "1",
            "TF_CLI_ARGS": "-no-color",
            "LC_ALL": "C.UTF-8",
        }
        self.enter("empty")

    def enter(self, directory: str) -> None:
        """Begins anew in a copy of a directory of the repository."""
        self.count += 1
        self.cwd = self.top = (
            self.place / str(self.count) / (pathlib.PurePath(directory).name if directory != "empty" else "work")
        )
        if directory == "empty":
            self.top.mkdir(parents=True)
        else:
            shutil.copytree(ROOT / directory, self.top, ignore=shutil.ignore_patterns("__pycache__"))
        (self.top / ".git").mkdir(exist_ok=True)  # hot2tf reads files up to the repository's top

    def problems(self) -> Iterator[Problem]:
        for block in self.blocks:
            yield from self.run(block)

    def run(self, block: Block) -> Iterator[Problem]:
        """Runs one block, or skips it."""
        directive_map = block.directive_map
        if "not run" in directive_map:
            return
        for key, value in block.directives:
            if key == "in":
                self.enter(value)
        if (needed := directive_map.get("needs")) and not (
            self.terraform if needed == "terraform" else shutil.which(needed)
        ):
            return
        for key, value in block.directives:
            if key == "run":
                status, output = self.command(value)
                if status:
                    yield Problem(block.line, f"the hidden command {value} fails with {status}:\n{output}")
        if name := directive_map.get("file") or directive_map.get("template"):
            target = self.cwd / name
            target.parent.mkdir(parents=True, exist_ok=True)
            needs_version = (
                "template" in directive_map and "_version:" not in block.text and "Version" not in block.text
            )
            target.write_text((VERSION if needs_version else "") + block.text, encoding="utf-8")
        elif "shows" in directive_map:
            yield from self.check_file(block, self.cwd / directive_map["shows"])
        elif block.language == "console":
            yield from self.console(block)
        elif block.language in ("sh", "bash"):
            status, output = self.command(f"set -e\n{block.text}")
            if status != int(directive_map.get("fails", "0")):
                yield Problem(block.line, f"exit status {status}:\n{output}")
        elif block.language == "python":
            (self.cwd / "example.py").write_text(block.text, encoding="utf-8")
            status, output = self.command("python example.py")
            if status:
                yield Problem(block.line, f"the script fails:\n{output}")

    def console(self, block: Block) -> Iterator[Problem]:
        """Each command, with its output."""
        status, wanted_status, got = 0, int(block.directive_map.get("fails", "0")), []
        wrong = False
        for command, expected in sessions(block.text):
            status, output = self.command(command)
            printed = output.splitlines()
            got += [f"$ {line}" if not i else f"> {line}" for i, line in enumerate(command.splitlines())]
            if not matches(expected, printed):
                wrong = True
                got += printed
            else:
                got += expected
        if wrong:
            yield Problem(block.line, "it prints:\n" + "\n".join(got), "".join(f"{line}\n" for line in got))
        if status != wanted_status:
            yield Problem(block.line, f"the exit status is {status}, not {wanted_status}")

    def check_file(self, block: Block, path: pathlib.Path) -> Iterator[Problem]:
        """The paragraphs of a block are in a file."""
        if not path.is_file():
            yield Problem(block.line, f"there is no file {path.relative_to(self.top)}")
            return
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            whole = block.text if block.text.lstrip().startswith(("{", "[")) else f"{{{block.text}}}"
            yield from (Problem(block.line, why) for why in missing(json.loads(whole), json.loads(text), path.name))
            return
        have = text.splitlines()
        for paragraph in paragraphs(block.text):
            if not matches([ANY, *paragraph, ANY], have):
                yield Problem(
                    block.line, f"{path.name} has not got:\n" + "\n".join(paragraph) + "\n--- but\n" + "\n".join(have)
                )

    def command(self, text: str) -> tuple[int, str]:
        """Runs a command as a shell would, one after the other. Returns its status and its output."""
        done = subprocess.run(
            ["bash", "-c", SHELL.format(command=text, place=self.place)],
            cwd=self.cwd,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        if (cwd := self.place / "cwd").exists():
            self.cwd = pathlib.Path(cwd.read_text().rstrip("\n"))
            assignments = (
                assignment.partition("=") for assignment in (self.place / "env").read_text().split("\0") if assignment
            )
            self.environment |= {
                name: value for name, _, value in assignments if name not in ("_", "SHLVL", "PWD", "OLDPWD")
            }
            cwd.unlink()
        # Standard error last, as on a terminal: results are written as a whole, and then the closing line.
        return done.returncode, (done.stdout + done.stderr).replace(str(self.top), str(self.top.name))


def sessions(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        first, *rest = part.splitlines()
        more = 0
        while more < len(rest) and rest[more].startswith("> "):
            more += 1
        yield "\n".join([first, *(line[2:] for line in rest[:more])]), rest[more:]


def paragraphs(text: str) -> list[list[str]]:
    """Parts of a file, each of which begins at the margin after an empty line."""
    return [part.splitlines() for part in re.split(r"\n\n+(?=[^\s])", text.strip("\n"))]


def missing(expected: Any, have: Any, where: str) -> Iterator[str]:
    """The parts of the JSON shown in the docs that real data lacks. An empty list or map stands for any."""
    if isinstance(expected, dict) and isinstance(have, dict):
        for key, value in expected.items():
            if key in have:
                yield from missing(value, have[key], f"{where}.{key}")
            else:
                yield f"{where} has no {key}"
    elif isinstance(expected, list) and isinstance(have, list):
        for number, value in enumerate(expected):
            if value != ANY and not any(not list(missing(value, item, where)) for item in have):
                yield f"{where} has no item like number {number}: {json.dumps(value)}, but {json.dumps(have)}"
    elif expected != have and not (isinstance(expected, str) and isinstance(have, str) and like(expected, have)):
        yield f"{where} is {json.dumps(have)}, not {json.dumps(expected)}"


def matches(expected: Sequence[str], have: Sequence[str]) -> bool:
    """Whether lines are as shown."""
    for at, line in enumerate(expected):
        if line.lstrip(" #/").startswith(ANY):
            return any(matches(expected[at + 1 :], have[start:]) for start in range(at, len(have) + 1))
        if at >= len(have) or not like(line.rstrip(), have[at].rstrip()):
            return False
    return len(expected) == len(have)


def like(expected: str, line: str) -> bool:
    return expected == line or (
        ANY in expected and re.fullmatch(".*".join(map(re.escape, expected.split(ANY))), line) is not None
    )
