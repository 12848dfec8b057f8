"""Breaks the HCL of the golden cases, one small change at a time, and counts the changes that `terraform test` catches.
Run `python -m benchmarks.mutations` in the checkout; `terraform` and its providers are found as usual.

A mutation is a mistake that a person makes by hand: a literal, a reference, an index, a condition, an argument, an item
of `for_each`. A change that `terraform validate` already refuses does not count, nor does one that no test can see: in
provisioners, and in readers of outputs of a stack that stays with Heat, of which a mock has none. It prints caught and
missed by kind.
"""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.support.cases import all_cases
from transpile.text import output

FILES = ("main.tf", "locals.tf", "data.tf", "outputs.tf", "variables.tf")
ARGUMENT = re.compile(r"^(\s+)([A-Za-z_]\w*)(\s+)= (.+)$")
HEADER = re.compile(r'^(\s*)([a-z_]\w*)((?: "[^"]*")*) \{$')
TEXT = re.compile(r'"([^"$%\\]+)"')
NUMBER = re.compile(r'(?<![\w."-])(\d+)(?![\w."])')
REFERENCE = re.compile(r"\b((?:data\.)?openstack_\w+)\.(\w+)")
SPLAT = re.compile(r"((?:module|openstack_\w+)\.\w+\[\*\](?:\.\w+)+)")
QUIET = (
    "wait_for",
    "description",
    "type",
    "error_message",
    "sensitive",
    "nullable",
    "depends_on",
    "source",
    "disable_rollback",
)
# A local with the outputs of a stack in Heat.
OF_HEAT = re.compile(
    r"(\w+) += (?:\{\s+for \w+ in|try\()\s*(?:flatten\()?openstack_orchestration_stack_v1\.[^.]+\.outputs"
)
SECONDS = 300


class Line(NamedTuple):
    """A line of a file, and the headers of the blocks around it, from the outside."""

    number: int
    text: str
    headers: tuple[str, ...]


class Mutation(NamedTuple):
    """One change: lines from `first` up to but not including `last` become `new`."""

    kind: str
    file: str
    first: int
    last: int
    new: tuple[str, ...]


class Verdict(NamedTuple):
    """The result for a mutation. result: caught, missed, invalid if `terraform validate` refuses it, or unseen if no
    test can see it.
    """

    case: str
    mutation: Mutation
    old: tuple[str, ...]
    result: str


def read_lines(text: str) -> Iterator[Line]:
    """The lines that belong to no comment and no here-document, each with the blocks around it."""
    headers: list[str] = []
    until = ""
    for number, line in enumerate(text.splitlines()):
        if until:
            until = "" if line.strip() == until else until
            continue
        if here := re.search(r"<<-?(\w+)$", line):
            until = here[1]
            continue
        if line.lstrip().startswith("#"):
            continue
        yield Line(number, line, tuple(headers))
        if header := HEADER.match(line):
            headers.append(f"{header[2]}{header[3]}")
        elif line.strip() == "}" and headers and line.startswith("  " * (len(headers) - 1) + "}"):
            headers.pop()


def list_mutations(file: str, text: str) -> Iterator[Mutation]:
    """All changes of one file."""
    lines = text.splitlines()
    in_order = list(read_lines(text))
    labels = collections.defaultdict(set)
    for resource_type, label in re.findall(r'^(?:resource) "(\w+)" "(\w+)"', text, re.M):
        labels[resource_type].add(label)
    for line in in_order:
        yield from mutate_block(file, line, lines)
        argument = ARGUMENT.match(line.text)
        if argument is None or not line.headers or argument[2] in QUIET:
            continue
        if "variable" in line.headers[0].split() and argument[2] not in ("default", "condition"):
            continue
        for kind, new in mutate_argument(line, argument, labels):
            yield Mutation(kind, file, line.number, line.number + 1, (new,) if new else ())


def mutate_block(file: str, line: Line, lines: Sequence[str]) -> Iterator[Mutation]:
    """Drops a nested block or a validation."""
    header = HEADER.match(line.text)
    if header is None or not line.headers or header[2] in ("lifecycle", "precondition", "content", "timeouts"):
        return
    end = next((n for n in range(line.number, len(lines)) if lines[n] == f"{header[1]}}}"), None)
    if end is not None:
        kind = {"validation": "validation", "dynamic": "dynamic block"}.get(header[2], "nested block")
        yield Mutation(kind, file, line.number, end + 1, ())


def mutate_argument(line: Line, argument: re.Match[str], labels: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The kinds of change of one line, each with the new line; an empty line drops the argument."""
    indent, name, space, value = argument.groups()
    owner = line.headers[0].split()[0]
    start = f"{indent}{name}{space}= "
    whole = value.count("(") == value.count(")") and value[-1] not in "{[("
    of_module = owner == "module" and len(line.headers) == 1
    if name == "for_each" and whole:
        dynamic = line.headers[-1].startswith("dynamic")
        yield ("dynamic for_each" if dynamic else "for_each"), start + drop_item(value, dynamic)
        return
    if name == "count" and whole:
        yield "count", f"{start}({value}) + 1"
        return
    word = "module argument" if of_module else {"variable": "default", "output": "output"}.get(owner, "")
    if name == "condition":
        if number := NUMBER.search(value):
            yield "validation", start + value[: number.start()] + str(int(number[1]) + 1) + value[number.end() :]
        return
    if (text := TEXT.search(value)) and "regex(" not in value:
        yield word or "text", start + value[: text.start(1)] + f"{text[1]}-x" + value[text.end(1) :]
    if number := NUMBER.search(re.sub(r'"[^"]*"|\[\d+\]', lambda m: "_" * len(m[0]), value)):
        yield word or "number", start + value[: number.start()] + str(int(number[1]) + 1) + value[number.end() :]
    if value in ("true", "false"):
        yield word or "boolean", start + ("false" if value == "true" else "true")
    if index := re.search(r"\[0\]", value):
        yield "index", start + value[: index.start()] + "[1]" + value[index.end() :]
    if reference := REFERENCE.search(value):
        others = sorted(labels[reference[1]] - {reference[2]})
        if others:
            yield (word or "reference"), start + value.replace(reference[0], f"{reference[1]}.{others[0]}", 1)
    if (splat := SPLAT.search(value)) and not value.startswith("one("):
        yield "order", start + value.replace(splat[0], f"reverse({splat[0]})", 1)
    if " == " in value:
        yield "comparison", start + value.replace(" == ", " != ", 1)
    if whole and " ? " in value and value[0] not in '"[{(' and "(" not in value.partition(" ? ")[0]:
        test, _, rest = value.partition(" ? ")
        yield "condition", f"{start}!({test}) ? {rest}"
    if whole and (of_module or (owner == "resource" and len(line.headers) < 3)):
        yield ("module argument" if of_module else "argument dropped"), ""
    if of_module and re.fullmatch(r"(var|local)\.\w+", value):
        yield "module argument", f"{start}null"


def drop_item(value: str, dynamic: bool) -> str:
    """The value of `for_each` without its first item."""
    if dynamic:
        return f"[for i, item in [for other in {value} : other] : item if i != 0]"
    if value.startswith("toset("):
        return f"toset([for i, item in sort(tolist({value})) : item if i != 0])"
    return f"{{ for key, item in {value} : key => item if key != sort(keys({value}))[0] }}"


def run_terraform(program: str, where: pathlib.Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *words], cwd=where, capture_output=True, text=True, check=False, timeout=SECONDS)


def prepare_cases(names: Sequence[str]) -> dict[str, dict[str, str | bytes]]:
    """The files of the golden cases whose root has tests, by the name of the case."""
    prepared = {}
    for case in all_cases():
        if names and case.name not in names:
            continue
        done = case.convert(tests=True)
        if done.ok and any("runs" in about for about in done.report["tests"].values()):
            prepared[case.name] = dict(done.files)
    return prepared


def judge_case(job: tuple[str, dict[str, str | bytes], list[Mutation], str]) -> list[Verdict]:
    """Tries all mutations of one case, in one directory that is initialized once."""
    name, files, mutations, program = job
    where = pathlib.Path(tempfile.mkdtemp(prefix="hot2tf-mutations-"))
    try:
        output.write_directory(where, files)
        if run_terraform(program, where, "init", "-input=false", "-backend=false").returncode:
            return []
        if run_terraform(program, where, "test").returncode:
            print(f"{name}: the tests fail before anything is changed", file=sys.stderr)
            return []
        return [judge_mutation(name, files, mutation, where, program) for mutation in mutations]
    finally:
        shutil.rmtree(where, ignore_errors=True)


def is_unseen(files: dict[str, str | bytes], mutation: Mutation, old: Sequence[str]) -> bool:
    """Whether no test can see a change: no run executes provisioners, and a mock of a Heat stack has no outputs."""
    around = next(line for line in read_lines(str(files[mutation.file])) if line.number == mutation.first).headers
    first = HEADER.match(old[0])
    if {"provisioner", "connection"} & {header.split()[0] for header in (*around, *([first[2]] if first else []))}:
        return True
    folder = mutation.file.rpartition("/")[0]
    of_heat = OF_HEAT.findall(str(files.get(f"{folder}/locals.tf" if folder else "locals.tf", "")))
    return any(re.search(rf"\blocal\.{name}\b", line) for name in of_heat for line in old)


def judge_mutation(
    name: str, files: dict[str, str | bytes], mutation: Mutation, where: pathlib.Path, program: str
) -> Verdict:
    text = str(files[mutation.file])
    lines = text.splitlines()
    old = tuple(lines[mutation.first : mutation.last])
    if is_unseen(files, mutation, old):
        return Verdict(name, mutation, old, "unseen")
    lines[mutation.first : mutation.last] = mutation.new
    path = where / mutation.file
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        if run_terraform(program, where, "validate").returncode:
            result = "invalid"
        else:
            result = "caught" if run_terraform(program, where, "test").returncode else "missed"
    finally:
        path.write_text(text, encoding="utf-8")
    return Verdict(name, mutation, old, result)


def choose_mutations(prepared: dict[str, dict[str, str | bytes]], most: int, seed: int) -> dict[str, list[Mutation]]:
    """At most so many mutations of each kind, from as many cases as possible."""
    by_kind: dict[str, list[tuple[str, Mutation]]] = collections.defaultdict(list)
    for name, files in sorted(prepared.items()):
        for file, content in sorted(files.items()):
            if file.rpartition("/")[2] in FILES and not isinstance(content, bytes):
                for mutation in list_mutations(file, content):
                    by_kind[mutation.kind].append((name, mutation))
    chosen: dict[str, list[Mutation]] = collections.defaultdict(list)
    for _, candidates in sorted(by_kind.items()):
        random.Random(seed).shuffle(candidates)
        seen = collections.Counter[str]()
        ranked = []
        for name, mutation in candidates:
            ranked.append((seen[name], name, mutation))
            seen[name] += 1
        for _, name, mutation in sorted(ranked, key=lambda item: item[0])[:most]:
            chosen[name].append(mutation)
    return chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help="names of golden cases; without any, all of them")
    parser.add_argument("--most", type=int, default=15, help="mutations of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--program", default="terraform", help="terraform or tofu")
    arguments = parser.parse_args()
    prepared = prepare_cases(arguments.cases)
    chosen = choose_mutations(prepared, arguments.most, arguments.seed)
    jobs = [(name, prepared[name], mutations, arguments.program) for name, mutations in sorted(chosen.items())]
    with multiprocessing.Pool(arguments.jobs) as pool:
        verdicts = [verdict for verdicts in pool.imap(judge_case, jobs) for verdict in verdicts]
    show_verdicts(verdicts)
    return 0


def show_verdicts(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.result == "missed":
            print(f"{verdict.case}/{verdict.mutation.file}:{verdict.mutation.first + 1}: {verdict.mutation.kind}")
            print("    - " + " / ".join(line.strip() for line in verdict.old)[:150])
            print("    + " + (" / ".join(line.strip() for line in verdict.mutation.new)[:150] or "(nothing)"))
    counts = collections.Counter((verdict.mutation.kind, verdict.result) for verdict in verdicts)
    print(f"\n{'kind':20} {'caught':>7} {'missed':>7} {'invalid':>8} {'unseen':>7}")
    for kind in sorted({verdict.mutation.kind for verdict in verdicts}):
        numbers = [counts[kind, result] for result in ("caught", "missed", "invalid", "unseen")]
        print(f"{kind:20} {numbers[0]:7} {numbers[1]:7} {numbers[2]:8} {numbers[3]:7}")
    caught, missed = (sum(verdict.result == result for verdict in verdicts) for result in ("caught", "missed"))
    print(f"{caught} of {caught + missed} caught ({100 * caught // max(caught + missed, 1)}%)")


if __name__ == "__main__":
    sys.exit(main())
