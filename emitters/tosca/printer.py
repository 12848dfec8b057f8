"""Prints a service template as YAML.

Invariant: no other module of this target lays out or escapes text. The output depends only on the document, and keys
keep their order. YAML 1.1 and YAML 1.2 readers both read the output as the same document. For YAML 1.1 this is checked:
each text is read again and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from transpile.front.read_back import verify_written_yaml
from transpile.model.source import Source
from transpile.text import yaml_scalars as scalars

WIDTH = 110
SPACED_SECTIONS = ("node_types", "node_templates")  # sections with blank lines between declarations
BLOCK_LEVELS = {  # the number of levels in a section that are always in block style
    "node_types": 3,
    "node_templates": 3,
    "topology_template": 2,
    "service_template": 2,
    "inputs": 1,
    "outputs": 1,
    "policies": 2,
    "groups": 2,
    "requirements": 1,
    "interfaces": 3,
    "directives": 0,
    "properties": 1,
    "attributes": 1,
    "artifacts": 1,
    "metadata": 0,
}
DEFAULT_LEVELS = 3  # top-level section


def print_document(document: Mapping[str, Any], source: Source) -> str:
    """Returns the text of a document, with blank lines between sections.

    `source`: the template that the document was made from. Raises Stopped if the text is read as another document.
    """
    text = lay_out_document(document)
    verify_written_yaml(text, document, source)
    return text


def lay_out_document(document: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for key, value in document.items():
        if lines:
            lines.append("")
        print_entry(lines, key, value, "", BLOCK_LEVELS.get(key, 0) or DEFAULT_LEVELS)
    return "\n".join(lines) + "\n"


def print_entry(lines: list[str], key: str, value: Any, pad: str, levels: int) -> None:
    """Prints a key and its value."""
    lead = scalars.print_key(key, pad)
    if isinstance(value, str):
        lines.append(f"{lead} {print_string(value, len(pad) + 2)}")
    elif not isinstance(value, (dict, list)):
        lines.append(f"{lead} {scalars.print_scalar(value)}")
    elif levels <= 0 and (short := print_flow(value, WIDTH - len(lead) - 1)) is not None:
        lines.append(f"{lead} {short}")
    elif not value:
        lines.append(f"{lead} {'{}' if isinstance(value, dict) else '[]'}")
    elif isinstance(value, dict):
        lines.append(lead)
        print_entries(lines, value, pad + "  ", levels - 1, key)
    else:
        lines.append(lead)
        print_items(lines, value, pad, levels - 1)


def print_entries(lines: list[str], value: Mapping[str, Any], pad: str, levels: int, section: str) -> None:
    first = True
    for key, inner in value.items():
        if not first and (section in SPACED_SECTIONS or (section in ("topology_template", "service_template"))):
            lines.append("")
        print_entry(
            lines,
            key,
            inner,
            pad,
            max(BLOCK_LEVELS.get(key, levels), 0) if levels > 0 or key == "interfaces" else levels,
        )
        first = False


def print_items(lines: list[str], value: Sequence[Any], pad: str, levels: int) -> None:
    for item in value:
        if isinstance(item, str):
            lines.append(f"{pad}- {print_string(item, len(pad) + 2)}")
        elif not isinstance(item, (dict, list)):
            lines.append(f"{pad}- {scalars.print_scalar(item)}")
        elif levels < 0 and (short := print_flow(item, WIDTH - len(pad) - 2)) is not None:
            lines.append(f"{pad}- {short}")
        elif not item:
            lines.append(f"{pad}- {'{}' if isinstance(item, dict) else '[]'}")
        else:
            inner: list[str] = []
            if isinstance(item, dict):
                print_entries(inner, item, pad + "  ", levels, "")
            else:
                print_items(inner, item, pad + "  ", levels)
            inner[0] = f"{pad}- {inner[0][len(pad) + 2 :]}"
            lines += inner


def print_string(value: str, indent: int) -> str:
    """Prints a string after its key, as a block of lines if every reader handles that safely."""
    if "\n" in value and not value.endswith("\n\n") and value[0] not in " \t\n":
        block = scalars.print_block_scalar(value, indent)
        if block is not None:
            return block
    return scalars.quote_if_needed(value)


def print_flow(value: Any, room: int) -> str | None:
    """A value on one line, or None if it is too long or has several lines."""
    if isinstance(value, str):
        if "\n" in value or len(value) > room:
            return None
        line = scalars.quote_if_needed(value, True)
    elif isinstance(value, dict):
        parts, left = [], room
        for key, inner in value.items():
            name = scalars.quote_if_needed(key, True)
            left -= len(name) + 4
            inner_text = print_flow(inner, left)
            if inner_text is None:
                return None
            left -= len(inner_text)
            parts.append(f"{name}: {inner_text}")
        line = f"{{{', '.join(parts)}}}"
    elif isinstance(value, list):
        parts, left = [], room
        for inner in value:
            inner_text = print_flow(inner, left)
            if inner_text is None:
                return None
            left -= len(inner_text) + 2
            parts.append(inner_text)
        line = f"[{', '.join(parts)}]"
    else:
        line = scalars.print_scalar(value)
    return line if len(line) <= room else None
