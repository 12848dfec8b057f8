"""Compares facts read from plug-ins with those of real Heat about the same types, one by one."""

from __future__ import annotations

import collections
import json
import pathlib
from collections.abc import Iterator
from typing import Any

from tests.support import oracles

ABOUT_TYPES = (
    "client",
    "extension",
    "status",
    "ref",
    "name_limit",
    "custom_attr",
    "validate",
    "accepts_any",
    "handlers",
)
SKIPPED = {"doc", "doc_sha", "description", "description_sha", "text", "line", "recursive"}
NEVER = ("invented", "error", "provider")  # types without a truth, and templates


def fields(facts: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each fact about a property or attribute, by its path."""
    for key, value in facts.items():
        if key in SKIPPED:
            continue
        if key == "schema":
            for name, inner in value.items():
                yield (*path, f"/{name}"), True
                yield from fields(inner, (*path, f"/{name}"))
        elif key == "constraints":
            kept = [
                {kind: limits for kind, limits in constraint.items() if kind not in SKIPPED} for constraint in value
            ]
            yield (*path, key), kept
        elif key != "unknown":
            yield (*path, key), value


def unknown(facts: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The facts that could not be read; a path stands for all below it."""
    for key in ["*all"] if facts.get("unknown") is True else facts.get("unknown", ()):
        yield path if key in ("*all", "schema", "presence") else (*path, key)
    for name, inner in facts.get("schema", {}).items():
        yield from unknown(inner, (*path, f"/{name}"))


def is_said(path: tuple[str, ...], got: Any, missing: list[tuple[str, ...]]) -> bool:
    """Whether the reader says that it could not read a fact."""
    if path[0] in ABOUT_TYPES:
        return "base class" in got["unread"]
    return any(path[: len(prefix)] == prefix for prefix in missing)


def compare(ours: dict[str, Any], truth: dict[str, Any]) -> tuple[collections.Counter[str], list[str]]:
    """The numbers of facts that are the same, reported as unknown, or wrong; and those that are not the same."""
    count: collections.Counter[str] = collections.Counter()
    lines = []
    for kind, expected in sorted(truth.items()):
        if any(key in expected for key in NEVER):
            continue
        got = ours.get(kind, {})
        count["types"] += 1
        have: dict[tuple[str, ...], Any] = {}
        want: dict[tuple[str, ...], Any] = {}
        missing: list[tuple[str, ...]] = []
        for facts, into in ((got, have), (expected, want)):
            for part in ("properties", "attributes"):
                into.update(fields({"schema": {k: v for k, v in facts.get(part, {}).items() if k != "show"}}, (part,)))
            into.update(((key,), facts[key]) for key in ABOUT_TYPES if key in facts)
        for part in ("properties", "attributes"):
            missing += unknown({"schema": got.get(part, {})}, (part,))
        for path in sorted({*have, *want}):
            a, b = have.get(path), want.get(path)
            if path[0] in ("handlers", "validate") and path[0] not in expected:
                continue
            if a == "?" and path == ("ref",):
                count["same" if b == "custom" else "said"] += 1
            elif json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True):
                count["same"] += 1
            elif is_said(path, got, missing) or (got.get("open") and path not in have):
                count["said"] += 1
            else:
                count["wrong"] += 1
                lines.append(f"{kind}: {'.'.join(path)}: ours {a!r:.60}, Heat {b!r:.60}")
    return count, lines


def heat_resources() -> pathlib.Path | None:
    """The source of Heat's own resources in the environment of real Heat; None if there is none."""
    if not oracles.HEAT_PYTHON:
        return None
    folders = sorted(
        pathlib.Path(oracles.HEAT_PYTHON).parent.parent.glob("lib/python3*/site-packages/heat/engine/resources")
    )
    return folders[0] if folders else None
