"""One stack as a unit of work: its inputs and its result.

Invariant: units and results hold plain data alone, so that any process on any machine can take them. A unit converts to
the same result everywhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import posixpath
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from transpile import additions, pipeline, targets
from transpile.diagnostics.model import prevent_output
from transpile.migrate import archive
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node, replace
from transpile.pipeline import Conversion
from transpile.report import name_treatment, template_reports
from transpile.resolve.stack_name import SPELLINGS, STACK_NAME
from transpile.settings.table import OPTIONS, Request
from transpile.text.addresses import carry_addresses
from transpile.text.manifest import MANIFEST, encode_content
from transpile.text.urls import is_url
from transpile.todo.tasks import collect_finding_tasks, collect_report_tasks
from transpile.version import __version__

CONTENT_NAME = compile_lazily(r"[a-z0-9_]+-[0-9a-f]{64}")  # of a shared folder, see targets.Shared
TEMPLATE_ENDING = compile_lazily(r"(?i)\.(ya?ml|template|hot|json)(\.j2)?$|\.j2(\.(ya?ml|template|json))?$")
# Options that do not change the result of a unit, and those whose part in it the unit has itself.
ELSEWHERE = ("root", "environments", "plugin-dirs", "mappings", "exclude", "jobs")
CODE = "code"  # the key in a summary of the digest of the code that environments may share
TASKS = "tasks"  # the key of the user's tasks for a stack
UNREAD = ""  # in place of the digest of a file that cannot be read


@node
class MigrationUnit:
    """A stack to convert.

    output: its directory in the destination, which identifies it. template, environments: paths from `root`, the
    directory that may be read. request: everything else that the user asks. added: types and mappings, as
    `Additions.as_bytes` gives them. siblings: the environments and parameters of all stacks that may share the code,
    this one among them.
    """

    output: str
    template: str
    environments: tuple[str, ...]
    request_digest: Request
    root: str
    added: bytes = b""
    siblings: tuple[tuple[tuple[str, ...], Mapping[str, str]], ...] = ()

    @property
    def named_files(self) -> tuple[str, ...]:
        """The template and all environments, by path from the root."""
        paths = (path for environments, _ in self.siblings for path in environments)
        return tuple(dict.fromkeys((self.template, *self.environments, *paths)))

    def digest(self, digests: Mapping[str, str], *, anywhere: bool = False) -> str:
        """A digest of all inputs that are known before the conversion. `digests`: those of the template and the
        environments, by path. anywhere: make it equal for equal stacks in different directories, with other names.
        """
        named = [self.template, *self.environments, *(path for paths, _ in self.siblings for path in paths)]
        here = posixpath.dirname(self.template)
        digest_names = [posixpath.relpath(name, here or ".") if anywhere else name for name in named]
        options = {row.field: getattr(self.request_digest, row.field) for row in OPTIONS if row.name not in ELSEWHERE}
        if anywhere:
            options["parameters"] = {name: v for name, v in options["parameters"].items() if name != STACK_NAME}
        siblings = [(len(paths), sorted(values.items())) for paths, values in self.siblings]
        made_of = [
            __version__,
            len(self.environments),
            siblings,
            repr(self.request_digest.paths),
            options,
            digest_data(self.added) if self.added else "",
            sorted(self.request_digest.variables.items()),
        ]
        return digest_data(
            json.dumps([made_of, digest_names, [digests[name] for name in named]], sort_keys=True, default=str)
        )


@node
class UnitResult:
    """The result of one unit.

    converted: whether there is output. reads: the other files that were read, by path from the root or by URL: the
    SHA-256, UNREAD if there is no such file. files, report: archives of the files and of the report. modules: an
    archive of each shared folder, by its content name. summary: the data for lists and tables. digest: of all files.
    """

    output: str
    converted: bool
    reads: Mapping[str, str]
    files: bytes
    modules: Mapping[str, bytes]
    report: bytes
    summary: Mapping[str, Any]
    digest: str


def digest_data(data: bytes | str) -> str:
    """The SHA-256 of bytes or text, in hexadecimal digits."""
    return hashlib.sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()


def convert_unit(unit: MigrationUnit) -> UnitResult:
    """Converts a unit. Bad input raises nothing."""
    root = unit.root
    target = targets.find_target(unit.request_digest.to)
    options = {**unit.request_digest.options, **target.shared.options}
    if target.writes == targets.FILE:
        options.setdefault(targets.BESIDE.name, f"{template_stem(unit.template)}.files")
    environments = tuple(pathlib.Path(root, path) for path in unit.environments)
    siblings = tuple((tuple(pathlib.Path(root, path) for path in paths), values) for paths, values in unit.siblings)
    request = replace(unit.request_digest, root=root, options=options, environments=environments, siblings=siblings)
    added = additions.additions_from_bytes(unit.added)
    conversion = pipeline.run_conversion(pathlib.Path(root, unit.template), request, added=added)
    reads = dict(conversion.reads)
    written = not prevent_output(conversion.diagnostics)
    if target.nested == targets.KEEP and written:
        from transpile.migrate import bundle

        alone = replace(request, environments=(), parameters={}, render=None)
        files_by_name, bundle_reads = bundle.bundle_files(unit.template, unit.environments, conversion, alone, added)
        reads |= bundle_reads
    else:
        files_by_name = name_output_files(target, unit, conversion.files)
    files, modules = split_shared_folders(target, files_by_name)
    private = find_private_files(conversion, files_by_name)
    return UnitResult(
        unit.output,
        written,
        digest_reads(reads, root),
        archive.pack_files(files, private & files.keys()),
        {
            name: archive.pack_files(inside, {at for at in inside if f"{target.shared.prefix}{name}/{at}" in private})
            for name, inside in sorted(modules.items())
        },
        archive.compress_data(
            json.dumps(conversion.report, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        ),
        {**summarize_conversion(conversion), **digest_shared_code(target, files)},
        archive.digest_files(
            {**files, **{f"{name}/{at}": data for name, folder in modules.items() for at, data in folder.items()}}
        ),
    )


def digest_shared_code(target: targets.Target, files: Mapping[str, bytes]) -> dict[str, str]:
    """The digest of the code that environments may share, as `code`; nothing if the target has no such code."""
    if target.roots is None:
        return {}
    shared = {name: data for name, data in files.items() if not target.roots.belongs(name)}
    return {CODE: archive.digest_files(shared)}


def template_stem(template: str) -> str:
    """The name of a template without its ending."""
    return TEMPLATE_ENDING.sub("", posixpath.basename(template)) or "stack"


def name_output_files(
    target: targets.Target, unit: MigrationUnit, files: Mapping[str, str | bytes]
) -> dict[str, bytes]:
    """The files by their names in the stack's directory, without the manifest. A single file is named like its
    template.
    """
    files_by_name = {name: encode_content(content) for name, content in files.items() if name != MANIFEST}
    files_by_name |= carry_addresses(files)
    if target.writes == targets.FILE and files_by_name:
        first = next(iter(files_by_name))
        files_by_name = {
            f"{template_stem(unit.template)}.yaml" if name == first else name: data
            for name, data in files_by_name.items()
        }
    return files_by_name


def find_private_files(conversion: Conversion, files: Mapping[str, bytes]) -> frozenset[str]:
    """The files that only their owner may read. If the names changed, it is all of them or none."""
    if not conversion.private:
        return frozenset()
    return conversion.private if conversion.private <= files.keys() else frozenset(files)


def split_shared_folders(
    target: targets.Target, files: Mapping[str, bytes]
) -> tuple[dict[str, bytes], dict[str, dict[str, bytes]]]:
    """A stack's own files, and those of each shared folder by its content name."""
    own: dict[str, bytes] = {}
    shared: dict[str, dict[str, bytes]] = {}
    for name, data in files.items():
        top, _, rest = name.partition("/")
        inside, _, at = rest.partition("/")
        if top == target.shared.folder and CONTENT_NAME.fullmatch(inside):
            shared.setdefault(inside, {})[at] = data
        else:
            own[name] = data
    return own, shared


def digest_reads(reads: Mapping[str, bytes | None], root: str) -> dict[str, str]:
    """Returns digests of the files that a conversion read, by path from the root."""
    real = os.path.realpath(root)
    digests = {}
    for path, data in reads.items():
        name = path if is_url(path) else pathlib.Path(os.path.relpath(path, real)).as_posix()
        digests[name] = UNREAD if data is None else digest_data(data)
    return dict(sorted(digests.items()))


def summarize_conversion(conversion: Conversion) -> dict[str, Any]:
    """Counts: resources by treatment, dropped properties, diagnostics by severity and code, and the reasons that keep
    resources in Heat by themselves (type, code, why, number). The last is empty if and only if no resource needs Heat.
    `freed_by`: the preference that frees all of the stack from Heat; empty if there is none. `placeholders`: the number
    of values that Terraform asks for because the input has only placeholders. `backend`: the place of the state.
    `tests`: whether there are tests. `named`: whether the stack's name is in the output. `tasks`: the user's tasks.
    """
    treatments: dict[str, int] = {}
    kept: dict[tuple[str, str, str], int] = {}
    dropped = 0
    for report in template_reports(conversion.report) if not prevent_output(conversion.diagnostics) else ():
        for resource in report["resources"].values():
            increment_count(treatments, name_treatment(resource))
            dropped += sum(fate["as"] == "dropped" for fate in resource["properties"].values())
            if "why" in (reason := resource.get("kept", {})):
                increment_count(kept, (resource["type"], reason["code"], reason["why"]))
        for reason in report.get("heat", {}).values():
            increment_count(kept, (reason["type"], reason["code"], reason["why"]))
    findings = (diagnostic.as_json() for diagnostic in conversion.diagnostics if diagnostic.severity != "info")
    tasks = [*collect_finding_tasks(findings), *(collect_report_tasks(conversion.report) if conversion.ok else ())]
    severities: dict[str, int] = {}
    codes: dict[str, int] = {}
    for diagnostic in conversion.diagnostics:
        increment_count(severities, diagnostic.severity)
        increment_count(codes, diagnostic.code)
    return {
        "treatments": dict(sorted(treatments.items())),
        "dropped": dropped,
        "diagnostics": dict(sorted(severities.items())),
        "codes": dict(sorted(codes.items())),
        "kept": [[*reason, n] for reason, n in sorted(kept.items())],
        "freed_by": find_freeing_preference(conversion.report) if kept else "",
        "placeholders": len(conversion.report.get("placeholders", ())),
        "backend": conversion.report.get("backend", {}),
        "tests": any("runs" in test for test in conversion.report.get("tests", {}).values()),
        TASKS: [task.as_json() for task in dict.fromkeys(tasks)],
        "named": not conversion.report.get("parameters", {}).keys().isdisjoint(SPELLINGS),
    }


def find_freeing_preference(report: Mapping[str, Any]) -> str:
    """The first preference that frees all of a stack from Heat; empty if there is none."""
    candidates: list[str] | None = None
    for template_report in template_reports(report):
        freed: Mapping[str, Sequence[str]] = template_report.get("freed", {})
        resources: Mapping[str, Any] = template_report["resources"]
        embedded = {name for name, resource in resources.items() if resource["treatment"] == "embedded"}
        if embedded:
            freeing = [prefer for prefer, names in freed.items() if embedded <= set(names)]
            candidates = freeing if candidates is None else [prefer for prefer in candidates if prefer in freeing]
    if candidates is None:  # Heat only reads or computes values, which it does for no other preference
        return "native" if report.get("options", {}).get("prefer", "faithful") == "faithful" else ""
    return candidates[0] if candidates else ""


T = TypeVar("T", bound=Hashable)


def increment_count(counts: dict[T, int], key: T) -> None:
    counts[key] = counts.get(key, 0) + 1


def find_missing_reads(result: UnitResult, sent_names: Iterable[str]) -> list[str]:
    """The files that a conversion on a worker tried to read and did not have."""
    names = set(sent_names)
    return [
        path
        for path, content_digest in result.reads.items()
        if content_digest == UNREAD and path not in names and not is_url(path)
    ]
