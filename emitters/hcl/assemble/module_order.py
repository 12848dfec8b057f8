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

from collections.abc import Sequence

from emitters.hcl.assemble.module_cycles import break_cycles
from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.assemble.module_twins import join_twins
from emitters.hcl.assemble.module_waits import DirectoryWaits


def carry_order(directories: Sequence[ModuleDirectory]) -> None:
    """Writes the order between directories. directories: each comes after those that it calls."""
    waits = [DirectoryWaits(directory) for directory in reversed(join_twins(directories))]
    for directory_waits in waits:
        directory_waits.decide_waits()
    waits.reverse()
    break_cycles(waits)
    used: set[ModuleDirectory] = set()
    for directory_waits in reversed(waits):
        directory = directory_waits.directory
        if directory.late_parts and directory.first not in used:
            directory_waits.remove_variable()
        used |= {directory.inner[call].first for call, targets in directory_waits.calls.items() if targets}
    for directory_waits in waits:
        directory_waits.write_waits()
