"""Command lines that cover all pairs of values of options, as few as a greedy search finds.

A line that a command refuses as wrong usage covers nothing. So the search makes such a line smaller until it knows
which values do not go together, or which value requires another one, and goes on without them.

Invariant: the lines depend on the options and on the answers of the command alone.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping

NONE = ""  # the option is not on the line
Choice = tuple[str, str]  # an option and its value
Line = dict[str, str]
Refuses = Callable[[Line], bool]
LINES = 400  # more than that for one command is a mistake of the search


@dataclasses.dataclass
class PairSearch:
    """A search. `domains`: the values of each option, of which NONE is the first. `refuses`: runs a line, and says
    whether it is wrong usage.

    `forbidden`: values that do not go together. `required`: values of which a value requires one.
    """

    domains: Mapping[str, tuple[str, ...]]
    refuses: Refuses
    forbidden: list[frozenset[Choice]] = dataclasses.field(default_factory=list)
    required: dict[Choice, frozenset[Choice]] = dataclasses.field(default_factory=dict)
    useless: set[Choice] = dataclasses.field(default_factory=set)

    def find_lines(self) -> Iterator[Line]:
        """Lines that the command does not refuse, and that cover all pairs that it takes."""
        left = dict.fromkeys(
            frozenset(((a, x), (b, y)))
            for a, b in itertools.combinations(self.domains, 2)
            for x in self.domains[a]
            for y in self.domains[b]
        )
        for _ in range(LINES):
            line = None
            while left and line is None:
                line = self.make_line(next(iter(left)), left)
                if line is None:
                    del left[next(iter(left))]
            if line is None:
                return
            if self.refuses(line):
                self.learn(line)
                continue
            for pair in itertools.combinations(line.items(), 2):
                left.pop(frozenset(pair), None)
            yield line
        state = f"{self.forbidden} {self.required} {self.useless}"
        raise AssertionError(f"{len(left)} pairs are left after {LINES} lines: {state}")

    def make_line(self, seed: frozenset[Choice], left: Mapping[frozenset[Choice], None]) -> Line | None:
        """A line with a pair of values and as many others that are left as fit; None if the pair is impossible."""
        line: Line = {}
        for choice in sorted(seed):
            if line.get(choice[0], choice[1]) != choice[1] or not self.add(line, choice):
                return None
        if not all(choice in line.items() for choice in seed):
            return None
        for option, values in self.domains.items():
            if option in line:
                continue

            def gain(value: str, option: str = option) -> int:
                return sum(frozenset(((option, value), other)) in left for other in line.items())

            for value in sorted(values, key=gain, reverse=True):
                if self.add(line, (option, value)):
                    break
        return line if all(option in line for option in self.domains) else None

    def add(self, line: Line, choice: Choice) -> bool:
        """Adds a value, and the options that it requires, unless they do not fit."""
        option, value = choice
        trial = {**line, option: value}
        if value != NONE and choice in self.useless:
            return False
        if choice in self.required and not self.required[choice] & set(trial.items()):
            free = [other for other in sorted(self.required[choice]) if other[0] not in trial]
            for other in free:
                more = {**trial}
                if self.add(more, other):
                    trial = more
                    break
            else:
                return False
        chosen = set(trial.items())
        if any(group <= chosen for group in self.forbidden):
            return False
        line.clear()
        line.update(trial)
        return True

    def learn(self, line: Line) -> None:
        """Finds out why a line is refused."""
        used = {option: value for option, value in line.items() if value != NONE}
        for option in [*used, *used]:  # twice: a required option can go when the one that requires it is gone
            smaller = {name: value for name, value in used.items() if name != option}
            if len(smaller) < len(used) and self.is_possible(smaller) and self.refuses(self.whole(smaller)):
                used = smaller
        assert used, "the command refuses a line without options"
        if len(used) != 1:
            assert frozenset(used.items()) not in self.forbidden
            self.forbidden.append(frozenset(used.items()))
            return
        (choice,) = used.items()
        helps = [
            (option, value)
            for option, values in self.domains.items()
            if option != choice[0]
            for value in values
            if value != NONE and not self.refuses(self.whole({choice[0]: choice[1], option: value}))
        ]
        if helps:
            self.required[choice] = frozenset(helps)
        else:
            self.useless.add(choice)

    def is_possible(self, line: Mapping[str, str]) -> bool:
        """Whether nothing is known against a line."""
        chosen = set(line.items())
        return not any(group <= chosen for group in self.forbidden) and all(
            self.required[choice] & chosen for choice in chosen & self.required.keys()
        )

    def whole(self, line: Mapping[str, str]) -> Line:
        return {option: line.get(option, NONE) for option in self.domains}

    def lines_with(self, choice: Choice) -> Iterator[Line]:
        """Lines with a value that is wrong, and with each value of the others once."""
        for number in range(max(map(len, self.domains.values()))):
            line: Line = {choice[0]: choice[1]}
            for place, (option, values) in enumerate(self.domains.items()):
                if option in line:
                    continue
                value = values[(number + place) % len(values)]
                if not self.add(line, (option, value)):
                    line[option] = NONE
            yield line
