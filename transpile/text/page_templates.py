"""Fills the Jinja2 templates of pages in Markdown, which lie in a folder `pages` beside the code that fills them.

Invariant: a text from outside becomes Markdown only through the filter `text` or `code`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from transpile.model.printable import make_printable
from transpile.model.words import count_noun
from transpile.text.markdown import (
    escape_markdown_line,
    escape_prose,
    format_block,
    format_code,
    format_table,
    write_cell,
    write_comment,
)
from transpile.text.yaml_scalars import quote_if_needed, quote_with_escapes

if TYPE_CHECKING:
    import jinja2

FOLDER = "pages"


def make_environment(*packages: str, folder: str = FOLDER) -> jinja2.Environment:
    """The templates in a folder of packages."""
    import jinja2  # slow to import, and most runs write no page

    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package, folder) for package in packages]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@functools.cache
def load_templates(package: str) -> jinja2.Environment:
    """The templates of a package's pages in Markdown."""
    environment = make_environment(package)
    environment.filters |= {
        "text": escape_markdown_line,
        "prose": escape_prose,
        "code": format_code,
        "block": format_block,
        "line": make_printable,
        "comment": write_comment,
        "cell": write_cell,
        "yaml": quote_if_needed,
        "quoted": quote_with_escapes,
    }
    environment.globals |= {"count": count_noun, "table": write_table}
    return environment


def fill_template(package: str, name: str, variables: Mapping[str, Any]) -> str:
    """Returns the page of a template, filled with variables."""
    return load_templates(package).get_template(name).render(variables)


def write_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, whose cells are Markdown."""
    return "\n".join(format_table(head, rows))
