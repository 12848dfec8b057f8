"""A service that renders Jinja2, in a process of its own: it gets a source and values, and answers with the text and
where each piece of it comes from.

Invariant: the source is untrusted. It runs in Jinja2's sandbox, within the limits of `transpile.guarded`, and includes
only files that `Root` lets it read. Nothing else of hot2tf is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import jinja2
from jinja2 import nodes
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

from transpile.text.source import Root, UnreadableFile, decode_utf8

LARGEST = 8 * 1024 * 1024  # characters of a text


@final
class IncludeLoader(jinja2.BaseLoader):
    """Loads what a source includes, extends or imports. Names are relative to the source."""

    def __init__(self, root: Root) -> None:
        self.root = root

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str | None, None]:
        try:
            file = self.root.read_file(template)
            return decode_utf8(file.data, file.path), None, None
        except UnreadableFile as e:
            raise jinja2.TemplateNotFound(template, f"{template} was not read: {e.detail}") from None


@final
class PieceSplitter(NodeTransformer):
    """Makes an output statement of each text and each expression, so that Jinja2 knows the line of each."""

    def __init__(self) -> None:
        self.texts: set[tuple[int, str]] = set()  # texts that are copied unchanged, with their lines

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:
        """Splits an output, with a statement that does nothing before each part: Jinja2 records lines of statements,
        and not of text.
        """
        self.texts |= {(child.lineno, child.data) for child in node.nodes if isinstance(child, nodes.TemplateData)}
        out: list[nodes.Node] = []
        for child in node.nodes:
            out.append(nodes.ExprStmt(nodes.Const(None, lineno=child.lineno), lineno=child.lineno))
            out.append(nodes.Output([child], lineno=child.lineno))
        return out


@final
class Rendering:
    """Renders a source piece by piece. `line`: the line of the source that the last piece came from."""

    def __init__(self, source: str, values: dict[str, Any], root: Root) -> None:
        self.source, self.values, self.line, self.parts = source, values, 1, PieceSplitter()
        self.environment = SandboxedEnvironment(
            loader=IncludeLoader(root), undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False
        )

    def render_pieces(self) -> Iterator[str]:
        tree = self.parts.visit(self.environment.parse(self.source))
        template = self.environment.from_string(tree)
        running = template.root_render_func(template.new_context(self.values))
        try:
            for piece in running:
                frame = running.gi_frame  # type: ignore[attr-defined]
                self.line = template.get_corresponding_lineno(frame.f_lineno) if frame is not None else 1
                yield piece
        except Exception as e:
            trace = e.__traceback__
            while trace is not None:
                if trace.tb_frame.f_globals is template.root_render_func.__globals__:
                    self.line = template.get_corresponding_lineno(trace.tb_lineno)
                trace = trace.tb_next
            raise


def locate_pieces(
    source: str, pieces: list[tuple[str, int]], texts: set[tuple[int, str]]
) -> list[tuple[int, int, bool]]:
    """For each piece its offset in the rendered text, its offset in the source, and whether it is copied unchanged."""
    starts = [0]
    for source_line in source.split("\n"):
        starts.append(starts[-1] + len(source_line) + 1)
    result: list[tuple[int, int, bool]] = []
    offset = 0
    for text, line in pieces:
        if not text:
            continue
        begin = starts[min(line, len(starts)) - 1]
        end = starts[min(line, len(starts) - 1)]
        at = source.find(text, begin)
        as_it_is = at >= 0 and (line, text) in texts and (at < end or not source[end:at].strip())
        if not as_it_is:
            tags = [i for mark in ("{{", "{%") if (i := source.find(mark, begin, end)) >= 0]
            at = min(tags, default=begin)
        result.append((offset, at, as_it_is))
        offset += len(text)
    return result


def render_request(request: dict[str, Any], root: Root) -> dict[str, Any]:
    pieces: list[tuple[str, int]] = []
    length, rendering = 0, Rendering(request["text"], request["values"], root)
    try:
        for piece in rendering.render_pieces():
            pieces.append((piece, rendering.line))
            length += len(piece)
            if length > LARGEST:
                why = f"the result has more than {LARGEST // 1024 // 1024} MiB"
                return {"error": why, "line": rendering.line}
    except jinja2.TemplateSyntaxError as e:  # of the source itself, or of one that it includes
        return {"error": e.message or "it is not valid Jinja2", "line": e.lineno if e.name is None else rendering.line}
    except MemoryError:
        return {"error": "it takes too much memory", "line": rendering.line}
    except Exception as e:  # whatever a source may raise: division by zero, a value of another type
        return {"error": str(e) or type(e).__name__, "line": rendering.line}
    return {
        "text": "".join(text for text, _ in pieces),
        "places": locate_pieces(request["text"], pieces, rendering.parts.texts),
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answers as a service, see `transpile.guarded`."""
    root = Root(request["directory"], request["base"], request["allow"], trusting=request["trusting"])
    return {**render_request(request, root), "reads": root.requested_names()}
