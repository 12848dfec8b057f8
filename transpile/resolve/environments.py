"""The parameter values of a stack: environments merged in order, as Heat's server merges them.

Invariant: files are merged one by one and key by key, and later values win, even over `--parameter`
(`heat.common.environment_util`). A merge strategy changes how a single parameter is combined.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, make_sentence
from transpile.diagnostics.spelling import Guess, guess_name
from transpile.model.budget import Budget
from transpile.model.ir import NULL, Entry, Environment, Param, to_data
from transpile.model.records import node, record
from transpile.model.source import Source
from transpile.model.span import START, Located
from transpile.schema.parameters import convert_and_check, convert_value
from transpile.text.source import lone_surrogate

STRATEGIES = ("overwrite", "merge", "deep_merge")


@final
@node
class Binding:
    """The value of a parameter from outside the template, converted as Heat converts it. Its origin is an environment
    and the path in it; the command line has neither. `wrong`: why Heat refuses it, empty if it does not;
    `converted`: whether the value has the parameter's type; if not, it is unchanged. `is_default`: whether it is the
    template's default, which is no default in the output because another environment must state a value.
    """

    value: Any
    environment: Environment | None = None
    path: str = ""
    wrong: str = ""
    converted: bool = True
    is_default: bool = False

    @property
    def source(self) -> Source | None:
        """The text of the environment; None for the command line."""
        return self.environment.source if self.environment is not None else None


@final
@record
class _RawValue:
    """An unconverted value during the merge, and the entry that set it last."""

    value: Any
    environment: Environment | None = None
    section: str = ""
    entry: Entry | None = None

    def to_binding(self, name: str, value: Any, wrong: str, *, converted: bool) -> Binding:
        return Binding(value, self.environment, f"{self.section}.{name}" if self.environment else "", wrong, converted)


class _Refused(Exception):
    """Heat refuses to merge these values."""


def merge_environments(
    params: Mapping[str, Param],
    environments: Sequence[Environment],
    parameters: Mapping[str, Any],
    *,
    client: bool = False,
    template: str = "the template",
    budget: Budget,
) -> tuple[dict[str, Binding], list[Diagnostic]]:
    """The effective value of each parameter, and diagnostics. `parameters`: those given on the command line; `client`:
    merge as old clients did, before the server saw the values; `template`: the name of the template in messages;
    `budget`: of the run.
    """
    return _EnvironmentMerger(params, template, budget, client=client).merge_environments(environments, parameters)


@final
class _EnvironmentMerger:
    def __init__(self, params: Mapping[str, Param], template: str, budget: Budget, *, client: bool = False) -> None:
        self.params, self.template, self.budget, self.client = params, template, budget, client
        self.diagnostics: list[Diagnostic] = []
        self.strategies: dict[str, str] = {}  # by parameter: the strategy of the first file that sets it

    def merge_environments(
        self, environments: Sequence[Environment], parameters: Mapping[str, Any]
    ) -> tuple[dict[str, Binding], list[Diagnostic]]:
        sections: dict[str, dict[str, _RawValue]] = {
            "parameters": {
                name: _RawValue(value) for name, value in parameters.items() if self.check_encoding(name, value)
            },
            "parameter_defaults": {},
        }
        for name in parameters:
            if name not in self.params:
                self.report_unknown_parameter(None, codes.VALUE_FOR_UNKNOWN_PARAMETER, name, None)
        for environment in environments:
            in_file = {} if self.client else self.read_strategies(environment)
            for section in environment.order:
                if section in sections:
                    entries = getattr(environment, section)
                    self.merge_section(sections[section], section, entries, environment, in_file)
        bindings: dict[str, Binding] = {}
        for section in ("parameters", "parameter_defaults"):
            for name, raw in sections[section].items():
                if name in self.params and name not in bindings and raw.value is not None:
                    bindings[name] = self.bind_value(self.params[name], raw)
        return bindings, self.diagnostics

    def check_encoding(self, name: str, value: Any) -> bool:
        """Whether a value of the command line, or of the library's caller, is UTF-8; reports it if not."""
        if not any(lone_surrogate(text) >= 0 for text in strings_in_value(value)):
            return True
        message = f"The value of the parameter {name} is not UTF-8: it contains a lone surrogate."
        self.diagnostics.append(Diagnostic(codes.INVALID_CHARACTER, message, hint="Give the value as UTF-8."))
        return False

    def read_strategies(self, environment: Environment) -> Mapping[str, str]:
        """The merge strategies of one file; reports unknown ones, which have no effect."""
        strategies = {name: str(to_data(entry.value)) for name, entry in environment.strategies.items()}
        for name, strategy in strategies.items():
            if strategy not in STRATEGIES:
                entry = environment.strategies[name]
                sink = Sink(environment.source)
                hint = guess_name(strategy, STRATEGIES) or f"The strategies are {', '.join(STRATEGIES)}."
                message = f"Unknown merge strategy {strategy}; Heat overwrites the values of {name}."
                sink.add(codes.VALUES_CANNOT_BE_MERGED, message, entry.value, hint, "warning")
                self.diagnostics += sink.diagnostics
        return strategies

    def choose_strategy(self, name: str, in_file: Mapping[str, str]) -> str:
        default = in_file.get("default", "overwrite")
        strategy = in_file.get(name, self.strategies.get(name, default))
        return strategy if strategy in STRATEGIES else default

    def merge_section(
        self,
        old: dict[str, _RawValue],
        section: str,
        entries: Mapping[str, Entry],
        environment: Environment,
        in_file: Mapping[str, str],
    ) -> None:
        """Merges one section of one file into the values of the files before it."""
        first = not old
        for name, entry in entries.items():
            is_declared = name in self.params
            if not is_declared and section == "parameters":
                self.report_unknown_parameter(
                    environment,
                    codes.VALUE_FOR_UNKNOWN_PARAMETER if first else codes.IGNORED_VALUE_FOR_UNKNOWN_PARAMETER,
                    name,
                    entry,
                )
            if not is_declared or (entry.value == NULL and not self.client):
                continue
            strategy = self.choose_strategy(name, in_file)
            if self.strategies.setdefault(name, strategy) != strategy:
                message = f"{name} cannot use {strategy}: an earlier environment uses {self.strategies[name]}."
                self.refuse_entry(environment, entry, message)
                continue
            value = to_data(entry.value)
            if self.client:
                before = old.get(name)
                if before is not None and before.environment is None:
                    continue  # --parameter wins
                if value is None and before is not None and isinstance(before.value, dict):
                    continue
                value = deep_update(before.value if before else None, value)
            elif not first and strategy in ("merge", "deep_merge"):
                try:
                    value = self.merge_value(name, old.get(name), value, deep=strategy == "deep_merge")
                except _Refused as e:
                    self.refuse_entry(environment, entry, str(e))
                    continue
            old[name] = _RawValue(value, environment, section, entry)

    def merge_value(self, name: str, old: _RawValue | None, new: Any, *, deep: bool) -> Any:
        """A value merged into the previous one, according to the parameter's type."""
        kind, before = self.params[name].type, old.value if old else None
        if kind == "json":
            try:
                new = convert_value("json", new)
            except ValueError as e:
                raise _Refused(f"{name} cannot be merged: {e}.") from None
        elif not isinstance(new, (str, list)):
            raise _Refused(f"{name} cannot be merged: only strings, lists and maps can.")
        try:
            if kind == "json":
                return merge_map(copy.deepcopy(before) if before is not None else {}, new, deep=deep)
            if kind == "comma_delimited_list":
                return merge_list(copy.deepcopy(before), new)
            if kind == "string":
                return ("" if before is None else before) + "".join(new)
            if kind == "number":
                return (0 if before is None else before) + new
        except (TypeError, AttributeError):
            raise _Refused(f"{name} cannot be merged: the two values have different types.") from None
        raise _Refused(f"{name} cannot be merged: its type is {kind}.")

    def bind_value(self, param: Param, raw: _RawValue) -> Binding:
        value, wrong, converted = convert_and_check(param, raw.value, self.budget)
        if wrong:
            message = f"Invalid value for parameter {param.name}: {wrong}."
            span = raw.entry.span if raw.entry else START
            self.report(codes.INVALID_PARAMETER_VALUE, message, raw.environment, span)
        return raw.to_binding(param.name, value, wrong, converted=converted)

    def report_unknown_parameter(
        self, environment: Environment | None, code: str, name: str, entry: Entry | None
    ) -> None:
        message = make_sentence(f"{self.template} has no parameter {name}")
        hint = guess_name(name, self.params, budget=self.budget)
        self.report(code, message, environment, entry.key_span if entry else START, hint)

    def refuse_entry(self, environment: Environment, entry: Entry, message: str) -> None:
        self.report(codes.VALUES_CANNOT_BE_MERGED, message, environment, entry)

    def report(
        self, code: str, message: str, environment: Environment | None, where: Located, hint: Guess | str = ""
    ) -> None:
        """Adds a diagnostic at a place in an environment, or without a place for a value of the command line."""
        if environment is None:
            self.diagnostics.append(Diagnostic(code, message, hint=str(hint)))
            return
        sink = Sink(environment.source)
        sink.add(code, message, where, hint)
        self.diagnostics += sink.diagnostics


def strings_in_value(value: Any) -> Iterator[str]:
    """All strings in a value, keys of maps included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from strings_in_value(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from strings_in_value(item)


def deep_update(old: Any, new: Any) -> Any:
    """Merges maps recursively; any other value is replaced (`heatclient.common.template_utils.deep_update`)."""
    if not isinstance(new, dict):
        return new
    out = dict(old) if isinstance(old, dict) else {}
    for key, value in new.items():
        if value is not None or not isinstance(out.get(key), dict):
            out[key] = deep_update(out.get(key), value)
    return out


def merge_list(old: Any, new: Any) -> Any:
    """Appends lists; joins texts with a comma."""
    if not old:
        return new
    if isinstance(new, list):
        return old + new  # a text before a list is a TypeError, as in Heat
    return ",".join([old, new])


def merge_map(old: Any, new: Any, *, deep: bool) -> Any:
    """Merges maps by key: one level, or (`deep`) recursively, with texts concatenated."""
    if not old:
        return new
    for key, value in new.items():
        if value is None:
            continue
        before = old.get(key)
        if not deep:
            old[key] = value
        elif isinstance(value, dict):
            old[key] = merge_map(before, value, deep=True) if before else value
        elif isinstance(value, list):
            old[key] = merge_list(before, value) if before else value
        elif isinstance(value, str):
            old[key] = "".join([old.get(key, ""), value])
        else:
            old[key] = value
    return old
