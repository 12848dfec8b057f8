"""The files that Heat's client sends along with a template: the files that it names, and those that they name in turn.

Invariant: the client follows names without regard to their use: into every template it finds, and into each entry of an
environment, used or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.resolve import nested_templates
from transpile.resolve.registry import is_file
from transpile.text.source import Root, Unreadable

if TYPE_CHECKING:
    from transpile.model.ir import Template
    from transpile.model.span import Located
    from transpile.resolve.registry import Registration


@final
class Files:
    """Follows file names as Heat's client does, into every template."""

    def __init__(self, library: nested_templates.Library) -> None:
        self.library = library
        self.found: list[Diagnostic] = []
        self.done: set[str] = set()

    def registered(self, one: Registration, root: Root) -> None:
        """Follows the file of an environment entry: the client reads any name without colons."""
        if "::" in one.value or one.value == "":
            return
        sink, value = Sink(one.environment.source), one.entry.value
        self.file(root, one.value, value, sink, is_file(one.value), ())
        self.found += sink.found

    def follow(self, template: Template, root: Root, trail: tuple[str, ...]) -> None:
        sink = Sink(template.source)
        for name, place, as_type in nested_templates.named_files(template):
            self.file(root, name, place, sink, as_type, trail)
        self.found += sink.found

    def file(self, root: Root, name: str, place: Located, sink: Sink, as_type: bool, trail: tuple[str, ...]) -> None:
        try:
            file = root.read(name)
        except Unreadable as e:
            if as_type and e.kind not in ("outside", "url"):
                sink.say(codes.UNREADABLE_NESTED_TEMPLATE, f"The template {name} cannot be read: {e.detail}.", place)
            elif e.kind not in ("outside", "url", "encoding"):
                sink.say(codes.FILE_NOT_FOUND, f"get_file cannot include {name}: {e.detail}.", place)
            return
        if not as_type and not nested_templates.may_be_template(file):
            return
        if file.where in trail:
            sink.say(codes.TEMPLATES_NESTED_TOO_DEEPLY, f"The template {file.path} contains itself.", place)
        elif file.where not in self.done:
            loaded = self.library.of(root, file)
            if loaded.template is not None:
                self.follow(loaded.template, loaded.root, (*trail, file.where))
            self.done.add(file.where)
