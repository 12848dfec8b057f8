"""Describes the output of a migration to its target, which writes a pipeline for it."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate.environment_groups import WORKSPACES, StackPlace
from transpile.migrate.front_page import describe_origin
from transpile.migrate.state import MigrationState
from transpile.model.words import list_first
from transpile.settings.table import Request
from transpile.targets import PipelineRequest, PipelineStack, Target
from transpile.text import places
from transpile.text.source import UnreadableFile, find_repository, read_bytes

NONE, LOCAL, ADDRESS = "none", "local", "address"
OWN_BACKEND = re.compile(rb'^\s*(backend\s+"|cloud\s*\{)', re.M)  # in a file of the user
LARGEST_FILE = 1 << 20  # bytes of a file of the user that is searched


def make_pipeline_files(
    dest: pathlib.Path,
    state: MigrationState,
    places_of_stacks: Mapping[str, StackPlace],
    target: Target,
    request: Request,
    diagnostics: list[Diagnostic],
) -> dict[str, str]:
    """The files of the pipeline that the user wants; none if he wants none. Problems are added to `diagnostics`."""
    if request.ci == NONE or target.pipeline is None:
        return {}
    stacks = tuple(
        describe_stack(request, dest, places_of_stacks.get(row.output, StackPlace(row.output)), row.summary)
        for row in state.walk_rows()
        if row.converted
    )
    options = request.target_options(target)
    asked = PipelineRequest(
        request.ci,
        request.ci_tool,
        path_in_repository(dest),
        describe_origin(request.paths),
        stacks,
        options.get("names") == "snake",
        options.get("structure") == "standard",
    )
    diagnostics += warn_of_lost_states(stacks)
    return dict(target.pipeline(asked))


def describe_stack(
    request: Request, dest: pathlib.Path, place: StackPlace, summary: Mapping[str, Any]
) -> PipelineStack:
    """Returns the facts about a stack for a pipeline. summary: see `unit.summarize_conversion`."""
    backend = summary.get("backend", {})
    kind, unset = backend.get("kind", LOCAL), backend.get("unset", "")
    known = kind != LOCAL and (
        unset != ADDRESS or kind == request.ci
    )  # a job of GitLab knows the address of its states
    return PipelineStack(
        place.folder,
        known or (not backend and has_own_backend(dest / place.folder)),
        backend.get("settings", ""),
        unset,
        tuple(backend.get("credentials", ())),
        backend.get("state", ""),
        summary.get("tests", False),
        place.environment,
        bool(place.environment) and request.environment_layout == WORKSPACES,
    )


def has_own_backend(directory: pathlib.Path) -> bool:
    """Whether a file that hot2tf did not write says where the state is."""
    try:
        files = [path for path in directory.glob("*.tf") if places.kind_at_path(path) == places.FILE]
        return any(OWN_BACKEND.search(read_bytes(path, LARGEST_FILE)) for path in files)
    except (OSError, UnreadableFile):
        return False


def warn_of_lost_states(stacks: Sequence[PipelineStack]) -> list[Diagnostic]:
    """A warning if a pipeline cannot plan all stacks."""
    lost = list(dict.fromkeys(stack.directory for stack in stacks if not stack.shares_state))
    if not lost:
        return []
    message = (
        f"The pipeline checks {list_first(lost, 1)}, and does not plan or apply it: its jobs would not share a state."
    )
    return [Diagnostic(codes.PIPELINE_WITHOUT_STATE, message)]


def path_in_repository(dest: pathlib.Path) -> str:
    """The path of the destination from the top of its repository; `.` if it is the top, or in no repository."""
    existing = dest
    while not existing.is_dir() and existing != existing.parent:
        existing = existing.parent
    above = find_repository(existing)
    return pathlib.Path(os.path.relpath(os.path.realpath(dest), above)).as_posix() if above else "."
