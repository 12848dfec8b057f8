"""The conversion pipeline: read, link, emit.

Invariant: nothing here writes files or prints. Errors in the input become diagnostics, not exceptions.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any

from transpile import additions, document_kinds, targets
from transpile.diagnostics.model import Diagnostic, Stopped, exceeded, failed, in_order, without
from transpile.document_conversion import charge_output, convert_document, parse_template
from transpile.front import environment as environments_
from transpile.model.budget import Budget, checked
from transpile.model.meter import Exceeded
from transpile.model.records import EMPTY, field, record, replace
from transpile.resolve import linker, nested_templates
from transpile.resolve.secrets import Secrets
from transpile.text import manifest
from transpile.text.jinja import NotRendered, Renderer
from transpile.text.source import Root, Unreadable, from_bytes, from_text, load, unreadable
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from transpile.additions import Additions
    from transpile.model.ir import Template
    from transpile.model.source import Source
    from transpile.resolve.stack import Stack
    from transpile.targets import Converter

SECTIONS = ("parameters", "conditions", "outputs", "resources", "modules")  # sections that every report has


@record
class Conversion:
    """The result of a conversion. Nothing is written.

    Attributes:
        files: Relative path → content. Empty if there are errors.
        diagnostics: What was found, by file and position.
        report: What `--report` writes (docs/report.md).
        reads: The files that the template and its environments name, by path or URL; None for what could not be read.
        private: The names of the files that hold hidden values, which nobody but their owner should read.
        templates: What was read.
        hide: Makes a text one that everybody may read, without hidden values.
        converter: What made the files of a document that is not Heat's; None for a Heat template.
    """

    files: Mapping[str, str | bytes]
    diagnostics: Sequence[Diagnostic]
    report: dict[str, Any]
    reads: Mapping[str, bytes | None] = EMPTY
    private: frozenset[str] = frozenset()
    templates: Sequence[Template] = field(default=(), compare=False)
    hide: Callable[[str], str] = field(default=str, compare=False)
    converter: Converter | None = field(default=None, compare=False)

    @property
    def ok(self) -> bool:
        return not failed(self.diagnostics)


def convert(
    source: str | bytes | os.PathLike[str],
    *,
    to: str = "hcl",
    environments: Sequence[str | os.PathLike[str]] = (),
    parameters: Mapping[str, str] | None = None,
    root: str | os.PathLike[str] | None = None,
    name: str | None = None,
    hot_version: str | None = None,
    allow: Sequence[str] = (),
    prefer: str | None = None,
    render: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    limits: Mapping[str, int] | None = None,
    plugin_dirs: Sequence[str | os.PathLike[str]] = (),
    mappings: Sequence[str | os.PathLike[str]] = (),
    added: Additions | None = None,
) -> Conversion:
    """Converts one template. Bad input raises nothing: it becomes diagnostics.

    Args:
        source: A path (`os.PathLike`), or the template's text.
        to: The target, as for `--to`.
        environments: Paths, or texts (a str that contains a newline). Later ones win.
        parameters: Values by name.
        root: The directory that the template may read files from. By default the repository around it, else its own
            directory; none for a text.
        name: The name of a text in diagnostics.
        hot_version: Short for the option of this name. Ignored by a target without it.
        allow: More directories, and URL prefixes, that may be read.
        prefer: Short for the option of this name. Ignored by a target without it.
        render: Values for Jinja2 sources (`*.j2.yaml`), which are refused without them.
        options: The target's options, as for `--option`.
        limits: Other limits for what the conversion may cost, by name (docs/limits.md).
        plugin_dirs: Directories of Heat plug-ins, which define resource types.
        mappings: Files of mapping tables, or directories with such files (docs/mappings.md). Later ones win.
        added: Types and mappings that were read before, in place of `plugin_dirs` and `mappings`.

    Raises:
        targets.UnknownTarget: There is no such target.
        targets.WrongOption: An option or its value is not accepted. A ValueError.
        budget.WrongLimit: A limit or its value is not accepted. A ValueError.
    """
    target = targets.find(to)
    short = {"hot_version": hot_version, "prefer": prefer}
    told = {option: value for option, value in short.items() if value is not None and option in target.known}
    settings = target.settings({**told, **(options or {})})
    budget, renderer = Budget(checked(limits or {})), Renderer(render)
    more = added or additions.read(plugin_dirs, mappings, budget)
    return converted(source, target, environments, parameters, (root, allow), name, settings, renderer, budget, more)


def converted(
    source: str | bytes | os.PathLike[str],
    target: targets.Target,
    environments: Sequence[str | os.PathLike[str]],
    parameters: Mapping[str, str] | None,
    places: tuple[str | os.PathLike[str] | None, Sequence[str]],
    name: str | None,
    options: Mapping[str, Any],
    renderer: Renderer,
    budget: Budget,
    added: Additions,
) -> Conversion:
    named, allow = places
    found = added.about(())
    shown = os.path.basename(source) if isinstance(source, os.PathLike) else name or "template"
    directory = (
        pathlib.Path(named)
        if named is not None
        else pathlib.Path(source).parent
        if isinstance(source, os.PathLike)
        else None
    )
    base = pathlib.Path(source).parent if isinstance(source, os.PathLike) else None
    root = Root(directory, base, allow, trusting=named is None)
    secrets = Secrets(parameters)
    library = nested_templates.Library(renderer=renderer, budget=budget)

    def done(files: Mapping[str, str | bytes], body: dict[str, Any], said: Sequence[Diagnostic] = ()) -> Conversion:
        secrets.templates += [*([template] if template is not None else ()), *library.templates()]
        warnings, private = secrets.written(files)
        asked = template.source if template is not None else text
        concealed = secrets.conceal([*found, *said, *warnings, *without(budget, asked)])
        body, read = secrets.report(body), tuple(secrets.templates)
        return finish(files, concealed, shown, target.name, body, root.reads, private, read, secrets.hide)

    template: Template | None = None
    text = loaded(source, shown, found, root, renderer, budget)
    if text is not None and (key := document_kinds.claiming_key(text)) is not None:
        reading = document_kinds.Reading(parameters or {}, environments, root, secrets=secrets)
        output, converter = convert_document(key, text, target, options, reading)
        return replace(done(output.files, output.report, output.diagnostics), converter=converter)
    for option in sorted(options.keys() - target.known.keys()):
        kinds = " and ".join(targets.accepting_kinds(option, target.name))
        message = f"The option {option} is for {kinds} only, so it has no effect here."
        found.append(Diagnostic("HOT859", message, text))
    template = parse_template(text, found)
    given = [e for one in environments if (e := environments_.load(one, found, budget=budget)) is not None]
    secrets.environments = given
    if template is None or failed(found):
        return done({}, {})
    try:
        options_ = linker.Options(target.nested, converts=True, library=library, catalog=added.catalog)
        secrets.stack, said = linker.link(template, given, parameters, root, options_)
        found += said
        used = origins(secrets.stack)
        found += [d for d in added.about(used) if d.severity == "info" and d.source is not None]
        if failed(found):
            return done({}, {})
        if target.tables is not None:
            tables, wrong = target.tables(added)
            found += wrong
            options = {**options, "tables": tables}
            if failed(found):
                return done({}, {})
        output = target.confine(target.emit(secrets.stack, options), options)
        charge_output(output.files, template.source)
    except Stopped as e:
        return done({}, {}, e.found)
    except Exceeded as e:
        return done({}, {}, [exceeded(e)])
    except RecursionError:
        return done({}, {}, [Diagnostic("HOT108", "Expressions are nested too deeply.", template.source)])
    if used:
        output.report["plugins"] = dict(sorted(used.items()))
    return done(listed(target, output.files), output.report, output.diagnostics)


def listed(target: targets.Target, files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """The files of a target, with the list of them where they fill a directory."""
    found = dict(files)
    if target.writes == targets.DIRECTORY:
        found[manifest.MANIFEST] = manifest.text(found)
    return found


def origins(stack: Stack) -> dict[str, str]:
    """The types of plug-ins that a stack and those nested in it use, each with the file and line that define it."""
    added = stack.catalog.added
    found: dict[str, str] = {}
    seen, waiting = set[int](), [stack]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting += [nested.stack for nested in one.nested.values()]
            found |= {k: added[k]["origin"] for k in one.types.values() if "origin" in added.get(k, {})}
    return found


def read(
    source: str | bytes | os.PathLike[str],
    shown: str,
    found: list[Diagnostic],
    root: Root | None = None,
    renderer: Renderer | None = None,
    budget: Budget | None = None,
) -> Template | None:
    """Reads the template from a path or text, and adds diagnostics to `found`."""
    return parse_template(loaded(source, shown, found, root, renderer, budget), found)


def loaded(
    source: str | bytes | os.PathLike[str],
    shown: str,
    found: list[Diagnostic],
    root: Root | None,
    renderer: Renderer | None,
    budget: Budget | None,
) -> Source | None:
    """The text of a template, rendered. A text has no file name to mark it as a Jinja2 source, so it counts as one if
    values are given.
    """
    try:
        if isinstance(source, os.PathLike):
            text = load(pathlib.Path(source), shown, budget)
        else:
            text = from_bytes(source, shown, budget) if isinstance(source, bytes) else from_text(source, shown, budget)
    except Unreadable as e:
        found.append(unreadable(e, shown))
        return None
    try:
        if renderer is not None:
            return renderer.template(text, root or Root(None), any_name=not isinstance(source, os.PathLike))
    except NotRendered as e:
        found.append(e.diagnostic)
        return None
    return text


def finish(
    files: Mapping[str, str | bytes],
    found: list[Diagnostic],
    shown: str,
    to: str,
    body: dict[str, Any],
    reads: Mapping[str, bytes | None],
    private: frozenset[str],
    templates: Sequence[Template] = (),
    hide: Callable[[str], str] = str,
) -> Conversion:
    """Sorts the diagnostics and completes the report."""
    ordered = in_order(found)
    written = {} if failed(ordered) else files
    report = {
        "format": 1,
        "generator": f"hot2tf {__version__}",
        "source": shown,
        "target": to,
        "files": sorted(written),
    }
    report |= body
    for section in SECTIONS:
        report.setdefault(section, {})
    report["diagnostics"] = [d.as_json() for d in ordered]
    return Conversion(written, ordered, report, reads, private & written.keys(), templates, hide)
