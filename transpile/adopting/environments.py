"""The adoption of several stacks of one template as the environments of one configuration.

Invariant: the code is the same for all environments, or nothing is written. A further environment gets the resources
that the code makes anew, as from `convert`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, final

from transpile import pipeline
from transpile.additions import Additions
from transpile.adopting.run import Adoptee, AdoptionRun
from transpile.adoption import environments, safety
from transpile.adoption.environments import AdoptedEnvironment, IgnoredArguments
from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import Cloud
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors, sort_diagnostics
from transpile.model.records import EMPTY, record, replace
from transpile.settings.table import Request
from transpile.text.addresses import carry_addresses
from transpile.text.manifest import MANIFEST

BACKEND = ".backend.hcl"  # ends the name of the file that says where the state of an environment is
README = "README.md"  # it names the environments
OF_RUNNING_STACKS = "HOT7"  # how the codes begin
OF_CODE = (codes.ARGUMENT_NOT_COMPARED, codes.NESTED_STACK_KEPT_IN_HEAT, codes.VALUE_KNOWN_ONLY_TO_HEAT)


@final
@record
class Candidate:
    """A stack that becomes an environment. `run`: its adoption. `live`: the stack as read. `cloud`: its source of
    answers.
    """

    name: str
    run: AdoptionRun
    live: LiveStack | None
    cloud: Cloud

    def find_drift(self) -> dict[str, Any]:
        """The part of the report about drift, or nothing if the comparison fails."""
        assert self.live is not None
        with self.run.guard:
            return self.run.drifted(self.live, self.cloud)
        return {}

    def emit(self, more: Mapping[str, Any], environment: AdoptedEnvironment | None) -> pipeline.Conversion:
        """The conversion of the stack. `more`: further parts of the report. `environment`: None for a stack that has
        the configuration for itself.
        """
        assert self.live is not None
        findings, conversion = list(self.run.findings), None
        with self.run.guard:
            conversion = self.run.emitted(self.live, self.cloud, more, environment)
        conversion = conversion or self.run.conversion()
        self.run.findings[:] = findings  # another pass finds the same again
        return conversion


@final
@record
class EarlierEnvironments:
    """The output of an earlier run for environments that this one does not name. `names`: these environments. `files`:
    their files. `code`: all files of that run; empty if there are no such environments.
    """

    names: Sequence[str] = ()
    files: Mapping[str, str] = EMPTY
    code: Mapping[str, str] = EMPTY


def find_earlier_environments(
    hashes: Collection[str], texts: Mapping[str, str], names: Collection[str]
) -> EarlierEnvironments:
    """Finds the output of an earlier run for environments that this one does not name. `hashes`: the names of all its
    files; `texts`: the known texts of these files. `names`: the environments of this run.
    """
    folder = f"{environments.FOLDER}/"
    others = {
        name.removeprefix(folder).removesuffix(BACKEND)
        for name in hashes
        if name.startswith(folder) and name.endswith(BACKEND)
    }
    ordered = sorted(others - set(names))
    own = {
        name: text
        for name, text in texts.items()
        if any(name.startswith((f"{folder}{other}.", f"{folder}{other}/")) for other in ordered)
    }
    return EarlierEnvironments(ordered, own, texts if ordered else {})


@final
@record
class SharedConversion:
    """The result for several environments. `conversion`: the files, for all of them. `reports`: the report on each, for
    `--report`.
    """

    conversion: pipeline.Conversion
    reports: list[dict[str, Any]]


def adopted_environments(
    adoptees: Mapping[str, Adoptee],
    request: Request,
    cloud: Cloud | None = None,
    answers: Mapping[str, str | os.PathLike[str]] = EMPTY,
    added: Additions | None = None,
    earlier: EarlierEnvironments | None = None,
    *,
    drift: bool = False,
) -> SharedConversion:
    """Converts running stacks to one configuration. `adoptees`, `answers`: by the names of the environments. `earlier`:
    the files of an earlier run for other environments. The other arguments and the exceptions are those of `adopt`.
    """
    candidates = [
        read_candidate(name, adoptee, request, cloud, answers.get(name), added)
        for name, adoptee in sorted(adoptees.items())  # the order of the command line changes nothing
    ]
    return convert_candidates(candidates, earlier or EarlierEnvironments(), drift=drift)


def convert_candidates(
    candidates: Sequence[Candidate], earlier: EarlierEnvironments, *, drift: bool = False
) -> SharedConversion:
    """Converts stacks that were read to one configuration. `candidates`: in the order of their names."""
    if any(candidate.live is None or has_errors(candidate.run.findings) for candidate in candidates):
        return join_conversions([candidate.run.conversion() for candidate in candidates], candidates, earlier)
    drifts = [candidate.find_drift() if drift else {} for candidate in candidates]
    conversions, written = emit_candidates(candidates, drifts, None, earlier.names)
    ignored = environments.join_ignored_arguments(written)
    if any(environment.compared_otherwise != ignored for environment in written):
        conversions, written = emit_candidates(candidates, drifts, ignored, earlier.names)
    return join_conversions(conversions, candidates, earlier)


def emit_candidates(
    candidates: Sequence[Candidate],
    drifts: Sequence[Mapping[str, Any]],
    ignored: IgnoredArguments | None,
    others: Sequence[str],
) -> tuple[list[pipeline.Conversion], list[AdoptedEnvironment]]:
    """Converts each stack to the configuration of all. `ignored`: the arguments that every environment must ignore, if
    known.
    `others`: the names of environments that earlier runs wrote.
    """
    lives = [candidate.live for candidate in candidates if candidate.live is not None]
    names = sorted([*others, *(candidate.name for candidate in candidates)])
    clouds = [candidate.cloud for candidate in candidates]
    parameters: dict[str, list[Any]] = {}
    for candidate in candidates:
        stack = candidate.run.secrets.stack
        for name, binding in stack.bindings.items() if stack is not None else ():
            parameters.setdefault(name, []).append(binding.value)
    shared_values = {name: tuple(values) for name, values in parameters.items()}
    conversions, written = [], []
    for candidate, more in zip(candidates, drifts, strict=True):
        secrets = candidate.run.secrets
        if secrets.stack is not None:
            secrets.stack = replace(secrets.stack, shared_values=shared_values)
        environment = AdoptedEnvironment(candidate.name, names, lives, clouds, ignored)
        conversions.append(candidate.emit(more, environment))
        written.append(environment)
    return conversions, written


def join_conversions(
    conversions: Sequence[pipeline.Conversion], candidates: Sequence[Candidate], earlier: EarlierEnvironments
) -> SharedConversion:
    """One result with the files of all environments. If one has errors, or their code differs, there are no files."""
    first, names = conversions[0], [candidate.name for candidate in candidates]
    findings = [*join_diagnostics(conversions)]
    if not has_errors(findings):
        findings += list(diagnose_differences(conversions, names))
    if not has_errors(findings) and earlier.code:
        findings += list(diagnose_earlier_difference(first.files, earlier))
    files: dict[str, str | bytes] = {}
    if not has_errors(findings):
        for conversion in conversions:
            files |= conversion.files
        files |= earlier.files
        target = candidates[0].run.run.target
        sections = [data for conversion in conversions for data in carry_addresses(conversion.files).values()]
        joined = target.roots.join_addresses(sections) if target.roots is not None and sections else b"null"
        del files[MANIFEST]
        files = pipeline.with_manifest(target, dict(sorted(files.items())), json.loads(joined))
    reports = [{**conversion.report, "environment": name} for name, conversion in zip(names, conversions, strict=True)]
    report = {**first.report, "environments_of_root": names, "files": sorted(files)}
    for section in ("imports", "unknown_ids", "additions"):
        rows = {
            f"{name}: {address}": value
            for name, conversion in zip(names, conversions, strict=True)
            for address, value in conversion.report.get(section, {}).items()
        }
        if rows or section == "imports":
            report[section] = rows
    ordered = sort_diagnostics(findings)
    report["diagnostics"] = [d.as_json() for d in ordered]

    def hide(text: str) -> str:
        for conversion in conversions:
            text = conversion.hide(text)
        return text

    private = frozenset(filter(is_private, earlier.files)).union(*(c.private for c in conversions)) & files.keys()
    return SharedConversion(
        replace(first, files=files, diagnostics=ordered, report=report, private=private, hide=hide), reports
    )


def join_diagnostics(conversions: Sequence[pipeline.Conversion]) -> Iterator[Diagnostic]:
    """The findings of all environments. A finding of several environments about the common code is there once."""
    seen: set[tuple[str, str]] = set()
    for conversion in conversions:
        own = {(d.code, d.message) for d in conversion.diagnostics if is_about_code(d)}
        yield from (d for d in conversion.diagnostics if (d.code, d.message) not in seen)
        seen |= own


def is_about_code(diagnostic: Diagnostic) -> bool:
    """Whether a finding is about the code, and not about one of the running stacks."""
    return not diagnostic.code.startswith(OF_RUNNING_STACKS) or diagnostic.code in OF_CODE


def diagnose_differences(conversions: Sequence[pipeline.Conversion], names: Sequence[str]) -> Iterator[Diagnostic]:
    """The environments whose code differs from that of the first one."""
    code = [select_code(conversion.files) for conversion in conversions]
    for name, files in zip(names[1:], code[1:], strict=True):
        if difference := environments.find_difference(code[0], files):
            message = f"{names[0]} and {name} have no common code: {difference} differs."
            hint = "Update both stacks to one template first, or adopt them into a directory each."
            yield Diagnostic(codes.ENVIRONMENTS_DIFFER, message, hint=hint)


def diagnose_earlier_difference(files: Mapping[str, str | bytes], earlier: EarlierEnvironments) -> Iterator[Diagnostic]:
    """That the code differs from the one that an earlier run wrote for other environments."""
    if difference := environments.find_difference(select_code(earlier.code), select_code(files)):
        others = " and ".join(earlier.names)
        message = f"The directory has the code of {others}, and {difference} differs."
        yield Diagnostic(codes.ENVIRONMENTS_DIFFER, message, hint="Adopt all of them in one run.")


def is_private(name: str) -> bool:
    """Whether a file of an environment may have hidden values."""
    return "/release/" in name or "/evidence/" in name or name.endswith((".secrets.tfvars", "/ADOPT.md"))


def select_code(files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """The files that all environments share."""
    own = f"{environments.FOLDER}/"
    return {
        name: text
        for name, text in files.items()
        if (not name.startswith(own) or name == environments.COMPARE_PATCH) and name not in (README, MANIFEST)
    }


def read_candidate(
    name: str,
    adoptee: Adoptee,
    request: Request,
    cloud: Cloud | None,
    answers: str | os.PathLike[str] | None,
    added: Additions | None,
) -> Candidate:
    """Reads the stack of an environment and links its template. Its problems are in the findings of the run."""
    run = AdoptionRun(pipeline.ConversionRun(request, adoptee.name, added))
    run.findings += adoptee.findings
    live, saved = None, run.answers(None, cloud)
    with run.guard:
        source = adoptee.source
        live = run.read(source) if isinstance(source, (str, bytes, os.PathLike)) else source
        saved = run.answers(answers, cloud)
        if live is not None:
            run.findings += safety.check_safety(live, run.run.added.catalog)
        if live is not None and not has_errors(run.findings):
            run.linked(live, adoptee)
    return Candidate(name, run, live, saved)
