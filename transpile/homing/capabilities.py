"""Reads the constraint type `capability`: a Heat template that the place must have room for.

The texts define no such type; HAS has it. The template is linked and checked like any other template. The property has
the template itself, the content of a file (get_file), or a URI: a file beside the homing template, or
one that may be fetched.
"""

from __future__ import annotations

from collections.abc import Mapping

from transpile.diagnostics import codes
from transpile.homing.context import SectionContext, literal_text, plain_data
from transpile.homing.findings import TAKES
from transpile.homing.model import CapabilityProperties, Path
from transpile.model.ir import Entry, Environment, FileRef, Lit, Map, Template
from transpile.model.source import Source
from transpile.text.source import Root, UnreadableFile

KINDS = ("heat",)


def read_capability(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> CapabilityProperties | None:
    findings, specification = context.findings, fields.get("specification")
    word = literal_text(specification.value) if specification else KINDS[0]
    if not specification:
        message = f"{name} has no specification, as in an example of the specifications. It is taken to be {word}."
        where, write = fields["template"], f"Write specification: {word}."
        findings.report_note(codes.DEFERRED_CONSTRAINT_TYPE, message, where, write, "info")
    elif word not in KINDS:
        hint = findings.guess_name(word, KINDS)
        message = f"The specification of {name} must be heat."
        findings.report_senseless(codes.INVALID_CONSTRAINT, message, specification.value, hint)
        return None
    template = read_content(context, fields["template"], (*path, "template"))
    environment_entry = fields.get("environment")
    environment = (
        read_content(context, environment_entry, (*path, "environment")) if environment_entry is not None else None
    )
    stack = None if template is None else check_heat_template(context, template, environment)
    written = plain_data(fields["template"].value)
    return CapabilityProperties(
        word, written, None if environment_entry is None else plain_data(environment_entry.value), stack
    )


def read_content(context: SectionContext, entry: Entry, path: Path) -> Source | None:
    """The text in a property, or the text that the property names; None if it cannot be read, which has a
    diagnostic.
    """
    findings, value = context.findings, entry.value
    budget = context.document.source.budget
    if isinstance(value, Map):
        return None  # an unread file, which has its diagnostic
    if not isinstance(value, Lit) or not isinstance(value.value, str):
        findings.report_senseless(
            codes.INVALID_CONSTRAINT, f"{entry.key} must be a URI, or the text of the {entry.key}.", value
        )
        return None
    ref = context.references.get(path)
    if "\n" in value.value or isinstance(ref, FileRef) or value.value.lstrip().startswith("{"):
        named = ref.name if isinstance(ref, FileRef) else f"{context.document.source.name}, {path[1]}, {entry.key}"
        return Source(named, value.value, budget=budget)
    try:
        if context.root is None:
            raise UnreadableFile("outside", "the directory of the template is unknown")
        file = context.root.read_file(value.value)
        return Source(file.path, file.decode_text(), budget=budget)
    except UnreadableFile as e:
        message = f"The {entry.key} {value.value} was not read, so it is not checked: {e.detail}."
        findings.report_wrong(codes.FILE_IN_HOMING_TEMPLATE, message, value, e.hint, TAKES)
        return None


def check_heat_template(context: SectionContext, template: Source, environment: Source | None) -> Template | None:
    """The Heat template, linked and checked. Its diagnostics go into the findings."""
    from transpile import check  # few homing templates have one
    from transpile.diagnostics.model import TooManyErrors
    from transpile.front import environment as environments
    from transpile.front import template as templates
    from transpile.resolve import linker, nested_templates

    sink = context.findings.sink
    parsed_environments: list[Environment] = []
    try:
        if environment is not None:
            parsed_environment, text_sink = environments.read_environment_text(environment)
            sink.diagnostics += text_sink.diagnostics
            parsed_environments += [parsed_environment] if parsed_environment is not None else []
            context.secrets.environments += parsed_environments
        read, text_sink = templates.read_template(template, commented=False)
        sink.diagnostics += text_sink.diagnostics
        if read is None:
            return None
        context.secrets.templates.append(read)
        library = nested_templates.TemplateLibrary(commented=False, budget=template.budget)
        root = context.root or Root(None)
        stack, link_diagnostics = linker.link_template(
            read, parsed_environments, None, root, linker.LinkOptions("load", library=library)
        )
        context.secrets.stack = stack
        sink.diagnostics += link_diagnostics
        sink.diagnostics += check.check_stack(stack)
    except TooManyErrors as e:
        sink.diagnostics += e.diagnostics
        return None
    return read
