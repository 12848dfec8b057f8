"""Carries Heat's order through modules.

In Heat, what refers to a nested stack or depends on it waits for all its resources, and all resources of a nested stack
wait for what the stack waits for. Terraform follows values. So an output that somebody waits for has `depends_on` for
what its value does not reach; a resource that reads no output depends on the module; and a module whose resources read
nothing of what they wait for gets it in a variable, on which they depend. A `depends_on` on the call would do, too, but
it delays the module's data sources until apply, and then replaces what reads them.

Invariant: it adds only what is missing, and never a cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.assemble.module_cycles import break_cycles
from emitters.hcl.assemble.module_waits import Waits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emitters.hcl.assemble.module_graph import Directory


def carry(directories: Sequence[Directory]) -> None:
    """Writes the order between the directories, each of which stands after those that it calls."""
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
