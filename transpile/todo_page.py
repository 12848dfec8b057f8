"""TODO.md of one conversion: the user's tasks."""

from __future__ import annotations

import pathlib

from transpile import targets
from transpile.pipeline import Conversion
from transpile.text import check_boxes, places
from transpile.text.manifest import MANIFEST, parse_addresses, print_manifest
from transpile.todo.tasks import collect_finding_tasks, collect_tasks
from transpile.todo.todo_list import TodoList


def collect_todo(target: targets.Target, done: Conversion) -> TodoList:
    """Returns the user's tasks after a conversion. For other targets than Terraform, each finding is a task."""
    findings = [finding for finding in done.report["diagnostics"] if finding["severity"] == "warning"]
    report = {**done.report, "diagnostics": findings}
    return TodoList(collect_tasks(report) if target.addresses else collect_finding_tasks(findings))


def add_todo_page(target: targets.Target, done: Conversion, output: str) -> None:
    """Adds TODO.md to the files of a directory, if there are several tasks. Ticks stay."""
    if check_boxes.FILE not in target.optional or MANIFEST not in done.files:
        return
    done.report["diagnostics"] = [d.as_json() for d in done.diagnostics]
    if (todo := collect_todo(target, done)).number > 1:
        readme = str(done.files.get("README.md", "")).partition("\n")[0]
        made = readme.removeprefix("<!--").removesuffix("-->").strip()  # all files begin with the same command
        text = todo.print_page(made or f"Made by hot2tf from {done.report['source']}")
        earlier = places.read_regular_file(pathlib.Path(output, check_boxes.FILE)) or b""
        page = check_boxes.keep_ticks(text, earlier.decode("utf-8", "replace"))
        files: dict[str, str | bytes] = {**done.files, check_boxes.FILE: page}
        done.files = {**files, MANIFEST: print_manifest(files, parse_addresses(done.files[MANIFEST]))}
