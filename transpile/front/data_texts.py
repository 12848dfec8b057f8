"""Data inside a text of a template: JSON or YAML that is meant for a tool and not for Heat.

Invariant: such a text has no functions, and an unreadable text is no error of the template.
"""

from __future__ import annotations

from transpile.diagnostics.model import Sink, TooManyErrors
from transpile.front import documents
from transpile.front.expressions import ExpressionReader
from transpile.front.nodes import UnreadableDocument
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.intrinsics import look_up_template_version
from transpile.model.source import Source
from transpile.model.span import Span


def read_data_text(text: str, place: Span, budget: Budget) -> ir.Expr | None:
    """The data in a text; None if it cannot be read. place: of the text, which all parts of the data get."""
    sink = Sink(Source("text", text, budget=budget))
    try:
        root = documents.compose_document(sink, "text")
        value = ExpressionReader(sink, look_up_template_version("2013-05-23"), frozenset()).read_plain_value(root)
    except (UnreadableDocument, TooManyErrors):
        return None
    return ir.from_data(ir.to_data(value), place) if sink.errors == 0 and ir.is_plain_data(value) else None
