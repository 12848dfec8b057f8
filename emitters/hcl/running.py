"""The running resources of one directory: none, because a conversion makes a new stack.

Invariant: each question has an answer for a new stack, so nobody asks first whether something runs. An adoption gives
directories that answer otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, final

from transpile.model.records import EMPTY, node

NAME, ID, REMOVED = "name", "id", "removed members"  # subjects of questions
PHYSICAL_NAMES = "physical_names"  # the key of the variable with the answers
# Questions, by the key of the answer. A question has three parts: the resource; its subject (NAME, ID, REMOVED, or all
# that the module of a nested stack asks); and whether it concerns each member of a group.
Asked: TypeAlias = "Mapping[str, tuple[str, object, bool]]"


@final
@node
class ServerPort:
    """The port that Nova made for a running server. server: its name in a command. default: the default of
    the variable for its ID; None if it has none. is_known: whether the variable has a value.
    """

    server: str
    default: str | None
    is_known: bool


class RunningDirectory:
    """A directory of a new stack. exists: whether it runs already. is_shared: whether several environments share the
    configuration; is_root: whether it is their root. by_variable: whether answers come from a variable. asked: the
    questions that the caller must answer. environment_values: the values of variables without a parameter that an
    environment gives, by key; import_values: those that only import blocks read, with import_notes as a comment;
    secret_values: those that have a file of their own, by that file.
    """

    exists = False
    is_shared = False
    is_root = False
    by_variable = False
    stack_name = ""
    stack_id = ""
    asked: Asked = EMPTY

    @property
    def environment_values(self) -> Mapping[str, Any]:
        return EMPTY

    @property
    def import_values(self) -> Mapping[str, Any]:
        return EMPTY

    @property
    def import_notes(self) -> Sequence[str]:
        return ()

    @property
    def secret_values(self) -> Mapping[str, Mapping[str, Any]]:
        return EMPTY

    def forget_questions(self) -> None:
        """Forgets the questions of an earlier attempt."""

    def has_answer(self, name: str, question: object, *, each: bool) -> bool:
        """Whether the answer to a question about a resource is known."""
        return False

    def answer(self, name: str, question: object, *, each: bool) -> Any:
        """The answer to a question about a resource."""
        raise NotImplementedError

    def ask_caller(self, name: str, question: object, *, each: bool) -> str:
        """Has the caller answer a question. Returns the key of the answer."""
        raise NotImplementedError

    def may_lack(self, name: str) -> bool:
        """Whether some instance of the directory may have a resource that does not run yet."""
        return True

    def record_fact(self, key: str, value: Any) -> None:
        """Gives a variable the value that the environment has."""

    def record_size(self, key: str, group: str) -> None:
        """Gives a variable the number of members that a group has in the environment."""

    def find_physical_id(self, name: str) -> str | None:
        """The physical ID of a resource; None if it does not run, or if the caller knows it."""
        return None

    def find_server_port(self, server: str, key: str) -> ServerPort | None:
        """The port that Nova made for a server; None if it does not run, or if there are several such servers. key: of
        the variable for the ID.
        """
        return None

    def has_group(self, name: str) -> bool:
        """Whether a group runs."""
        return False

    def member_names(self, name: str) -> list[str] | None:
        """The names of the members of a group; None if it does not run, or if its stacks do not agree."""
        return None

    def removed_members(self, name: str) -> list[str] | None:
        """The missing numbers among the members of a group; None if they are not known.

        For example, a group with the members 0 and 2 lacks the number 1.
        """
        return None


NEW_DIRECTORY = RunningDirectory()
