"""Collects the tasks of many stacks, and shows them in TODO.md and in the summary of a command.

Invariant: the list names each task once, with all its places, and its order depends on its content alone. Only a
bounded number of tasks of each code is kept and printed, and the rest is counted. TODO.md is made without Jinja2, whose
import would take a sixth of the time of a small conversion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, final

from transpile.model.records import replace
from transpile.model.words import count_noun, list_first
from transpile.text.markdown import escape_markdown_line, format_code, write_comment
from transpile.text.wrapping import wrap_line
from transpile.todo.tasks import FIX, KINDS, REPLACE, SECRET, SET, Task

MOST_TASKS = 200  # of one code and kind that are listed
MOST_PLACES = 50  # of one task that are kept
SHOWN_PLACES = 4
SHOWN_TOPICS, SHOWN_NAMES = 6, 12  # of one kind on a terminal
TICKS = "Tick tasks off when they are done: the next run keeps ticks. Infos stand only in the JSON report."
LONGEST = 100  # columns of a line there


@final
class TopicTasks:
    """The tasks of one kind and code. number: the number of their places."""

    def __init__(self) -> None:
        self.tasks: dict[tuple[str, str], Task] = {}
        self.number = 0
        self.left = 0  # tasks that are only counted

    def add(self, task: Task) -> None:
        key = task.what, task.how
        known = self.tasks.get(key)
        new = [place for place in task.places if known is None or place not in known.places]
        self.number += len(new) or (known is None)
        if known is not None:
            if len(known.places) < MOST_PLACES:
                self.tasks[key] = replace(known, places=(*known.places, *new))
        elif len(self.tasks) < MOST_TASKS:
            self.tasks[key] = task
        else:
            self.left += 1


@final
class TodoList:
    """The tasks of a run."""

    def __init__(self, tasks: Iterable[Task] = ()) -> None:
        self.topics: dict[tuple[str, str], TopicTasks] = {}  # by kind, and by code or common title
        for task in tasks:
            self.add(task)

    def add(self, task: Task) -> None:
        self.topics.setdefault((task.kind, task.code or task.about), TopicTasks()).add(task)

    def tasks_of(self, kind: str) -> list[Task]:
        """The tasks of a kind, by code."""
        topics = sorted((code, number) for number, (of, code) in enumerate(self.topics) if of == kind)
        tasks = [task for code, _ in topics for task in self.topics[kind, code].tasks.values()]
        return sorted(tasks, key=lambda task: not task.what.endswith(f"({SECRET})")) if kind == SET else tasks

    def count(self, kind: str) -> int:
        """The number of tasks of a kind, those that are not kept among them."""
        return sum(len(t.tasks) + t.left for (of, _), t in self.topics.items() if of == kind)

    @property
    def number(self) -> int:
        return sum(map(self.count, KINDS))

    def as_json(self) -> list[dict[str, Any]]:
        return [task.as_json() for kind in KINDS for task in self.tasks_of(kind)]

    def counts(self) -> dict[str, int]:
        """The number of tasks of each kind that has any."""
        return {kind: n for kind in KINDS if (n := self.count(kind))}

    def lines(self, kinds: Iterable[str] = KINDS) -> list[str]:
        """The list for a terminal: of each kind its codes, with the first place of each."""
        lines = []
        for kind in kinds:
            if not self.count(kind):
                continue
            lines.append(f"  {kind} {self.count(kind)}: {KINDS[kind]}")
            if kind in (SET, REPLACE):
                names = [task.what if kind == SET else task.places[0] for task in self.tasks_of(kind)]
                lines += [f"    {line}" for line in wrap_line(list_first(names, SHOWN_NAMES), LONGEST - 4)]
                continue
            topics = {code: topic for (of, code), topic in sorted(self.topics.items()) if of == kind}
            topics = dict(sorted(topics.items(), key=lambda item: -item[1].number)) if kind == FIX else topics
            for topic in list(topics.values())[:SHOWN_TOPICS]:
                first = next(iter(topic.tasks.values()))
                place = f"{first.places[0]}: " if first.places else ""
                more = f" (and {topic.number - 1} more)" if topic.number > 1 else ""
                text = first.what if topic.number == 1 else first.topic or first.what
                lines += wrap_task(f"{place}{first.code}{' ' * bool(first.code)}{text}", more)
            if (more_topics := len(topics) - SHOWN_TOPICS) > 0:
                lines.append(f"    and {count_noun(more_topics, 'other code')}")
        return lines

    def print_page(self, first: str) -> str:
        """The text of TODO.md, with all boxes open. first: its first line."""
        lines = [f"<!-- {write_comment(first)} -->", "", "# To do", "", TICKS]
        for kind in KINDS:
            if tasks := self.tasks_of(kind):
                lines += ["", f"## {kind.capitalize()}: {KINDS[kind]}", "", *map(print_task, tasks)]
                left = self.count(kind) - len(tasks)
                lines += ["", f"And {left} more: `--report FILE` names all."] * (left > 0)
        return "\n".join([*lines, ""])


def print_task(task: Task) -> str:
    """A task as an item of a list, with an open box."""
    code = f"{task.code} " * bool(task.code)
    text = format_code(task.what) if task.kind == SET else escape_markdown_line(task.what)
    where = f" ({list_first([*map(format_code, task.places)], SHOWN_PLACES)})" * bool(task.places)
    how = f" {escape_markdown_line(task.how)}" * bool(task.how)
    return f"- [ ] {code}{text}{where}{how}"


def wrap_task(text: str, tail: str) -> list[str]:
    """A task in at most two lines of a terminal, cut before its tail if it is long."""
    lines = wrap_line(text + tail, LONGEST - 4)
    if len(lines) > 2:
        room = LONGEST - 5 - len(tail)
        lines = [lines[0], " ".join(lines[1:])[:room].rstrip() + "…" + tail]
    return [f"    {lines[0]}", *(f"      {line}" for line in lines[1:])]
