"""Writes a variable with type, default and validations for each parameter.

Invariant: a variable accepts every value that Heat's parameter accepts. Only a variable with an object type
(object_types.py) asks for more: the keys that all known values have. A pattern that RE2 does not support is reported
and not written, because can() would then reject every value.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from emitters.hcl import object_types
from emitters.hcl.assemble import unused
from emitters.hcl.emission import Emission
from emitters.hcl.tree.nodes import (
    Block,
    Expr,
    Fn,
    ForTuple,
    Note,
    Op,
    StringTemplate,
    Traversal,
    Tuple,
    expression_from_data,
)
from transpile.diagnostics import codes
from transpile.guarded.patterns import explain_wrong_pattern
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.report import Fate, make_fate
from transpile.schema import parameters

TYPE_EXPRESSIONS: dict[str, Expr] = {
    "string": Traversal(("string",)),
    "number": Traversal(("number",)),
    "boolean": Traversal(("bool",)),
    "comma_delimited_list": Fn("list", (Traversal(("string",)),)),
    "json": Traversal(("any",)),
}
MAC = "|".join(
    f"^{form}$"
    for form in (
        *(f"([0-9a-fA-F]{{1,2}}{sign}){{5}}[0-9a-fA-F]{{1,2}}" for sign in ":-"),
        *(f"([0-9a-fA-F]{{1,4}}{sign}){{2}}[0-9a-fA-F]{{1,4}}" for sign in (":", "-", "[.]")),
        "[0-9a-fA-F]{5,6}[:-][0-9a-fA-F]{5,6}",
        "[0-9a-fA-F]{11,12}",
    )
)
LOCAL_CONSTRAINTS: Mapping[str, tuple[str, Callable[[Traversal], Expr], str]] = {
    "ip_addr": (
        "an IP address",
        lambda var: Fn("can", (Fn("cidrhost", (StringTemplate((var, "/32")), 0)),)),
        "cidrhost() accepts addresses of both families",
    ),
    "net_cidr": (
        "a network address with a prefix length",
        lambda var: Fn("can", (Fn("cidrhost", (var, 0)),)),
        "cidrhost() accepts prefixes of both families",
    ),
    "ip_or_cidr": (
        "an IP address, or a network address with a prefix length",
        lambda var: Op(
            "||",
            Fn("can", (Fn("cidrhost", (var, 0)),)),
            Fn("can", (Fn("cidrhost", (StringTemplate((var, "/32")), 0)),)),
        ),
        "cidrhost() accepts addresses of both families",
    ),
    "mac_addr": (
        "a MAC address",
        lambda var: Fn("can", (Fn("regex", (MAC, var)),)),
        "the condition matches the formats of the library that Heat uses",
    ),
}


def write_variables(emission: Emission) -> list[Block | Note]:
    """Writes the variables in the order of the parameter groups, after the synthetic ones."""
    from emitters.hcl.tree.nodes import Note as Heading

    template = emission.unit.template
    out: list[Block | Note] = list(emission.variables.blocks.values())
    blocks, written = build_used_variables(emission), set[str]()
    for group in template.parameter_groups:
        members = [template.parameters[n] for n in group.parameters if n in blocks and n not in written]
        lines = ([f" {group.label}"] if group.label else []) + (
            [f" {line}" for line in (group.description or "").splitlines()]
        )
        if lines and members:
            out.append(Heading(lines))
        written |= {param.name for param in members}
        out += [blocks[param.name] for param in members]
    return out + [block for name, block in blocks.items() if name not in written]


def build_used_variables(emission: Emission) -> dict[str, Block]:
    """The variables that are used or have a validation, by parameter. The others are reported."""
    out: dict[str, Block] = {}
    gone: list[ir.Param] = []
    template = emission.unit.template
    grouped = [name for group in template.parameter_groups for name in group.parameters if name in template.parameters]
    for name in dict.fromkeys([*grouped, *template.parameters]):
        param, label = template.parameters[name], emission.names.variables[name]
        block = build_variable(emission, param) if label not in emission.unused or param.constraints else None
        if block is not None and (label not in emission.unused or unused.has_validation(block)):
            out[name] = block
            emission.unused.discard(label)
        else:
            gone.append(param)
            unused.record_unused_parameter(emission, param)
    unused.report_unused_parameters(emission, gone)
    return out


def build_variable(emission: Emission, param: ir.Param) -> Block:
    name = emission.names.variables[param.name]
    block = Block("variable", (name,), span=param.span)
    report: dict[str, Any] = {"variable": name}
    keys: dict[str, Fate] = {}
    write_description(emission, param, block, keys)
    shape = emission.unit.parameter_shapes.get(param.name)
    block.add_argument("type", TYPE_EXPRESSIONS[param.type] if shape is None else object_types.type_constraint(shape))
    write_default(emission, param, block)
    if param.default is not None and name in emission.unit.module.null:
        block.add_argument("nullable", False)
    if param.hidden:
        block.add_argument("sensitive", True)
    written = 0
    for constraint in param.constraints:
        written += write_validation(emission, param, block, constraint, keys, written)
    block.body += [item for item in emission.variables.restricted.get(param.name, ()) if item not in block.body]
    for word in param.keys:
        meaning = emission.unit.template.version.dialect.parameter.get(word)
        if meaning == "hidden":
            keys[word] = (
                make_fate("value", f"var.{name}", "sensitive")
                if param.hidden
                else make_fate("implied", f"var.{name}", why="not hidden is the default")
            )
        elif meaning == "immutable":
            if param.immutable:
                emission.log.add_diagnostic(
                    codes.IMMUTABLE_PARAMETER_CAN_CHANGE,
                    f"{param.name} is immutable in Heat, but Terraform allows changes.",
                    param.name_span,
                    note="immutable in Heat, but Terraform allows changes.",
                )
                keys[word] = make_fate(
                    "dropped", code=codes.IMMUTABLE_PARAMETER_CAN_CHANGE, why="Terraform allows changes"
                )
            else:
                keys[word] = make_fate("implied", why="not immutable is the default")
        elif meaning == "tags":
            keys[word] = make_fate("implied", why="tags only sort parameters in a user interface")
        elif meaning == "schema":
            keys[word] = make_fate("implied", why="Heat ignores this key")
        elif meaning == "constraint_description":
            keys[word] = make_fate(
                "derived",
                f"var.{name}",
                "validation" if param.constraints else "",
                "it is the error message of every validation",
            )
        elif meaning == "constraints" and not param.constraints:
            keys[word] = make_fate("implied", why="the list is empty")
    if keys:
        report["keys"] = keys
    emission.log.report.parameters[param.name] = report
    return block


def write_description(emission: Emission, param: ir.Param, block: Block, keys: dict[str, Fate]) -> None:
    """Writes `description`. A label becomes the description if there is none, and a comment otherwise."""
    is_repeated = param.label is not None and letters_and_digits(param.label) in (
        letters_and_digits(param.name),
        letters_and_digits(param.description or ""),
    )
    if param.label is not None and param.description is not None and not is_repeated:
        block.comments += [f" {line}" for line in param.label.splitlines()]
    text = strip_final_newline(param.description if param.description is not None else param.label or "")
    if text:
        block.add_argument("description", text)
    word = next((w for w in param.keys if emission.unit.template.version.dialect.parameter.get(w) == "label"), None)
    if word is not None:
        to = f"var.{emission.names.variables[param.name]}"
        keys[word] = (
            make_fate("value", to, "description")
            if param.description is None and text
            else make_fate("implied", to, why="it repeats the name or the description")
            if is_repeated
            else make_fate("derived", to, why="the comment above the variable")
        )


def letters_and_digits(text: str) -> str:
    """The letters and digits of a text, to compare the words of two texts."""
    return "".join(c for c in text.lower() if c.isalnum())


SIGNS = {"min": ">=", "max": "<="}


def strip_final_newline(text: str) -> str:
    """Strips the final newline (from `|` or `>`) of a one-line description. One of several lines ends in a newline, as
    a heredoc needs it.
    """
    line = text.rstrip("\n")
    return f"{line}\n" if "\n" in line else line


def write_default(emission: Emission, param: ir.Param, block: Block) -> None:
    if param.default is None or not param.default_data:
        return
    (raw,) = param.default_data
    emission.log.report_unnormalized_text(str(raw), param.default)
    try:
        value = parameters.convert_value(param.type, raw)
    except ValueError:
        emission.log.add_diagnostic(
            codes.INVALID_PARAMETER_VALUE,
            f"The default of {param.name} does not fit its type; Heat fails when it uses it.",
            param.default,
            note="the default in the template does not fit the type; Heat fails when it uses it.",
        )
        return
    if param.type == "number" and is_unsupported_number(value):
        emission.log.add_diagnostic(
            codes.NOT_A_TERRAFORM_NUMBER, f"The default of {param.name} is not a number in Terraform.", param.default
        )
        if not isinstance(value, bool):
            return
        value = int(value)
    if param.type == "boolean" and not isinstance(raw, bool) and str(raw) not in ("true", "false"):
        emission.log.add_diagnostic(
            codes.VALUE_SPELLED_DIFFERENTLY,
            f"The default of {param.name} is written {raw!r}; Terraform accepts only true and false.",
            param.default,
        )
    block.add_argument("default", expression_from_data(value), param.default)


def is_unsupported_number(number: Any) -> bool:
    """Whether Terraform has no such number: infinities, NaN, and booleans, which are numbers in Python."""
    return isinstance(number, bool) or (isinstance(number, float) and not math.isfinite(number))


# constraints


def write_validation(
    emission: Emission, param: ir.Param, block: Block, constraint: ir.Constraint, keys: dict[str, Fate], index: int
) -> bool:
    """Writes a block `validation {}` for a constraint and records its fate. index: the number of the block.
    False if Terraform cannot check the constraint, or if every value satisfies it.
    """
    name = emission.names.variables[param.name]
    var = Traversal(("var", name))
    to = f"var.{name}"

    def record_fate(constraint_fate: Fate) -> None:
        for key in constraint.keys:
            keys[key] = constraint_fate

    check: tuple[Expr, str, str] | None
    if constraint.kind == "custom_constraint":
        word = str(constraint.value.value) if isinstance(constraint.value, ir.Lit) else ""
        if word not in LOCAL_CONSTRAINTS or param.type != "string":
            service = "." in word
            message = (
                "Terraform does not check {}; the API rejects unknown values."
                if service
                else "Terraform does not check {}, and no API may see the value."
            )
            emission.log.gather_name(codes.CUSTOM_CONSTRAINT_NOT_CHECKED, message, word, param.name, constraint)
            record_fate(
                make_fate(
                    "implied",
                    to,
                    why="the lookup or the API rejects an unknown name"
                    if service
                    else "the service that gets the value may reject an invalid one",
                )
            )
            return False
        description, condition, why = LOCAL_CONSTRAINTS[word]
        check = condition(var), f"{param.name} must be {description}.", why
    elif constraint.kind == "allowed_pattern":
        check = check_pattern(emission, param, constraint, var)
    elif constraint.kind == "length" and read_limits(constraint, "min", "max") in ({"min": 0}, {}):
        record_fate(make_fate("implied", to, why="every value is long enough"))
        return False
    else:
        check = CHECKS[constraint.kind](param, constraint, var)
    if check is None:
        record_fate(
            make_fate(
                "dropped",
                code=codes.PATTERN_NOT_CHECKED,
                why="Terraform's regular expressions cannot check this pattern",
            )
        )
        return False
    test, message, why = check
    inner = block.add_block("validation", where=constraint)
    inner.add_argument("condition", test)
    inner.add_argument("error_message", constraint.description or message)
    record_fate(make_fate("derived", to, f"validation.{index}", why))
    return True


def read_limits(constraint: ir.Constraint, *names: str) -> dict[str, int | float]:
    """The limits of a constraint that it sets, by name."""
    assert isinstance(constraint.value, ir.Map)
    limits = {entry.key: parameters.read_limit(entry.value) for entry in constraint.value.entries}
    return {name: limit for name in names if (limit := limits.get(name)) is not None}


def compare_with_limits(measured: Expr, limits: Mapping[str, int | float]) -> Expr:
    if len(limits) > 1 and limits["min"] == limits["max"]:
        return Op("==", measured, limits["min"])
    tests: list[Expr] = [Op(SIGNS[name], measured, limit) for name, limit in limits.items()]
    return functools.reduce(lambda first, second: Op("&&", first, second), tests) if tests else True


def check_length(param: ir.Param, constraint: ir.Constraint, var: Traversal) -> tuple[Expr, str, str]:
    limits = read_limits(constraint, "min", "max")
    numbers, description = list(dict.fromkeys(limits.values())), "characters" if param.type == "string" else "items"
    unit = description[:-1] if numbers == [1] else description
    how = "" if len(limits) > 1 else "at least " if "min" in limits else "at most "
    message = f"{param.name} must have {how}{' to '.join(map(str, numbers))} {unit}."
    test = compare_with_limits(Fn("length", (var,)), {name: n for name, n in limits.items() if n or name == "max"})
    return test, message, "the condition compares length() with the same limits"


def check_range(param: ir.Param, constraint: ir.Constraint, var: Traversal) -> tuple[Expr, str, str]:
    limits = read_limits(constraint, "min", "max")
    how = "between" if len(limits) > 1 else "at least" if "min" in limits else "at most"
    message = f"{param.name} must be {how} {' and '.join(map(str, limits.values()))}."
    return compare_with_limits(var, limits), message, "the condition compares with the same limits"


def check_modulo(param: ir.Param, constraint: ir.Constraint, var: Traversal) -> tuple[Expr, str, str]:
    limits = read_limits(constraint, "step", "offset")
    step, offset = abs(limits["step"]), limits.get("offset", 0)  # the sign does not affect if the remainder is zero
    left: Expr = Op("-", var, offset) if offset > 0 else Op("+", var, -offset) if offset else var
    description = f"a multiple of {step}" + (f", plus {offset}" if offset else "")
    return (
        Op("==", Op("%", left, step), 0),
        f"{param.name} must be {description}.",
        "the condition computes the remainder with the same step",
    )


def check_allowed_values(param: ir.Param, constraint: ir.Constraint, var: Traversal) -> tuple[Expr, str, str]:
    assert isinstance(constraint.value, ir.Seq)
    values: list[Any] = []
    for item in constraint.value.items:
        try:
            values.append(
                parameters.convert_value(
                    "string" if param.type == "comma_delimited_list" else param.type, ir.to_data(item)
                )
            )
        except ValueError:
            continue
    listed = Tuple(tuple(expression_from_data(v) for v in values))
    printed_values = ", ".join(("true" if v else "false") if isinstance(v, bool) else str(v) for v in values)
    why = "the condition looks the value up in the same list"
    if param.type == "comma_delimited_list":
        item_ = Traversal(("item",))
        return (
            Fn("alltrue", (ForTuple(("item",), var, Fn("contains", (listed, item_))),)),
            f"every item of {param.name} must be one of {printed_values}.",
            why,
        )
    return Fn("contains", (listed, var)), f"{param.name} must be one of {printed_values}.", why


# patterns

UNSUPPORTED = compile_lazily(r"\(\?[=!]|\(\?<[=!]|\(\?P=|\\[1-9]|\\Z|\(\?\(|[*+?}]\+|\(\?>|\\[uUN]|\(\?#")
COUNT = compile_lazily(r"\{(\d*),?(\d*)\}")
CLASSES = compile_lazily(r"\\[dwsDWSbB]")
AMBIGUOUS = compile_lazily(r"[*+?}]\?")


def check_pattern(
    emission: Emission, param: ir.Param, constraint: ir.Constraint, var: Traversal
) -> tuple[Expr, str, str] | None:
    """A check equivalent to Python's re.match of the whole value; None if RE2 does not support the pattern."""
    text = str(constraint.value.value) if isinstance(constraint.value, ir.Lit) else ""
    translated = translate_to_re2(text, emission.unit.template.source.budget)
    if translated is None:
        emission.log.add_diagnostic(
            codes.PATTERN_NOT_CHECKED,
            f"Terraform cannot check the pattern of {param.name}: {text}",
            constraint,
            note=f"the pattern {text} is not checked: Terraform's regular expressions do not support it.",
        )
        return None
    if CLASSES.search(translated):
        emission.log.add_diagnostic(
            codes.PATTERN_MATCHES_ASCII_ONLY,
            f"In the pattern of {param.name} Terraform's \\d, \\w and \\s are ASCII only.",
            constraint,
            once=(param.name, codes.PATTERN_MATCHES_ASCII_ONLY),
        )
    message = f"{param.name} must match {text}"
    return build_match_test(translated, var), message, "the condition matches the same pattern, to the end of the value"


def translate_to_re2(text: str, budget: Budget) -> str | None:
    """The pattern in RE2 syntax; None if RE2 does not support it."""
    if explain_wrong_pattern(text, budget):
        return None
    bare = re.sub(r"\\\\", "", text)
    if UNSUPPORTED.search(bare):
        return None
    for low, high in COUNT.findall(text):
        if (low and int(low) > 1000) or (high and int(high) > 1000):
            return None
    text = re.sub(r"(?<!\\)\{,(\d+)\}", r"{0,\1}", text)
    return re.sub(r"\[\[(?!:)", r"[\\[", text)


def build_match_test(text: str, var: Traversal) -> Expr:
    """A test whether the whole value matches. Heat takes the first match and then compares its length with the value,
    so alternatives that are prefixes of each other need care.
    """
    body = text[1:] if text.startswith("^") else text
    body = body[:-1] if body.endswith("$") and not body.endswith("\\$") else body
    if "|" not in body and not AMBIGUOUS.search(body):
        return Fn("can", (Fn("regex", (f"^{body}$", var)),))
    if not AMBIGUOUS.search(body) and is_prefix_free(body):
        return Fn("can", (Fn("regex", (f"^(?:{body})$", var)),))
    groupless = re.sub(r"(?<!\\)\((?!\?)", "(?:", body)
    tail = "$" if text.endswith("$") and not text.endswith("\\$") else ""
    return Fn("try", (Op("==", Fn("regex", (f"^(?:{groupless}){tail}", var)), var), False))


def is_prefix_free(body: str) -> bool:
    """Whether all alternatives are plain texts, none a prefix of another."""
    words = body.split("|")
    return all(re.fullmatch(r"[\w.\- ]*", w) for w in words) and not any(
        a != b and b.startswith(a) for a in words for b in words
    )


Check: TypeAlias = Callable[[ir.Param, ir.Constraint, Traversal], tuple[Expr, str, str]]
CHECKS: Mapping[str, Check] = {
    "length": check_length,
    "range": check_range,
    "modulo": check_modulo,
    "allowed_values": check_allowed_values,
}
