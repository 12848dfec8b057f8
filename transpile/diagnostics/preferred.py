"""What a translation does otherwise than Heat because Terraform's own form is preferred: one line for each kind.

Invariant: a code stands here if its finding only comes from a choice of the user, such as `--prefer native`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from transpile.diagnostics import codes

HEADING: Final = "Not as Heat does it, by kind (hot2tf explain CODE):"
CHANGES: Mapping[str, str] = {
    codes.FORM_CHOSEN: "what may be a name or an ID is taken as one of them",
    codes.ORDER_BY_REFERENCES: "order comes from references and depends_on, not from whole nested stacks",
    codes.RESOURCE_LEFT_OUT: "resources for which Terraform has nothing are left out",
    codes.GROUP_SCALED_BY_USER: "a variable sets the size of a group, which nothing scales",
    codes.DEPLOYMENT_AS_USER_DATA: "deployments run at the first boot of their server, and nobody waits for them",
    codes.DEPLOYMENT_OVER_SSH: "Terraform runs deployments over SSH",
    codes.CFN_INIT_WITHOUT_HEAT: "a script in the user data does what cfn-init does, once",
    codes.CFN_TOOLS_DO_NOTHING: "cfn-hup and tools like it do nothing",
    codes.SIGNALS_NOT_AWAITED: "nobody waits for signals",
    codes.SIGNAL_NOT_RECEIVED: "signals of scripts go nowhere",
    codes.WAITING_OVER_SSH: "Terraform waits over SSH in place of signals",
    codes.OUTPUT_KNOWN_ONLY_TO_HEAT: "outputs that only Heat knows are null",
    codes.ATTRIBUTE_AS_VARIABLE: "variables have attributes that the provider does not read",
    codes.FLOATING_IP_KNOWN_BY_ID: "a variable has the addresses of existing floating IPs",
    codes.KNOWN_ONLY_BY_NAME: "a variable has IDs that the provider does not find by name",
    codes.REQUIRED_ONLY_BY_PROVIDER: "variables have values that only the provider requires",
    codes.PORT_OF_EXISTING_SERVER: "a data source finds the port of an existing server",
    codes.NETWORKS_OF_SERVER: "networks of a server are its fixed addresses",
    codes.ASSOCIATION_WITHOUT_GATEWAY: "a floating IP is associated without a look at the gateway",
    codes.OCTAVIA_REPLACES_HAPROXY: "Octavia takes the place of a server with HAProxy",
    codes.NO_ALARM_METADATA: "members of groups have no metadata for Heat's alarms",
    codes.FAILING_TEST_RESOURCE: "test resources are conditions of Terraform's",
}


def describe_changes(finding_codes: Iterable[str]) -> list[str]:
    """A heading, and for each kind how often it was found, its code, and what it changes; nothing if there are none.
    finding_codes: those of all findings.
    """
    counts = dict.fromkeys(CHANGES, 0)
    for code in finding_codes:
        if code in counts:
            counts[code] += 1
    width = len(str(max(counts.values())))
    lines = [f"  {count:{width}} {code}  {CHANGES[code]}" for code, count in counts.items() if count]
    return [HEADING, *lines] if lines else []
