"""The pipeline of an adoption: a running stack is read, linked, paired with its live resources, and emitted.

Invariant: an adoption is a conversion whose input is a running stack. Nothing here writes files, prints, or asks a
cloud that the caller did not give.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, final

from transpile import pipeline, registrations, targets
from transpile.additions import Additions
from transpile.adoption import client, comparison, export, pairing, safety
from transpile.adoption import drift as drifting
from transpile.adoption.adoption import Adoption
from transpile.adoption.cloud_state import diagnose_cloud_state
from transpile.adoption.environments import AdoptedEnvironment
from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import Answers, Cloud
from transpile.adoption.release import ReleaseFiles
from transpile.diagnostics import codes
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import MASK, Diagnostic, has_errors
from transpile.document_conversion import parse_template
from transpile.front import environment as environments_
from transpile.model.ir import Environment, Lit, Template
from transpile.model.records import EMPTY, node, replace
from transpile.model.source import Source, name_file
from transpile.resolve import linker
from transpile.resolve.stack import Stack
from transpile.settings.table import Request
from transpile.text.source import Root, UnreadableFile, diagnose_unreadable, from_bytes, from_text, load_source

TARGET = "hcl"
# Findings that an adoption ignores: Heat refuses such a new template, but a running stack may have it.
TOLERATED_CODES = (codes.RESOURCE_NAMED_LIKE_PARAMETER,)


@final
@node
class Adoptee:
    """The input of an adoption.

    `source`: the export of a stack as a path or a text, a directory with the output of the client's commands, or a
    stack that was already read; None if it could not be read, and then `findings` has the reason. `name`: the name of
    the input in diagnostics. `template`: the user's own template, which replaces the template that Heat stored; the
    environments of the request belong to it. `keeps_values`: whether the values are those that Heat stored; these
    environments then only define types.
    """

    source: str | bytes | os.PathLike[str] | LiveStack | None
    name: str
    template: str | os.PathLike[str] | None = None
    findings: Sequence[Diagnostic] = ()
    keeps_values: bool = False


def adopt(
    source: str | bytes | os.PathLike[str] | LiveStack | None,
    *,
    template: str | os.PathLike[str] | None = None,
    environments: Sequence[str | os.PathLike[str]] = (),
    cloud: Cloud | None = None,
    answers: str | os.PathLike[str] | None = None,
    drift: bool = False,
    root: str | os.PathLike[str] | None = None,
    allow: Sequence[str] = (),
    name: str | None = None,
    prefer: str | None = None,
    options: Mapping[str, Any] | None = None,
    limits: Mapping[str, int] | None = None,
    plugin_dirs: Sequence[str | os.PathLike[str]] = (),
    mappings: Sequence[str | os.PathLike[str]] = (),
    added: Additions | None = None,
    diagnostics: Sequence[Diagnostic] = (),
) -> pipeline.Conversion:
    """Converts one running stack to Terraform that takes over its resources. Bad input raises nothing.

    Args:
        source: The export of a stack, as a path (`os.PathLike`) or a text, a directory with the output of the client's
            commands, or a stack that was read before. None if it could not be read; `diagnostics` has the reason.
        template: The template of a repository, in place of the one that Heat stored.
        environments: The environments of that template.
        cloud: Answers questions about values that the export lacks.
        answers: A file of saved answers.
        drift: Also compare the live values with the template.
        root: As for `convert`.
        allow: As for `convert`.
        name: The name of the export in diagnostics.
        prefer: As for `convert`.
        options: As for `convert`.
        limits: As for `convert`.
        plugin_dirs: As for `convert`.
        mappings: As for `convert`.
        added: As for `convert`.
        diagnostics: Diagnostics of reading the stack.

    Raises:
        targets.WrongOption: An option or its value is not accepted. A ValueError.
        budget.WrongLimit: A limit or its value is not accepted. A ValueError.
    """
    request = Request(
        to=TARGET,
        environments=tuple(environments),
        root=root,
        allow=tuple(allow),
        prefer=prefer,
        options=dict(options or {}),
        limits=dict(limits or {}),
        plugin_dirs=tuple(plugin_dirs),
        mappings=tuple(mappings),
    )
    if name is None:
        name = source.source.name if isinstance(source, LiveStack) else pipeline.input_name(source, "export")
    return adopted(Adoptee(source, name, template, diagnostics), request, cloud, answers, added, drift=drift)


def adopted(
    adoptee: Adoptee,
    request: Request,
    cloud: Cloud | None = None,
    answers: str | os.PathLike[str] | None = None,
    added: Additions | None = None,
    *,
    drift: bool = False,
) -> pipeline.Conversion:
    """Converts a running stack. The other arguments and the exceptions are those of `adopt`."""
    run = AdoptionRun(pipeline.ConversionRun(request, adoptee.name, added))
    run.findings += adoptee.findings
    with run.guard:
        source = adoptee.source
        live = run.read(source) if isinstance(source, (str, bytes, os.PathLike)) else source
        saved = run.answers(answers, cloud)
        if live is not None:
            run.findings += safety.check_safety(live, run.run.added.catalog)
        if live is not None and not has_errors(run.findings) and run.linked(live, adoptee):
            return run.emitted(live, saved, run.drifted(live, saved) if drift else {})
    return run.conversion()


def without_files(environment: Environment, live: LiveStack) -> Environment:
    """An environment without the types whose meaning is a file that Heat has stored."""
    registry = {
        name: entry
        for name, entry in environment.registry.items()
        if not (isinstance(entry.value, Lit) and entry.value.value in live.files)
    }
    return replace(environment, registry=registry)


@final
class AdoptionRun:
    """One adoption. It wraps the conversion `run`, because an adoption is a conversion of a running stack."""

    def __init__(self, run: pipeline.ConversionRun) -> None:
        self.run, self.findings, self.budget, self.secrets = run, run.findings, run.budget, run.secrets
        self.masked: set[str] = set()  # the parameters of which the input has only asterisks
        self.guard = RunGuard(run.findings)

    def conversion(
        self, output: targets.Output | None = None, private: frozenset[str] = frozenset()
    ) -> pipeline.Conversion:
        """The result, without `templates`: nobody can edit the template that Heat stored, so its comments are not
        checked.
        """
        return replace(self.run.conversion(output, private), templates=())

    # reading

    def read(self, source: str | bytes | os.PathLike[str]) -> LiveStack | None:
        if isinstance(source, os.PathLike) and pathlib.Path(source).is_dir():
            return self.documents(pathlib.Path(source))
        text = self.text(source, self.run.display_name)
        if text is None:
            return None
        live, diagnostics = export.read_export(text)
        self.findings += diagnostics
        return live

    def documents(self, folder: pathlib.Path) -> LiveStack | None:
        """Reads the stack from a folder with the output of the client's commands."""
        sources: dict[str, Source] = {}
        nested = sorted(path.stem for path in folder.glob(f"{client.NESTED_TEMPLATE_PREFIX}*.json"))
        for name in (*client.DOCUMENT_NAMES, *nested):
            file = f"{name}.json"
            if (folder / file).is_file() and (text := self.text(folder / file, file)) is not None:
                sources[name] = text
        if has_errors(self.findings):
            return None
        live, diagnostics = client.read_client_documents(sources, name_file(self.run.display_name))
        self.findings += diagnostics
        return live

    def text(self, source: str | bytes | os.PathLike[str], display_name: str) -> Source | None:
        try:
            if isinstance(source, os.PathLike):
                return load_source(pathlib.Path(source), display_name, self.budget)
            if isinstance(source, bytes):
                return from_bytes(source, display_name, self.budget)
            return from_text(source, display_name, self.budget)
        except UnreadableFile as e:
            self.findings.append(diagnose_unreadable(e, display_name))
            return None

    def answers(self, answers: str | os.PathLike[str] | None, cloud: Cloud | None) -> Cloud:
        """Returns the source of answers about the cloud: first the saved answers, then the cloud."""
        if answers is None:  # a cloud may answer with more than was asked for, which Answers filters
            return cloud if isinstance(cloud, Answers) else Answers({}, cloud)
        text = self.text(pathlib.Path(answers), os.path.basename(answers))
        return Answers(export.read_answers(text, self.findings) if text is not None else {}, cloud)

    # linking

    def linked(self, live: LiveStack, adoptee: Adoptee) -> bool:
        """Links the template and matches it with the running resources. Returns whether the adoption can go on."""
        template, environments, root = self.stored(live)
        stored = self.link(template, environments, root, live)
        if adoptee.template is not None and stored is not None:
            template, own_environments, root = self.of_repository(adoptee.template)
            if adoptee.keeps_values:
                own_environments += [without_files(environment, live) for environment in environments]
            own = self.link(template, own_environments, root, live)
            if own is not None:
                self.findings += comparison.compare_templates(stored, own, live)
        return self.secrets.stack is not None and not has_errors(self.findings)

    def stored(self, live: LiveStack) -> tuple[Template | None, list[Environment], Root]:
        """The template and the environment that Heat has stored."""
        template = parse_template(live.template, self.findings)
        environment = None
        if live.environment is not None:
            environment, sink = environments_.read_environment_text(live.environment)
            self.findings += sink.diagnostics
        if environment is not None:
            environment = replace(environment, other=EMPTY)  # the rest is for Heat's engine
            environment = self.unmasked(environment, template)
        environments = [environment] if environment is not None else []
        return template, environments, Root(None, stack_files=live.files)

    def unmasked(self, environment: Environment, template: Template | None) -> Environment:
        """An environment without the asterisks that Heat shows in place of hidden values."""
        hidden = (
            {name for name, parameter in template.parameters.items() if parameter.hidden}
            if template is not None
            else set()
        )
        masked = {
            name: entry for name, entry in environment.parameters.items() if name in hidden and entry.value == Lit(MASK)
        }
        self.masked |= masked.keys()
        for name, entry in masked.items():
            message = f"The value of {name} is hidden, and the input has only asterisks."
            hint = f"Set TF_VAR_{name} to the value that the stack has."
            self.findings.append(
                Diagnostic(codes.HIDDEN_PARAMETER_WITHOUT_VALUE, message, environment.source, entry.key_span, hint)
            )
        left = {name: entry for name, entry in environment.parameters.items() if name not in masked}
        return replace(environment, parameters=left)

    def of_repository(self, at: str | os.PathLike[str]) -> tuple[Template | None, list[Environment], Root]:
        """The user's own template, which replaces the stored template, and its environments."""
        root = pipeline.input_root(at, self.run.request)
        template = pipeline.read_input(at, pipeline.input_name(at, "template"), self.findings, root, budget=self.budget)
        loaded = [
            environments_.load_environment(path, self.findings, budget=self.budget)
            for path in self.run.request.environments
        ]
        return template, [environment for environment in loaded if environment is not None], root

    def link(
        self, template: Template | None, environments: list[Environment], root: Root, live: LiveStack
    ) -> Stack | None:
        if template is None or has_errors(self.findings):
            return None
        run = self.run
        run.template, run.root, self.guard.source = template, root, template.source
        self.secrets.environments = [*self.secrets.environments, *environments]
        options = linker.LinkOptions(run.target.nested, converts=True, library=run.library, catalog=run.added.catalog)
        self.secrets.stack, findings = linker.link_template(template, environments, None, root, options)
        self.findings += [d.reduced_to_warning() if d.code in TOLERATED_CODES else d for d in findings]
        if has_errors(self.findings):
            return None
        self.findings += pairing.check_pairing(self.secrets.stack, live)
        return self.secrets.stack

    def drifted(self, live: LiveStack, cloud: Cloud) -> dict[str, Any]:
        """Compares live resources with the template. Adds diagnostics for the differences, and returns their part of
        the report.
        """
        assert self.secrets.stack is not None
        drift = drifting.find_drift(live, self.secrets.stack, cloud)
        self.findings += drift.make_diagnostics(live.source)
        return {"drift": drift.as_json()}

    # writing

    def emitted(
        self,
        live: LiveStack,
        cloud: Cloud,
        more: Mapping[str, Any],
        environment: AdoptedEnvironment | None = None,
    ) -> pipeline.Conversion:
        """Makes the files and the report. `more`: further parts of the report. `environment`: the environment that the
        stack is, if several share the configuration.
        """
        stack = self.secrets.stack
        assert stack is not None
        shared = self.run.target.shared
        in_tree = bool(self.run.request.options.get(shared.option))
        adoption = Adoption(live, cloud, stack, self.masked, environment or AdoptedEnvironment(), in_tree=in_tree)
        take_over = registrations.registered(registrations.PARTS)["take_over_stack"].load()
        output = self.run.emit(stack, take_over(adoption))
        if output is None:
            return self.conversion()
        output.report["imports"] = dict(adoption.imports)
        if adoption.unknown_ids:
            output.report["unknown_ids"] = dict(adoption.unknown_ids)
        if adoption.additions:
            output.report["additions"] = dict(adoption.additions)
        output.report |= more
        if has_errors(output.diagnostics):
            return self.conversion(replace(output, files={}))
        output.diagnostics.extend(diagnose_cloud_state(adoption))
        release = ReleaseFiles(adoption, output.files)
        updates = {environment.place_file(name) if environment else name: text for name, text in release.files.items()}
        files = {**output.files, **updates}
        files = pipeline.with_manifest(self.run.target, files, output.addresses)
        findings = [*output.diagnostics, *release.diagnostics]
        private = frozenset({*updates, *adoption.private})
        return self.conversion(targets.Output(files, output.report, findings), private)
