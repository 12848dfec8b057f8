"""The text of a document, YAML or JSON, as a tree of YAML nodes.

Invariant: only scalars have values here. Maps keep duplicate keys, and all nodes keep their places, so that the readers
of the tree can report them.
"""

from __future__ import annotations

import re

from yaml.nodes import Node

from transpile.diagnostics.model import Sink
from transpile.front import yaml_reader
from transpile.front.nodes import UnreadableDocument, report_unrendered
from transpile.text.source import JINJA_NAMES

JINJA = r"\{\{|\{%|\{#"  # without any of these, a Jinja2 source is the template itself


def compose_document(sink: Sink, name: str, *, trimmed: bool = False) -> Node:
    """The root node of the sink's source. Raises UnreadableDocument, with the reason in the sink.

    trimmed: without the white space at its end, as Heat's client reads templates. A block scalar at the end of a
    template therefore has no final newline.
    """
    text = sink.source.text
    if name.endswith(JINJA_NAMES) and sink.source.rendered_from is None and re.search(JINJA, text):
        report_unrendered(sink, 0, is_wrong_yaml=False)
        raise UnreadableDocument
    stripped = text.lstrip(" \t\r\n\v\f")  # a byte order mark stays: Heat reads JSON that follows one as YAML
    if stripped.startswith("{") and not stripped.startswith(("{{", "{%")):
        from transpile.front import json_reader  # most are YAML

        return json_reader.compose_json(sink, text)
    return yaml_reader.compose_yaml(sink, text.rstrip() if trimmed else text)
