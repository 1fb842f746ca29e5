"""Attaching, in the environment of one SDK; `test_servers.py` runs this in each."""

from __future__ import annotations

import asyncio
import importlib
import logging
from importlib import metadata
from typing import Any

import pytest
from result_budget import Boundary, ResultBudgetError


def servers() -> list[Any]:
    """Return one server of each kind that this environment has."""
    made = []
    for module, name in (
        ("fastmcp", "FastMCP"),
        ("mcp.server.mcpserver", "MCPServer"),
        ("mcp.server.fastmcp", "FastMCP"),
        ("mcp.server.lowlevel", "Server"),
    ):
        try:
            kind = getattr(importlib.import_module(module), name)
        except ImportError:
            continue
        made.append(kind("test"))
    return made


@pytest.fixture(params=range(len(servers())))
def server(request: pytest.FixtureRequest) -> Any:
    """Return one of the servers, each test a new one."""
    return servers()[request.param]


def test_there_is_a_server_to_test() -> None:
    assert len(servers()) >= 2


def test_attaching_says_which_preset_was_taken_and_why(
    server: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "result_budget")
    Boundary().attach(server)
    assert len(caplog.messages) == 1
    assert "preset `normal`, the default: nobody named another" in caplog.messages[0]
    assert "server `test`" in caplog.messages[0]
    assert metadata.version("mcp") in caplog.messages[0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"preset": "small"}, "preset `small`, as asked for"),
        ({"policy": {"version": 1, "preset": "large"}}, "preset `large`, the policy's own"),
        ({"limit_bytes": 1_000}, "preset `normal`, the default: nobody named another"),
        ({"limit_bytes": 1_000}, "; text 1000 bytes, binary 1000 bytes, result 1000 bytes; "),
        ({"limit_tokens": 500}, "; text 32000 bytes, 500 tokens, binary "),
        ({"mode": "report-only"}, "mode `report-only`"),
    ],
)
def test_the_log_names_what_is_in_force(
    options: dict[str, Any], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "result_budget")
    Boundary(**options).attach(servers()[0])
    assert said in caplog.messages[0]


def test_a_second_boundary_is_refused_until_the_first_is_gone(server: Any) -> None:
    attachment = Boundary().attach(server)
    for inner in (server, getattr(server, "_mcp_server", server)):
        with pytest.raises(ResultBudgetError) as raised:
            Boundary().attach(inner)
        assert raised.value.code == "already-attached"
    attachment.detach()
    attachment.detach()
    with Boundary().attach(server) as again:
        assert again.boundary.mode == "enforce"
    Boundary().attach(server)


@pytest.mark.parametrize("thing", [None, 5, "server", object(), Boundary])
def test_what_is_no_server_is_refused(thing: Any) -> None:
    with pytest.raises(ResultBudgetError) as raised:
        Boundary().attach(thing)
    assert raised.value.code == "unsupported-server"


@pytest.mark.parametrize("number", ["0.9.1", "1.2.0", "2.0.1", "3.0.0", "unknown"])
def test_an_unsupported_version_is_refused_with_its_number(
    server: Any, number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "version", lambda _package: number)
    with pytest.raises(ResultBudgetError) as raised:
        Boundary().attach(server)
    assert raised.value.code == "unsupported-version"
    assert number in str(raised.value)
    assert raised.value.details["given"] == number


def test_detaching_lets_results_through_again(server: Any) -> None:
    attachment = Boundary(limit_bytes=1_000).attach(server)
    attachment.detach()
    inner = getattr(server, "_mcp_server", getattr(server, "_lowlevel_server", server))
    hooks = [kind for kind in getattr(inner, "middleware", []) if "result_budget" in repr(kind)]
    assert hooks == []
    assert "_handle_request" not in vars(inner)


@pytest.mark.skipif(
    not metadata.version("mcp").startswith("2"), reason="mcp 1 keeps the list of its own accord"
)
def test_the_output_schema_comes_from_the_servers_own_list() -> None:
    from types import SimpleNamespace

    from result_budget._mcp2 import _Outermost
    from result_budget._wire import Wire

    given: list[Any] = []

    class Seeing(Wire):
        def result(self, request: Any, result: Any, output_schema: Any) -> Any:
            given.append((request.tool, output_schema))
            return super().result(request, result, output_schema)

    hook = _Outermost(Seeing(Boundary()))
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    pages = {
        None: {"tools": [{"name": "a", "outputSchema": schema}], "nextCursor": "2"},
        "2": {"tools": [{"name": "b"}]},
    }
    listed: list[Any] = []

    async def call_next(ctx: Any) -> Any:
        if ctx.method == "tools/list":
            assert ctx.params["_meta"] == {"kept": 1}
            listed.append(ctx.params.get("cursor"))
            return pages[ctx.params.get("cursor")]
        return {"content": []}

    async def call(name: str) -> None:
        ctx = context(
            request_id=1,
            method="tools/call",
            params={"name": name, "_meta": {"kept": 1}},
            protocol_version="2025-11-25",
            session=SimpleNamespace(client_params=None),
        )
        await hook(ctx, call_next)

    async def main() -> None:
        for name in ("a", "b", "c", "c", "a"):
            await call(name)

    asyncio.run(main())
    assert given == [
        ("a", schema),
        ("b", "none"),
        ("c", "unknown"),
        ("c", "unknown"),
        ("a", schema),
    ]
    # Once for the first tool, once for one that no list has.
    assert listed == [None, "2", None, "2"]


@pytest.mark.skipif(
    not metadata.version("mcp").startswith("2"), reason="mcp 1 keeps the list of its own accord"
)
def test_a_client_that_calls_what_is_not_there_fills_no_memory() -> None:
    from types import SimpleNamespace

    from result_budget._mcp2 import _Outermost
    from result_budget._wire import Wire

    hook = _Outermost(Wire(Boundary()))
    listed: list[Any] = []

    async def main(*, is_error: bool) -> None:
        async def call_next(ctx: Any) -> Any:
            if ctx.method == "tools/list":
                listed.append(ctx)
                return {"tools": []}
            return {"content": [], "isError": is_error}

        for number in range(1_000):
            ctx = context(
                request_id=1,
                method="tools/call",
                params={"name": f"t{number}"},
                protocol_version="2025-11-25",
                session=SimpleNamespace(client_params=None),
            )
            await hook(ctx, call_next)

    asyncio.run(main(is_error=True))
    assert listed == []
    asyncio.run(main(is_error=False))
    assert len(listed) == len(hook._unlisted) == 100
    assert hook._schemas == {"2025-11-25": {}}


def context(**fields: Any) -> Any:
    """Make what `dataclasses.replace` takes."""
    from dataclasses import make_dataclass

    return make_dataclass("Context", list(fields))(**fields)
