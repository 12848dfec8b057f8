"""Prints a service template as YAML.

Invariant: no other module of this target lays out or escapes text. The output depends only on the document, and readers
of YAML 1.1 and YAML 1.2 both read it as that document: maps, lists and scalars. Keys keep their order. Each text is
read again, which proves it for YAML 1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.front.read_back import verify_written_yaml
from transpile.text import yaml_scalars as scalars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.model.source import Source

WIDTH = 110
APART = ("node_types", "node_templates")  # sections with blank lines between declarations
DEEP = {  # the number of levels in a section that are always in block style
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
USUAL = 3  # top-level section


def show(document: Mapping[str, Any], source: Source) -> str:
    """The text of a document, with blank lines between sections. `source`: what it is made from. Raises Stopped if it
    is not read as that document.
    """
    shown = laid_out(document)
    verify_written_yaml(shown, document, source)
    return shown


def laid_out(document: Mapping[str, Any]) -> str:
    out: list[str] = []
    for key, value in document.items():
        if out:
            out.append("")
        entry(out, key, value, "", DEEP.get(key, 0) or USUAL)
    return "\n".join(out) + "\n"


def entry(out: list[str], key: str, value: Any, pad: str, deep: int) -> None:
    """Prints a key and its value."""
    lead = scalars.print_key(key, pad)
    if isinstance(value, str):
        out.append(f"{lead} {text(value, len(pad) + 2)}")
    elif not isinstance(value, (dict, list)):
        out.append(f"{lead} {scalars.print_scalar(value)}")
    elif deep <= 0 and (short := flow(value, WIDTH - len(lead) - 1)) is not None:
        out.append(f"{lead} {short}")
    elif not value:
        out.append(f"{lead} {'{}' if isinstance(value, dict) else '[]'}")
    elif isinstance(value, dict):
        out.append(lead)
        entries(out, value, pad + "  ", deep - 1, key)
    else:
        out.append(lead)
        items(out, value, pad, deep - 1)


def entries(out: list[str], value: Mapping[str, Any], pad: str, deep: int, section: str) -> None:
    first = True
    for key, inner in value.items():
        if not first and (section in APART or (section in ("topology_template", "service_template"))):
            out.append("")
        entry(out, key, inner, pad, max(DEEP.get(key, deep), 0) if deep > 0 or key == "interfaces" else deep)
        first = False


def items(out: list[str], value: Sequence[Any], pad: str, deep: int) -> None:
    for item in value:
        if isinstance(item, str):
            out.append(f"{pad}- {text(item, len(pad) + 2)}")
        elif not isinstance(item, (dict, list)):
            out.append(f"{pad}- {scalars.print_scalar(item)}")
        elif deep < 0 and (short := flow(item, WIDTH - len(pad) - 2)) is not None:
            out.append(f"{pad}- {short}")
        elif not item:
            out.append(f"{pad}- {'{}' if isinstance(item, dict) else '[]'}")
        else:
            inner: list[str] = []
            if isinstance(item, dict):
                entries(inner, item, pad + "  ", deep, "")
            else:
                items(inner, item, pad + "  ", deep)
            inner[0] = f"{pad}- {inner[0][len(pad) + 2 :]}"
            out += inner


def text(value: str, indent: int) -> str:
    """Prints a string after its key, as a block of lines if every reader handles that safely."""
    if "\n" in value and not value.endswith("\n\n") and value[0] not in " \t\n":
        block = scalars.print_block_scalar(value, indent)
        if block is not None:
            return block
    return scalars.quote_if_needed(value)


def flow(value: Any, room: int) -> str | None:
    """A value on one line, or None if it is too long or has several lines."""
    if isinstance(value, str):
        if "\n" in value or len(value) > room:
            return None
        shown = scalars.quote_if_needed(value, True)
    elif isinstance(value, dict):
        parts, left = [], room
        for key, inner in value.items():
            name = scalars.quote_if_needed(key, True)
            left -= len(name) + 4
            found = flow(inner, left)
            if found is None:
                return None
            left -= len(found)
            parts.append(f"{name}: {found}")
        shown = f"{{{', '.join(parts)}}}"
    elif isinstance(value, list):
        parts, left = [], room
        for inner in value:
            found = flow(inner, left)
            if found is None:
                return None
            left -= len(found) + 2
            parts.append(found)
        shown = f"[{', '.join(parts)}]"
    else:
        shown = scalars.print_scalar(value)
    return shown if len(shown) <= room else None
