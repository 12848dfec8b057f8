"""Real shells that complete a line: bash and zsh in a terminal, fish by its own `complete -C`.

In the terminal, the line is written, then the tab key, then return. The `hot2tf` that stands first in PATH notes what
it is called with; asked for completions, it is the real one.
"""

from __future__ import annotations

import os
import pathlib
import pty
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PATIENCE = 60  # seconds
PROGRAM = """#!/bin/sh
if [ "$1" = completion ]; then exec {python} -m transpile "$@"; fi
printf '%s\\n' "$@" > noted.new && mv noted.new noted
"""
START = {
    "bash": (["bash", "--noprofile", "--norc", "-i"], 'eval "$(hot2tf completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], 'autoload -Uz compinit && compinit -u -D && eval "$(hot2tf completion zsh)"'),
}


def installed(tool: str) -> bool:
    return shutil.which(tool) is not None


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not installed(shell), reason=f"{shell} is not installed")


def user(home: pathlib.Path) -> dict[str, str]:
    """The environment of a user who has hot2tf and no settings."""
    (home / "bin").mkdir(exist_ok=True)
    program = home / "bin" / "hot2tf"
    program.write_text(PROGRAM.format(python=shlex.quote(sys.executable)))
    program.chmod(0o755)
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "PYTHONPATH": str(ROOT), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def completed(shell: str, lines: Iterable[str], place: pathlib.Path) -> list[list[str]]:
    """The arguments that each line has after the tab key, in bash or zsh."""
    command, prepare = START[shell]
    environment = user(place)
    try:
        terminal, end = pty.openpty()
    except OSError as e:  # as in some containers
        pytest.skip(f"there are no terminals here: {e}")
    running = subprocess.Popen(
        command, cwd=place, env=environment, stdin=end, stdout=end, stderr=end, start_new_session=True
    )
    os.close(end)
    seen: list[bytes] = []
    watching = threading.Thread(target=watch, args=(terminal, seen))
    watching.start()
    try:
        os.write(terminal, f"{prepare}; echo rea''dy\n".encode())
        wait(lambda: b"ready" in b"".join(seen), seen)
        return [pressed(terminal, line, place / "noted", seen) for line in lines]
    finally:
        running.kill()
        running.wait(PATIENCE)
        watching.join(PATIENCE)
        os.close(terminal)


def watch(terminal: int, seen: list[bytes]) -> None:
    """Reads the shell's output; otherwise the shell would wait for a reader."""
    try:
        while got := os.read(terminal, 4096):
            seen.append(got)
    except OSError:  # the shell is gone
        pass


def pressed(terminal: int, line: str, noted: pathlib.Path, seen: list[bytes]) -> list[str]:
    os.write(terminal, f"{line}\t\n".encode())
    wait(noted.exists, seen)
    arguments = noted.read_text().splitlines()
    noted.unlink()
    return arguments


def wait(done: Callable[[], bool], seen: list[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until, b"".join(seen).decode("utf-8", "replace")
        time.sleep(0.01)


def offered_by_fish(lines: Iterable[str], place: pathlib.Path) -> list[list[str]]:
    """The completions that fish offers for the last word of each line."""
    asking = "; ".join(f"complete -C {shlex.quote(line)}; echo ---" for line in lines)
    command = ["fish", "--no-config", "-c", f"hot2tf completion fish | source; {asking}"]
    done = subprocess.run(command, cwd=place, env=user(place), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [[line.partition("\t")[0] for line in answer.splitlines()] for answer in done.stdout.split("---\n")[:-1]]
