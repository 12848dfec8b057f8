"""Formats a homing template, and proves that its meaning is unchanged.

Invariant: a result has been read again and compared. It has the same data but for spellings that the style changes, the
same template without references, the same diagnostics and the same comments, and formatting it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.homing import canonical, document, resolve
from transpile.homing.findings import HomingFindings
from transpile.homing.model import HomingDocument, LinkedHomingTemplate
from transpile.model.records import replace
from transpile.model.source import Source

REPAIRED = (
    codes.THRESHOLD_DIFFERS_IN_HAS,
    codes.UNQUOTED_THRESHOLD,
)  # findings that the canonical spelling of thresholds corrects


class HomingNotFormatted(Exception):
    """The text is not formatted. `diagnostics` say why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.diagnostics = diagnostics


def format_homing_template(source: Source) -> tuple[str, Sequence[Diagnostic]]:
    """The canonical text; or the text as it is, and why it is not formatted."""
    try:
        before = read_formattable(source)
        text = print_canonical(before)
        if text != source.text:
            prove_unchanged(before, Source(source.name, text, budget=source.budget))
    except HomingNotFormatted as e:
        return source.text, e.diagnostics
    return text, ()


def read_formattable(source: Source) -> HomingDocument:
    findings = HomingFindings(source)
    parsed = document.read_document(source, findings)
    twice = [
        diagnostic
        for diagnostic in findings.sink.diagnostics
        if diagnostic.severity == "error" and "occurs twice" in diagnostic.message
    ]
    if parsed is None:
        jinja = [diagnostic for diagnostic in findings.sink.diagnostics if diagnostic.code == codes.JINJA_NOT_RENDERED]
        raise HomingNotFormatted(
            [replace(diagnostic, code=codes.FILE_CANNOT_BE_FORMATTED, forced="info") for diagnostic in jinja]
            or findings.sink.diagnostics
        )
    if twice:
        raise HomingNotFormatted(
            [
                Diagnostic(codes.FILE_CANNOT_BE_FORMATTED, diagnostic.message, source, diagnostic.span)
                for diagnostic in twice
            ]
        )
    if parsed.request:
        message = "This is a request, which is JSON for an API. fmt formats the template in it when it is a file."
        raise HomingNotFormatted([Diagnostic(codes.FILE_CANNOT_BE_FORMATTED, message, source, forced="info")])
    return parsed


def print_canonical(read: HomingDocument) -> str:
    return canonical.print_template(canonical.order_template(read.root), read.comments, read.source.text)


def prove_unchanged(before: HomingDocument, source: Source) -> None:
    """Raises NotFormatted unless the canonical text has the same meaning as the original, and is canonical itself."""
    try:
        after = read_formattable(source)
    except HomingNotFormatted as e:
        raise verification_failure(source, "it cannot be read again") from e
    order = canonical.order_template
    if order(after.root) != order(before.root):
        raise verification_failure(source, "it contains different values")
    if document_meaning(after) != document_meaning(before):
        raise verification_failure(source, "it is a different template")
    if sorted(c.text.strip() for c in after.comments) != sorted(c.text.strip() for c in before.comments):
        raise verification_failure(source, "a comment is lost")
    if print_canonical(after) != source.text:
        raise verification_failure(source, "formatting it again changes it")


def document_meaning(read: HomingDocument) -> tuple[object, ...]:
    """The template without references, and the codes of its diagnostics. Their number does not count: the part that an
    alias repeats has one diagnostic, and one for each place when it is written out.
    """
    linked, diagnostics = resolve.link_document(read)
    code_list = sorted({diagnostic.code for diagnostic in diagnostics} - {*REPAIRED})
    return (None if linked is None else linked_parts(linked)), code_list


def linked_parts(linked: LinkedHomingTemplate) -> tuple[object, ...]:
    return (
        linked.parameters,
        linked.locations,
        linked.demands,
        linked.constraints,
        linked.reservations,
        linked.service_model,
        linked.objective,
    )


def verification_failure(source: Source, why: str) -> HomingNotFormatted:
    message = f"The formatted text of {source.name} failed verification: {why}."
    return HomingNotFormatted([Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message)])
