"""Placeholders are found where Heat finds them, and values are compared as Heat compares them."""

from __future__ import annotations

import random
from typing import Any

from transpile.evaluate import placeholders, pure, sizes


def heats(text: str, keys: list[str], done: list[str]) -> list[str]:
    """Heat's algorithm: the text is split at the first placeholder, and the pieces at the next. `done`: in which order
    the placeholders were joined.
    """
    if not keys:
        return [text]
    key, *rest = keys
    first, *others = [heats(piece, rest, done) for piece in text.split(key)]
    if others and key not in done:
        done.append(key)
    return [*first, *(part for other in others for part in (key, *other))]


def word(chance: random.Random, least: int, most: int) -> str:
    return "".join(chance.choice("abc") for _ in range(chance.randint(least, most)))


def test_parts_are_those_of_heat() -> None:
    chance = random.Random(1)
    for _ in range(5000):
        text, keys = word(chance, 0, 14), {word(chance, 1, 3) for _ in range(chance.randint(1, 5))}
        done: list[str] = []
        expected = heats(text, placeholders.sort_placeholders(keys), done)
        assert placeholders.split_at_placeholders(text, keys) == expected
        assert placeholders.replacement_order(expected) == done


def test_parts_are_the_same_with_many_placeholders_of_one_length() -> None:
    chance = random.Random(2)
    for _ in range(50):
        text, keys = word(chance, 200, 300), {word(chance, 1, 6) for _ in range(300)}
        assert placeholders.split_at_placeholders(text, keys) == heats(text, placeholders.sort_placeholders(keys), [])


def test_size_is_never_less_than_the_result() -> None:
    chance = random.Random(3)
    for _ in range(2000):
        params: dict[str, Any] = {
            word(chance, 1, 2): chance.choice(["é", "", 7, None, True, [1, "ü"], {"k": "v"}]) for _ in "123"
        }
        arg = {"template": word(chance, 0, 20), "params": params}
        assert sizes.bound_result_size("str_replace", arg, lambda steps: None) >= len(pure.evaluate_str_replace(arg))
        joined = [word(chance, 0, 3), [v for v in params.values() if not isinstance(v, (bool, int))]]
        assert sizes.bound_result_size("list_join", joined, lambda steps: None) >= len(pure.evaluate_list_join(joined))


def test_items_are_the_same_as_in_python() -> None:
    chance = random.Random(4)
    values = [1, True, 1.0, 0, False, "1", "", None, [1], [True], [], {}, {"a": 1}, {"a": True}, {"a": [1]}, [[]], [{}]]
    for _ in range(2000):
        items, removed = chance.choices(values, k=6), chance.choices(values, k=2)
        unique: list[Any] = []
        for item in items:
            if item not in unique:
                unique.append(item)
        assert repr(pure.evaluate_list_concat_unique([items])) == repr(unique)
        assert repr(pure.evaluate_filter([removed, items])) == repr([item for item in items if item not in removed])
