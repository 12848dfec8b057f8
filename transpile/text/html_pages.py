"""Fills the frame of a page for a browser, which needs no network, and the template of its body.

Invariant: Jinja2 escapes every text, and replaces invisible characters in it. The security policy of the page allows
its own style and script alone.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from transpile.model.printable import make_printable
from transpile.text.page_templates import make_environment
from transpile.version import __version__

if TYPE_CHECKING:
    import jinja2

FOLDER = "html"  # of a package, with the template, the style and the scripts


@functools.cache
def load_template(package: str) -> jinja2.Template:
    """The template of a package's page, which takes longer to compile than to fill."""
    import markupsafe

    environment = make_environment(package, __package__, folder=FOLDER)
    environment.autoescape = True
    environment.finalize = replace_unseen
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    environment.filters |= {"exact": markupsafe.escape, "number": format_number, "percent": format_percent}
    return environment.get_template("page.html.j2")


def generate_page(
    package: str, variables: Mapping[str, Any], scripts: Sequence[str], inner_styles: Sequence[str] = ()
) -> Iterator[str]:
    """The parts of a page. scripts: the names of their files. inner_styles: those of pictures in the body."""
    import markupsafe

    style, script = read_file(package, "style.css"), "".join(read_file(package, name) for name in scripts)
    styles = " ".join(map(hash_for_policy, (style, *inner_styles)))
    policy = (
        f"default-src 'none'; style-src {styles}; script-src {hash_for_policy(script)}; base-uri 'none'; "
        "form-action 'none'"
    )
    frame = {"style": markupsafe.Markup(style), "script": markupsafe.Markup(script), "policy": policy}
    return load_template(package).generate({**variables, **frame, "version": __version__})


def read_file(package: str, name: str) -> str:
    """A file of a page, with `\\n` at the ends of lines: the policy has its digest."""
    return importlib.resources.files(package).joinpath(FOLDER, name).read_text(encoding="utf-8")


def hash_for_policy(content: str) -> str:
    """The source of a style or a script in a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def replace_unseen(value: Any) -> Any:
    """Replaces invisible characters and those that change the direction of a text by dots. The script of the report on
    a migration does the same.

    A `Markup` is a subclass of str and is escaped already, so the exact type is compared.
    """
    return make_printable(value) if type(value) is str else value


def format_number(value: int) -> str:
    """A number as people read it."""
    return f"{value:,}"


def format_percent(part: int, whole: int) -> str:
    """A share; never 0% or 100% unless it is exactly that."""
    if not whole or not part:
        return "0%"
    rounded = round(100 * part / whole)
    if rounded == 0:
        return "< 1%"
    return "> 99%" if rounded == 100 and part != whole else f"{rounded}%"
