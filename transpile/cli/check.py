"""`hot2tf check`: the files to check and the diagnostics of each.

Invariant: nothing is written, and results come in the order of the paths.
"""

from __future__ import annotations

import fnmatch
import os
import pathlib
from typing import TYPE_CHECKING, Any

from transpile import check as checks
from transpile.cli import parallel
from transpile.cli.discover_files import TEMPLATES, discover
from transpile.diagnostics.model import Diagnostic, TooMany, exceeded, failed, in_order, without
from transpile.diagnostics.registry import SEVERITIES
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.homing.detection import claimed
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.meter import Exceeded
from transpile.model.records import EMPTY, node, record
from transpile.resolve import capabilities, linker, nested_templates
from transpile.resolve.secrets import Secrets
from transpile.text.jinja import NotRendered, Renderer
from transpile.text.source import Root, Unreadable, from_bytes, load, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from transpile.model.ir import Environment
    from transpile.model.source import Source
    from transpile.text.source import File

STDIN = "<stdin>"
ENVIRONMENTS = (".env", *TEMPLATES)


@node
class Options:
    """The options that hold for all files.

    `root`: the directory that templates may read files from, by default the repository around them; `allow`: more
    directories and URL prefixes; `create`: problems that only appear when the stack is created are errors, too;
    `plugins`: patterns of resource types that plug-ins of the cloud provide; `skip_others`: named files that are
    neither templates nor environments are skipped, as they always are in directories; `render`: values for Jinja2
    sources; `limits`: other ones for what a file may cost; `engine`: of homing templates, what this one refuses is an
    error, and nothing else; `inventory`: a file with the candidates that homing templates choose from.
    """

    environments: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = EMPTY
    root: str | None = None
    allow: tuple[str, ...] = ()
    create: bool = False
    plugins: tuple[str, ...] = ()
    skip_others: bool = False
    render: Mapping[str, Any] | None = None
    limits: Mapping[str, int] = EMPTY
    engine: str = ""
    inventory: str = ""

    def plugin(self, kind: str) -> bool:
        return any(fnmatch.fnmatchcase(kind, pattern) for pattern in self.plugins)


@record
class Result:
    """The diagnostics of a file. `kind`: template (also a homing template), environment, or "" for neither."""

    path: str
    kind: str
    diagnostics: Sequence[Diagnostic] = ()

    @property
    def ok(self) -> bool:
        return not failed(self.diagnostics)


def run(given: Iterable[str], options: Options, jobs: int) -> Iterator[Result]:
    """Checks files, in several processes if there are many."""
    files = list(discover(given, ENVIRONMENTS))
    todo = [(file.path, file.inside, options) for file in files]
    return parallel.run(one, todo, jobs, [file.size for file in files])


def one(job: tuple[str, bool, Options]) -> Result:
    """Checks a file. Other files found in directories are skipped."""
    path, found, options = job
    try:
        source = load(path, path, Budget(options.limits))
    except Unreadable as e:
        return Result(path, "", [unreadable(e, path)])
    if not any(key in source.text for key in VERSION_KEYS) and not claimed(source):
        if looks_like_environment(source.text):
            return environment(source)
        if found or options.skip_others:
            return Result(path, "")
    return Result(path, "template", text(source, options, os.path.dirname(path) or "."))


def looks_like_environment(text: str) -> bool:
    """Whether a line begins with the name of a section of environments. `requires` alone, which other files have, too,
    counts only if the text has no other key.
    """
    words = {line.partition(":")[0] for line in text.splitlines() if ":" in line and line[0] not in " #-"}
    return bool(words & (set(environments.SECTIONS) - {"requires"})) or words == {"requires"}


def environment(source: Source) -> Result:
    """Checks an environment by itself, without its values, because their types depend on a template."""
    secrets = Secrets()
    try:
        read, sink = environments.read(source)
        said = sink.found + list(capabilities.unknown_to_heat(read) if read is not None else ())
        secrets.environments = [read] if read is not None else []
    except TooMany as e:
        said = e.found
    return Result(source.name, "environment", in_order(secrets.conceal(said)))


def standard_input(data: bytes, options: Options) -> Result:
    try:
        source = from_bytes(data, STDIN, Budget(options.limits))
    except Unreadable as e:
        return Result(STDIN, "", [unreadable(e, STDIN)])
    return Result(STDIN, "template", text(source, options, options.root or None))


def text(source: Source, options: Options, folder: str | None) -> list[Diagnostic]:
    """The diagnostics of a template, in order. `folder`: the directory that its names are relative to."""
    return in_order(findings(source, options, folder))


def findings(source: Source, options: Options, folder: str | None) -> list[Diagnostic]:
    """The diagnostics of a template, without the values of hidden parameters."""
    secrets = Secrets(options.parameters)
    try:
        found = linked(source, options, folder, secrets)
    except Exceeded as e:
        found = [exceeded(e)]
    return secrets.conceal([*found, *without(source.budget, source)])


def linked(source: Source, options: Options, folder: str | None, secrets: Secrets) -> list[Diagnostic]:
    """The diagnostics of a template. What is read goes into `secrets`."""
    found: list[Diagnostic] = []
    if claimed(source):
        return homing(source, options, folder, secrets)
    given: list[Environment] = []
    for path in options.environments:
        if (read := environments.load(pathlib.Path(path), found, path, source.budget)) is not None:
            given.append(read)
            found += capabilities.unknown_to_heat(read)
    secrets.environments = given
    directory = options.root if options.root is not None else folder
    root = Root(directory, folder, options.allow, trusting=options.root is None)

    def shown(file: File) -> str:
        if directory is None:
            return file.path
        return str(pathlib.Path(directory, file.path)) if file.inside else os.path.relpath(file.where)

    renderer = Renderer(options.render)
    try:
        rendered = renderer.template(source, root, any_name=source.name == STDIN)
        template, sink = templates.read(rendered, commented=False)
    except NotRendered as e:
        return [*found, e.diagnostic]
    except TooMany as e:
        return found + e.found
    found += sink.found
    if template is None:
        return found
    secrets.templates = [template]
    library = nested_templates.Library(shown, commented=False, renderer=renderer, budget=source.budget)
    how = linker.Options("load", options.create, library=library)
    try:
        secrets.stack, said = linker.link(template, given, options.parameters, root, how)
    except TooMany as e:
        return found + e.found
    except RecursionError:
        return [*found, Diagnostic("HOT108", "Expressions are nested too deeply.", source)]
    finally:
        secrets.templates += library.templates()
    for one in (template, *how.library.templates()):
        found += capabilities.unknown_to_heat(one)
    return found + said + checks.check(secrets.stack, create=options.create, plugins=options.plugin)


def homing(source: Source, options: Options, folder: str | None, secrets: Secrets) -> list[Diagnostic]:
    """The diagnostics of a homing template."""
    from transpile.homing import resolve, values  # most templates are Heat's

    found: list[Diagnostic] = []
    root = Root(options.root or folder, folder, options.allow, trusting=options.root is None)
    try:
        rendered = Renderer(options.render).template(source, root, any_name=source.name == STDIN)
    except NotRendered as e:
        return [e.diagnostic]
    given = {**values.load(options.environments, found, source.budget), **options.parameters}
    template, said = resolve.load(rendered, given, root, options.engine, secrets)
    found += said
    if template is None or not options.inventory:
        return found
    from transpile.homing import availability, inventory

    try:
        stock, told = inventory.read(load(options.inventory, options.inventory, source.budget))
    except Unreadable as e:
        return [*found, unreadable(e, options.inventory)]
    return found + told + availability.check(template, stock, options.engine)


def distinct(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, each once, as severe as it was found: a nested template is also checked by itself, where its
    errors are errors.
    """
    out: dict[tuple[object, ...], Diagnostic] = {}
    for one in found:
        file = os.path.normpath(one.source.name) if one.source is not None else ""
        key = (file, one.at, one.code, one.message)
        if key not in out or SEVERITIES.index(one.severity) < SEVERITIES.index(out[key].severity):
            out[key] = one
    return list(out.values())


def closing(results: Sequence[Result], said: Sequence[Diagnostic], create: bool) -> str:
    """A summary in one line."""
    counts = {s: sum(d.severity == s for d in said) for s in ("error", "warning")}
    checked = sum(bool(r.kind) or not r.ok for r in results)
    parts = [f"{n} {word}{'s' * (n != 1)}" for word, n in (("error", counts["error"]), ("warning", counts["warning"]))]
    level = " with --level create" if create else ""
    return f"{checked} file{'s' * (checked != 1)} checked{level}: {', '.join(parts)}."
