"""Selects the resources that `--prefer native` and `--prefer provisioners` convert instead of keeping them in Heat.

Invariant: a preferred conversion applies only if no other resource or output depends on the difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.plan import cfn_init, deployments, left_out, referrals, scaling, signals
from emitters.hcl.tables.mapping import Kind
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from emitters.hcl.plan.signals import Signals
    from emitters.hcl.tables.tables import Tables
    from transpile.resolve.stack import Stack

NATIVE, FAITHFUL, PROVISIONERS = "native", "faithful", "provisioners"
OVER_SSH = Kind(deployments.DEPLOYMENT, "native", hook="provisioned", why="a script that Terraform runs over SSH")


def preferred(stack: Stack, prefer: str, tables: Tables, sent: Signals, keep: Sequence[str] = ()) -> dict[str, Kind]:
    """The resources with a preferred conversion, and that conversion. sent: the signals of the stack. keep: types that
    stay with Heat whatever is preferred.
    """
    owners = referrals.readers(stack)
    boots = deployments.first_boot(stack, owners)
    free = sent.unwaited() if sent.used else set()
    found = {*scaling.fixed_size(stack, tables), *boots, *free}
    over_ssh = deployments.provisioned(stack, boots, owners) if prefer == PROVISIONERS else set()
    waiting = sent.over_ssh(free) if prefer == PROVISIONERS and free else set()
    out = {}
    for name in stack.template.resources:
        if name in over_ssh:
            out[name] = OVER_SSH
        if name in waiting:
            out[name] = signals.OVER_SSH
            continue
        kind = tables.find(stack.types[name]) if name in found else None
        if kind is not None and kind.other is not None:
            out[name] = kind.other
    keys = cfn_init.unused_keys(stack, sent) if sent.used else set()
    out |= dict.fromkeys(keys, cfn_init.UNUSED)
    out |= left_out.kinds(stack, tables, out, keys)
    if lost := left_out.kept(stack, out, keep):
        lost |= graph.reachable(together(stack, out, sent), lost)
    return {name: out[name] for name in stack.template.resources if name in out and name not in lost}


def together(stack: Stack, preferred: Iterable[str], sent: Signals) -> dict[str, set[str]]:
    """Resources that must change treatment together: a group with its policies and alarms, deployments with their
    server, its user data and their configs, a wait condition with its handle and the resources that signal to it.
    """
    every = set(preferred)
    found = sent.together(every) if sent.used else {}
    for name in preferred:
        near = referrals.referred(stack.template.resources[name]) & every
        if (server := referrals.refers(stack, name, "server")) is not None:
            near |= {server, deployments.container(stack, server), referrals.refers(stack, name, "config") or server}
        for other in near:
            found.setdefault(name, set()).add(other)
            found.setdefault(other, set()).add(name)
    return found
