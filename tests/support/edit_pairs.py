"""Finds objects that Terraform destroys although Heat's update keeps them: templates are converted, applied in the fake
cloud, edited, converted again over the same directory, and planned.

It needs terraform and the configuration in TF_CLI_CONFIG_FILE. A pair is a template and an edit of it
(`template_edits.py`). It is wrong if the plan deletes or replaces an object of a resource that Heat's update keeps (one
of the same name and type, of which only properties change that Heat updates in place), and no diagnostic of the second
conversion names it.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from typing import Any

import yaml

import transpile
from emitters.hcl.address_rows import read_rows, walk_addresses
from emitters.hcl.emitter import TARGET
from emitters.hcl.tables.replacements import is_updated_by_heat, load_facts
from emitters.hcl.tree.printer import print_inline
from tests.support import cases, oracles
from tests.support.files import write_files
from tests.support.template_edits import Loader, Project, walk_pairs
from transpile.document_conversion import parse_template
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.front import environment as environments
from transpile.pipeline import ConversionRun, input_root, load_input
from transpile.resolve.stack import Stack
from transpile.settings.table import Request
from transpile.stack_evaluation import Outside, StackEvaluation
from transpile.stack_evaluation.groups import GROUPS
from transpile.text import manifest
from transpile.text.output import has_marker, update_directory

ENVIRONMENT = "environment.yaml"
WANTED = {"string": "x", "number": "1", "bool": "true", "any": "{}"}
STACK = "openstack_orchestration_stack_v1"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclasses.dataclass
class HeatObject:
    """A resource of a running stack. kind: its type; properties: their values."""

    kind: str
    properties: dict[str, str]


@dataclasses.dataclass
class Verdict:
    template: str
    edit: str
    outcome: str  # planned, same, refused, failed
    wrong: list[str] = dataclasses.field(default_factory=list)
    announced: list[str] = dataclasses.field(default_factory=list)
    deleted: int = 0


# in Heat


def link(folder: pathlib.Path, project: Project) -> Stack | None:
    path = folder / project.main
    request = make_request(folder, project)
    run = ConversionRun(request, path.name, None)
    run.root = input_root(path, request)
    run.text = load_input(path, path.name, run.findings, run.root, run.renderer, run.budget)
    run.template = parse_template(run.text, run.findings)
    loaded = [environments.load_environment(p, run.findings, budget=run.budget) for p in request.environments]
    run.secrets.environments = [each for each in loaded if each is not None]
    return run.link(run.template) if run.template is not None else None


def list_objects(evaluation: StackEvaluation, path: str = "") -> Iterator[tuple[str, HeatObject]]:
    """All resources of a stack and of those nested in it, by the names that lead to them."""
    names = list(evaluation.resource_names)
    for number, name in enumerate(names):
        resource = evaluation.stack.template.resources[name]
        is_member = evaluation.group is not None and resource.name.startswith("member")
        place = f"{path}{number if is_member else name}"
        properties = {}
        for key in [entry.key for entry in resource.entries]:
            try:
                value = evaluation.evaluate_property(name, key)
                properties[key] = "" if value is ABSENT else json.dumps(value, sort_keys=True, default=str)
            except (EvaluationError, RecursionError):
                properties[key] = "unknown"
        try:
            inside = evaluation.find_nested_stack(name)
            kind = resource.type if inside is not None else evaluation.resource_kind(name)
        except (EvaluationError, RecursionError):
            inside, kind = None, resource.type
        yield place, HeatObject(kind, properties)
        if inside is not None:
            yield from list_objects(inside, f"{place}.")


def objects_of(stack: Stack, replaced: set[str]) -> dict[str, HeatObject]:
    def refer(address: str) -> Any:
        return f"another {address}" if address in replaced else ABSENT

    return dict(list_objects(StackEvaluation(stack, Outside(reference=refer))))


def find_kept(before: Stack, after: Stack) -> tuple[set[str], set[str]]:
    """The resources that Heat's update keeps, and those of them whose properties change."""
    old = objects_of(before, set())
    replaced: set[str] = set()
    while True:
        new = objects_of(after, replaced)
        kept, changed = set[str](), set[str]()
        for path, each in old.items():
            other = new.get(path)
            parents = [path[:at] for at, c in enumerate(path) if c == "."]
            if other is None or other.kind != each.kind or not all(parent in kept for parent in parents):
                continue
            names = {
                name
                for name in {*each.properties, *other.properties}
                if each.properties.get(name, "") != other.properties.get(name, "")
            }
            is_stack = each.kind in GROUPS or any(p.startswith(f"{path}.") for p in old)
            if is_stack or all(is_updated_by_heat(before.catalog, each.kind, name) for name in names):
                kept.add(path)
                if names:
                    changed.add(path)
        gone = {path for path in old if path not in kept}
        if gone <= replaced:
            return kept, changed
        replaced |= gone


# in Terraform


def make_request(folder: pathlib.Path, project: Project) -> Request:
    given = (folder / ENVIRONMENT,) if project.environment else ()
    return Request(to="hcl", environments=given, options=dict(project.options))


def write_project(project: Project, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True)
    write_files(folder, project.print_files())
    if project.environment:
        (folder / ENVIRONMENT).write_text(yaml.safe_dump(project.environment, sort_keys=False), encoding="utf-8")


def convert(project: Project, source: pathlib.Path, output: pathlib.Path) -> tuple[transpile.Conversion, list[str]]:
    """Converts a project over a directory. Returns also the messages about resources that cannot be followed."""
    given = [source / ENVIRONMENT] if project.environment else []
    done = transpile.convert(source / project.main, environments=given, options=dict(project.options))
    if not done.ok:
        return done, []
    change = update_directory(output, done.files, owns=TARGET.owns or has_marker, follow=TARGET.follow)
    return done, [problem.message for problem in change.problems]


def set_variables(output: pathlib.Path, report: dict[str, Any]) -> None:
    """Values for the variables that have none."""
    text = (output / "variables.tf").read_text(encoding="utf-8") if (output / "variables.tf").exists() else ""
    lines = []
    for name in report.get("asks", ()):
        match = re.search(rf'^variable "{re.escape(name)}" \{{\n(.*?)^\}}', text, re.M | re.S)
        kind = re.search(r"type\s*=\s*(\w+)", match[1]) if match is not None else None
        value = WANTED.get(kind[1] if kind is not None else "string", "[]")
        value = "{}" if kind is not None and kind[1] in ("map", "object") else value
        lines.append(f'{name} = "x"' if value == "x" else f"{name} = {value}")
    (output / "asked.auto.tfvars").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_plan(output: pathlib.Path, earlier_modules: str) -> dict[str, Any] | str:
    """The plan as JSON, or why there is none."""
    if list_modules(output) != earlier_modules:
        done = oracles.terraform(output, "init", "-input=false", "-backend=false")
        if done.returncode:
            return done.stderr
    done = oracles.terraform(output, "plan", "-input=false", "-refresh=false", "-lock=false", "-out=plan")
    if "nconsistent dependency lock" in done.stderr or "Missing required provider" in done.stderr:
        oracles.terraform(output, "init", "-input=false", "-backend=false")
        done = oracles.terraform(output, "plan", "-input=false", "-refresh=false", "-lock=false", "-out=plan")
    if done.returncode:
        return done.stderr
    plan: dict[str, Any] = json.loads(oracles.terraform(output, "show", "-json", "plan").stdout)
    return plan


def list_modules(output: pathlib.Path) -> str:
    texts = [path.read_text(encoding="utf-8") for path in sorted(output.rglob("*.tf"))]
    return repr(sorted({m for text in texts for m in re.findall(r'module "[^"]*" \{|source\s+= "[^"]*"', text)}))


def name_objects(section: dict[str, Any]) -> dict[str, tuple[str, bool]]:
    """The resource of the template that each address stands for, and whether it is a part of it only."""
    named: dict[str, tuple[str, bool]] = {}
    paths = {"": ""}
    for address, row, member in walk_addresses(read_rows(section["resources"])):
        text = print_inline(address)
        above = max((p for p in paths if p and text.startswith(f"{p}.")), key=len, default="")
        member_name, _, part = member.partition("=")
        path = paths[above] + ".".join(filter(None, (row.owner, member_name)))
        named[text] = path, bool(part) or not row.owner
        if row.is_module:
            paths[text] = f"{path}."
    return named


def judge(
    plan: dict[str, Any], before: Stack, after: Stack, section: dict[str, Any], messages: list[str], noise: set[str]
) -> Verdict:
    verdict = Verdict("", "", "planned")
    rows = [row for row in list_deleted(plan) if (row.get("previous_address") or row["address"]) not in noise]
    verdict.deleted = len(rows)
    if not rows:
        return verdict
    kept, changed = find_kept(before, after)
    named = name_objects(section)
    heat = {".".join(row.names): row.owner for row in read_rows(section["resources"]) if row.heat}
    for row in rows:
        address = row.get("previous_address") or row["address"]
        path, part = named.get(address, ("", True))
        if row["type"] in load_facts()["connections"]:
            continue  # Heat's update detaches and attaches, too
        stays = path in kept and not (part and path in changed)
        if address.partition("[")[0] in heat:
            stays = heat[address.partition("[")[0]] in kept
        if stays:
            text = f"{address} {'/'.join(row['change']['actions'])} {row['change'].get('replace_paths', '')}"
            names = [name.partition("[")[0] if row["type"] == STACK else name for name in (address, row["address"])]
            names += [address[:at] for at, c in enumerate(address) if c == "." and address.startswith("module.")][1:]
            names += [text for text, (other, _) in named.items() if part and other == path]  # of which it is a part
            known = any(name in message for message in messages for name in names)
            (verdict.announced if known else verdict.wrong).append(text)
    return verdict


# which templates


def golden_projects() -> Iterator[tuple[str, Project]]:
    for folder in sorted(cases.GOLDEN.iterdir()):
        case = cases.Case(folder)
        if not (folder / "input.yaml").exists() or case.options.keys() - {"environments", "parameters", "prefer"}:
            continue
        files = {}
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and name.partition("/")[0] not in ("hcl", "tosca", "hot") and path.suffix != ".json":
                files[name] = read_text(path)
        if not isinstance(files["input.yaml"], dict):
            continue
        environment: dict[str, Any] = {}
        for name in case.options.get("environments", ()):
            for key, value in (yaml.load(files[name], Loader) if isinstance(files[name], str) else files[name]).items():
                environment.setdefault(key, {}).update(value or {})
        environment.setdefault("parameters", {}).update(case.parameters)
        options = {"prefer": case.options["prefer"]} if "prefer" in case.options else {}
        yield f"golden/{folder.name}", Project("input.yaml", files, environment, options)


def read_text(path: pathlib.Path) -> Any:
    """A template as data, any other file as text."""
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.load(text, Loader) if path.suffix in (".yaml", ".yml") else None
    except (UnicodeDecodeError, yaml.YAMLError):
        return path.read_bytes().decode("utf-8", "replace")
    return data if isinstance(data, dict) and "heat_template_version" in data else text


def corpus_projects(folder: pathlib.Path) -> Iterator[tuple[str, Project]]:
    for path in sorted(folder.rglob("*.y*ml")):
        data = read_text(path)
        if not isinstance(data, dict) or not isinstance(data.get("resources"), dict) or path.stat().st_size > 40_000:
            continue
        files: dict[str, Any] = {path.name: data}
        for other in sorted(path.parent.iterdir()):
            small = other.is_file() and other.stat().st_size < 100_000 and other.name != path.name
            if small and other.name in path.read_text(encoding="utf-8", errors="replace"):
                files[other.name] = read_text(other)
        yield path.relative_to(folder).as_posix(), Project(path.name, files)


def measure(task: tuple[str, Project, int, int, str, pathlib.Path | None]) -> list[Verdict]:
    """The verdicts on a sample of the edits of a template."""
    name, project, most, seed, only, kept = task
    choose = random.Random(zlib.crc32(f"{seed} {name}".encode()))
    verdicts: list[Verdict] = []
    pairs = [pair for pair in walk_pairs(project, choose) if only in pair[0]]
    pairs = choose.sample(pairs, most) if 0 < most < len(pairs) else pairs
    with tempfile.TemporaryDirectory(prefix="hot2tf-edits-") as folder:
        top = pathlib.Path(folder)
        (top / "cloud.json").write_text("{}")
        os.environ["HOT2TF_FAKE_CLOUD"] = str(top / "cloud.json")
        applied: dict[str, pathlib.Path | None] = {}
        for number, (kind, before, after) in enumerate(pairs):
            key = repr(before)
            if key not in applied:
                applied[key] = apply_project(before, top / f"base{len(applied)}")
            base = applied[key]
            if base is None:
                continue
            try:
                verdict = measure_pair(before, after, base, top / f"pair{number}")
            except Exception as e:
                verdict = Verdict("", "", "failed", [f"{type(e).__name__}: {e}"])
            verdicts.append(dataclasses.replace(verdict, template=name, edit=kind))
            if verdict.wrong and kept is not None:
                shutil.move(top / f"pair{number}", kept / f"{kind}-{name.replace('/', '-')}")
            shutil.rmtree(top / f"pair{number}", ignore_errors=True)
    return verdicts


def apply_project(project: Project, where: pathlib.Path) -> pathlib.Path | None:
    """The directory with the source and the applied output of a project; None if it cannot be converted or applied.
    Replacements without a change, because the fake cloud makes other objects up each time, are noise.
    """
    write_project(project, where / "src")
    done, _ = convert(project, where / "src", where / "out")
    if not done.ok:
        return None
    set_variables(where / "out", done.report)
    for command in (("init", "-backend=false"), ("apply", "-auto-approve")):
        if oracles.terraform(where / "out", *command, "-input=false").returncode:
            return None
    plan = run_plan(where / "out", list_modules(where / "out"))
    if isinstance(plan, str):
        return None
    (where / "noise.json").write_text(json.dumps([row["address"] for row in list_deleted(plan)]), encoding="utf-8")
    return where


def list_deleted(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows that a plan deletes or replaces, without replacements that only the fake cloud's made-up values
    cause.
    """
    rows = [row for row in plan.get("resource_changes", []) if "delete" in row["change"]["actions"]]
    return [row for row in rows if not is_made_up(row["change"])]


def is_made_up(change: dict[str, Any]) -> bool:
    """Whether an object is replaced only for the IDs of objects that a data source has looked for by a name."""
    paths = [path for path in change.get("replace_paths", []) if len(path) == 1]
    before, after = change.get("before") or {}, change.get("after") or {}
    known = [isinstance(after.get(name), str) and UUID.fullmatch(str(before.get(name))) for (name,) in paths]
    return bool(known) and len(known) == len(change["replace_paths"]) and all(known)


def measure_pair(before: Project, after: Project, base: pathlib.Path, where: pathlib.Path) -> Verdict:
    write_project(after, where / "src")
    shutil.copytree(base / "out", where / "out", symlinks=True)
    texts = {p: p.read_bytes() for p in (where / "out").rglob("*.tf*") if p.is_file()}
    modules = list_modules(where / "out")
    section = manifest.read_addresses(where / "out")
    done, messages = convert(after, where / "src", where / "out")
    if not done.ok:
        return Verdict("", "", "refused")
    set_variables(where / "out", done.report)
    if {p: p.read_bytes() for p in (where / "out").rglob("*.tf*") if p.is_file()} == texts:
        return Verdict("", "", "same")
    plan = run_plan(where / "out", modules)
    if isinstance(plan, str):
        return Verdict("", "", "failed", [plan])
    stacks = link(base / "src", before), link(where / "src", after)
    if stacks[0] is None or stacks[1] is None:
        return Verdict("", "", "refused")
    noise = set(json.loads((base / "noise.json").read_text(encoding="utf-8")))
    return judge(plan, stacks[0], stacks[1], section, messages, noise)
