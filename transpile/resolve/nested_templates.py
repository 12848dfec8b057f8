"""Templates inside templates: which ones a template names, and each of them read once.

The easy rule to break: names are relative to the file that they stand in, and all files come through `Root`; a template
that cannot be had is said where it is named, never passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.diagnostics.model import Diagnostic, TooMany
from transpile.front import template as templates
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import FileRef, Lit, Map, Template, walk
from transpile.model.records import node, replace
from transpile.model.source import Source
from transpile.schema.properties import of_parameters
from transpile.text.jinja import NotRendered
from transpile.text.source import File, Root, Unreadable, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from transpile.model.ir import Expr
    from transpile.schema.catalog import Type
    from transpile.text.jinja import Renderer

DEPTH = 5  # Heat's own limit of stacks inside stacks
MARKS = tuple(key.encode() for key in VERSION_KEYS)
OUTPUTS = ("HOT121", "HOT122", "HOT123")  # what is wrong with the keys of an output, for they are the attributes
FATAL = ("HOT10", "HOT11")  # what is wrong with a text as such: Heat cannot even begin with it


@final
@node
class Loaded:
    """A nested template: what was read, what there is to say about the text, and where its own names begin."""

    file: File
    root: Root
    template: Template | None
    found: tuple[Diagnostic, ...]

    def refused(self, one: Diagnostic) -> bool:
        """Whether Heat refuses the template that names this one for it, without looking into resources: it reads the
        text, and the parameters, for they are the properties.
        """
        if one.severity != "error":
            return False
        return one.code.startswith(FATAL) or self.template is None or within(self.template, "parameters", one.at)

    def judged(self, one: Diagnostic, *, begins: bool, create: bool) -> Diagnostic:
        """A finding as Heat has it. `begins`: the template is named by the one that is validated; `create`: everything
        is validated. A key that an output has not got is looked past only in the template that is given.
        """
        in_outputs = self.template is not None and within(self.template, "outputs", one.at)
        if in_outputs and self.template is not None and self.template.version.hot and one.code in OUTPUTS:
            return replace(one, forced="" if begins or create else "warning")
        return one if create or (begins and self.refused(one)) else one.milder()


def within(template: Template, section: str, at: int) -> bool:
    """Whether a place lies in a section of a template."""
    start = template.sections.get(section)
    return start is not None and start <= at < min(
        (other for other in template.sections.values() if other > start), default=at + 1
    )


@final
class Library:
    """Reads each nested template once. `shown`: how diagnostics call a file; `commented`: comments are wanted;
    `renderer`: makes templates of Jinja2 sources.
    """

    def __init__(
        self,
        shown: Callable[[File], str] = lambda file: file.path,
        *,
        commented: bool = True,
        renderer: Renderer | None = None,
    ) -> None:
        self.shown, self.commented, self.renderer = shown, commented, renderer
        self._loaded: dict[str, Loaded] = {}

    def templates(self) -> Iterator[Template]:
        """Those that were read."""
        yield from (one.template for one in self._loaded.values() if one.template is not None)

    def load(self, root: Root, name: str) -> Loaded:
        """A template by the name that another gives it; raises Unreadable."""
        return self.of(root, root.read(name))

    def of(self, root: Root, file: File) -> Loaded:
        if file.where not in self._loaded:
            beside = root.beside(file)
            self._loaded[file.where] = Loaded(file, beside, *self.parse(file, beside))
        return self._loaded[file.where]

    def parse(self, file: File, beside: Root) -> tuple[Template | None, tuple[Diagnostic, ...]]:
        shown = self.shown(file)
        try:
            source = Source(shown, decode(file.data, file.path))
        except Unreadable as e:
            source = Source(shown, file.data.decode("utf-8", "replace"))
            return None, (Diagnostic("HOT102", f"This cannot be read: {e.detail}.", source, e.offset),)
        try:
            if self.renderer is not None:
                source = self.renderer.template(source, beside)
            template, sink = templates.read(source, commented=self.commented)
        except NotRendered as e:
            return None, (e.diagnostic,)
        except TooMany as e:
            return None, tuple(e.sink.found)
        return template, tuple(sink.found)


def may_be_template(file: File) -> bool:
    """Whether Heat's client could take a file for a template: it then looks for files inside, too."""
    return any(mark in file.data for mark in MARKS)


def named_files(template: Template) -> Iterator[tuple[str, int, int, bool]]:
    """All files that Heat's client would send with a template, whatever they are good for: by name, place, and whether
    they are named as a type.
    """
    text = template.source.text
    if not names_files(text):
        return
    anchors = "&" in text  # what an alias stands for may be elsewhere
    for resource in template.resources.values():
        if not anchors and resource.at >= 0 and not names_files(text[resource.at : resource.end]):
            continue
        if resource.type.endswith((".yaml", ".template")):
            yield resource.type, resource.type_at, resource.type_at + len(resource.type), True
        for owner in (resource.properties, resource.metadata):
            if owner is not None:
                yield from _files(owner)
    for output in template.outputs.values():
        yield from _files(output.value)


def names_files(text: str) -> bool:
    """Whether a text may name files: most have none, and looking into expressions takes its time."""
    return ".yaml" in text or ".template" in text or "get_file" in text


def _files(owner: Expr) -> Iterator[tuple[str, int, int, bool]]:
    for expr in walk(owner):
        if isinstance(expr, FileRef):
            yield expr.name, expr.at, expr.end, False
        elif isinstance(expr, Map):
            for entry in expr.entries:
                value = entry.value
                if (
                    entry.key == "type"
                    and isinstance(value, Lit)
                    and isinstance(value.value, str)
                    and value.value.endswith((".yaml", ".template"))
                ):
                    yield value.value, value.at, value.end, True


def as_type(template: Template, given: Iterable[str]) -> Type:
    """What a template is as a resource type: its parameters are the properties, its outputs the attributes. `given`:
    the parameters that have a value from elsewhere.
    """
    properties = of_parameters(template.parameters)
    for name in given:
        properties[name].pop("required", None)
    return {
        "properties": properties,
        "attributes": dict.fromkeys(template.outputs),
        "any_attribute": True,  # and those of the resources inside it
    }
