"""One stack on a real cloud: made by Heat and adopted, or made by Terraform; changed; destroyed.

Invariant: after every run, also a failed one, the project is as it was.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, final

import transpile
from emitters.hcl.tables import imports
from tests.support.files import write_files
from tests.support.live_cloud import Cloud, Unmade
from tests.support.live_plans import NOTHING, count_plan, find_changes, find_errors, is_quiet, read_guide
from tests.support.live_stacks import ADOPT, CONVERT, LiveStack, ManifestError
from tests.support.second_day import NOTHING as NO_CHANGES
from tests.support.second_day import Action, append, compare_objects, edit, rename, wrap
from transpile.adopting import run as adopting
from transpile.adoption.lookups import Answers
from transpile.diagnostics.model import Stopped
from transpile.report import template_reports

LOOKS = re.compile("openstack (server show|stack (show|snapshot|resource|template)|.*--dry-run)")  # change nothing
LAST = 20  # looks at the remaining objects
LIMIT = 900  # seconds for one command
VALUES = "second_day.auto.tfvars.json"  # wins over terraform.tfvars


class Wrong(Exception):
    """A step did not have the expected effect."""


class Case(NamedTuple):
    """The input for a stack. `parameters`, `then`: of its creation, and of an update before adoption. `stack`: the
    expectations, if they are written down.
    """

    template: pathlib.Path
    name: str
    environments: Sequence[str]
    parameters: Mapping[str, str]
    then: Mapping[str, str]
    way: str = ADOPT
    stack: LiveStack | None = None
    actions: Sequence[Action] = ()  # of the second day


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
        self.made, self.going_on = False, False  # Heat was asked to make the stack; Terraform has it
        self.values: dict[str, Any] = {}  # of the second day
        self.result: dict[str, Any] = {"template": str(template), "name": name, "steps": [], "problem": ""}
        self.env = os.environ | {"TF_IN_AUTOMATION": "1", "TF_CLI_ARGS": "-no-color", "TF_INPUT": "0"}

    def run(self) -> dict[str, Any]:
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        before = self.cloud.inventory(self.text)
        try:
            self.convert() if self.case.way == CONVERT else self.take_over(before)
            if self.going_on:
                for number, _ in enumerate(self.case.stack.steps if self.case.stack else ()):
                    self.second_day(number)
                for action in self.case.actions:
                    self.act(action, before)
                self.destroy(before)
        except Unmade as e:
            self.result["problem"] = f"HEAT {e}"
        except (Wrong, Stopped, subprocess.TimeoutExpired) as e:
            self.result["problem"] = str(e)
        except Exception as e:  # a defect, here or there; the other stacks are measured all the same
            self.result["problem"] = f"DEFECT {type(e).__name__}: {e}"
        finally:
            self.clean(before)
        (self.work / "result.json").write_text(json.dumps(self.result, indent=1))
        return self.result

    def convert(self) -> None:
        """Terraform makes the stack, and has nothing to do after that."""
        case = self.case
        assert case.stack is not None
        parameters = {**case.parameters, **case.then}
        done = transpile.convert(
            self.template, environments=case.environments, parameters=parameters, prefer=case.stack.prefer
        )
        self.converted("CONVERT", done)
        self.step("converted")
        self.env |= {"TF_VAR_stack_name": self.name, **{f"TF_VAR_{name}": value for name, value in parameters.items()}}
        self.shell("terraform init -input=false")
        self.expected("first plan", self.shell("terraform plan -out=first.tfplan"), case.stack.plans[CONVERT])
        self.step("planned")
        self.going_on = self.args.until != "plan"
        if self.going_on:
            self.shell("terraform apply first.tfplan")
            self.unchanged("after the first apply")
            self.step("applied")

    def take_over(self, before: Mapping[str, set[str]]) -> None:
        """Heat makes the stack, Terraform imports it, and Heat lets go."""
        case = self.case
        self.made = True
        values = self.cloud.create(self.name, self.template, case.environments, case.parameters)
        if case.then:
            self.cloud.update(self.name, self.template, case.environments, {**values, **case.then})
        self.step("created")
        for resource in case.stack.lost if case.stack else ():
            self.cloud.lose(self.name, resource)
        created = self.cloud.inventory(self.text)
        self.result["resources"] = {kind: len(ids) for kind, ids in less(created, before, self.cloud.supplied).items()}
        self.adopt()
        self.step("adopted")
        self.shell("terraform init -input=false")
        if case.stack is not None and case.stack.refused:
            self.refused(case.stack.refused)
            return
        out = self.shell("terraform plan -out=adopt.tfplan")
        self.planned(out)
        self.step("planned")
        self.going_on = self.args.until != "plan"
        if not self.going_on:
            return
        self.follow()
        if gone := less(created, self.cloud.inventory(self.text)):
            raise Wrong(f"after the release these are gone: {gone}")
        self.step("all is there")
        out = self.shell("terraform plan")
        if NOTHING.search(out) is None and is_quiet(out):  # outputs of resources that stay in Heat
            self.result["outputs_applied"] = True
            self.shell("terraform apply -auto-approve")
        self.unchanged("after the release")
        self.step("no changes")

    def refused(self, reason: str) -> None:
        """The first plan fails with the announced reason."""
        try:
            out = self.shell("terraform plan")
        except Wrong as e:
            if reason not in " ".join(str(e).replace("│", " ").split()):
                raise
            self.step("refused")
            self.result["complete"] = True
            return
        raise Wrong(f"the plan does not fail, but says {count_plan(out)}")

    def second_day(self, number: int) -> None:
        """Changes parameters, as an owner of the configuration would."""
        assert self.case.stack is not None
        step = self.case.stack.steps[number]
        title = f"{step.name} {json.dumps(step.values)}"
        self.values |= step.values
        (self.directory / VALUES).write_text(json.dumps(self.values, indent=1))
        self.expected(title, self.shell("terraform plan -out=step.tfplan"), step.plan)
        self.shell("terraform apply step.tfplan")
        self.unchanged(f"after {title}")
        self.step(title)

    def act(self, action: Action, before: Mapping[str, set[str]]) -> None:
        """Does one thing of the second day by hand. Deviations are noted, and the trial goes on: every action is
        measured. Raises Wrong if Terraform fails.
        """
        deviations: list[str] = []
        done = {"do": action.name, "way": action.way, "what": action.what, "deviations": deviations}
        self.result.setdefault("actions", []).append(done)
        try:
            self.change(action, deviations)
            if action.way in ("rename", "wrap"):
                self.shell("terraform init -input=false")
            out = self.shell("terraform plan -out=step.tfplan")
            done["plan"] = count_plan(out)
            if {"No changes": NO_CHANGES}.get(done["plan"], done["plan"]) != action.plan:
                deviations.append(f"the plan is {done['plan']}, and not {action.plan}: {find_changes(out)}")
            self.shell("terraform apply step.tfplan")
            out = self.shell("terraform plan")
            if NOTHING.search(out) is None:
                deviations.append(f"the next plan has changes: {find_changes(out) or out[-600:]}")
            deviations += self.compare_with_services(action, before)
        except (Wrong, ManifestError) as e:
            deviations.append(str(e))
            raise Wrong(f"{action.name}: {e}") from e

    def change(self, action: Action, deviations: list[str]) -> None:
        """Changes the configuration or the state, as an action says."""
        if action.way == "set":
            self.values |= action.what
            (self.directory / VALUES).write_text(json.dumps(self.values, indent=1))
        elif action.way == "edit":
            edit(self.directory, action.what)
        elif action.way == "write":
            append(self.directory, action.what)
        elif action.way == "rename":
            rename(self.directory, action.what)
        elif action.way == "wrap":
            wrap(self.directory, self.shell("terraform state list").splitlines())
        else:
            out = self.shell(f"terraform destroy -auto-approve -target={shlex.quote(action.what)}")
            if f"Resources: {action.destroyed} destroyed" not in out:
                deviations.append(f"not {action.destroyed} destroyed: {out[-200:]}")

    def compare_with_services(self, action: Action, before: Mapping[str, set[str]]) -> Iterator[str]:
        """The differences between the services and the expectation or the state, a line for each."""
        now = self.cloud.inventory(self.text)
        yield from (f"the state has {kind} {id_}, and the cloud has not" for kind, id_ in self.lost_objects(now))
        names: dict[str, str] = {}
        for kind in ("image", "flavor") if "server" in action.api else ():
            names |= {row["id"]: row["name"] for row in self.cloud.rows(kind)}
        objects_by_kind = {}
        for kind in action.api:
            rows = [
                row for row in self.cloud.rows(kind) if self.cloud.mine(row) and row["id"] not in before.get(kind, ())
            ]
            for row in rows:
                for kind_ in ("image", "flavor"):
                    if isinstance(row.get(kind_), dict):
                        row[f"{kind_}_name"] = names.get(row[kind_]["id"])
            objects_by_kind[kind] = rows
        yield from compare_objects(action.api, objects_by_kind)

    def lost_objects(self, now: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
        """The kinds and IDs of the resources in the state that no service has."""
        state = json.loads((self.directory / "terraform.tfstate").read_text())
        for resource in state["resources"]:
            row = imports.find_row(resource["type"] if resource["mode"] == "managed" else "")
            for instance in resource["instances"]:
                id_ = str(instance["attributes"].get("id"))
                if now.get(row.kind) and "/" not in id_ and id_ not in now[row.kind]:
                    yield row.kind, id_

    def destroy(self, before: Mapping[str, set[str]]) -> None:
        """Terraform destroys everything, and nothing is left."""
        self.shell("terraform destroy -auto-approve")
        self.step("destroyed")
        for _ in range(LAST):  # Nova lists a server for a while after Heat has seen that it is gone
            left = less(self.cloud.inventory(self.text), before, self.cloud.supplied)
            if not left:
                break
            time.sleep(2)
        else:
            raise Wrong(f"after destroy these are left: {left}")
        if self.made and self.cloud.project.find_stack_summary(self.name) is not None:
            raise Wrong("after destroy the stack is left")
        self.result["complete"] = True

    def expected(self, step: str, out: str, plan: str) -> None:
        if count_plan(out) != plan:
            raise Wrong(f"PLAN {step}: {count_plan(out)}, and not {plan}: {find_changes(out)}")

    def unchanged(self, when: str) -> None:
        out = self.shell("terraform plan")
        if NOTHING.search(out) is None:
            raise Wrong(f"{when} the plan has changes: {find_changes(out) or out[-600:]}")

    def converted(self, word: str, done: transpile.Conversion) -> None:
        """Writes the files, if the conversion is as expected."""
        problems = [d for d in done.diagnostics if d.severity != "info"]
        self.result["diagnostics"] = [f"{d.code} {d.message}" for d in problems]
        if not done.files:
            raise Wrong(f"{word} " + "; ".join(f"{d.code} {d.message}" for d in problems if d.severity == "error"))
        self.result["heat"] = sorted(
            name
            for report in template_reports(done.report)
            for name, resource in report["resources"].items()
            if resource.get("treatment") == "embedded"
        )
        write_files(self.directory, done.files)
        stack = self.case.stack
        if stack is None:
            return
        if missing := [code for code in stack.codes if code not in {d.code for d in done.diagnostics}]:
            raise Wrong(f"{word} does not say {', '.join(missing)}")
        if self.result["heat"] != (kept := stack.heat[self.case.way]):
            raise Wrong(f"{word}: with Heat stay {self.result['heat']}, and not {kept}")

    def adopt(self) -> None:
        """Online; then offline with the saved answers, which must give the same bytes."""
        live, diagnostics = self.cloud.project.read_stack(self.name)
        export = self.work / f"{self.name}.json"
        export.write_text(self.cloud.project.exports[self.name])
        if live is None:
            raise Wrong("ADOPT " + "; ".join(d.message for d in diagnostics))
        recorder = Answers({}, self.cloud.project)
        start = time.monotonic()
        prefer = self.case.stack.prefer if self.case.stack else None
        done = adopting.adopt(live, cloud=recorder, prefer=prefer)
        self.result["adopt_s"] = round(time.monotonic() - start, 2)
        self.converted("ADOPT", done)
        answers = self.work / "answers.json"
        answers.write_text(json.dumps(recorder.as_json()))
        again = adopting.adopt(export, answers=answers, prefer=prefer)
        self.result["same_offline"] = dict(again.files) == dict(done.files)
        self.result["imports"] = len(done.report.get("imports", {}))
        self.result["additions"] = len(done.report.get("additions", {}))
        for name, value in self.hidden(export):
            self.env[f"TF_VAR_{name}"] = value

    def hidden(self, export: pathlib.Path) -> Iterator[tuple[str, str]]:
        """The values of parameters, as a user would set those that no file has."""
        body = json.loads(export.read_text())
        parameters = (body.get("environment") or {}).get("parameters") or {}
        for name, value in parameters.items():
            low = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
            yield low, value if isinstance(value, str) else json.dumps(value)

    def planned(self, out: str) -> None:
        """Compares the first plan with the promises of ADOPT.md, and with the expectations."""
        self.result["plan"] = count_plan(out)
        imports, added = self.result["imports"], self.result["additions"]
        promise = f"{imports} to import, {added} to add, 0 to change, 0 to destroy" if imports else "No changes"
        self.expected("import", out, promise)
        if self.case.stack is not None:
            self.expected("import", out, self.case.stack.plans[ADOPT])

    def follow(self) -> None:
        """Runs the commands of ADOPT.md, in their order, as they are written."""
        guide = self.directory / "ADOPT.md"
        if not guide.exists():
            raise Wrong("there is no ADOPT.md")
        for heading, command, preview, promise in read_guide(guide.read_text()):
            if self.args.quick and LOOKS.match(command):
                continue
            try:
                out = self.shell(command)
            except Wrong as e:
                if not preview:
                    raise
                self.result.setdefault("previews", []).append(str(e)[:300])
                continue
            if preview and re.search(r"(?m)^(added|deleted):(?! \[\])", out):
                raise Wrong(f"{heading}: the preview shows changes: {out[:600]}")
            if promise:
                self.expected(heading, out, promise)
            elif command.startswith("terraform plan") and "-out" not in command and not is_quiet(out):
                raise Wrong(f"{heading}: the plan shows changes: {find_changes(out)}")
            if heading not in self.result["steps"]:
                self.step(heading)

    def shell(self, command: str) -> str:
        """The output of a command in the directory. Raises Wrong if it fails."""
        start = time.monotonic()
        ended = threading.Event()
        signals = threading.Thread(target=self.cloud.signal_until, args=(ended,), daemon=True)
        if self.case.way == CONVERT and "apply" in command and "WaitCondition" in self.text:
            signals.start()
        try:
            done = subprocess.run(
                ["bash", "-c", command], cwd=self.directory, env=self.env, text=True, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=LIMIT, check=False,
            )  # fmt: skip
        finally:
            ended.set()
        with (self.work / "log.txt").open("a") as log:
            log.write(f"\n$ {command}   # {time.monotonic() - start:.0f} s\n{done.stdout}\n")
        if done.returncode and not ("| grep -c" in command and done.returncode == 1):  # which counted none
            raise Wrong(f"{command.split(' -')[0]} failed: {find_errors(done.stdout)}")
        return done.stdout

    def step(self, name: str) -> None:
        self.result["steps"].append(name)

    def clean(self, before: Mapping[str, set[str]]) -> None:
        """Leaves the project as it was, also after a failure."""
        if self.result.get("complete") and self.going_on:
            return
        if (self.directory / "terraform.tfstate").exists():
            try:
                self.shell("terraform destroy -auto-approve -refresh=false")
            except (Wrong, subprocess.TimeoutExpired) as e:
                self.result["cleaning"] = str(e)[:300]
        if self.made:
            state = self.cloud.delete(self.name)
            if state != "DELETE_COMPLETE":
                self.result["stack"] = state
        if left := less(self.cloud.inventory(self.text), before, self.cloud.supplied):
            self.result["left"] = {kind: sorted(ids) for kind, ids in left.items()}


def less(ids_by_kind: Mapping[str, set[str]], *others: Mapping[str, set[str]]) -> dict[str, set[str]]:
    remaining = {kind: ids.difference(*(other.get(kind, ()) for other in others)) for kind, ids in ids_by_kind.items()}
    return {kind: ids for kind, ids in remaining.items() if ids}
