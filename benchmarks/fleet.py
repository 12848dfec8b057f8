"""A fleet of running stacks on a real cloud: made by Heat in several projects, adopted by one command, released,
compared.

Needs OS_* of a user of the cloud who may enter the projects, ADMIN for one who may make them, `openstack` and
`terraform` on the PATH, providers that really talk to the cloud (TF_CLI_CONFIG_FILE), and `pip install
"hot2tf[openstack]"`.

    python -m benchmarks.fleet --work DIR [--projects NAME...] [--until adopt|end] [--clean]
"""

from __future__ import annotations

import argparse
import concurrent.futures
import filecmp
import importlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, final

from tests.support.live_plans import count_plan, find_errors, is_quiet, read_guide
from transpile.adoption import online
from transpile.adoption.kinds import API_KINDS
from transpile.diagnostics.model import Stopped
from transpile.migrate.state import FOLDER, STATE_FILE
from transpile.model.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE = pathlib.Path(__file__).parent / "fleet"
WAIT, LIMIT = 600, 900  # seconds for one stack, and for one command
KINDS = ("server", "volume", "network", "subnet", "port", "router", "security group", "network trunk")
ROLES = ("member", "heat_stack_owner", "creator", "load-balancer_member")
LOOKS = re.compile(r"openstack (stack (show|export|snapshot list|resource list|template show|list)|\w+( \w+)? show) ")
KILL_AFTER = 2  # directories whose results are saved
SHARED_STEP = "compare the rest"  # of the code of all environments, so it is not for one stack


class Wrong(Exception):
    """A step did not have the expected effect."""


@final
class Fleet:
    """The projects and their objects. `work`: the directory for all files. `looks`: whether commands of ADOPT.md are
    run, too, that only show something.
    """

    def __init__(self, work: pathlib.Path, projects: Sequence[str], workers: int, *, looks: bool) -> None:
        self.looks = looks
        self.work, self.projects, self.workers = work, projects, workers
        self.openstack: Any = importlib.import_module("openstack")
        self.tree, self.log, self.lock = work / "tree", work / "log.txt", threading.Lock()
        self.figures: dict[str, Any] = {}
        self.later: dict[str, list[tuple[str, str, str]]] = {}  # commands by stack, for when all are imported

    def connect(self, project: str) -> Any:
        return self.openstack.connect(cloud="envvars").connect_as_project(project)

    # making

    def make_projects(self) -> None:
        """The projects, in which the user of OS_* may make stacks."""
        admin = self.openstack.connect(cloud="envvars").connect_as(username=os.environ.get("ADMIN", "admin"))
        user = admin.identity.find_user(os.environ["OS_USERNAME"])
        roles = {role.name: role for role in admin.identity.roles()}
        for name in self.projects:
            project = admin.identity.find_project(name) or admin.identity.create_project(name=name, domain_id="default")
            for role in ROLES:
                if role in roles:
                    project.assign_role_to_user(admin.identity, user, roles[role], False)
            admin.set_compute_quotas(name, instances=50, cores=200, ram=400_000)
            admin.set_network_quotas(name, network=50, port=200, router=20, security_group=50)
            admin.set_volume_quotas(name, volumes=50, gigabytes=500)

    def make_stacks(self, project: str) -> None:
        """The stacks of stacks.json in one project."""
        cloud = self.connect(project)
        for row in json.loads((HERE / "stacks.json").read_text()):
            number = self.projects.index(project)
            if number not in row.get("in", [number]) or cloud.orchestration.find_stack(row["name"]) is not None:
                continue
            request = cloud.orchestration.read_env_and_templates(
                template_file=str(HERE / row["template"]), environment_files=[]
            )
            body = {"stack_name": row["name"], "parameters": row["parameters"], "timeout_mins": 10, **request}
            cloud.orchestration.post("/stacks", json={"disable_rollback": True, **body})
            end = time.monotonic() + WAIT
            while time.monotonic() < end:
                state = cloud.orchestration.get(f"/stacks/{row['name']}").json()["stack"]["stack_status"]
                if not state.endswith("IN_PROGRESS"):
                    break
                time.sleep(1)
            print(f"{project}/{row['name']}: {state}", flush=True)

    def inventory(self) -> dict[str, set[str]]:
        """The IDs of the projects' objects, by project and kind."""
        ids: dict[str, set[str]] = {}
        for name in self.projects:
            cloud = online.connect_project("envvars", budget=Budget()).enter_project(name)
            own = cloud.find_project_id()
            for kind in KINDS:
                api = API_KINDS[kind]
                try:
                    rows = cloud.read_rows(api.service, api.path + api.details, api.list_key, api.object_key)
                except (online.ReadRefused, Stopped):
                    continue
                ids[f"{name} {kind}"] = {row["id"] for row in rows if row.get("project_id", own) == own}
        return ids

    # adopting

    def command(self, tree: pathlib.Path) -> list[str]:
        projects = [word for name in self.projects for word in ("--project", name)]
        return [
            sys.executable, "-m", "transpile", "adopt", "--os-cloud", "envvars", "--all", *projects, "--drift",
            "-o", str(tree), "--report", f"{tree}.json",
        ]  # fmt: skip

    def adopt(self) -> None:
        """One command for all; then once more, killed in the middle and run again, which must give the same bytes."""
        begin = time.monotonic()
        done = subprocess.run(self.command(self.tree), capture_output=True, text=True, timeout=LIMIT, check=False)
        (self.work / "adopt.txt").write_text(done.stdout + done.stderr)
        report = json.loads(pathlib.Path(f"{self.tree}.json").read_text())
        self.verdicts: list[dict[str, Any]] = report["fleet"]
        seconds = time.monotonic() - begin
        self.figures |= {
            "stacks": len(self.verdicts),
            "whole": sum(verdict["what"] == "adopt whole" for verdict in self.verdicts),
            "part": sum(verdict["what"] == "adopt in part" for verdict in self.verdicts),
            "left": sum(verdict["what"] == "leave" for verdict in self.verdicts),
            "adopt_seconds": round(seconds, 1),
            "seconds_per_stack": round(seconds / len(self.verdicts), 2),
            "requests": report["requests"],
            "requests_per_stack": round(report["requests"] / len(self.verdicts), 1),
        }

    def adopt_killed(self) -> None:
        """Kills a run when some of its results are saved, and runs it again."""
        tree = self.work / "killed" / "tree"  # the first lines of files have the last part of the path
        tree.parent.mkdir()
        process = subprocess.Popen(self.command(tree), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        saved, state = 0, tree / FOLDER / STATE_FILE
        while process.poll() is None and saved < KILL_AFTER:
            time.sleep(0.05)
            if state.exists():
                try:
                    with sqlite3.connect(f"file:{state}?mode=ro", uri=True) as database:
                        saved = database.execute("select count(*) from results").fetchone()[0]
                except sqlite3.Error:
                    continue
        process.send_signal(signal.SIGKILL)
        process.wait()
        here = sorted(path.name for path in tree.iterdir())
        again = subprocess.run(self.command(tree), capture_output=True, text=True, timeout=LIMIT, check=False)
        report = json.loads(pathlib.Path(f"{tree}.json").read_text())
        kept = re.search(r"Kept from the run that was stopped: (.*)\.", again.stderr.replace("\n  ", " "))
        differences = list(self.compare_trees(self.tree, tree))
        self.figures |= {
            "killed_after": saved, "written_when_killed": here, "kept": kept[1] if kept else "",
            "requests_after_kill": report["requests"], "differences_after_kill": differences,
        }  # fmt: skip

    def compare_trees(self, first: pathlib.Path, other: pathlib.Path) -> Sequence[str]:
        names = {path.relative_to(top) for top in (first, other) for path in top.rglob("*") if path.is_file()}
        return [
            str(name) for name in sorted(names) if name.parts[0] != FOLDER and not is_same(first / name, other / name)
        ]

    # releasing

    def release(self) -> None:
        """Follows ADOPT.md of each stack, several at once: each operator has a clone of the tree."""
        problems: dict[str, str] = {}

        def work(verdict: Mapping[str, Any]) -> None:
            begin = time.monotonic()
            name = f"{verdict['project']}/{verdict['stack']}"
            try:
                self.follow(verdict)
            except (Wrong, subprocess.TimeoutExpired) as e:
                problems[name] = str(e)[:600]
            print(f"{name}: {problems.get(name, 'released')} [{time.monotonic() - begin:.0f} s]", flush=True)

        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(work, self.adopted()))
        self.figures["problems"] = problems

    def adopted(self) -> list[Mapping[str, Any]]:
        return [verdict for verdict in self.verdicts if verdict["what"] != "leave"]

    def clone(self, verdict: Mapping[str, Any]) -> pathlib.Path:
        """The clone of the tree in which a stack is worked on."""
        clone = self.work / "clones" / f"{verdict['project']}-{verdict['stack']}"
        if not clone.exists():
            shutil.copytree(self.tree, clone)
        return clone

    def follow(self, verdict: Mapping[str, Any]) -> None:
        """Runs the commands of a stack's ADOPT.md, and compares before and after: once imported, and at the end."""
        folder = self.clone(verdict) / verdict["folder"]
        where = folder / "environments" / verdict["environment"] if verdict["environment"] else folder
        proven = False
        for heading, words, preview, promise in read_guide((where / "ADOPT.md").read_text()):
            if LOOKS.match(words) and not self.looks:
                continue
            if SHARED_STEP in heading:  # for the end
                self.later.setdefault(verdict["stack_id"], []).append((heading, words, promise))
                continue
            if heading.startswith("2.") and not proven:
                self.prove(where, verdict, "import")
                proven = True
            try:
                out = self.shell(words, folder, verdict["project"])
            except Wrong:
                if preview:
                    continue
                raise
            if preview and re.search(r"(?m)^(added|deleted):(?! \[\])", out):
                raise Wrong(f"{heading}: the preview shows changes: {out[:600]}")
            if promise and count_plan(out) != promise:
                raise Wrong(f"{heading}: {count_plan(out)}, and not {promise}")
            if not promise and words.startswith("terraform plan") and "-out" not in words and not is_quiet(out):
                raise Wrong(f"{heading}: the plan shows changes: {count_plan(out)}")
        self.prove(where, verdict, "release")
        if verdict["what"] == "adopt whole":
            cloud = self.connect(verdict["project"])
            left = [stack.name for stack in cloud.orchestration.stacks()]
            if verdict["stack"] in left:
                raise Wrong("the stack is still there")

    def compare_the_rest(self) -> None:
        """Applies the patch of the tree in each clone, and then does the last step of each ADOPT.md."""

        def work(verdict: Mapping[str, Any]) -> None:
            folder, environment = self.clone(verdict) / verdict["folder"], verdict["environment"]
            where = folder / "environments" / environment if environment else folder
            for heading, words, promise in self.later.get(verdict["stack_id"], ()):
                out = self.shell(words, folder, verdict["project"])
                if promise and count_plan(out) != promise:
                    raise Wrong(f"{heading}: {count_plan(out)}, and not {promise}")
            self.prove(where, verdict, "end")

        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(work, self.adopted()))

    def prove(self, where: pathlib.Path, verdict: Mapping[str, Any], when: str) -> None:
        command = [sys.executable, "-m", "transpile", "adopt", "--os-cloud", "envvars", "--prove", str(where)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        with self.lock:
            self.figures.setdefault(f"proven_after_{when}", []).append(done.returncode == 0)
        if done.returncode:
            raise Wrong(f"after the {when}: {done.stderr[-600:]}")

    def shell(self, command: str, folder: pathlib.Path, project: str) -> str:
        env = os.environ | {
            "TF_IN_AUTOMATION": "1", "TF_CLI_ARGS": "-no-color", "TF_INPUT": "0", "OS_PROJECT_NAME": project,
            "TF_CLI_ARGS_apply": "-auto-approve" if "tfplan" not in command else "",
        }  # fmt: skip
        begin = time.monotonic()
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=LIMIT, check=False,
        )  # fmt: skip
        with self.lock, self.log.open("a") as log:
            log.write(f"\n{project} {folder.name} $ {command}   # {time.monotonic() - begin:.0f} s\n{done.stdout}\n")
        if done.returncode and not ("| grep -c" in command and done.returncode == 1):  # which counted none
            raise Wrong(f"{command.split(' -')[0]} failed: {find_errors(done.stdout) or done.stdout[-400:]}")
        return done.stdout

    def plan_all(self) -> None:
        """All plans are empty at the end."""

        def work(verdict: Mapping[str, Any]) -> bool:
            folder, environment = self.clone(verdict) / verdict["folder"], verdict["environment"]
            values = f" -var-file=environments/{environment}.tfvars" if environment else ""
            return is_quiet(self.shell(f"terraform plan{values}", folder, verdict["project"]))

        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            self.figures["empty_plans"] = sum(pool.map(work, self.adopted()))

    def clean(self) -> None:
        """Destroys Terraform's resources, and deletes the stacks that are left."""
        for verdict in self.adopted():
            folder, environment = self.clone(verdict) / verdict["folder"], verdict["environment"]
            values = f" -var-file=environments/{environment}.tfvars" if environment else ""
            self.shell(f"terraform destroy -auto-approve{values}", folder, verdict["project"])
        for project in self.projects:
            cloud = self.connect(project)
            for stack in cloud.orchestration.stacks():
                cloud.orchestration.delete_stack(stack, ignore_missing=True)


def is_same(first: pathlib.Path, other: pathlib.Path) -> bool:
    return first.is_file() and other.is_file() and filecmp.cmp(first, other, shallow=False)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="fleet.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--projects", nargs="+", default=["fleet1", "fleet2", "fleet3"], metavar="NAME")
    parser.add_argument("--workers", type=int, default=2, help="stacks that are worked on at once")
    parser.add_argument("--looks", action="store_true", help="also run the commands that only show something")
    parser.add_argument("--until", choices=("adopt", "end"), default="end")
    parser.add_argument("--clean", action="store_true", help="destroy everything at the end")
    args = parser.parse_args(argv)
    if "OS_AUTH_URL" not in os.environ:
        print("skipped: there is no cloud (OS_AUTH_URL)")
        return 0
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    fleet = Fleet(args.work.resolve(), args.projects, args.workers, looks=args.looks)
    fleet.make_projects()
    with concurrent.futures.ThreadPoolExecutor(len(args.projects)) as pool:
        list(pool.map(fleet.make_stacks, args.projects))
    before = fleet.inventory()
    fleet.adopt()
    print(json.dumps(fleet.figures, indent=1), flush=True)
    fleet.adopt_killed()
    print(json.dumps(fleet.figures, indent=1), flush=True)
    if args.until == "end":
        fleet.release()
        fleet.compare_the_rest()
        fleet.plan_all()
        after = fleet.inventory()
        fleet.figures["objects"] = sum(map(len, before.values()))
        fleet.figures["gone"] = {
            kind: sorted(ids - after.get(kind, set())) for kind, ids in before.items() if ids - after.get(kind, set())
        }
    if args.clean:
        fleet.clean()
    for when in ("import", "release", "end"):
        results = fleet.figures.pop(f"proven_after_{when}", [])
        fleet.figures[f"proven_after_{when}"] = f"{sum(results)} of {len(results)}"
    print(json.dumps(fleet.figures, indent=1), flush=True)
    return 1 if fleet.figures.get("problems") or fleet.figures.get("gone") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
