"""The state of one attempt to write a stack: a record of components, each with one responsibility."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, final

from emitters.hcl.blocks import DirectoryBlocks
from emitters.hcl.log import EmissionLog
from emitters.hcl.lowering.data_sources import DataSources
from emitters.hcl.lowering.expressions import ExpressionLowering
from emitters.hcl.lowering.files import CopiedFiles
from emitters.hcl.lowering.lowering import Handle, HclLowering
from emitters.hcl.lowering.scope import LoweringScope
from emitters.hcl.namespace import Namespace
from emitters.hcl.ordering import Ordering
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.shared_data import SharedData
from emitters.hcl.symbols import Symbols
from emitters.hcl.synthetic_variables import SyntheticVariables
from emitters.hcl.tables.mapping import TypeMapping
from emitters.hcl.tree.types import TypedValue
from emitters.hcl.unit import Unit
from transpile.model import ir
from transpile.model.records import entity, field


class ModuleCall(Protocol):
    """The call of a module. Some of its arguments are known only after everything else is written."""

    to: str

    @property
    def module(self) -> TerraformModule: ...
    @property
    def entries(self) -> Mapping[str, ir.Entry]: ...
    def variable_name(self, name: str) -> str: ...
    def pass_synthetic_values(self) -> None: ...
    def write_source(self) -> None: ...
    def drop_unused_arguments(self) -> None: ...


@final
@entity
class Emission:
    """The components of one attempt.

    unit: the stack and queries about it. log: diagnostics, comments and the report. names: all names of the directory.
    blocks: the blocks written so far. variables: variables without a parameter. symbols: parameters, pseudo parameters.
    handles: how to refer to each resource. lowering: lowers expressions, with an empty scope. shared, data: data
    sources. files: copied files. ordering: dependencies for `depends_on`. modules: called modules by label. calls: the
    calls of modules. outputs: their values, by the template's names. uncertain_outputs: those that are null if a
    resource does not exist. sensitive: labels of outputs with secrets. unused: labels of variables that are not written
    because nothing refers to them; filled in after everything else. writes: the functions that write a resource that a
    hook converts.
    """

    unit: Unit
    log: EmissionLog
    names: Namespace
    blocks: DirectoryBlocks
    variables: SyntheticVariables
    symbols: Symbols
    handles: dict[str, Handle]
    lowering: HclLowering
    shared: SharedData
    data: DataSources
    files: CopiedFiles
    ordering: Ordering = field(default_factory=Ordering)
    modules: dict[str, TerraformModule] = field(default_factory=dict)
    calls: list[ModuleCall] = field(default_factory=list)
    outputs: dict[str, TypedValue] = field(default_factory=dict)
    uncertain_outputs: set[str] = field(default_factory=set)
    sensitive: set[str] = field(default_factory=set)
    unused: set[str] = field(default_factory=set)
    writes: dict[str, Callable[[], object]] = field(default_factory=dict)

    def mapping_of(self, resource: ir.Resource) -> TypeMapping:
        """The mapping of a resource that is not embedded."""
        return self.unit.plan.kinds[resource.name]


def begin_emission(unit: Unit) -> Emission:
    """The initial state of an attempt."""
    log, names = EmissionLog(unit.template), Namespace(unit.template, snake=unit.modules.rules.snake_names)
    blocks = DirectoryBlocks(names)
    hidden = {name for name, param in unit.template.parameters.items() if param.hidden} | unit.module.secret
    variables = SyntheticVariables(names, {names.variables[name] for name in hidden})
    shared = SharedData(names, blocks)
    symbols = Symbols(unit, log, names, blocks, variables, shared)
    files = CopiedFiles(log, variables, unit.stack.root)
    handles: dict[str, Handle] = {}
    lowering = ExpressionLowering(unit, log, blocks, symbols, shared, files, handles, LoweringScope())
    data = DataSources(unit, log, names, blocks, symbols)
    return Emission(unit, log, names, blocks, variables, symbols, handles, lowering, shared, data, files)
