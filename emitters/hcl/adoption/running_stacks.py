"""Finds the running stacks of each Terraform directory, and the names and IDs of their resources.

Invariant: a value is used only if it is the same in every stack of the directory. If it differs, the
caller of the module passes it in a variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, final

from emitters.hcl.running import ID, NAME, PHYSICAL_NAMES, REMOVED, RunningDirectory, ServerPort
from transpile.adoption.adoption import Adoption
from transpile.adoption.environments import IDS, SECRETS
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.server_ports import find_port
from transpile.model.records import EMPTY
from transpile.resolve.stack import Stack

WORDS = {ID: ID, REMOVED: REMOVED}  # how the key of an answer ends, by the subject of the question


@final
class RunningStacks(RunningDirectory):
    """The running stacks of one directory. `grows`: whether it is a module that may get more instances than those that
    run, as in a group. Answers come from variables in a module, and if several environments share the configuration.
    """

    exists = True

    def __init__(self, adoption: Adoption, stacks: list[LiveStack], *, module: bool, grows: bool) -> None:
        self.adoption, self.stacks = adoption, stacks
        self.is_shared = adoption.environment.exists
        self.by_variable, self.grows = module or self.is_shared, grows or self.is_shared
        self.is_root = self.is_shared and not module
        self.stack_name, self.stack_id = adoption.live.name, adoption.live.id
        self.asked: dict[str, tuple[str, object, bool]] = {}
        self.facts: dict[str, Any] = {}  # in the root of environments: values by the key of a synthetic variable
        self.unknown: dict[str, list[LiveResource]] = {}  # resources whose names nobody knows

    def forget_questions(self) -> None:
        self.asked.clear()
        self.facts.clear()
        self.unknown.clear()

    @property
    def environment_values(self) -> Mapping[str, Any]:
        """The values of variables that the stack of an environment gives, in a root that several environments share."""
        if not self.is_root:
            return EMPTY
        answers = {
            word: self.answer_for_stack(self.adoption.live, name, question, each=each)
            for word, (name, question, each) in self.asked.items()
        }
        names = {word: answer for word, answer in answers.items() if answer}
        defaults = self.adoption.environment.defaults
        return {**defaults, **self.facts, **({PHYSICAL_NAMES: names} if names else {})}

    @property
    def import_values(self) -> Mapping[str, Any]:
        ids = self.adoption.environment.import_ids
        return {IDS: ids} if ids else EMPTY

    @property
    def import_notes(self) -> list[str]:
        return self.adoption.environment.import_notes

    @property
    def secret_values(self) -> Mapping[str, Mapping[str, Any]]:
        environment = self.adoption.environment
        return {environment.secrets_file: {SECRETS: environment.secret_ids}} if environment.secret_ids else EMPTY

    def record_fact(self, key: str, value: Any) -> None:
        self.facts[key] = value

    def record_size(self, key: str, group: str) -> None:
        running = self.adoption.live.resources.get(group)
        if self.is_root and running:
            self.facts[key] = len(running.members)

    def find_physical_id(self, name: str) -> str | None:
        running = [] if self.by_variable else self.running_resources(name)
        return running[0].physical_id if running else None

    def find_server_port(self, server: str, key: str) -> ServerPort | None:
        if len(self.stacks) != 1 and not self.is_root:
            return None
        if self.is_shared and not self.is_root:
            return None  # each environment has another port
        resource = (self.adoption.live if self.is_root else self.stacks[0]).resources.get(server)
        if resource is None or resource.stack is not None or resource.physical_id is None:
            return None
        port = find_port(resource, self.adoption.cloud)
        if not self.is_root:
            return ServerPort(resource.physical_id, port, bool(port))
        self.facts |= {key: port} if port else {}
        return ServerPort("SERVER", None, bool(port))

    def has_group(self, name: str) -> bool:
        return bool(self.running_resources(name))

    def running_resources(self, name: str) -> list[LiveResource]:
        """The running resource with this name, in each stack that has it."""
        return [stack.resources[name] for stack in self.stacks if name in stack.resources]

    def member_names(self, name: str) -> list[str] | None:
        orders = [tuple(ordered_members(group)) for group in self.running_resources(name)]
        return list(orders[0]) if orders and len(set(orders)) == 1 else None

    def removed_members(self, name: str) -> list[str] | None:
        if self.is_shared:  # each environment has its own
            every = [find_removed_members(ordered_members(group)) for group in self.running_resources(name)]
            return (
                None if any(names is None for names in every) else sorted({n for names in every for n in names or ()})
            )
        numbers = self.member_names(name)
        return find_removed_members(numbers) if numbers is not None else None

    def has_answer(self, name: str, question: object, *, each: bool) -> bool:
        """Whether the answer is known for all stacks."""
        return bool(self.stacks) and all(
            self.answer_for_stack(stack, name, question, each=each) is not None
            for stack in self.stacks
            if name in stack.resources
        )

    def answer(self, name: str, question: object, *, each: bool) -> Any:
        return self.answer_for_stack(self.stacks[0], name, question, each=each)

    def ask_caller(self, name: str, question: object, *, each: bool) -> str:
        word = word_of(name, question)
        self.asked[word] = name, question, each
        return word

    def may_lack(self, name: str) -> bool:
        return self.grows or any(name not in stack.resources for stack in self.stacks)

    def answer_for_stack(self, stack: LiveStack, name: str, question: object, *, each: bool) -> Any:
        """The answer to a question about a resource of one stack; None if a part of the answer is not known."""
        resource = stack.resources.get(name)
        if resource is None:
            return None
        if question == REMOVED:
            return find_removed_members(ordered_members(resource))
        if not each:
            return self.answer_for_resource(name, resource, question)
        if resource.stack is None:
            return None
        order = ordered_members(resource)
        answers = {
            member: self.answer_for_resource(name, resource.stack.resources[member], question) for member in order
        }
        if any(value is None for value in answers.values()):
            return None
        return list(answers.values()) if is_list_of_members(order) else answers

    def answer_for_resource(self, owner: str, resource: LiveResource, question: object) -> Any:
        """The answer for one running resource. It is the resource `owner` itself, or a member of that group."""
        if question == NAME:
            name = self.adoption.find_cloud_name(resource)
            if name is None:
                self.unknown.setdefault(owner, []).append(resource)
            return name
        if question == ID:
            return resource.physical_id
        if resource.stack is None or not isinstance(question, dict):
            return None
        answers = {}
        for word, (name, inner, each) in question.items():
            if name in resource.stack.resources:
                answers[word] = self.answer_for_stack(resource.stack, name, inner, each=each)
        return None if any(value is None for value in answers.values()) else answers


def word_of(name: str, question: object) -> str:
    """The key of an answer in the variable of a module."""
    return name if question == NAME else f"{name} {WORDS[question] if isinstance(question, str) else 'names'}"


def find_removed_members(names: list[str]) -> list[str] | None:
    """The missing numbers among the names of members; None if these are no numbers."""
    if not all(name.isdigit() for name in names):
        return None
    last = max(map(int, names), default=-1)
    return [str(n) for n in range(last) if str(n) not in names]


def ordered_members(group: LiveResource) -> list[str]:
    """The names of the members of a group, in order."""
    return sort_member_names(group.members)


def sort_member_names(names: Iterable[str]) -> list[str]:
    """The names of members in order: by number if all are numbers."""
    return sorted(names, key=int) if all(name.isdigit() for name in names) else sorted(names)


def is_list_of_members(names: list[str]) -> bool:
    """Whether `count` can number the members: their names are 0, 1, 2 …, or random names."""
    return not all(name.isdigit() for name in names) or names == [str(n) for n in range(len(names))]


Key: TypeAlias = "tuple[int, int]"  # id() of a template and of a registry, which both stay alive


def pair_running_stacks(stack: Stack, live: LiveStack) -> Iterator[tuple[Stack, LiveStack]]:
    """Pairs of a linked stack and its running stack, for a stack and all stacks that are nested in it."""
    yield stack, live
    for (name, written), nested in stack.nested.items():
        for inner in nested_running_stacks(stack, live, name, written):
            yield from pair_running_stacks(nested.stack, inner)


def is_own_template(stack: Stack, name: str, written: str) -> bool:
    """Whether a nested template is that of a resource itself, and not of the members of a group."""
    return stack.template.resources[name].type == written


def growing_templates(stack: Stack, *, grows: bool = False) -> Iterator[Key]:
    """The nested templates that may get more instances, by template and registry: those of groups, those of resources
    with a condition, and all that is nested in them.
    """
    if grows:
        yield template_key(stack)
    for (name, written), nested in stack.nested.items():
        optional = stack.template.resources[name].is_conditional
        more = grows or optional or not is_own_template(stack, name, written)
        yield from growing_templates(nested.stack, grows=more)


def template_key(stack: Stack) -> Key:
    return id(stack.template.source), id(stack.registry)


def nested_running_stacks(stack: Stack, live: LiveStack, name: str, written: str) -> Iterable[LiveStack]:
    """The running stacks of a nested template of a resource: its own, or those of the members of a group."""
    owner = live.resources.get(name)
    if owner is None or owner.stack is None:
        return []
    if is_own_template(stack, name, written):
        return [owner.stack]
    members = (owner.stack.resources[member] for member in ordered_members(owner))
    return [resource.stack for resource in members if resource.stack is not None]


def running_stacks_by_module(adoption: Adoption, stack: Stack) -> Mapping[Key, RunningStacks]:
    """The running stacks of each module, by template and registry."""
    running_stacks: dict[Key, RunningStacks] = {}
    growing = set(growing_templates(stack))
    for running in adoption.lives:
        for linked, live in pair_running_stacks(stack, running):
            key = template_key(linked)
            new = RunningStacks(adoption, [], module=linked is not stack, grows=key in growing)
            running_stacks.setdefault(key, new).stacks.append(live)
    return running_stacks
