"""Selects the resources that `--prefer native` and `--prefer provisioners` convert instead of keeping them in Heat.

Invariant: a preferred conversion applies only if no other resource or output depends on the difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.plan import cfn_init, left_out, referrals, scaling, signals
from emitters.hcl.plan.configurations import SOFTWARE
from emitters.hcl.plan.deployments import OVER_SSH as HOOK
from emitters.hcl.tables.mapping import Kind
from transpile.model import heat_types
from transpile.model.records import replace
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from emitters.hcl.plan.deployments import Deployments
    from emitters.hcl.plan.signals import Signals
    from emitters.hcl.tables.tables import Tables
    from transpile.resolve.stack import Stack

NATIVE, FAITHFUL, PROVISIONERS = "native", "faithful", "provisioners"
OVER_SSH = Kind(SOFTWARE, "native", hook=HOOK, why="a script that Terraform runs over SSH")
ADDRESS = Kind(
    heat_types.DEPLOYED_SERVER,
    "folded",
    hook=left_out.HOOK,
    why="Terraform needs only its address, which is a variable",
)


def preferred(
    stack: Stack, prefer: str, tables: Tables, sent: Signals, work: Deployments, keep: Sequence[str] = ()
) -> dict[str, Kind]:
    """The preferred conversion of each resource that has one, in the order of the template. keep: types that stay with
    Heat whatever the user prefers, as patterns (`OS::Aodh::*`).
    """
    boots = work.first_boot()
    boots = work.quiet(boots) if prefer == PROVISIONERS else boots
    over_ssh = work.over_ssh(boots) if prefer == PROVISIONERS else set()
    free = sent.unwaited() if sent.used else set()
    idle = work.idle()
    found = {*scaling.fixed_size(stack, tables), *boots, *free, *work.stored({*boots, *over_ssh, *idle})}
    waiting = sent.over_ssh(free) if prefer == PROVISIONERS and free else set()
    out = {}
    for name in stack.template.resources:
        if name in over_ssh:
            out[name] = OVER_SSH
            out |= {one: ADDRESS for one in work.named(name) if stack.types[one] == heat_types.DEPLOYED_SERVER}
        if name in waiting:
            out[name] = signals.OVER_SSH
            continue  # it is also among the unread conditions, which the table would leave out
        kind = tables.find(stack.types[name]) if name in found else None
        if kind is not None and kind.other is not None:
            of_instances = kind.name in scaling.GROUPS and scaling.instance(stack, stack.template.resources[name])
            inner = tables.find(heat_types.AWS_INSTANCE) if of_instances else None
            out[name] = kind.other if inner is None else replace(kind.other, stays_with=inner.stays_with)
    keys = cfn_init.unused_keys(stack, sent) if sent.used else set()
    out |= dict.fromkeys(keys, cfn_init.UNUSED)
    out |= left_out.kinds(stack, tables, out, idle, keys)
    if lost := left_out.kept(stack, out, keep):  # with those that cannot change without them
        lost |= graph.reachable(together(stack, out, sent, work), lost)
    return {name: out[name] for name in stack.template.resources if name in out and name not in lost}


def together(stack: Stack, preferred: Iterable[str], sent: Signals, work: Deployments) -> dict[str, set[str]]:
    """Resources that must change treatment together, in both directions: a group with its policies and alarms,
    deployments with their server, its user data and their configs, a wait condition with its handle and the resources
    that signal to it. preferred: those with a preferred conversion.
    """
    every = set(preferred)
    found = sent.together(every) if sent.used else {}
    for name in preferred:
        near = referrals.referred(stack.template.resources[name]) & every
        if name in work.work:
            near |= work.beside(name)
        for other in near:
            found.setdefault(name, set()).add(other)
            found.setdefault(other, set()).add(name)
    return found
