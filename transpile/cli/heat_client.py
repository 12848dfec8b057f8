"""Arguments in the form of Heat's own client: `openstack stack create -t FILE --parameter 'a=1;b=2'`.

Invariant: an argument that both commands take has the same meaning in both, and hot2tf refuses the others with a
reason. Values of parameters may be secrets, so no message shows them.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from transpile.cli import options
from transpile.model.lazy_patterns import compile_lazily

URL = compile_lazily(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
Template = Annotated[
    str | None,
    typer.Option("-t", "--template", help="A template, as for openstack stack create.", metavar="FILE"),
]


def single_template(argument: str | None, option: str | None) -> str:
    """The one template of a command, given as an argument or with `-t`."""
    (path,) = named_templates([argument] if argument is not None else [], option, single=True)
    return path


def named_templates(arguments: "Sequence[str] | None", option: str | None, *, single: bool = False) -> list[str]:
    """The templates of a command, given as arguments, with `-t`, or both."""
    paths = [*([option] if option is not None else []), *(arguments or ())]
    if not paths:
        raise options.usage_error("no template is named: TEMPLATE or -t FILE")
    if single and len(paths) > 1:
        raise options.usage_error("there are two templates, one with -t and one without")
    refuse_urls(paths)
    return paths


def refuse_urls(files: "Iterable[str]") -> None:
    """Refuses URLs: the client fetches them, but hot2tf does not."""
    for file in files:
        if not URL.match(file) or os.path.lexists(file):
            continue
        if file.lower().startswith("file://"):
            raise options.usage_error(f"{file} is a URL; give the path of the file instead")
        raise options.usage_error(
            f"{file} is a URL, and hot2tf fetches no templates; download it, and the files that it names"
        )


def parse_parameters(values: "Sequence[str] | None") -> dict[str, Any]:
    """The values of `--parameter`. A single argument is split at `;`, and repeated names make a list."""
    parts = values[0].split(";") if values and len(values) == 1 else list(values or ())
    out: dict[str, Any] = {}
    for number, part in enumerate(parts, 1):
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise options.usage_error(wrong_parameter(number, len(parts), alone=len(values or ()) == 1))
        if name not in out:
            out[name] = value
        elif isinstance(out[name], list):
            out[name].append(value)
        else:
            out[name] = [out[name], value]
    return out


def wrong_parameter(number: int, count: int, *, alone: bool) -> str:
    if not alone or count == 1:
        which = "" if count == 1 else f", and number {number} is not of that form"
        return f"--parameter takes KEY=VALUE{which}"
    return (
        f"--parameter takes KEY=VALUE, and part {number} is not of that form: as by Heat's client, a --parameter that "
        "stands alone is split at ;. A value with a ; goes into an environment, or beside another --parameter"
    )
