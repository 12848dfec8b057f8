"""Prints the data of a pipeline as YAML.

Invariant: reading the text gives the same data. Keys stay in their order, and a script of several lines is a block.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

WIDTH = 1000  # columns: no command is broken


class PipelineDumper(yaml.SafeDumper):
    """Prints lists with an indentation, and no aliases, which some readers of pipelines do not know."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


PipelineDumper.add_representer(str, represent_text)


def print_pipeline(first: str, notes: list[str], data: Mapping[str, Any]) -> str:
    """A whole file, with comments at its top. first: the first line."""
    head = "".join(f"# {line}\n" if line else "#\n" for line in (first, *notes))
    parts = [
        yaml.dump({key: value}, Dumper=PipelineDumper, sort_keys=False, allow_unicode=True, width=WIDTH)
        for key, value in data.items()
    ]
    return "\n".join([head, *parts])
