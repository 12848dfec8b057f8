"""The conversion pipeline: read, link, emit.

Invariant: nothing here writes files or prints. Errors in the input become diagnostics, not exceptions.
"""

from __future__ import annotations

import fnmatch
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, final

from transpile import additions, check, document_kinds, targets
from transpile.additions import Additions
from transpile.diagnostics import codes
from transpile.diagnostics.consequences import drop_consequences
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import (
    Diagnostic,
    diagnose_skipped_work,
    has_errors,
    prevent_output,
    sort_diagnostics,
)
from transpile.document_conversion import accepting_kinds, charge_output, convert_document, parse_template
from transpile.front import environment as environments_
from transpile.model.budget import Budget, read_budget_limits
from transpile.model.ir import Environment, Template
from transpile.model.meter import LimitExceeded
from transpile.model.records import EMPTY, field, record, replace
from transpile.model.source import Source
from transpile.resolve import linker, missing_files, misspelt_types, nested_templates, placeholder_values
from transpile.resolve.secrets import Secrets
from transpile.resolve.stack import Stack
from transpile.settings import comments
from transpile.settings.table import Request
from transpile.settings.target_options import TargetOptions
from transpile.targets import Converter
from transpile.text import manifest
from transpile.text.jinja import NotRendered, Renderer
from transpile.text.source import Root, UnreadableFile, diagnose_unreadable, from_bytes, from_text, load_source
from transpile.version import __version__

SECTIONS = ("parameters", "conditions", "outputs", "resources", "modules")  # sections that every report has


@record
class Conversion:
    """The result of a conversion. Nothing is written.

    Attributes: files: Relative path → content. Empty if there are errors, unless the only ones are HOT910, which their
        places in the files say. diagnostics: The findings, by file and position. report: The report of `--report`
        (docs/report.md). reads: The files that the template and its environments name, by path or URL; None for an
        unreadable file. private: The names of the files that hold hidden values, which only their owner should read.
        templates: The templates that were read. hide: Removes hidden values from a text. converter: The converter of a
        document that is not Heat's; None for a Heat template.
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
        return not has_errors(self.diagnostics)


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
    map_url: Mapping[str, str] | None = None,
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
        limits: Other limits for the cost of the conversion, by name (docs/exactness.md#limits).
        plugin_dirs: Directories of Heat plug-ins, which define resource types.
        mappings: Files of mapping tables, or directories with such files (docs/mappings.md). Later ones win.
        map_url: Directories that have the files of URLs, by the beginnings of these.
        added: Types and mappings that were read before, in place of `plugin_dirs` and `mappings`.

    Raises:
        targets.UnknownTarget: There is no such target.
        targets.WrongOption: An option or its value is not accepted. A ValueError.
        budget.WrongLimit: A limit or its value is not accepted. A ValueError.
    """
    request = Request(
        to=to,
        environments=tuple(environments),
        parameters=dict(parameters or {}),
        root=root,
        hot_version=hot_version,
        allow=tuple(allow),
        prefer=prefer,
        render=render,
        options=dict(options or {}),
        limits=dict(limits or {}),
        plugin_dirs=tuple(plugin_dirs),
        mappings=tuple(mappings),
        map_url=dict(map_url or {}),
    )
    return run_conversion(source, request, name, added)


def run_conversion(
    source: str | bytes | os.PathLike[str], request: Request, name: str | None = None, added: Additions | None = None
) -> Conversion:
    """Converts a template. The other arguments and the exceptions are those of `convert`."""
    display_name = input_name(source, name or "template")
    run = ConversionRun(request, display_name, added)
    run.root = input_root(source, request)
    run.text = load_input(source, display_name, run.findings, run.root, run.renderer, run.budget)
    if run.text is not None and (key := document_kinds.claiming_key(run.text)):
        reading = document_kinds.DocumentReading(
            request.parameters, request.environments, run.root, run.options, run.secrets
        )
        made, converter = convert_document(key, run.text, run.target, run.options, reading)
        return replace(run.conversion(made), converter=converter)
    run.warn_of_contributed_options()
    run.template = parse_template(run.text, run.findings, request.variables)
    environments = [
        environments_.load_environment(path, run.findings, budget=run.budget) for path in request.environments
    ]
    run.secrets.environments = [environment for environment in environments if environment is not None]
    if run.template is None or has_errors(run.findings):
        return run.conversion()
    output = None
    with RunGuard(run.findings, run.template.source):
        stack = run.link(run.template)
        output = run.emit(stack) if stack is not None else None
    if output is None:
        return run.conversion()
    return run.conversion(replace(output, files=with_manifest(run.target, output.files, output.addresses)))


def input_name(source: object, name: str) -> str:
    """The name of an input in diagnostics and the report: the file name of a path, and any other name as given."""
    return os.path.basename(source) if isinstance(source, os.PathLike) else name


def input_root(source: str | bytes | os.PathLike[str], request: Request) -> Root:
    """The directories that a template may read files from, and the directory that its file names are relative to."""
    folder = pathlib.Path(source).parent if isinstance(source, os.PathLike) else None
    directory = pathlib.Path(request.root) if request.root is not None else folder
    return Root(directory, folder, request.readable, trusting=request.root is None, url_map=request.map_url)


@final
class ConversionRun:
    """One conversion. `findings`: the diagnostics so far. `shown`: the name of the input in the report."""

    def __init__(self, request: Request, display_name: str, added: Additions | None) -> None:
        self.request, self.display_name = request, display_name
        self.target = targets.find_target(request.to)
        self.options = request.target_options(self.target)
        self.budget, self.renderer = Budget(read_budget_limits(request.limits)), Renderer(request.render)
        self.added = added or additions.read_additions(request.plugin_dirs, request.mappings, budget=self.budget)
        self.findings = self.added.diagnostics_about(())
        self.secrets = Secrets(request.parameters)
        self.library = nested_templates.TemplateLibrary(renderer=self.renderer, budget=self.budget)
        self.root = Root(None)
        self.text: Source | None = None
        self.template: Template | None = None

    def warn_of_contributed_options(self) -> None:
        """Warns of options that have a meaning only for documents of other kinds."""
        for option in sorted(self.options.keys() - self.target.options_by_name.keys()):
            kinds = " and ".join(accepting_kinds(option, self.target.name))
            message = f"The option {option} is for {kinds} only, so it has no effect here."
            self.findings.append(Diagnostic(codes.OPTION_FOR_OTHER_DOCUMENTS, message, self.text))

    def link(self, template: Template) -> Stack | None:
        """Links the template; None if there are errors."""
        how = linker.LinkOptions(
            self.target.nested,
            converts=True,
            library=self.library,
            catalog=self.added.catalog,
            placeholders=self.options.get("placeholders", placeholder_values.KEEP),
            ignores=comments.ignores_code,
            missing=self.options.get("missing", missing_files.ERROR),
        )
        environments, parameters = self.secrets.environments, self.request.parameters
        how = replace(how, siblings=tuple(self.read_siblings())) if self.request.siblings else how
        self.secrets.stack, findings = linker.link_template(template, environments, parameters, self.root, how)
        self.findings += findings
        plugins = self.added.diagnostics_about(plugin_origins(self.secrets.stack))
        self.findings += [d for d in plugins if d.severity == "info" and d.source is not None]
        return self.secrets.stack if not has_errors(self.findings) else None

    def read_siblings(self) -> Iterator[tuple[list[Environment], Mapping[str, Any]]]:
        """The environments and parameters of the stacks that may share the output. Those that cannot be read are left
        out: their own conversions say why, and pay for them.
        """
        for paths, parameters in self.request.siblings:
            wrong: list[Diagnostic] = []
            budget = Budget(read_budget_limits(self.request.limits))
            try:
                read = [environments_.load_environment(path, wrong, budget=budget) for path in paths]
            except LimitExceeded:
                continue
            environments = [environment for environment in read if environment is not None]
            if len(environments) == len(paths) and not has_errors(wrong):
                yield environments, parameters

    def emit(self, stack: Stack, takeover: Any = None) -> targets.Output | None:
        """The output of the target for a stack; None if mapping tables have errors. `takeover`: of a running stack."""
        tables = None
        if self.target.tables is not None:
            tables, wrong = self.target.tables(self.added)
            self.findings += wrong
            if has_errors(self.findings):
                return None
        options = TargetOptions(self.options, self.request.paths, tables, takeover)
        is_new = takeover is None
        if is_new and self.target.nested != targets.KEEP:  # Heat has accepted the types of a running stack
            self.findings += misspelt_types.report_misspelt_types(stack, self.is_known_type)
            if has_errors(self.findings):
                return None
        source = stack.template.source
        before = source.budget.spent["written"]
        output = self.target.confine(self.target.emit(stack, options), options)
        # Heat has accepted the values of a running stack. Without nested templates it is not known which values they
        # hide.
        if is_new and self.target.nested == targets.LOAD:
            self.findings += self.check_values(stack, output.diagnostics)
        charge_output(output.files, source, source.budget.spent["written"] - before)
        if plugins := plugin_origins(stack):
            output.report["plugins"] = dict(sorted(plugins.items()))
        return output

    def check_values(self, stack: Stack, reported: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Returns warnings about values that Heat would refuse, without findings that are reported already. If the
        output used up the limits of the run, these warnings are left out, and a diagnostic says so.
        """
        places = {(d.code, d.source, d.at) for d in reported}
        try:
            return [d for d in check.check_values(stack) if (d.code, d.source, d.at) not in places]
        except LimitExceeded as e:
            self.budget.exceeded_optional_limits[e.name] = None
            return []

    def reveal_templates(self) -> None:
        """Gives all templates of the run to `secrets`, because they declare the hidden parameters. Nothing may be
        concealed before.
        """
        templates = [*([self.template] if self.template is not None else ()), *self.library.list_templates()]
        there = set(map(id, self.secrets.templates))
        self.secrets.templates += [template for template in templates if id(template) not in there]

    def is_known_type(self, kind: str) -> bool:
        """Whether the user knows a type that is not Heat's: he keeps it, or a mapping table of his names it."""
        kept = str(self.options.get("keep", "")).split(",")
        tables = self.added.tables.values()
        return any(fnmatch.fnmatchcase(kind, word) for word in kept) or any(kind in text for text in tables)

    def conversion(self, output: targets.Output | None = None, private: frozenset[str] = frozenset()) -> Conversion:
        """The result, without hidden values. `private`: files that only their owner may read, in addition to those with
        hidden values.
        """
        output = output or targets.Output({}, {}, [])
        self.reveal_templates()
        warnings, hidden = self.secrets.check_written_files(output.files)
        about = self.template.source if self.template is not None else self.text
        findings = [*self.findings, *output.diagnostics, *warnings, *diagnose_skipped_work(self.budget, about)]
        ordered = sort_diagnostics(self.secrets.conceal_in_diagnostics(drop_consequences(findings)))
        files = {} if prevent_output(ordered) else output.files
        report = {
            "format": 1,
            "generator": f"hot2tf {__version__}",
            "source": self.display_name,
            "target": self.target.name,
            "files": sorted(files),
            **self.secrets.conceal_in_report(output.report),
        }
        for section in SECTIONS:
            report.setdefault(section, {})
        report["diagnostics"] = [d.as_json() for d in ordered]
        private = (private | hidden) & files.keys()
        templates = tuple(self.secrets.templates)
        return Conversion(files, ordered, report, self.root.reads, private, templates, self.secrets.conceal_lines)


def with_manifest(
    target: targets.Target, files: Mapping[str, str | bytes], addresses: Any = None
) -> dict[str, str | bytes]:
    """The files of a target. If the target fills a directory, a list of the files is added, with the addresses."""
    all_files = dict(files)
    if target.writes == targets.DIRECTORY:
        all_files[manifest.MANIFEST] = manifest.print_manifest(all_files, addresses)
    return all_files


def plugin_origins(stack: Stack) -> dict[str, str]:
    """The types of plug-ins that a stack and those nested in it use, each with the file and line that define it."""
    added = stack.catalog.plugin_types
    if not added:
        return {}
    origin_by_type: dict[str, str] = {}
    seen, waiting = set[int](), [stack]
    while waiting:
        nested_stack = waiting.pop()
        if id(nested_stack) not in seen:
            seen.add(id(nested_stack))
            waiting += [nested.stack for nested in nested_stack.nested.values()]
            origin_by_type |= {
                k: added[k]["origin"] for k in nested_stack.types.values() if "origin" in added.get(k, {})
            }
    return origin_by_type


def read_input(
    source: str | bytes | os.PathLike[str],
    display_name: str,
    diagnostics: list[Diagnostic],
    root: Root | None = None,
    renderer: Renderer | None = None,
    *,
    budget: Budget,
) -> Template | None:
    """Reads the template from a path or text, and adds diagnostics to `diagnostics`."""
    return parse_template(load_input(source, display_name, diagnostics, root, renderer, budget), diagnostics)


def load_input(
    source: str | bytes | os.PathLike[str],
    display_name: str,
    diagnostics: list[Diagnostic],
    root: Root | None,
    renderer: Renderer | None,
    budget: Budget,
) -> Source | None:
    """The text of a template, rendered if it is a Jinja2 source. A text has no file name that would show this, so it
    counts as a Jinja2 source if values are given.
    """
    try:
        if isinstance(source, os.PathLike):
            text = load_source(pathlib.Path(source), display_name, budget)
        else:
            text = (
                from_bytes(source, display_name, budget)
                if isinstance(source, bytes)
                else from_text(source, display_name, budget)
            )
    except UnreadableFile as e:
        diagnostics.append(diagnose_unreadable(e, display_name))
        return None
    try:
        if renderer is not None:
            return renderer.render_template(text, root or Root(None), any_name=not isinstance(source, os.PathLike))
    except NotRendered as e:
        diagnostics.append(e.diagnostic)
        return None
    return text
