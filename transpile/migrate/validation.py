"""Runs `terraform validate` and `tofu validate` on the output, each stack in its own copy.

Invariant: nothing is written into the stacks of the destination, and no provider sends a request to a cloud.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from transpile.migrate.state import FOLDER

TOOL_NAMES = ("terraform", "tofu")
SECONDS = 600  # for one command
PLUGINS = "plugins"  # below FOLDER: providers, downloaded once for all stacks
FRAMES = dict.fromkeys(map(ord, "│╷╵"), " ")
MOST_DIAGNOSTICS = 20  # diagnostics of one stack that are kept


class ValidationTool(NamedTuple):
    """An installed program. `version`: as it says itself."""

    name: str
    path: str
    version: str


class ValidationTask(NamedTuple):
    """A directory to validate, with the directories of the modules that it uses; all relative to the destination."""

    folder: str
    modules: tuple[str, ...]


def find_tools() -> list[ValidationTool]:
    """The programs that are installed."""
    tools = []
    for name in TOOL_NAMES:
        if (path := shutil.which(name)) is not None:
            completed = run_tool([path, "version", "-json"], pathlib.Path.cwd(), {})
            try:
                version = json.loads(completed.stdout)["terraform_version"]
            except (ValueError, LookupError, TypeError):
                version = "unknown"
            tools.append(ValidationTool(name, path, str(version)))
    return tools


def validate_folders(
    dest: pathlib.Path, tool: ValidationTool, tasks: Sequence[ValidationTask], jobs: int
) -> Iterator[tuple[ValidationTask, dict[str, Any]]]:
    """The verdict on each directory: `valid`, and `diagnostics` if there are any. The first one is validated alone, for
    it fills the cache of providers, which must not be filled by two at once.
    """
    cache = dest / FOLDER / PLUGINS / tool.name
    cache.mkdir(parents=True, exist_ok=True)
    settings = {"TF_PLUGIN_CACHE_DIR": str(cache.resolve())}
    for task in tasks[:1]:
        yield task, validate_folder(dest, tool, task, settings)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        in_flight = {pool.submit(validate_folder, dest, tool, task, settings): task for task in tasks[1:]}
        try:
            for future in concurrent.futures.as_completed(in_flight):
                yield in_flight[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def validate_folder(
    dest: pathlib.Path, tool: ValidationTool, task: ValidationTask, settings: Mapping[str, str]
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="hot2tf-") as place:
        for folder in (task.folder, *task.modules):
            shutil.copytree(
                dest / folder,
                pathlib.Path(place, folder),
                ignore=ignore_terraform_files,
                symlinks=True,
                dirs_exist_ok=True,
            )
        here = pathlib.Path(place, task.folder)
        try:
            initialized = run_tool([tool.path, "init", "-backend=false", "-input=false", "-no-color"], here, settings)
            if initialized.returncode:
                return {"valid": False, "diagnostics": [join_lines(initialized.stderr or initialized.stdout)]}
            answer = json.loads(run_tool([tool.path, "validate", "-json", "-no-color"], here, settings).stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired) as e:
            return {"valid": False, "diagnostics": [join_lines(str(e))]}
        messages = [
            join_lines(f"{diagnostic.get('summary', '')}: {diagnostic.get('detail', '')}")
            for diagnostic in answer.get("diagnostics", [])
        ]
        return {
            "valid": bool(answer.get("valid")),
            **({"diagnostics": messages[:MOST_DIAGNOSTICS]} if messages else {}),
        }


def ignore_terraform_files(folder: str, names: list[str]) -> set[str]:
    """The files of Terraform's own state, which are not copied."""
    return {name for name in names if name == ".terraform" or name.endswith((".tfstate", ".tfstate.backup"))}


def run_tool(command: list[str], here: pathlib.Path, settings: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
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


def join_lines(text: str) -> str:
    """A message without line breaks and the frames that terraform draws."""
    return " ".join(text.translate(FRAMES).split())[:500]
