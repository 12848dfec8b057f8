"""Conversions without errors, and what tests ask of one: its treatments, its codes, its HCL."""

from __future__ import annotations

import pathlib
from typing import Any

import transpile


def convert(source: str | pathlib.Path, **more: Any) -> transpile.Conversion:
    """A conversion without errors."""
    done = transpile.convert(source, **more)
    assert done.ok, [d.message for d in done.diagnostics]
    return done


def convert_templates(where: pathlib.Path, templates: dict[str, str], **more: Any) -> transpile.Conversion:
    """The conversion of the template `stack`, beside the others, which are named without `.yaml`."""
    for name, text in templates.items():
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    return convert(where / "stack.yaml", **more)


def treatments(done: transpile.Conversion) -> dict[str, str]:
    """The treatments of the resources, by name."""
    return {name: resource["treatment"] for name, resource in done.report["resources"].items()}


def codes(done: transpile.Conversion) -> set[str]:
    return {d.code for d in done.diagnostics}


def print_hcl(done: transpile.Conversion) -> str:
    """All files of Terraform, one after the other."""
    return "\n".join(str(text) for name, text in done.files.items() if name.endswith(".tf"))
