"""Adds the infos of a conversion, which are known only at its end, to README.md: what is exact, but worth knowing.

Invariant: the text is Markdown in which nothing of a template is markup, and notes of one cause are one item. A file
with an absolute path is named without its directory, so that the same input gives the same text on each machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from emitters.hcl.assemble import readme
from emitters.hcl.assemble.origin import base_name
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render.causes import group_by_cause
from transpile.text.markdown import escape_markdown_line

MOST = 40  # items; `hot2tf convert -v` shows all notes
LINES = 8  # places of one item


def add_notes(files: Mapping[str, str | bytes], infos: Sequence[Diagnostic]) -> Mapping[str, str | bytes]:
    """The files, with a section of README.md that has the infos. Without such a file, or without infos, nothing
    changes.
    """
    text = files.get(readme.NAME)
    if not infos or not isinstance(text, str):
        return files
    groups = group_by_cause(infos)
    lines = ["", "## Notes", "", "Nothing here is lost or changed, but you may want to know it.", ""]
    lines += [f"- {describe_group(group)}" for group in groups[:MOST]]
    if len(groups) > MOST:
        lines.append(f"- {len(groups) - MOST} more: `hot2tf convert -v` shows all.")
    return {**files, readme.NAME: text + "\n".join(lines) + "\n"}


def describe_group(group: Sequence[Diagnostic]) -> str:
    """The code, the message and the places of a group."""
    first = group[0]
    by_file: dict[str, dict[str, None]] = {}
    for d in group[:LINES]:
        if d.source is not None:
            name = d.source.name
            file = base_name(name) if name.startswith("/") or ":" in name else name
            by_file.setdefault(file, {})[str(d.source.start_and_end(d)[0])] = None
    places = "; ".join(f"{escape_markdown_line(name)}:{', '.join(lines)}" for name, lines in by_file.items())
    more = f" and {len(group) - LINES} more" if len(group) > LINES else ""
    return f"{first.code}: {escape_markdown_line(first.message)}{f' ({places}{more})' if places else ''}"
