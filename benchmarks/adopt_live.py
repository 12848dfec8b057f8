"""Running stacks on a real cloud: made by Heat and adopted, or made by Terraform; changed; destroyed.

Needs OS_* of a cloud, `openstack` and `terraform` on the PATH, providers that really talk to it
(TF_CLI_CONFIG_FILE), and `pip install "hot2tf[openstack]"`. Everything that is made is deleted again.

    python -m benchmarks.adopt_live --work DIR [--only NAME...] [--way adopt|convert]
    python -m benchmarks.adopt_live --work DIR [--until plan] [-e ENV] [-P KEY=VALUE] [-U KEY=VALUE] TEMPLATE...
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.support.live_cloud import Cloud
from tests.support.live_stacks import ADOPT, WAYS, ManifestError, read_stacks
from tests.support.live_trial import Case, Trial
from tests.support.second_day import read_actions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def stack_name(template: pathlib.Path) -> str:
    return "h2t-" + re.sub(r"[^a-z0-9]", "", template.stem.lower())[:24]


def split_values(items: Sequence[str]) -> dict[str, str]:
    return dict(item.split("=", 1) for item in items)


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """The stacks to make: those of the command line, those of a list, or else those of the folder."""
    for template in args.templates:
        name = args.name or stack_name(template)
        yield Case(template.resolve(), name, args.e, split_values(args.P), split_values(args.U))
    if args.list is not None:
        for line in args.list.read_text().splitlines():
            row = json.loads(line)
            path = pathlib.Path(row["template"]).resolve()
            name = row.get("name") or stack_name(path)
            values, then = split_values(row.get("given", [])), split_values(row.get("then", []))
            yield Case(path, name, row.get("environments", []), values, then)
    if args.templates or args.list is not None:
        return
    actions = read_actions()
    for stack in read_stacks(only=args.only):
        for way in WAYS:
            if way in stack.plans and args.way in (None, way):
                name = f"h2t-{stack.name.replace('_', '-')}-{way}"
                yield Case(
                    stack.template, name, stack.environments, stack.parameters, stack.update, way, stack,
                    actions.get(stack.name, ()) if way == ADOPT else (),
                )  # fmt: skip


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="adopt_live.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("templates", nargs="*", type=pathlib.Path, help="in place of the stacks of benchmarks/stacks")
    parser.add_argument("--work", required=True)
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="NAME", help="these folders of benchmarks/stacks alone"
    )
    parser.add_argument("--way", choices=WAYS, help="only adoptions, or only stacks that Terraform makes anew")
    parser.add_argument("--list", type=pathlib.Path, help="JSON lines: template, name, environments, given, then")
    parser.add_argument("--quick", action="store_true", help="without the commands of ADOPT.md that only look at Heat")
    parser.add_argument("--until", choices=("plan", "end"), default="end")
    parser.add_argument("--again", action="store_true", help="also those with a result in the directory")
    parser.add_argument("-e", action="append", default=[], metavar="ENV")
    parser.add_argument("-P", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("-U", action="append", default=[], metavar="KEY=VALUE", help="update the stack to this first")
    parser.add_argument("--name")
    args = parser.parse_args(argv)
    try:
        chosen = list(cases(args))
    except ManifestError as e:
        parser.error(str(e))
    cloud, done = Cloud(), []
    for case in chosen:
        if not args.again and (pathlib.Path(args.work) / case.name).exists():
            continue
        start = time.monotonic()
        result = Trial(cloud, case, args).run()
        result["seconds"] = round(time.monotonic() - start)
        done.append(result)
        report(result)
    made = [result for result in done if not result["problem"].startswith("HEAT")]
    whole = sum(bool(result.get("complete")) for result in done)
    plans = sum("planned" in result["steps"] for result in done)
    actions = [action for result in done for action in result.get("actions", ())]
    if actions:
        print(f"{len(actions)} actions by hand, {sum(not action['deviations'] for action in actions)} as expected")
    print(f"{len(made)} stacks of {len(done)} made; {plans} first plans as expected; {whole} complete")
    return 0 if args.templates or args.list is not None or whole == len(done) else 1


def report(result: Mapping[str, Any]) -> None:
    """Prints the outcome for a stack."""
    verdict = "COMPLETE" if result.get("complete") else result["problem"] or "planned"
    print(f"{result['name']}: {verdict} [{result['seconds']} s] {', '.join(result['steps'])}", flush=True)
    for action in result.get("actions", ()):
        for deviation in action["deviations"]:
            print(f"    {action['do']}: {deviation}", flush=True)
    for key in ("left", "stack", "cleaning"):
        if key in result:
            print(f"    {key}: {result[key]}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
