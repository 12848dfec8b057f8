"""Selects the resources that `--prefer native` and `--prefer provisioners` convert instead of keeping them in Heat.

Invariant: a preferred conversion applies only if no other resource or output depends on the difference.
"""

from __future__ import annotations

from collections.abc import Iterable

from emitters.hcl.plan import cfn_init, left_out, referrals, scaling, signals
from emitters.hcl.plan.configurations import SOFTWARE
from emitters.hcl.plan.deployments import OVER_SSH as HOOK
from emitters.hcl.plan.deployments import Deployments
from emitters.hcl.plan.policy import PreferencePolicy
from emitters.hcl.plan.signals import Signals
from emitters.hcl.tables.mapping import UNMAPPED, TypeMapping
from emitters.hcl.tables.tables import Tables
from transpile.model import heat_types
from transpile.model.records import replace
from transpile.resolve import graph
from transpile.resolve.lifecycle import DEPLOYMENTS
from transpile.resolve.stack import Stack

OVER_SSH = TypeMapping(SOFTWARE, "native", hook=HOOK, why="a script that Terraform runs over SSH")
ADDRESS = TypeMapping(
    heat_types.DEPLOYED_SERVER,
    "folded",
    hook=left_out.HOOK,
    why="Terraform needs only its address, which is a variable",
)


def select_preferred_conversions(
    stack: Stack,
    policy: PreferencePolicy,
    tables: Tables,
    stack_signals: Signals,
    deployments: Deployments,
) -> dict[str, TypeMapping]:
    """The preferred conversion of each resource that has one, in the order of the template."""
    boots = deployments.select_first_boot()
    boots = deployments.select_unawaited(boots) if policy.works_over_ssh else boots
    over_ssh = deployments.select_over_ssh(boots) if policy.works_over_ssh else set()
    free = stack_signals.select_unread() if stack_signals.has_any else set()
    idle = {name: why for name, why in deployments.idle_deployments().items() if name not in over_ssh}
    convertible = {
        *scaling.select_fixed_size(stack, tables),
        *boots,
        *free,
        *deployments.convertible_components({*boots, *over_ssh, *idle}),
    }
    waiting = stack_signals.select_over_ssh(free) if policy.works_over_ssh and free else set()
    conversions = {}
    for name in stack.template.resources:
        if name in over_ssh:
            conversions[name] = OVER_SSH
            conversions |= {
                server: ADDRESS
                for server in deployments.server_names(name)
                if stack.types[server] == heat_types.DEPLOYED_SERVER
            }
        if name in waiting:
            conversions[name] = signals.OVER_SSH
            continue  # it is also among the unread conditions, which the table would leave out
        kind = tables.find_mapping(stack.types[name]) if name in convertible else UNMAPPED
        if kind.other is not None:
            of_instances = kind.name in scaling.GROUPS and scaling.instance_of_group(
                stack, stack.template.resources[name]
            )
            inner = tables.find_mapping(heat_types.AWS_INSTANCE)
            conversions[name] = replace(kind.other, stays_with=inner.stays_with) if of_instances else kind.other
    keys = cfn_init.find_unused_keys(stack, stack_signals) if stack_signals.has_any else set()
    conversions |= dict.fromkeys(keys, cfn_init.UNUSED)
    unheard = stack_signals.conditions_read_by_holders & conversions.keys() if free else set[str]()
    conversions |= left_out.select_left_out(stack, tables, conversions, idle, keys, unheard)
    if lost := policy.match_kept_resources(stack, conversions):  # with those that cannot change without them
        lost |= graph.reachable_nodes(link_treatments(stack, conversions, stack_signals, deployments), lost)
    return {name: conversions[name] for name in stack.template.resources if name in conversions and name not in lost}


def has_work_over_ssh(stack: Stack) -> bool:
    """Whether `--prefer provisioners` may do more than `--prefer native`: run deployments, or wait for signals."""
    return any(kind in DEPLOYMENTS or kind in signals.CONDITIONS for kind in stack.types.values())


def link_treatments(
    stack: Stack, preferred: Iterable[str], stack_signals: Signals, deployments: Deployments
) -> dict[str, set[str]]:
    """Resources that must change treatment together, in both directions: a group with its policies and alarms,
    deployments with their server, its user data and their configs, a wait condition with its handle and the resources
    that signal to it. preferred: those with a preferred conversion.
    """
    names = set(preferred)
    partners = stack_signals.link_treatments(names) if stack_signals.has_any else {}
    for name in preferred:
        near = referrals.referred_names(stack.template.resources[name]) & names
        if name in deployments.work_by_deployment:
            near |= deployments.partners_of(name)
        for other in near:
            partners.setdefault(name, set()).add(other)
            partners.setdefault(other, set()).add(name)
    return partners
