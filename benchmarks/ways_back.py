"""The way back from each step of an adoption, tried on a real cloud. It has the same needs as benchmarks.adopt_live.

    python -m benchmarks.ways_back --work DIR [--only NAME...]

For each stack of benchmarks/stacks: Heat makes it, and the adoption goes one step further each time, and back: after
the import (without the state), after update 1 (the first template), after `openstack stack abandon`, and after update 2
and the deletion of the empty stack (`openstack stack adopt` with the saved file). After each way back Heat has the
stack with the same objects, and deletes them with the stack in the end.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import time
from typing import TYPE_CHECKING, Any, final

from tests.support.live_cloud import Cloud
from tests.support.live_stacks import read_stacks
from tests.support.live_trial import Case, Trial, Wrong, less

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STACKS = ("unnamed_volumes", "plain_metadata", "nodes", "floating_port", "nested_condition", "remote_rules")
UPDATE = (
    "openstack stack update --existing --rollback disabled --wait "
    "-t release/{0}/template.yaml -e release/{0}/environment.yaml {1}"
)


@final
class Back:
    """One stack, on its way there and back."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.cloud, self.name = trial, trial.cloud, trial.name
        self.ways: dict[str, str] = {}  # the outcome of each: empty if all is as it was

    def run(self) -> dict[str, str]:
        trial, case = self.trial, self.trial.case
        self.before = self.cloud.inventory(trial.text)
        trial.work.mkdir(parents=True, exist_ok=True)
        trial.made = True
        self.cloud.create(self.name, case.template, case.environments, case.parameters)
        try:
            self.objects = self.ids()
            trial.adopt()
            self.imports = (trial.directory / "imports.tf").read_text()
            trial.shell("terraform init -input=false")
            trial.shell("openstack stack export " + self.name + " --output-file before.json")
            for way in (self.after_import, self.after_abandon, self.after_retain, self.after_release, self.last_delete):
                try:
                    way()
                    self.ways.setdefault(way.__name__, "")
                except Wrong as e:
                    self.ways[way.__name__] = str(e)
                    break
        finally:
            trial.clean(self.before)
        return self.ways

    def ids(self) -> dict[str, set[str]]:
        return less(self.cloud.inventory(self.trial.text), self.before, self.cloud.supplied)

    def stack_objects(self) -> dict[str, str]:
        """The physical IDs of the resources of the stack that are objects of a service."""
        rows = self.cloud.stack_resources(self.name)
        return {row["resource_name"] + row["resource_type"]: row["physical_resource_id"] for row in rows}

    def check(self, step: str, *, retain: bool = False) -> None:
        """The cloud is as it was, and Heat has the stack."""
        if self.ids() != self.objects:
            raise Wrong(f"{step}: the objects are {self.ids()}, and not {self.objects}")
        summary = self.cloud.project.find_stack_summary(self.name)
        if summary is None or not str(summary["stack_status"]).endswith("COMPLETE"):
            raise Wrong(f"{step}: the stack is {summary}")
        known = {id_ for ids in self.objects.values() for id_ in ids}
        if not known & set(self.stack_objects().values()):
            raise Wrong(f"{step}: Heat knows none of {known}")
        written = "Retain" in (self.trial.directory / "release/1-retain/template.yaml").read_text()
        if ("Retain" in self.trial.shell(f"openstack stack template show {self.name}")) != (retain and written):
            raise Wrong(f"{step}: the policy is {'missing' if retain else 'left'}")

    def take(self) -> None:
        """Terraform imports the resources."""
        (self.trial.directory / "imports.tf").write_text(self.imports)
        self.trial.shell("terraform apply -auto-approve")
        (self.trial.directory / "imports.tf").unlink()
        self.trial.unchanged("after the import")

    def forget(self) -> None:
        """Terraform lets go: the documented way is to remove the state."""
        (self.trial.directory / "terraform.tfstate").unlink()

    def after_import(self) -> None:
        self.take()
        self.forget()
        self.check("without the state")

    def after_retain(self) -> None:
        self.take()
        self.trial.shell(UPDATE.format("1-retain", self.name))
        self.check("update 1", retain=True)
        self.trial.shell(UPDATE.format("0-original", self.name))
        self.forget()
        self.check("the first template")

    def after_abandon(self) -> None:
        self.take()
        self.trial.shell(f"openstack stack abandon {self.name} --output-file abandoned.json")
        self.gone()
        self.trial.unchanged("after abandon")
        self.adopt_back("abandoned.json")

    def after_release(self) -> None:
        self.take()
        self.trial.shell(UPDATE.format("1-retain", self.name))
        self.trial.shell(UPDATE.format("2-release", self.name))
        self.make_second_set()
        self.trial.shell(f"openstack stack delete --yes --wait {self.name}")
        self.gone()
        self.trial.unchanged("after the deletion")
        self.adopt_back("before.json")

    def make_second_set(self) -> None:
        """The first template is no way back any longer: Heat makes other resources beside the first, and another update
        2 deletes them again. If the template has parameters without a default, Heat refuses it: it has no values left.
        """
        try:
            self.trial.shell(UPDATE.format("0-original", self.name))
        except Wrong:
            return
        if not less(self.ids(), self.objects) or less(self.objects, self.ids()):
            raise Wrong(f"the first template makes no second set: {self.ids()}")
        self.trial.shell(UPDATE.format("2-release", self.name))
        for _ in range(20):
            if self.ids() == self.objects:
                return
            time.sleep(2)
        raise Wrong(f"update 2 leaves {less(self.ids(), self.objects)} of the second set")

    def gone(self) -> None:
        for _ in range(30):
            if self.cloud.project.find_stack_summary(self.name) is None:
                return
            time.sleep(1)
        raise Wrong("Heat still has the stack")

    def adopt_back(self, file: str) -> None:
        """Heat adopts the stack from a file, keeps all IDs, and has nothing to change."""
        types = "release/0-original/adopt.yaml"
        environments = f" -e {types}" * (self.trial.directory / types).exists()
        self.trial.shell(f"openstack stack adopt --wait --adopt-file {file}{environments} {self.name}")
        self.forget()
        self.check(f"adopt from {file}")
        self.trial.shell(UPDATE.format("0-original", self.name))
        self.check(f"the update after adopt from {file}")

    def last_delete(self) -> None:
        """Heat owns the objects again: it deletes them with the stack."""
        self.cloud.delete(self.name)
        for _ in range(20):
            if not (left := self.ids()):
                return
            time.sleep(2)
        raise Wrong(f"deleting the stack leaves {left}")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="ways_back.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--only", nargs="+", default=STACKS, metavar="NAME")
    args = parser.parse_args(argv)
    args.until, args.quick = "end", True
    cloud = Cloud()
    results: dict[str, Mapping[str, Any]] = {}
    for stack in read_stacks(only=args.only):
        case = Case(stack.template, f"back-{stack.name.replace('_', '-')}", stack.environments, stack.parameters, {})
        results[stack.name] = ways = Back(Trial(cloud, case, args)).run()
        print(f"{stack.name}: " + ", ".join(f"{way} {problem or 'back'}" for way, problem in ways.items()), flush=True)
    pathlib.Path(args.work, "ways_back.json").write_text(json.dumps(results, indent=1))
    return 1 if any(problem for ways in results.values() for problem in ways.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
