"""Carries Heat's order through modules.

In Heat, a resource that refers to a nested stack or depends on it waits for all resources of that stack, and these wait
for everything that the nested stack waits for. Terraform waits only for values. So three things are added:

- An output that is waited for gets `depends_on` for the resources that its value does not lead to.
- A resource that waits for a module and reads none of its outputs gets `depends_on` for the module.
- A module that waits for something which some of its resources do not read gets the addresses in the variable
  `wait_for`, and these resources get `depends_on` for that variable.

A `depends_on` on the call would be simpler. But it delays the data sources of the module until apply, and then
Terraform replaces the resources that read them.

Invariant: only missing waits are added, and never a cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.assemble.module_cycles import break_cycles
from emitters.hcl.assemble.module_waits import Waits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emitters.hcl.assemble.module_graph import Directory


def carry(directories: Sequence[Directory]) -> None:
    """Writes the order between directories. directories: each comes after those that it calls."""
    waits = [Waits(directory) for directory in reversed(directories)]
    for one in waits:
        one.settle()
    waits.reverse()
    break_cycles(waits)
    used: set[Directory] = set()
    for one in reversed(waits):
        if one.directory.late and one.directory not in used:
            one.forget()
        used |= {one.directory.inner[call] for call, found in one.calls.items() if found}
    for one in waits:
        one.write()
