"""The operator's order of work for a fleet: the order of the stacks, with the commands and their expected results.

Invariant: only stacks that are adopted are in the order, and each of the others is named with its reason.
"""

from __future__ import annotations

import collections
import shlex
from collections.abc import Sequence

from transpile.adopting.fleet.stacks import LEAVE, PART, UNDER_WAY, WHOLE, StackVerdict
from transpile.adoption.evidence import COMPARISON
from transpile.adoption.steps import TREE_PATCH
from transpile.text.page_templates import fill_template

GUIDE_FILE = "ADOPT.md"


def write_order_of_work(verdicts: Sequence[StackVerdict], cloud: str, directory: str, *, patched: bool) -> str:
    """ADOPT.md at the top of the tree. `cloud`: the entry in clouds.yaml. `directory`: the name of the tree. `patched`:
    whether there is a patch of the code for the end.
    """
    kinds = collections.Counter(verdict.what for verdict in verdicts)
    variables = {
        "stacks": len(verdicts),
        "projects": len({verdict.project for verdict in verdicts}),
        "whole": kinds[WHOLE],
        "part": kinds[PART],
        "under_way": kinds[UNDER_WAY],
        "adopted": order_verdicts(verdicts),
        "left": [verdict for verdict in verdicts if verdict.what == LEAVE],
        "prove": f"hot2tf adopt --os-cloud {shlex.quote(cloud)} --prove FOLDER",
        "comparison": COMPARISON,
        "patched": patched,
        "patch": TREE_PATCH,
        "directory": directory,
    }
    return fill_template(__package__, "ADOPT.md.j2", variables)


def order_verdicts(verdicts: Sequence[StackVerdict]) -> list[StackVerdict]:
    """The stacks to adopt, in the order of the work. Those of one directory follow each other."""
    adopted = [verdict for verdict in verdicts if verdict.what != LEAVE]
    size: dict[str, tuple[bool, int]] = {}
    for verdict in adopted:
        in_part, number = size.get(verdict.folder, (False, 0))
        size[verdict.folder] = (in_part or verdict.what == PART, max(number, verdict.imports))
    return sorted(
        adopted, key=lambda verdict: (size[verdict.folder], verdict.folder, verdict.imports, verdict.environment)
    )
