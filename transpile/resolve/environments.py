"""The parameter values of a stack: environments merged in order, as Heat's server merges them.

Invariant: files are merged one by one and key by key, and later values win, even over `--parameter`
(`heat.common.environment_util`). A merge strategy changes how a single parameter is combined.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.diagnostics.spelling import guess
from transpile.model.ir import NULL, Entry, Environment, data
from transpile.model.records import node, record
from transpile.model.span import START
from transpile.schema.parameters import convert, given
from transpile.text.source import lone_surrogate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from transpile.model.ir import Param

STRATEGIES = ("overwrite", "merge", "deep_merge")


@final
@node
class Binding:
    """The value of a parameter from outside the template, converted as Heat converts it. Its origin is an environment
    and the path in it; the command line has neither. `wrong`: why Heat refuses it, empty if it does not;
    `converted`: whether the value has the parameter's type; if not, it is unchanged.
    """

    value: Any
    environment: Environment | None = None
    path: str = ""
    wrong: str = ""
    converted: bool = True


@final
@record
class _Raw:
    """An unconverted value during the merge, and the entry that set it last."""

    value: Any
    environment: Environment | None = None
    section: str = ""
    entry: Entry | None = None

    def binding(self, name: str, value: Any, wrong: str, *, converted: bool) -> Binding:
        return Binding(value, self.environment, f"{self.section}.{name}" if self.environment else "", wrong, converted)


class _Refused(Exception):
    """Heat refuses to merge these values."""


def merge(
    params: Mapping[str, Param],
    environments: Sequence[Environment],
    parameters: Mapping[str, Any],
    *,
    client: bool = False,
) -> tuple[dict[str, Binding], list[Diagnostic]]:
    """The effective value of each parameter, and diagnostics. `parameters`: those given on the command line; `client`:
    merge as old clients did, before the server saw the values.
    """
    return _Merger(params, client=client).merged(environments, parameters)


@final
class _Merger:
    def __init__(self, params: Mapping[str, Param], *, client: bool = False) -> None:
        self.params, self.client = params, client
        self.found: list[Diagnostic] = []
        self.strategies: dict[str, str] = {}  # by parameter: the strategy of the first file that sets it

    def merged(
        self, environments: Sequence[Environment], parameters: Mapping[str, Any]
    ) -> tuple[dict[str, Binding], list[Diagnostic]]:
        sections: dict[str, dict[str, _Raw]] = {
            "parameters": {name: _Raw(value) for name, value in parameters.items() if self.readable(name, value)},
            "parameter_defaults": {},
        }
        for name in parameters:
            if name not in self.params:
                self.say(None, codes.VALUE_FOR_UNKNOWN_PARAMETER, name, None)
        for environment in environments:
            in_file = {} if self.client else self.named(environment)
            for section in environment.order:
                if section in sections:
                    entries = getattr(environment, section)
                    self.section(sections[section], section, entries, environment, in_file)
        out: dict[str, Binding] = {}
        for section in ("parameters", "parameter_defaults"):
            for name, raw in sections[section].items():
                if name in self.params and name not in out and raw.value is not None:
                    out[name] = self.give(self.params[name], raw)
        return out, self.found

    def readable(self, name: str, value: Any) -> bool:
        """Whether a value of the command line, or of the library's caller, is UTF-8; reports it if not."""
        if not any(lone_surrogate(text) >= 0 for text in texts(value)):
            return True
        message = f"The value of the parameter {name} is not UTF-8: it contains a lone surrogate."
        self.found.append(Diagnostic(codes.INVALID_CHARACTER, message, hint="Give the value as UTF-8."))
        return False

    def named(self, environment: Environment) -> Mapping[str, str]:
        """The merge strategies of one file; reports unknown ones, which have no effect."""
        found = {name: str(data(entry.value)) for name, entry in environment.strategies.items()}
        for name, strategy in found.items():
            if strategy not in STRATEGIES:
                entry = environment.strategies[name]
                sink = Sink(environment.source)
                hint = guess(strategy, STRATEGIES) or f"The strategies are {', '.join(STRATEGIES)}."
                message = f"Unknown merge strategy {strategy}; Heat overwrites the values of {name}."
                sink.say(codes.VALUES_CANNOT_BE_MERGED, message, entry.value, hint, "warning")
                self.found += sink.found
        return found

    def strategy(self, name: str, in_file: Mapping[str, str]) -> str:
        default = in_file.get("default", "overwrite")
        found = in_file.get(name, self.strategies.get(name, default))
        return found if found in STRATEGIES else default

    def section(
        self,
        old: dict[str, _Raw],
        section: str,
        entries: Mapping[str, Entry],
        environment: Environment,
        in_file: Mapping[str, str],
    ) -> None:
        """Merges one section of one file into the values of the files before it."""
        first = not old
        for name, entry in entries.items():
            known = name in self.params
            if not known and section == "parameters":
                self.say(
                    environment,
                    codes.VALUE_FOR_UNKNOWN_PARAMETER if first else codes.IGNORED_VALUE_FOR_UNKNOWN_PARAMETER,
                    name,
                    entry,
                )
            if not known or (entry.value == NULL and not self.client):
                continue
            strategy = self.strategy(name, in_file)
            if self.strategies.setdefault(name, strategy) != strategy:
                message = f"{name} cannot use {strategy}: an earlier environment uses {self.strategies[name]}."
                self.refuse(environment, entry, message)
                continue
            value = data(entry.value)
            if self.client:
                before = old.get(name)
                if before is not None and before.environment is None:
                    continue  # --parameter wins
                if value is None and before is not None and isinstance(before.value, dict):
                    continue
                value = deep_update(before.value if before else None, value)
            elif not first and strategy in ("merge", "deep_merge"):
                try:
                    value = self.together(name, old.get(name), value, deep=strategy == "deep_merge")
                except _Refused as e:
                    self.refuse(environment, entry, str(e))
                    continue
            old[name] = _Raw(value, environment, section, entry)

    def together(self, name: str, old: _Raw | None, new: Any, *, deep: bool) -> Any:
        """A value merged into the previous one, according to the parameter's type."""
        kind, before = self.params[name].type, old.value if old else None
        if kind == "json":
            try:
                new = convert("json", new)
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

    def give(self, param: Param, raw: _Raw) -> Binding:
        value, wrong, converted = given(param, raw.value, raw.environment.source.budget if raw.environment else None)
        if wrong:
            sink = Sink(raw.environment.source if raw.environment else None)
            span = raw.entry.span if raw.entry else START
            sink.say(codes.INVALID_PARAMETER_VALUE, f"Invalid value for parameter {param.name}: {wrong}.", span)
            self.found += sink.found
        return raw.binding(param.name, value, wrong, converted=converted)

    def say(self, environment: Environment | None, code: str, name: str, entry: Entry | None) -> None:
        sink = Sink(environment.source if environment else None)
        hint = sink.guess(name, self.params)
        sink.say(code, f"The template has no parameter {name}.", entry.key_span if entry else START, hint)
        self.found += sink.found

    def refuse(self, environment: Environment, entry: Entry, message: str) -> None:
        sink = Sink(environment.source)
        sink.say(codes.VALUES_CANNOT_BE_MERGED, message, entry)
        self.found += sink.found


def texts(value: Any) -> Iterator[str]:
    """All strings in a value, keys of maps included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from texts(one)


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
