"""Objects are printed as the SDKs' own printer writes them."""

from __future__ import annotations

import json
import math
import random
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json
from result_budget import Boundary

# Any change at all makes the engine print what it read: a foreign key on the top.
BOUNDARY = Boundary(policy={"version": 1, "preset": "large"})


def printed(value: Any) -> bytes:
    """Return `value` as the printer of the binding writes it."""
    sizes = BOUNDARY.measure({"structuredContent": value})
    return b"x" * sizes["structured_bytes"]


def through(value: Any) -> Any:
    """Return `value` as it comes out of the engine, which had to print it."""
    answer = BOUNDARY.answer({"content": [], "structuredContent": value, "foreign": 1})
    assert answer.outcome == "bounded"
    return answer.result["structuredContent"]


def arbitrary(noise: random.Random, depth: int = 0) -> Any:
    kinds = ["text", "int", "float", "none", "bool"] + ["list", "dict"] * (depth < 4)
    match noise.choice(kinds):
        case "text":
            return arbitrary_text(noise)
        case "int":
            return noise.choice([0, -1, 2**63, -(2**63), 2**64, 10**40, noise.randint(-999, 999)])
        case "float":
            return noise.choice(
                [0.0, -0.0, 1e16, 1e15, 1e-5, 1e-7, 5e-324, 1.7976931348623157e308, 0.1]
                + [noise.uniform(-1e3, 1e3), noise.uniform(-1, 1) * 10 ** noise.randint(-300, 300)]
            )
        case "none":
            return None
        case "bool":
            return noise.random() < 0.5
        case "list":
            items = [arbitrary(noise, depth + 1) for _ in range(noise.randint(0, 5))]
            return tuple(items) if noise.random() < 0.2 else items
        case _:
            return {
                arbitrary_text(noise): arbitrary(noise, depth + 1)
                for _ in range(noise.randint(0, 5))
            }


def arbitrary_text(noise: random.Random) -> str:
    alphabet = ["a", '"', "\\", "\n", "\t", "\b", "\f", "\r", "\0", "\x1f", "\x7f", "é", "€", "😀"]
    return "".join(noise.choice([*alphabet, "\u2028", "/"]) for _ in range(noise.randint(0, 12)))


def test_the_length_is_that_of_the_sdks_printer_and_the_value_is_the_same() -> None:
    noise = random.Random(20261130)
    for _ in range(3_000):
        value = {"v": arbitrary(noise)}
        assert len(printed(value)) == len(to_json(value)), value
        assert through(value) == json.loads(to_json(value)), value


def test_numbers_that_are_none_are_null() -> None:
    value = {"v": [math.nan, math.inf, -math.inf]}
    assert through(value) == {"v": [None, None, None]}
    assert len(printed(value)) == len(to_json(value, inf_nan_mode="null"))


def test_large_whole_numbers_are_exact() -> None:
    value = {"v": [10**4000, -(10**30), 2**63, 2**64 - 1]}
    assert through(value) == value


def test_keys_that_are_whole_numbers_are_texts() -> None:
    assert through({"v": {1: 2, -(2**70): 3}}) == {"v": {"1": 2, str(-(2**70)): 3}}


def test_subclasses_are_what_they_hold() -> None:
    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "something else"

    class Number(int):
        def __repr__(self) -> str:
            return "something else"

    class Table(dict[str, Any]):
        pass

    value = Table(v=[Text("a"), Number(10**30), Number(7)])
    assert through(value) == {"v": ["a", 10**30, 7]}


def test_models_inside_are_printed_as_on_the_wire() -> None:
    class Inner(BaseModel):
        name: str
        missing: str | None = None

    assert through({"v": [Inner(name="n")]}) == {"v": [{"name": "n"}]}


def test_a_dict_that_changes_while_it_is_printed_does_no_harm() -> None:
    table: dict[str, Any] = {}

    class Growing(BaseModel):
        def model_dump(self, **_: Any) -> Any:
            table["more"] = 1
            return {}

    table["grow"] = Growing()
    table["next"] = 1
    answer = BOUNDARY.answer({"content": [], "structuredContent": table})
    assert answer.failure is not None
    assert answer.failure.code == "malformed-json"
