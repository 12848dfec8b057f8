"""Runs `terraform validate` and `tofu validate` on what was written, each stack in a copy of its own.

Invariant: nothing is written into the destination, and no provider is asked for anything. What was validated before and
did not change since is not validated again.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple

from transpile.migrate.state import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TOOLS = ("terraform", "tofu")
SECONDS = 600  # for one command
PLUGINS = "plugins"  # below FOLDER: providers, downloaded once for all stacks
FRAMES = dict.fromkeys(map(ord, "│╷╵"), " ")
MOST = 20  # diagnostics of one stack that are kept


class Tool(NamedTuple):
    """An installed program. `version`: as it says itself."""

    name: str
    path: str
    version: str


class Task(NamedTuple):
    """A directory to validate, with the directories of the modules that it uses; all relative to the destination."""

    folder: str
    modules: tuple[str, ...]


def tools() -> list[Tool]:
    """The programs that are installed."""
    out = []
    for name in TOOLS:
        if (path := shutil.which(name)) is not None:
            said = run([path, "version", "-json"], pathlib.Path.cwd(), {})
            try:
                version = json.loads(said.stdout)["terraform_version"]
            except (ValueError, LookupError, TypeError):
                version = "unknown"
            out.append(Tool(name, path, str(version)))
    return out


def validate(dest: pathlib.Path, tool: Tool, tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, dict[str, Any]]]:
    """The verdict on each directory: `valid`, and `diagnostics` if there are any. The first one is validated alone, for
    it fills the cache of providers, which must not be filled by two at once.
    """
    cache = dest / FOLDER / PLUGINS / tool.name
    cache.mkdir(parents=True, exist_ok=True)
    settings = {"TF_PLUGIN_CACHE_DIR": str(cache.resolve())}
    for task in tasks[:1]:
        yield task, verdict(dest, tool, task, settings)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        flying = {pool.submit(verdict, dest, tool, task, settings): task for task in tasks[1:]}
        try:
            for future in concurrent.futures.as_completed(flying):
                yield flying[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def verdict(dest: pathlib.Path, tool: Tool, task: Task, settings: Mapping[str, str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="hot2tf-") as place:
        for folder in (task.folder, *task.modules):
            shutil.copytree(
                dest / folder, pathlib.Path(place, folder), ignore=ignored, symlinks=True, dirs_exist_ok=True
            )
        here = pathlib.Path(place, task.folder)
        try:
            begun = run([tool.path, "init", "-backend=false", "-input=false", "-no-color"], here, settings)
            if begun.returncode:
                return {"valid": False, "diagnostics": [one_line(begun.stderr or begun.stdout)]}
            said = json.loads(run([tool.path, "validate", "-json", "-no-color"], here, settings).stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired) as e:
            return {"valid": False, "diagnostics": [one_line(str(e))]}
        messages = [
            one_line(f"{one.get('summary', '')}: {one.get('detail', '')}") for one in said.get("diagnostics", [])
        ]
        return {"valid": bool(said.get("valid")), **({"diagnostics": messages[:MOST]} if messages else {})}


def ignored(folder: str, names: list[str]) -> set[str]:
    """What Terraform keeps beside its code is not copied."""
    return {name for name in names if name == ".terraform" or name.endswith((".tfstate", ".tfstate.backup"))}


def run(command: list[str], here: pathlib.Path, settings: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **settings, "TF_IN_AUTOMATION": "1", "CHECKPOINT_DISABLE": "1"}
    environment["TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE"] = "1"
    return subprocess.run(
        command,
        cwd=here,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )


def one_line(text: str) -> str:
    """A message without line breaks and the frames that terraform draws."""
    return " ".join(text.translate(FRAMES).split())[:500]
