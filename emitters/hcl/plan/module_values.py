"""What is known of the values of a stack and its modules, each analysis over one graph and made at first use.

Invariant: an answer is about the stacks as they are when it is asked for first. Who changes them makes another object.
"""

from __future__ import annotations

import functools
from typing import final

from emitters.hcl.plan.late_values import LateValues
from emitters.hcl.plan.modules import Modules
from emitters.hcl.plan.name_forms import NameForms
from emitters.hcl.plan.named_resources import NamedResources
from emitters.hcl.plan.passed_values import PassedValues
from emitters.hcl.plan.read_outputs import ReadOutputs
from transpile.resolve.origins import Origins
from transpile.resolve.value_flow import ValueFlow


@final
class ModuleValues:
    """late: what is known only after apply. passed: known values. forms: what is a name and what an ID. named: whose
    name a value is. read: the outputs that somebody reads.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules, self.origins = modules, Origins()
        self.named = NamedResources(self.origins)

    @functools.cached_property
    def flow(self) -> ValueFlow:
        return self.modules.value_flow_of(self.modules.root.stack)

    @functools.cached_property
    def late(self) -> LateValues:
        return LateValues(self.flow, self.origins)

    @functools.cached_property
    def passed(self) -> PassedValues:
        return PassedValues(self.flow, self.origins)

    @functools.cached_property
    def forms(self) -> NameForms:
        return NameForms(self.modules, self.flow, self.named, self.late, self.passed)

    @functools.cached_property
    def read(self) -> ReadOutputs:
        return ReadOutputs(self.flow)
