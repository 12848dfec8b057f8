"""The files that Heat's client sends along with a template: the files that it names, and those that they name in turn.

Invariant: the client follows names without regard to their use: into every template it finds, and into each entry of an
environment, used or not.
"""

from __future__ import annotations

from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.diagnostics.registry import message_of_rule
from transpile.model.ir import Template
from transpile.model.span import Located
from transpile.resolve import missing_files, nested_templates
from transpile.resolve.registry import Registration, is_file
from transpile.text.source import Root, UnreadableFile


@final
class AttachedFiles:
    """Follows file names as Heat's client does, into every template. missing: whether a stub takes the place of a
    missing file, or it is an error.
    """

    def __init__(self, library: nested_templates.TemplateLibrary, missing: str = missing_files.ERROR) -> None:
        self.library, self.missing = library, missing
        self.diagnostics: list[Diagnostic] = []
        self.followed: set[str] = set()

    def follow_registration(self, registration: Registration, root: Root) -> None:
        """Follows the file of an environment entry: the client reads any name without colons."""
        if "::" in registration.value or registration.value == "":
            return
        sink, value = Sink(registration.environment.source), registration.entry.value
        self.follow_file(root, registration.value, value, sink, is_file(registration.value), ())
        self.diagnostics += sink.diagnostics

    def follow_template(self, template: Template, root: Root, trail: tuple[str, ...]) -> None:
        sink = Sink(template.source)
        for name, place, as_type in nested_templates.named_files(template):
            self.follow_file(root, name, place, sink, as_type, trail)
        self.diagnostics += sink.diagnostics

    def follow_file(
        self, root: Root, name: str, place: Located, sink: Sink, as_type: bool, trail: tuple[str, ...]
    ) -> None:
        try:
            file = root.read_file(name)
        except UnreadableFile as e:
            if as_type and e.kind not in ("outside", "url"):
                sink.add(
                    codes.UNREADABLE_NESTED_TEMPLATE,
                    message_of_rule(codes.UNREADABLE_NESTED_TEMPLATE, name=name, reason=e.detail),
                    place,
                )
            elif e.kind not in ("outside", "url", "encoding"):
                missing_files.report_unreadable_file(sink, root, name, place, e, self.missing)
            return
        if not as_type and not nested_templates.may_be_template(file):
            return
        if file.where in trail:
            sink.add(codes.TEMPLATES_NESTED_TOO_DEEPLY, f"The template {file.path} contains itself.", place)
        elif file.where not in self.followed:
            loaded = self.library.load_file(root, file)
            if loaded.template is not None:
                self.follow_template(loaded.template, loaded.root, (*trail, file.where))
            self.followed.add(file.where)
