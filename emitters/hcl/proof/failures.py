"""Finds values that Terraform fails to compute or the provider refuses, whether or not Heat has a value for them.

Invariant: everything that Terraform evaluates is evaluated: `count` and `for_each`, arguments, nested blocks, data
sources, calls of modules, variables, locals and outputs. A value that is not known before the apply is no failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, final

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, WrongContent
from emitters.hcl.evaluation.instances import DirectoryInstance, Key
from emitters.hcl.proof.influence import EVERYTHING, Influenced
from emitters.hcl.proof.trial import EvaluatedDirectory
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Traversal, child_expressions
from transpile.model.span import Span

MEMBERS = 3  # of a group or another block with several instances, so many are evaluated
SECRET = "a sensitive value cannot decide about the keys of for_each"


@final
class Failure(NamedTuple):
    """A value that Terraform cannot compute. expression: the one that Terraform evaluates, for example
    `data.openstack_images_image_v2.web.name`. span: its place in the template, if it has one. item: the block that it
    is in, or the argument in `locals`.
    """

    expression: str
    error: EvaluationFailed
    span: Span
    item: Block | Argument


def find_failures(evaluated: EvaluatedDirectory, only: Influenced = EVERYTHING) -> Iterator[Failure]:
    """All failures of a directory, in the order of its blocks. A failure because of a text's content does not count
    if the text may be a stand-in, which stands for any other. only: the parts to search, by default all.
    """
    for failure in find_possible_failures(evaluated, only):
        if not isinstance(failure.error, WrongContent) or not reads_stand_in(evaluated.directory, failure):
            yield failure


def reads_stand_in(directory: DirectoryInstance, failure: Failure) -> bool:
    """Whether the failing expression may read an attribute that only the provider computes: as a module, from its
    caller.
    """
    addresses = directory.find_addresses([failure.item])
    return directory.path is not None or any(not a.startswith(("var.", "local.")) for a in addresses)


def find_possible_failures(evaluated: EvaluatedDirectory, only: Influenced) -> Iterator[Failure]:
    directory = evaluated.directory
    for kind, labels in (("var", directory.emission.symbols.parameters_by_variable), ("local", locals_of(directory))):
        for label in labels:
            if f"{kind}.{label}" not in only.addresses:
                continue
            if (error := find_error(directory, (kind, label))) is not None:
                yield Failure(f"{kind}.{label}", error, *place_of_name(directory, kind, label))
    for label, output in directory.outputs.items():
        if output.address not in only.addresses:
            continue
        try:
            directory.output_value(label)
        except UnknownValue:
            continue
        except EvaluationFailed as e:
            yield Failure(f"output.{label}", e, output.span, output)
    for block in (*directory.data.values(), *directory.blocks.values(), *directory.calls.values()):
        if block.address in only.addresses:
            yield from find_block_failures(evaluated, block)


def locals_of(directory: DirectoryInstance) -> list[str]:
    return list(directory.emission.blocks.locals)


def find_error(directory: DirectoryInstance, name: tuple[str, str]) -> EvaluationFailed | None:
    """Why a variable or local has no value; None if it has one, or if that is not known."""
    try:
        directory.resolve_name(name)
    except UnknownValue:
        return None
    except EvaluationFailed as e:
        return e
    return None


def place_of_name(directory: DirectoryInstance, kind: str, label: str) -> tuple[Span, Block | Argument]:
    """The place in the template of the parameter or the expression that became a variable or local, and the latter."""
    if kind == "local":
        argument = directory.emission.blocks.locals[label]
        return argument.span, argument
    name = directory.emission.symbols.parameters_by_variable[label]
    return directory.emission.unit.template.parameters[name].span, Block("variable", (label,))


def find_block_failures(evaluated: EvaluatedDirectory, block: Block) -> Iterator[Failure]:
    """The failures of a resource, a data source or a call of a module."""
    directory = evaluated.directory
    repetition = block.repetition
    if repetition is not None and repetition.name == "for_each" and is_secret(directory, repetition.value):
        yield Failure(f"{block.address}.for_each", EvaluationFailed(SECRET), block.span, block)
    try:
        keys = directory.instance_keys(block)[:MEMBERS]
    except UnknownValue:
        return
    except EvaluationFailed as e:
        assert repetition is not None  # a block without one has one instance
        span = repetition.span if repetition.at >= 0 else block.span
        yield Failure(f"{block.address}.{repetition.name}", e, span, block)
        return
    for key in keys:
        yield from find_instance_failures(evaluated, block, key)


def find_instance_failures(evaluated: EvaluatedDirectory, block: Block, key: Key) -> Iterator[Failure]:
    """The failures of one instance."""
    providers = evaluated.subject.overrides.providers
    kind = "" if block.type == "module" else block.schema_key if block.type == "resource" else f"data.{block.labels[0]}"
    for path, argument, value in evaluated.argument_reader(block, key).evaluate_all():
        if isinstance(value, UnknownValue):
            continue
        names = ".".join(step for step in path if not step.isdecimal())
        error = value if isinstance(value, EvaluationFailed) else None
        if value is None and kind and providers.find_argument(kind, names).get("required"):
            error = EvaluationFailed(f"{path[-1]} is required, and null")
        if error is not None:
            yield Failure(
                f"{block.address}.{'.'.join(path)}", error, argument.span if argument.at >= 0 else block.span, block
            )
            return
    if block.type == "data" and looks_for_nothing(evaluated, block, key):
        yield Failure(
            block.address, EvaluationFailed("it has no search criterion, so any object matches"), block.span, block
        )


def looks_for_nothing(evaluated: EvaluatedDirectory, block: Block, key: Key) -> bool:
    """Whether all arguments by which a data source looks are null."""
    lookups = evaluated.directory.emission.unit.tables.lookups.values()
    names = {name for lookup in lookups if lookup.data == block.labels[0] for name in (lookup.name, lookup.id)}
    reader = evaluated.argument_reader(block, key)
    values = []
    for name in sorted(name for name in names if block.find_argument(name)):
        try:
            values.append(reader.evaluate_argument([name]))
        except (UnknownValue, EvaluationFailed):
            return False
    return bool(values) and all(value is None for value in values)


def is_secret(directory: DirectoryInstance, expr: Expr) -> bool:
    """Whether an expression has a value that Terraform treats as sensitive, directly or through locals."""
    secret, waiting, seen = directory.emission.variables.secret, [expr], set[str]()
    while waiting and secret:
        part = waiting.pop()
        match part:
            case Fn("nonsensitive"):
                continue
            case Traversal(("var", label, *_)) if label in secret:
                return True
            case Traversal(("local", label, *_)) if label not in seen and label in directory.emission.blocks.locals:
                seen.add(label)
                waiting.append(directory.emission.blocks.locals[label].value)
        waiting += child_expressions(part)
    return False
