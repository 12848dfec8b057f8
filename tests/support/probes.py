"""The probes: questions that real Heat has answered, prepared for this project.

Each question is asked as it was asked of Heat: the same text, files and environments, in a directory of its own.
"""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

from tests.support import oracles
from tests.support.files import write_files
from transpile.diagnostics.model import Diagnostic, TooManyErrors
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.stack import Stack
from transpile.text.source import Root

Probe = dict[str, Any]


@functools.cache
def every() -> list[Probe]:
    path = oracles.SHARED / "heat" / "probes.json"
    return list(json.loads(path.read_text())["probes"]) if path.is_file() else []


def name_of(probe: Probe) -> str:
    return f"{probe['group']}/{probe['id']}"


def text_of(body: Any) -> str:
    return body if isinstance(body, str) else json.dumps(body)


def laid_out(request: Probe, folder: pathlib.Path) -> None:
    """Writes the files of a question to the places where a template refers to them."""
    write_files(folder, request.get("files") or {})


def environments_of(request: Probe) -> list[Any]:
    environments = request.get("env") or []
    return environments if isinstance(environments, list) else [environments]


def linked(request: Probe, folder: pathlib.Path) -> tuple[Stack | None, list[Diagnostic]]:
    """The stack of a question, and its diagnostics."""
    laid_out(request, folder)
    diagnostics: list[Diagnostic] = []
    try:
        template, sink = templates.read_template(Source("template.yaml", text_of(request["body"]), budget=Budget()))
        diagnostics += sink.diagnostics
        loaded_environments: list[ir.Environment] = []
        for number, environment_data in enumerate(environments_of(request)):
            environment, sink = environments.read_environment_text(
                Source(f"environment-{number}.yaml", json.dumps(environment_data), budget=Budget()), folder
            )
            diagnostics += sink.diagnostics
            loaded_environments += [environment] if environment is not None else []
        if template is None:
            return None, diagnostics
        how = linker.LinkOptions("load", client=request.get("merge") == "client")
        stack, link_diagnostics = linker.link_template(
            template, loaded_environments, request.get("params") or {}, Root(folder), how
        )
    except TooManyErrors as e:
        return None, [*diagnostics, *e.diagnostics]
    return stack, diagnostics + link_diagnostics
