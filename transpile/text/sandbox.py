"""A service that renders Jinja2, in a process of its own: it gets a source and values, and answers with the text and
where each piece of it comes from.

Invariant: the source is untrusted. It runs in Jinja2's sandbox, within the limits of `transpile.guarded`, and includes
only files that `Root` lets it read. Nothing of hot2tf is imported here but that and Ansible's filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, final

import jinja2
from jinja2 import nodes
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

from transpile.text.ansible_filters import FILTERS, TESTS
from transpile.text.source import Root, UnreadableFile, decode_utf8

LARGEST = 8 * 1024 * 1024  # characters of a text
MOST_PASSES = 8  # in which values are rendered that name others
WHOLE = re.compile(r"\s*\{\{((?:(?!\{\{|\}\}).)*)\}\}\s*", re.S)  # one expression and nothing else


@final
class MissingValue(jinja2.StrictUndefined):
    """An undefined name. As in Ansible, `a.b | default(1)` is 1 if there is no `a`."""

    def __getattr__(self, name: str) -> MissingValue:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> MissingValue:  # type: ignore[override]
        return self


@final
class IncludeLoader(jinja2.BaseLoader):
    """Loads the sources that a source includes, extends or imports. Names are relative to the source."""

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
    """Renders a source piece by piece. `line`: the line of the source that the last piece came from. `in_role`: as
    Ansible does for a template of a role, whose values may be expressions themselves.
    """

    def __init__(self, source: str, values: dict[str, Any], root: Root, *, in_role: bool = False) -> None:
        self.source, self.values, self.line, self.parts = source, values, 1, PieceSplitter()
        self.environment = SandboxedEnvironment(
            loader=IncludeLoader(root),
            undefined=MissingValue,
            keep_trailing_newline=True,
            trim_blocks=in_role,
        )
        self.environment.filters.update(FILTERS)
        self.environment.tests.update(TESTS)
        del self.environment.filters["random"]  # the output would differ from run to run
        del self.environment.globals["lipsum"]
        if in_role:
            self.render_values()

    def render_values(self) -> None:
        """Renders the values that are expressions. One that cannot be rendered is left undefined."""
        for number in range(MOST_PASSES):
            for name, value in list(self.values.items()):
                try:
                    self.values[name] = self.render_value(value)
                except jinja2.TemplateError:
                    if number == MOST_PASSES - 1:
                        del self.values[name]

    def render_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.render_value(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.render_value(each) for each in value]
        if not isinstance(value, str) or ("{{" not in value and "{%" not in value):
            return value
        if (match := WHOLE.fullmatch(value)) is not None:
            result = self.environment.compile_expression(match[1], undefined_to_none=False)(self.values)
            if isinstance(result, jinja2.Undefined):
                raise jinja2.UndefinedError(match[1])
            return result
        return self.environment.from_string(value).render(self.values)

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
    rendering = Rendering(request["text"], request["values"], root, in_role=request.get("in_role", False))
    length = 0
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
    except Exception as e:  # any exception of a source: division by zero, a value of another type
        return {"error": str(e) or type(e).__name__, "line": rendering.line}
    return {
        "text": "".join(text for text, _ in pieces),
        "places": locate_pieces(request["text"], pieces, rendering.parts.texts),
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answers as a service, see `transpile.guarded`."""
    root = Root(request["directory"], request["base"], request["allow"], trusting=request["trusting"])
    return {**render_request(request, root), "reads": root.requested_names()}
