"""The test files of a conversion: one for the root, and one for each module, which is tested by itself.

Invariant: a file is written only if all its runs can be expected to pass; what is left out is counted in it.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.assemble.directory import providers
from emitters.hcl.evaluation.functions import Failed, Unknown, plain
from emitters.hcl.namespace import Names
from emitters.hcl.proof import samples
from emitters.hcl.proof.assertions import Assertion, influences, observe
from emitters.hcl.proof.assignments import MOST, RUNS, Assignment, others
from emitters.hcl.proof.heat import marked, nested
from emitters.hcl.proof.stand_ins import StandIns
from emitters.hcl.proof.world import Subject, World, arguments
from emitters.hcl.tree.nodes import Block, Fn, Index, Name, Note, Tuple, data_of
from emitters.hcl.tree.printer import document
from transpile.evaluate.pure import EvaluationError
from transpile.model import ir
from transpile.model.meter import Exceeded
from transpile.model.records import EMPTY
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from emitters.hcl.assemble.origin import Origin
    from emitters.hcl.attempt import Attempt
    from emitters.hcl.emission import Emission
    from emitters.hcl.evaluation.instances import Directory
    from emitters.hcl.proof.heat import Heat
    from transpile.resolve.stack import Stack
    from transpile.stack_evaluation.evaluation import Evaluation as OfHeat

FILE = "tests/heat.tftest.hcl"
META = {"source", "count", "for_each", "depends_on", "providers"}  # arguments of a call that are no variables
APPLIED = 4  # runs that apply, at most
STACK_NAME = "stack"


@final
class Unprovable(Exception):
    """No test can be written, and why."""


def write(
    stack: Stack, root: Attempt, modules: Mapping[str, Attempt], origin: Origin
) -> tuple[dict[str, str], dict[str, Any]]:
    """The test files, and what the report says of them: by file, and why there is none. origin: what makes them."""
    files: dict[str, str] = {}
    report: dict[str, Any] = {}
    try:
        subject = root_of(stack, root, modules)
    except Unprovable as e:
        return {}, {FILE: {"why": str(e)}}
    subjects = {FILE: subject}
    taken = Names()
    for one in called(subject) if modules else ():
        assert one.module is not None
        subjects[f"tests/heat_{taken.take(one.module.stem)}.tftest.hcl"] = one
    for name, one in subjects.items():
        try:
            suite = Suite(one)
            files[name] = suite.text(origin)
            report[name] = suite.report()
        except Unprovable as e:
            report[name] = {"why": str(e)}
        except Exceeded as e:
            report[name] = {"why": f"it would exceed the limit {e.name}"}
    return files, report


def root_of(stack: Stack, root: Attempt, modules: Mapping[str, Attempt]) -> Subject:
    """The root as a subject. Raises Unprovable."""
    emission = root.emission
    fixed = {b.labels[0]: synthetic(emission, b) for b in required(emission)}
    return Subject(root, stack, modules, StandIns(emission.unit.tables.providers), fixed, chosen(stack, emission))


def required(emission: Emission) -> list[Block]:
    """The variables that are no parameters and have no default."""
    return [block for block in emission.variables.blocks.values() if block.argument("default") is None]


def called(root: Subject) -> Iterator[Subject]:
    """The modules that a root calls, directly or through others, each with what its first call passes."""
    seen = set[str]()
    world = World(root, root.values, planned=False)
    waiting = [(world.directory, world.heat, world.heat.evaluation)]
    while waiting:
        directory, heat, evaluation = waiting.pop(0)
        for name, report in directory.emission.log.report.resources.items():
            inside = nested(evaluation, name) if report.treatment == "module" else None
            member = inside.names[0] if inside is not None and inside.group is not None and inside.names else None
            within = nested(inside, member) if inside is not None and member is not None else inside
            found = heat.called(directory, evaluation, name, member)
            if within is None or within.group is not None or found is None:
                continue
            waiting.append((found, heat, within))
            module = found.emission.unit.module
            if module is not None and module.label not in seen:
                seen.add(module.label)
                owner = (evaluation, name) if member is None or inside is None else (inside, member)
                with contextlib.suppress(Unprovable):
                    yield module_of(root, found, within, (heat, *owner))


def module_of(root: Subject, directory: Directory, evaluation: OfHeat, above: tuple[Heat, OfHeat, str]) -> Subject:
    """A module as a subject. Raises Unprovable."""
    emission = directory.emission
    module = emission.unit.module
    assert module is not None
    known = evaluation.stack.template.parameters
    names = {label: name for name, label in emission.names.variables.items() if name in known}
    fixed: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for label in (directory.given or {}).keys() - META:
        if label in names and names[label] not in module.ids:
            with contextlib.suppress(EvaluationError, KeyError):
                found = evaluation.interpreter.parameter(names[label], [])
                if not marked(found) and found is not None:
                    values[names[label]] = found
        else:
            try:
                value = plain(directory.variable(label))
            except (Unknown, Failed):
                value = label in module.given.values() or f"a-{label}"
            (values if label in names else fixed)[names.get(label, label)] = value
    fixed |= {b.labels[0]: synthetic(emission, b) for b in required(emission) if b.labels[0] not in fixed}
    stack = evaluation.stack
    values = {**chosen(stack, emission, values), **values}
    hidden = {name for name in values if emission.unit.hidden(name)}
    values |= {name: value for name, value in chosen(stack, emission, {}).items() if name in hidden}
    stand_ins = StandIns(emission.unit.tables.providers)
    return Subject(directory.attempt, stack, root.modules, stand_ins, fixed, values, above)


def chosen(stack: Stack, emission: Emission, known: Mapping[str, Any] = EMPTY) -> dict[str, Any]:
    """Values for the parameters that have none, for hidden ones, and for those that environments set. Raises
    Unprovable.
    """
    out = {}
    for name, param in stack.template.parameters.items():
        if name in known:
            continue
        if name in stack.given and not param.hidden:
            if not stack.given[name].converted:
                raise Unprovable(f"the value of {name} does not fit its type")
            out[name] = stack.given[name].value
        elif param.default is None or param.hidden:
            facts = list(facts_of(emission, emission.names.variables[name]))
            value = samples.accepted(param, stack.template.source.budget, facts, paths_of(stack.template, name))
            if value is None and emission.names.variables[name] not in emission.unused:
                raise Unprovable(f"no value is known that {name} accepts")
            if value is not None:
                out[name] = parameters.convert(param.type, value)
    return out


def synthetic(emission: Emission, block: Block) -> Any:
    """A value for a variable that is no parameter."""
    label = block.labels[0]
    if "stack_name" in emission.variables and emission.variables.blocks["stack_name"] is block:
        return STACK_NAME
    kind = block.argument("type")
    match kind.value if kind is not None else None:
        case Name(("number",)):
            return 1
        case Name(("bool",)):
            return True
        case Name(("string",)):
            formats = (str(about.get("format")) for about in facts_of(emission, label))
            known = [samples.OF_FORMAT[one] for one in formats if one in samples.OF_FORMAT]
            return known[0] if known else f"a-{label}"
        case Fn(("list" | "set"), (Name(("string",)),)):
            return [f"a-{label}"]
    raise Unprovable(f"no value is known for var.{label}")


def facts_of(emission: Emission, label: str) -> Iterator[Mapping[str, Any]]:
    """What the provider says of the arguments that a variable is given to."""
    providers = emission.unit.tables.providers
    for block in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(block, Block) and block.type in ("resource", "data"):
            kind = ("data." if block.type == "data" else "") + block.labels[0]
            for path, argument in arguments(block.body):
                if argument.value == Name(("var", label)):
                    about = providers.argument(kind, path)
                    if about is not None:
                        yield about


@final
class Suite:
    """The tests of one subject."""

    def __init__(self, subject: Subject) -> None:
        self.subject, self.emission = subject, subject.emission
        self.names = subject.emission.names.variables
        self.left: dict[str, dict[str, None]] = {why: {} for why in REASONS}  # what is not asserted
        self.number = Counter[str]()
        self.taken = Names()
        self.safe = self.applies()
        self.base = Assignment("as_converted", "", subject.values)
        self.found: dict[str, Assertion] = {}
        self.directory = World(subject, {}, planned=True).directory
        self.influences: dict[int, frozenset[str]] = {}  # by id() of a block, which stays alive

    def applies(self) -> bool:
        """Whether a run may apply: nothing refuses to be destroyed afterwards, runs scripts, or ignores changes."""
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        return not any(
            isinstance(block, Block) and block.type == "resource" and hinders(block)
            for attempt in attempts
            for block in attempt.emission.blocks.main
        )

    def text(self, origin: Origin) -> str:
        runs = list(self.runs())
        attempts = [self.subject.attempt, *self.subject.modules.values()]
        needed = {name for attempt in attempts for name in providers(attempt.emission)}
        items: list[Note | Block] = [Block("mock_provider", (name,)) for name in sorted(needed)]
        variables = Block("variables")
        for label, value in sorted(World(self.subject, self.base.values, planned=True).given.items()):
            variables.set(label, data_of(value))
        if variables.body:
            items.append(variables)
        items += self.overrides()
        module = self.subject.module
        return document([origin.note(module.file if module is not None else ""), Note(self.head()), *items, *runs])

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of variables, by label. A parameter that nothing uses has none."""
        return {self.names[name]: value for name, value in values.items() if self.names[name] in self.subject.declared}

    def head(self) -> list[str]:
        lines = [
            " What Heat makes of the template, as tests of what Terraform makes of it. They need",
            " no cloud and no credentials: terraform init && terraform test",
        ]
        counts = [(len(self.left[why]), text) for why, text in REASONS.items() if self.left[why]]
        return lines + [f" Not tested: {n} {text}." for n, text in counts]

    def overrides(self) -> Iterator[Block]:
        """The stand-ins for what only the provider computes."""
        for over in self.subject.stand_ins.given.values():
            kind = "override_data" if over.data else "override_resource"
            several = {key: values for key, values in over.values.items() if values}
            counted = len(several) > 1
            for key, values in several.items():
                block = Block(kind)
                block.set("target", over.address if not counted else Index(over.address, key))
                block.set("values", data_of(dict(sorted(values.items()))))
                yield block
                if not counted:
                    break

    # runs

    def runs(self) -> Iterator[Block]:
        base, planned = self.base, World(self.subject, self.base.values, planned=True)
        if self.subject.module is not None and self.emission.sensitive:
            raise Unprovable("it returns a secret, which Terraform lets no module do that is tested by itself")
        if too_many(planned):
            raise Unprovable(f"a group has more than {MOST} members")
        if why := planned.fails():
            raise Unprovable(why)
        first = World(self.subject, base.values, planned=False)
        apply = self.safe and not first.fails()
        plans, applied = list[Block](), list[Block]()
        known = self.asserted(first if apply else planned)
        if not known:
            raise Unprovable("no value is known before everything exists")
        self.found = {one.what: one for one in known}
        block = self.run(base, apply=apply, found=known)
        (applied if apply else plans).append(block)
        for one in others(self.subject.stack, self.emission, base.values):
            if len(plans) + len(applied) >= RUNS:
                break
            if one.refused:
                plans.append(self.run(one, apply=False, found=()))
                continue
            world = World(self.subject, one.values, planned=True)
            if too_many(world) or world.fails():
                self.left["refused"][one.label] = None
                continue
            more = self.uncovered(world)
            applies = apply and more and len(applied) < APPLIED
            if applies:
                final_ = World(self.subject, one.values, planned=False)
                applies = not final_.fails()
                world = final_ if applies else world
            asserted = [a for a in self.asserted(world, count=False) if self.touched(a, one)]
            if asserted:
                self.found |= {a.what: a for a in asserted if a.what not in self.found}
                (applied if applies else plans).append(self.run(one, apply=bool(applies), found=asserted))
        yield from plans
        yield from applied

    def uncovered(self, world: World) -> bool:
        """Whether a world has resources that no run asserts so far."""
        known = {what.partition(".")[0] for what, one in self.found.items() if "." in what}
        try:
            return bool(set(world.heat.evaluation.names) - known)
        except EvaluationError:
            return False

    def asserted(self, world: World, *, count: bool = True) -> list[Assertion]:
        out = []
        for one in observe(world):
            if isinstance(one, Assertion):
                out.append(one)
            elif count or one.why == "differs":
                self.left[one.why][one.what] = None
        return out

    def report(self) -> dict[str, Any]:
        """What the report of the conversion says of the tests."""
        return {**self.number, **{why: list(names) for why, names in self.left.items() if names}}

    def touched(self, one: Assertion, assignment: Assignment) -> bool:
        """Whether an assertion says something that the first run does not, or that the assignment might change."""
        before = self.found.get(one.what)
        if before is None or before.condition != one.condition:
            return True
        changed = {
            self.names[name] for name, value in assignment.values.items() if self.base.values.get(name, ...) != value
        }
        if one.block is None:
            return False
        if id(one.block) not in self.influences:
            self.influences[id(one.block)] = influences(self.directory, one.block)
        return bool(changed & self.influences[id(one.block)])

    def run(self, one: Assignment, *, apply: bool, found: Sequence[Assertion]) -> Block:
        block = Block("run", (self.taken.take(one.label),))
        block.comments = [f" {one.why}"] if one.why else []
        block.set("command", Name(("apply" if apply else "plan",)))
        if self.subject.module is not None:
            block.block("module").set("source", f"./{self.subject.module.folder}")
        base = self.given(self.base.values)
        variables = {
            k: v
            for k, v in self.given(one.values).items()
            if k not in base or base[k] != v or type(base[k]) is not type(v)
        }
        if variables:
            inner = block.block("variables")
            for label, value in sorted(variables.items()):
                inner.set(label, data_of(value))
        if one.refused:
            block.set("expect_failures", Tuple((Name(("var", self.names[one.refused])),)))
        self.number.update(runs=1, assertions=len(found) or 1)
        for assertion in found:
            inner = block.block("assert")
            inner.set("condition", assertion.condition)
            inner.set("error_message", assertion.message)
        return block


REASONS: Mapping[str, str] = {
    "unknown": "that Terraform knows only after apply",
    "heat": "that only Heat knows",
    "differs": "that Heat makes otherwise (see the report)",
    "none": "of resources that do not exist with these values",
    "refused": "runs whose values are refused",
}


def hinders(block: Block) -> bool:
    """Whether a resource cannot be applied and destroyed in a test."""
    for item in block.body:
        if isinstance(item, Block) and item.type == "provisioner":
            return True
        words = ("prevent_destroy", "ignore_changes") if isinstance(item, Block) and item.type == "lifecycle" else ()
        if isinstance(item, Block) and any(item.argument(word) is not None for word in words):
            return True
    return False


def too_many(world: World) -> bool:
    """Whether there are more members than a test can show."""
    try:
        return any(
            len(world.directory.keys(block)) > MOST
            for block in (*world.directory.blocks.values(), *world.directory.calls.values())
        )
    except (Unknown, Failed):
        return False


def paths_of(template: ir.Template, name: str) -> list[tuple[Any, ...]]:
    """The literal paths that a template reads of a parameter."""
    found = []
    owners: tuple[ir.Resource | ir.Output | ir.Condition, ...] = (
        *template.resources.values(),
        *template.outputs.values(),
        *template.conditions.values(),
    )
    for owner in owners:
        for ref in owner.refs:
            if isinstance(ref, ir.ParamRef) and ref.name == name and ref.path:
                steps = literal_steps(ref.path)
                if steps:
                    found.append(steps)
    return found


def literal_steps(path: tuple[ir.Expr, ...]) -> tuple[Any, ...]:
    """The literal steps at the beginning of a path."""
    out = []
    for step in path:
        if not isinstance(step, ir.Lit):
            break
        out.append(step.value)
    return tuple(out)
