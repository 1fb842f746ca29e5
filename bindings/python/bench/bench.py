"""What a boundary costs in a server of FastMCP, beside FastMCP's own limiter, in one run.

Both are called as their server calls them, with a next handler that does nothing, and the time of
that is taken off. Time is that of the processor, so that a busy machine does not count. `--short`
proves that it runs. Microseconds are information; the ratio is the goal.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import statistics
import sys
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from fastmcp.server.middleware.response_limiting import ResponseLimitingMiddleware
from fastmcp.tools import ToolResult
from mcp.types import TextContent
from result_budget import Boundary
from result_budget._mcp2 import _Outermost
from result_budget._wire import Wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

WORDS = 'the quick brown fox, 12 of 99 lazy dogs; "quoted" and été\n'
DOCUMENTS = 8
MEBIBYTE = 1024 * 1024


def text(size: int, number: int) -> str:
    return (f"{number}: " + WORDS * (size // len(WORDS) + 1))[:size]


def theirs(size: int, limit: int) -> tuple[Callable[[Any], Awaitable[Any]], list[Any]]:
    limiter = ResponseLimitingMiddleware(max_size=limit)
    results = [
        ToolResult(content=[TextContent(type="text", text=text(size, number))])
        for number in range(DOCUMENTS)
    ]
    context: Any = SimpleNamespace(message=SimpleNamespace(name="tool"))

    async def call(result: Any) -> Any:
        async def call_next(_context: Any) -> Any:
            return result

        return await limiter.on_call_tool(context, call_next)

    return call, results


def ours(size: int, **options: Any) -> tuple[Callable[[Any], Awaitable[Any]], list[Any]]:
    hook = _Outermost(Wire(Boundary(**options)))
    hook._schemas["2025-11-25"] = {"tool": "none"}
    results = [
        {"content": [{"type": "text", "text": text(size, number)}], "isError": False}
        for number in range(DOCUMENTS)
    ]
    ctx: Any = SimpleNamespace(
        request_id=1,
        method="tools/call",
        params={"name": "tool", "arguments": {}},
        protocol_version="2025-11-25",
        session=SimpleNamespace(
            client_params=SimpleNamespace(client_info=SimpleNamespace(name="bench"))
        ),
    )

    async def call(result: Any) -> Any:
        async def call_next(_ctx: Any) -> Any:
            return result

        return await hook(ctx, call_next)

    return call, results


def nothing() -> tuple[Callable[[Any], Awaitable[Any]], list[Any]]:
    async def call(result: Any) -> Any:
        async def call_next(_ctx: Any) -> Any:
            return result

        return await call_next(None)

    return call, [None] * DOCUMENTS


async def batch_micros(
    call: Callable[[Any], Awaitable[Any]], results: list[Any], calls: int
) -> float:
    rotated = list(itertools.islice(itertools.cycle(results), calls))
    started = time.thread_time()
    for result in rotated:
        await call(result)
    return (time.thread_time() - started) * 1e6 / calls


async def compare(
    name: str, goal: float | None, their: Any, our: Any, calls: int, batches: int
) -> bool:
    none = nothing()
    micros: dict[str, list[float]] = {"none": [], "their": [], "our": []}
    for _ in range(batches):
        # In turn, so that a busy machine is busy for all.
        micros["none"].append(await batch_micros(*none, calls))
        micros["their"].append(await batch_micros(*their, calls))
        micros["our"].append(await batch_micros(*our, calls))
    quarter = {key: statistics.quantiles(values, n=4)[0] for key, values in micros.items()}
    a, b = quarter["their"] - quarter["none"], quarter["our"] - quarter["none"]
    ratio = b / a
    holds = goal is None or ratio <= goal
    told = "" if goal is None else f"at most {goal}: {'holds' if holds else 'MISSED'}"
    print(f"{name:<30} {a:>12.1f} {b:>12.1f} {ratio:>7.2f}  {told}")
    return holds


async def main(*, short: bool) -> int:
    # What their limiter says of each cut is no part of what it costs.
    logging.getLogger("fastmcp").setLevel(logging.ERROR)
    factor = 1 if short else 10
    print(f"{'microseconds a call':<30} {'FastMCP':>12} {'ours':>12} {'ratio':>7}")
    rows = [
        ("2 KB, fits", 2.5, theirs(2_000, 1_000_000), ours(2_000), 100 * factor),
        (
            "1 MB, fits",
            1.0,
            theirs(MEBIBYTE, 16 * MEBIBYTE),
            ours(MEBIBYTE, policy=WIDE),
            2 * factor,
        ),
        ("1 MB, cut", 1.0, theirs(MEBIBYTE, 32_000), ours(MEBIBYTE), 2 * factor),
        (
            "1 MB, cut at 1,000,000",
            None,
            theirs(MEBIBYTE, 1_000_000),
            ours(MEBIBYTE, policy=NEAR),
            2 * factor,
        ),
    ]
    missed = 0
    for name, goal, their, our, calls in rows:
        holds = await compare(name, goal, their, our, calls, 5 if short else 25)
        missed += not holds
    # A short run is too short to judge.
    return 0 if short else missed


WIDE = {
    "version": 1,
    "limits": {"max_result_bytes": 16 * MEBIBYTE, "max_text_bytes": 16 * MEBIBYTE},
}
NEAR = {"version": 1, "limits": {"max_text_bytes": 1_000_000}}

if __name__ == "__main__":
    raise SystemExit(asyncio.run(main(short="--short" in sys.argv[1:])))
