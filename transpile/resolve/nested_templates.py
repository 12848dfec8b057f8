"""Nested templates: which files a template names, and a library that reads each of them once.

Invariant: a name is relative to the file that contains it, and every file is read through `Root`. A template that
cannot be read is reported where it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, TooManyErrors
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import Expr, FileRef, Lit, Map, Template, walk
from transpile.model.records import node, replace
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.schema.properties import schemas_of_parameters
from transpile.text.jinja import NotRendered, Renderer
from transpile.text.source import Root, TemplateFile, UnreadableFile, decode_utf8

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts

DEPTH = 5  # Heat's limit of nesting
MARKS = tuple(key.encode() for key in VERSION_KEYS)
OUTPUTS = (
    codes.WRONG_DECLARATION_TYPE,
    codes.UNKNOWN_KEY,
    codes.MISSING_KEY,
)  # wrong keys of outputs, which are the attributes
FATAL = ("HOT10", "HOT11")  # the text itself is wrong: Heat cannot parse it


@final
@node
class LoadedTemplate:
    """A nested template as read, with its diagnostics and the root for the names inside it."""

    file: TemplateFile
    root: Root
    template: Template | None
    diagnostics: tuple[Diagnostic, ...]

    def is_refused(self, diagnostic: Diagnostic) -> bool:
        """Whether Heat refuses the outer template because of this diagnostic. When Heat validates the outer template,
        it parses the nested one and checks its parameters, which are the resource's properties, and nothing else.
        """
        if diagnostic.severity != "error":
            return False
        return (
            diagnostic.code.startswith(FATAL)
            or self.template is None
            or is_in_section(self.template, "parameters", diagnostic.at)
        )

    def with_heat_severity(self, diagnostic: Diagnostic, *, begins: bool, create: bool) -> Diagnostic:
        """A diagnostic with the severity that Heat gives it. `begins`: the template is named by the one being
        validated; `create`: everything is validated. Heat ignores unknown keys of outputs only in the
        top-level template.
        """
        in_outputs = self.template is not None and is_in_section(self.template, "outputs", diagnostic.at)
        if in_outputs and self.template is not None and self.template.version.is_hot and diagnostic.code in OUTPUTS:
            return replace(diagnostic, forced="" if begins or create else "warning")
        return diagnostic if create or (begins and self.is_refused(diagnostic)) else diagnostic.reduced_to_warning()


def is_in_section(template: Template, section: str, at: int) -> bool:
    """Whether an offset lies in a section of a template."""
    start = template.sections.get(section)
    return start is not None and start <= at < min(
        (other for other in template.sections.values() if other > start), default=at + 1
    )


@final
class TemplateLibrary:
    """Reads each nested template once. `shown`: a file's name in diagnostics; `commented`: keep comments; `renderer`:
    renders Jinja2 sources; `budget`: of the run.
    """

    def __init__(
        self,
        make_display_name: Callable[[TemplateFile], str] = lambda file: file.path,
        *,
        commented: bool = True,
        renderer: Renderer | None = None,
        budget: Budget,
    ) -> None:
        self.make_display_name, self.commented, self.renderer, self.budget = (
            make_display_name,
            commented,
            renderer,
            budget,
        )
        self._loaded: dict[str, LoadedTemplate] = {}

    def list_templates(self) -> Iterator[Template]:
        """The templates read so far."""
        yield from (loaded.template for loaded in self._loaded.values() if loaded.template is not None)

    def load_template(self, root: Root, name: str) -> LoadedTemplate:
        """A template by the name that another template uses; raises Unreadable."""
        return self.load_file(root, root.read_file(name))

    def load_file(self, root: Root, file: TemplateFile) -> LoadedTemplate:
        if file.where not in self._loaded:
            inner_root = root.for_file(file)
            self._loaded[file.where] = LoadedTemplate(file, inner_root, *self.parse_template(file, inner_root))
        return self._loaded[file.where]

    def parse_template(self, file: TemplateFile, inner_root: Root) -> tuple[Template | None, tuple[Diagnostic, ...]]:
        display_name = self.make_display_name(file)
        try:
            source = Source(display_name, decode_utf8(file.data, file.path), budget=self.budget)
        except UnreadableFile as e:
            source = Source(display_name, file.data.decode("utf-8", "replace"), budget=self.budget)
            return None, (
                Diagnostic(codes.INVALID_CHARACTER, f"The file cannot be read: {e.detail}.", source, Span(e.offset)),
            )
        try:
            if self.renderer is not None:
                source = self.renderer.render_template(source, inner_root)
            template, sink = templates.read_template(source, commented=self.commented)
        except NotRendered as e:
            return None, (e.diagnostic,)
        except TooManyErrors as e:
            return None, tuple(e.sink.diagnostics)
        return template, tuple(sink.diagnostics)


def may_be_template(file: TemplateFile) -> bool:
    """Whether Heat's client could take a file for a template, and so look for files inside it."""
    return any(mark in file.data for mark in MARKS)


def named_files(template: Template) -> Iterator[tuple[str, Span, bool]]:
    """Yields all files that Heat's client would send with a template, for any use: name, place, and whether it is named
    as a type.
    """
    text = template.source.text
    if not names_files(text):
        return
    anchors = "&" in text  # an alias's value may be outside the resource's text
    for resource in template.resources.values():
        if not anchors and resource.at >= 0 and not names_files(text[resource.at : resource.end]):
            continue
        if resource.type.endswith((".yaml", ".template")):
            yield resource.type, resource.type_span, True
        for owner in (resource.properties, resource.metadata):
            if owner is not None:
                yield from _named_files_in(owner)
    for output in template.outputs.values():
        yield from _named_files_in(output.value)


def names_files(text: str) -> bool:
    """Whether a text may name files; a quick check, as most texts name none."""
    return ".yaml" in text or ".template" in text or "get_file" in text


def _named_files_in(owner: Expr) -> Iterator[tuple[str, Span, bool]]:
    for expr in walk(owner):
        if isinstance(expr, FileRef):
            yield expr.name, expr.span, False
        elif isinstance(expr, Map):
            for entry in expr.entries:
                value = entry.value
                if (
                    entry.key == "type"
                    and isinstance(value, Lit)
                    and isinstance(value.value, str)
                    and value.value.endswith((".yaml", ".template"))
                ):
                    yield value.value, value.span, True


def template_as_type(template: Template, bound_names: Iterable[str]) -> TypeFacts:
    """A template as a resource type: parameters are properties, outputs are attributes. `bound_names`: the
    parameters that have a value from elsewhere, so the type does not require them.
    """
    properties = schemas_of_parameters(template.parameters)
    for name in bound_names:
        properties[name].pop("required", None)
    return {
        "properties": properties,
        "attributes": dict.fromkeys(template.outputs),
        "any_attribute": True,  # attributes of the resources inside it, too
    }
