"""Running stacks on a real cloud: made by Heat, adopted, imported by Terraform, released, deleted, destroyed.

Needs OS_* of a cloud, `openstack` and `terraform` on the PATH, providers that really talk to it
(TF_CLI_CONFIG_FILE), and `pip install "hot2tf[openstack]"`. Everything that is made is deleted again.

    python -m benchmarks.adopt_live --work DIR [--until plan] [-e ENV] [-P KEY=VALUE] [-U KEY=VALUE] TEMPLATE...
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple, final

from tests.support.live_cloud import Cloud, Unmade
from transpile import adopting
from transpile.adoption.lookups import Answers
from transpile.diagnostics.model import Stopped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PLAN = re.compile(r"(?m)^Plan: (.*)$")
NOTHING = re.compile(r"(?m)^No changes\.")
LAST = 20  # looks at what is left
LIMIT = 900  # seconds for one command


class Wrong(Exception):
    """A step did not do what it should."""


class Case(NamedTuple):
    """What to make a stack of. `given`, `then`: KEY=VALUE of its creation, and of an update before it is adopted."""

    template: pathlib.Path
    name: str
    environments: Sequence[str]
    given: Sequence[str]
    then: Sequence[str]


@final
class Trial:
    """One stack, from its creation to the empty project."""

    def __init__(self, cloud: Cloud, case: Case, args: argparse.Namespace) -> None:
        self.cloud, self.case, self.args = cloud, case, args
        self.template, self.name = case.template, case.name
        template, name = case.template, case.name
        self.work = pathlib.Path(args.work).resolve() / name
        self.directory = self.work / "tf"
        self.text = template.read_text(errors="replace")
        self.result: dict[str, Any] = {"template": str(template), "name": name, "steps": [], "problem": ""}
        self.env = os.environ | {"TF_IN_AUTOMATION": "1", "TF_CLI_ARGS": "-no-color", "TF_INPUT": "0"}

    def run(self) -> dict[str, Any]:
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        before, made = self.cloud.inventory(self.text), False
        try:
            values = dict(item.split("=", 1) for item in self.case.given)
            values = self.cloud.create(self.name, self.template, self.case.environments, values)
            made = True
            if self.case.then:
                values |= dict(item.split("=", 1) for item in self.case.then)
                self.cloud.update(self.name, self.template, self.case.environments, values)
            self.step("created")
            self.trial(before)
        except Unmade as e:
            self.result["problem"] = f"HEAT {e}"
        except (Wrong, Stopped, subprocess.TimeoutExpired) as e:
            self.result["problem"] = str(e)
        except Exception as e:  # a defect, here or there; the other stacks are measured all the same
            self.result["problem"] = f"DEFECT {type(e).__name__}: {e}"
        finally:
            self.clean(made, before)
        (self.work / "result.json").write_text(json.dumps(self.result, indent=1))
        return self.result

    def trial(self, before: Mapping[str, set[str]]) -> None:
        created = self.cloud.inventory(self.text)
        self.result["resources"] = {kind: len(ids) for kind, ids in less(created, before, self.cloud.supplied).items()}
        self.adopt()
        self.step("adopted")
        self.shell("terraform init -input=false")
        out = self.shell("terraform plan -out=adopt.tfplan")
        self.planned(out)
        self.step("planned")
        if self.args.until == "plan":
            return
        self.follow()
        if gone := less(created, self.cloud.inventory(self.text)):
            raise Wrong(f"after the release these are gone: {gone}")
        self.step("all is there")
        out = self.shell("terraform plan")
        if NOTHING.search(out) is None and quiet(out):  # outputs of what stays in Heat
            self.result["outputs_applied"] = True
            self.shell("terraform apply -auto-approve")
            out = self.shell("terraform plan")
        if NOTHING.search(out) is None:
            raise Wrong(f"the plan after the release has changes: {changes(out)}")
        self.step("no changes")
        self.shell("terraform destroy -auto-approve")
        self.step("destroyed")
        for _ in range(LAST):  # Nova lists a server for a while after Heat has seen that it is gone
            left = less(self.cloud.inventory(self.text), before, self.cloud.supplied)
            if not left:
                break
            time.sleep(2)
        else:
            raise Wrong(f"after destroy these are left: {left}")
        if self.cloud.project.find_stack_summary(self.name) is not None:
            raise Wrong("after destroy the stack is left")
        self.result["complete"] = True

    def adopt(self) -> None:
        """Online; then offline with the saved answers, which must give the same bytes."""
        live, said = self.cloud.project.read_stack(self.name)
        export = self.work / f"{self.name}.json"
        export.write_text(self.cloud.project.exports[self.name])
        if live is None:
            raise Wrong("ADOPT " + "; ".join(d.message for d in said))
        recorder = Answers({}, self.cloud.project)
        start = time.monotonic()
        done = adopting.adopt(live, cloud=recorder)
        self.result["adopt_s"] = round(time.monotonic() - start, 2)
        found = [d for d in done.diagnostics if d.severity != "info"]
        self.result["diagnostics"] = [f"{d.code} {d.message}" for d in found]
        if not done.files:
            raise Wrong("ADOPT " + "; ".join(f"{d.code} {d.message}" for d in found if d.severity == "error"))
        write(self.directory, done.files)
        answers = self.work / "answers.json"
        answers.write_text(json.dumps(recorder.as_json()))
        again = adopting.adopt(export, answers=answers)
        self.result["same_offline"] = dict(again.files) == dict(done.files)
        self.result["imports"] = len(done.report.get("imports", {}))
        self.result["heat"] = sorted(
            name for name, one in done.report.get("resources", {}).items() if one.get("treatment") == "embedded"
        )
        for name, value in self.hidden(export):
            self.env[f"TF_VAR_{name}"] = value

    def hidden(self, export: pathlib.Path) -> Iterator[tuple[str, str]]:
        """The values of parameters, as a user would set those that no file has."""
        body = json.loads(export.read_text())
        given = (body.get("environment") or {}).get("parameters") or {}
        for name, value in given.items():
            low = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
            yield low, value if isinstance(value, str) else json.dumps(value)

    def planned(self, out: str) -> None:
        found = PLAN.search(out)
        self.result["plan"] = found[1] if found else "No changes" if quiet(out) else "?"
        wanted = f"{self.result['imports']} to import, 0 to add, 0 to change, 0 to destroy."
        if self.result["plan"] != (wanted if self.result["imports"] else "No changes"):
            raise Wrong(f"PLAN {self.result['plan']} {changes(out)}")

    def follow(self) -> None:
        """Runs the commands of ADOPT.md, in their order, as they are written."""
        guide = self.directory / "ADOPT.md"
        if not guide.exists():
            raise Wrong("there is no ADOPT.md")
        for heading, command, preview in commands(guide.read_text()):
            try:
                out = self.shell(command)
            except Wrong as e:
                if not preview:
                    raise
                self.result.setdefault("previews", []).append(str(e)[:300])
                continue
            if preview and re.search(r"(?m)^(added|deleted):(?! \[\])", out):
                raise Wrong(f"{heading}: the preview shows changes: {out[:600]}")
            if command.startswith("terraform plan") and "-out" not in command and not quiet(out):
                raise Wrong(f"{heading}: the plan shows changes: {changes(out)}")
            self.result["steps"].append(heading) if heading not in self.result["steps"] else None

    def shell(self, command: str) -> str:
        """The output of a command in the directory. Raises Wrong if it fails."""
        start = time.monotonic()
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.directory, env=self.env, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=LIMIT, check=False,
        )  # fmt: skip
        with (self.work / "log.txt").open("a") as log:
            log.write(f"\n$ {command}   # {time.monotonic() - start:.0f} s\n{done.stdout}\n")
        if done.returncode and not ("| grep -c" in command and done.returncode == 1):  # which counted none
            raise Wrong(f"{command.split(' -')[0]} failed: {errors(done.stdout)}")
        return done.stdout

    def step(self, what: str) -> None:
        self.result["steps"].append(what)

    def clean(self, made: bool, before: Mapping[str, set[str]]) -> None:
        """Leaves the project as it was, whatever happened."""
        if self.result.get("complete"):
            return
        if (self.directory / "terraform.tfstate").exists():
            try:
                self.shell("terraform destroy -auto-approve -refresh=false")
            except (Wrong, subprocess.TimeoutExpired) as e:
                self.result["cleaning"] = str(e)[:300]
        if made:
            state = self.cloud.delete(self.name)
            if state != "DELETE_COMPLETE":
                self.result["stack"] = state
        if left := less(self.cloud.inventory(self.text), before, self.cloud.supplied):
            self.result["left"] = {kind: sorted(ids) for kind, ids in left.items()}


def quiet(out: str) -> bool:
    """Whether a plan changes nothing; values of outputs are nothing but records."""
    outputs = "You can apply this plan to save these new output values" in out and "will perform" not in out
    return outputs or NOTHING.search(out) is not None


def commands(guide: str) -> Iterator[tuple[str, str, bool]]:
    """The commands of a guide with their headings, but for those that go back; and whether it is a preview."""
    heading, said, inside = "", "", False
    for line in guide.splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif line.startswith("```"):
            inside = line != "```"
        elif inside and not said.startswith("To go back"):
            yield heading, line, "--dry-run" in line
        elif not inside and line.strip():
            said = line


def less(one: Mapping[str, set[str]], *others: Mapping[str, set[str]]) -> dict[str, set[str]]:
    found = {kind: ids.difference(*(other.get(kind, ()) for other in others)) for kind, ids in one.items()}
    return {kind: ids for kind, ids in found.items() if ids}


def write(directory: pathlib.Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def changes(out: str) -> str:
    """The lines of a plan that say what would change, and why it failed."""
    lines = [line.strip() for line in out.splitlines() if re.match(r"\s*(# .* (will|must) be|[-+~]|-/\+|Error)", line)]
    imported = [line for line in lines if not line.endswith("will be imported")]
    return " | ".join(imported)[:1500]


def errors(out: str) -> str:
    found = re.findall(r"(?ms)^[│\s]*Error: .*?(?=^[│╵\s]*$\n^[╷\s]*$|\Z)", out)
    return (" ".join(found) or out[-1200:]).replace("\n", " ")[:1500]


def stack_name(template: pathlib.Path) -> str:
    return "h2t-" + re.sub(r"[^a-z0-9]", "", template.stem.lower())[:24]


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The stacks to make: those of the command line, then those of a list."""
    for template in args.templates:
        yield Case(template.resolve(), args.name or stack_name(template), args.e, args.P, args.U)
    if args.list is not None:
        for line in args.list.read_text().splitlines():
            one = json.loads(line)
            path = pathlib.Path(one["template"]).resolve()
            name = one.get("name") or stack_name(path)
            yield Case(path, name, one.get("environments", []), one.get("given", []), one.get("then", []))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="adopt_live.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("templates", nargs="*", type=pathlib.Path)
    parser.add_argument("--work", required=True)
    parser.add_argument("--list", type=pathlib.Path, help="JSON lines: template, name, environments, given, then")
    parser.add_argument("--until", choices=("plan", "end"), default="end")
    parser.add_argument("--again", action="store_true", help="also those with a result in the directory")
    parser.add_argument("-e", action="append", default=[], metavar="ENV")
    parser.add_argument("-P", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("-U", action="append", default=[], metavar="KEY=VALUE", help="update the stack to this first")
    parser.add_argument("--name")
    args = parser.parse_args(argv)
    cloud, done = Cloud(), []
    for case in cases(args):
        if not args.again and (pathlib.Path(args.work) / case.name).exists():
            continue
        start = time.monotonic()
        one = Trial(cloud, case, args).run()
        one["seconds"] = round(time.monotonic() - start)
        done.append(one)
        report(one)
    made = [one for one in done if not one["problem"].startswith("HEAT")]
    whole = sum(bool(one.get("complete")) for one in done)
    plans = sum("plan" in one and not one["problem"].startswith("PLAN") for one in done)
    print(f"{len(made)} stacks of {len(done)} templates; {plans} plans without a change; {whole} complete")
    return 0


def report(one: Mapping[str, Any]) -> None:
    """Prints what came of a stack."""
    verdict = "COMPLETE" if one.get("complete") else one["problem"] or "planned"
    print(f"{one['name']}: {one.get('plan', '-')} [{one['seconds']} s] {verdict}", flush=True)
    for key in ("left", "stack", "cleaning"):
        if key in one:
            print(f"    {key}: {one[key]}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
