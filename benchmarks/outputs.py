"""Records the outputs for all templates of a directory, so that two versions can be compared.

    python -m benchmarks.outputs DIRECTORY --save before.json     # with the old version
    python -m benchmarks.outputs DIRECTORY --compare before.json  # with the new one

Every template is converted to Terraform in each preference, to TOSCA and to HOT. With `--stacks FILE` (JSON lines with
`template` and `environments`), so is each template with its environments. `check` and `fmt` run over the whole
directory. A record holds a digest of each file and the code, severity and place of each diagnostic. Words of messages
are recorded, too, and compared with `--words`.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

import transpile

RUNS: dict[str, dict[str, str]] = {
    "faithful": {"to": "hcl", "prefer": "faithful"},
    "native": {"to": "hcl", "prefer": "native"},
    "provisioners": {"to": "hcl", "prefer": "provisioners"},
    "tosca": {"to": "tosca"},
    "hot": {"to": "hot"},
}
ENDINGS = (".yaml", ".yml", ".template", ".json")
VERSIONS = ("heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion")
Record = dict[str, Any]


class Job(NamedTuple):
    """One conversion. `name` is unique: the template, its environments and the run."""

    name: str
    template: pathlib.Path
    environments: tuple[pathlib.Path, ...]
    root: pathlib.Path
    run: str


def digest(content: str | bytes) -> str:
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    return hashlib.sha256(data).hexdigest()[:16]


def is_template(path: pathlib.Path) -> bool:
    """Whether a file is called and begins like a template. It asks nothing of hot2tf, whose versions are compared."""
    return path.suffix in ENDINGS and any(word in path.read_text("utf-8", "replace") for word in VERSIONS)


def convert(job: Job) -> tuple[str, Record]:
    """The record of one conversion."""
    try:
        result = transpile.convert(
            job.template,
            environments=list(job.environments),
            root=job.root,
            **RUNS[job.run],  # type: ignore[arg-type]
        )
    except Exception as e:
        return job.name, {"crash": repr(e)}
    diagnostics = [diagnostic.as_json() for diagnostic in result.diagnostics]
    return job.name, {
        "files": {name: digest(text) for name, text in result.files.items()},
        "diagnostics": [[d.get(key) for key in ("code", "severity", "file", "line", "column")] for d in diagnostics],
        "words": digest(json.dumps(diagnostics, sort_keys=True)),
    }


def jobs(directory: pathlib.Path, stacks: pathlib.Path | None) -> list[Job]:
    """All conversions, in the order of their names."""
    top = directory.resolve()
    inputs: list[tuple[pathlib.Path, tuple[pathlib.Path, ...]]] = [
        (path, ()) for path in sorted(top.rglob("*")) if path.is_file() and is_template(path)
    ]
    if stacks is not None:
        for line in stacks.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            inputs.append((top / row["template"], tuple(top / name for name in row["environments"])))
    work = []
    for path, environments in inputs:
        relative = path.relative_to(top)
        folder = top / relative.parts[0]
        label = " + ".join([relative.as_posix(), *(e.relative_to(top).as_posix() for e in environments)])
        root = folder if folder.is_dir() else top
        work += [Job(f"{run}: {label}", path, environments, root, run) for run in RUNS]
    return work


def check(directory: pathlib.Path) -> Record:
    """The findings of `hot2tf check` in a directory, by file, and the digest of its output."""
    command = [sys.executable, "-m", "transpile", "check", "--isolated", "--diagnostics", "json", "--exit-zero", "."]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    return {"words": digest(done.stdout), "diagnostics": findings(done.stdout)}


def findings(output: str) -> list[list[Any]]:
    """Code, severity and place of each diagnostic in the JSON form."""
    try:
        listed = json.loads(output)
    except ValueError:
        listed = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if isinstance(listed, dict):
        listed = listed["diagnostics"]
    return [[d.get(key) for key in ("code", "severity", "file", "line", "column")] for d in listed]


def formatted(directory: pathlib.Path) -> dict[str, str]:
    """The digest of each file after `hot2tf fmt`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        shutil.copytree(directory, copy)
        command = [sys.executable, "-m", "transpile", "fmt", "--isolated", "."]
        subprocess.run(command, cwd=copy, capture_output=True, check=False)
        return {
            path.relative_to(copy).as_posix(): digest(path.read_bytes()) for path in copy.rglob("*") if path.is_file()
        }


def record(directory: pathlib.Path, stacks: pathlib.Path | None, workers: int) -> Record:
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        results: Record = dict(pool.map(convert, jobs(directory, stacks), chunksize=50))
    results["check"] = check(directory)
    results["fmt"] = {"files": formatted(directory)}
    return results


def differences(old: Record, new: Record, *, words: bool) -> list[str]:
    """A line for each record that differs, with the parts of it that do."""
    lines = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name, {}), new.get(name, {})
        keys = ("crash", "diagnostics", *(["words"] if words else []))
        parts = [key for key in keys if before.get(key) != after.get(key)]
        files, now = before.get("files", {}), after.get("files", {})
        parts += sorted(file for file in files.keys() | now.keys() if files.get(file) != now.get(file))
        if parts:
            lines.append(f"{name}: {', '.join(parts)}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--stacks", type=pathlib.Path)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path)
    parser.add_argument("--words", action="store_true", help="also compare the words of diagnostics")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    results = record(arguments.directory, arguments.stacks, arguments.jobs)
    if arguments.save is not None:
        arguments.save.write_text(json.dumps(results, indent=0, sort_keys=True), encoding="utf-8")
    print(f"{len(results)} records")
    if arguments.compare is not None:
        lines = differences(json.loads(arguments.compare.read_text(encoding="utf-8")), results, words=arguments.words)
        print("\n".join(lines))
        print(f"{len(lines)} of {len(results)} records differ")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
