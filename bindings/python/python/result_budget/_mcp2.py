"""Servers of `mcp` 2, and of `fastmcp` 4, which is built on it.

The hook is the outermost of the server's middleware: it sees the dict that goes on the wire.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from result_budget._wire import (
    MAX_BYTES_ARGUMENT,
    Replaced,
    Request,
    Wire,
    as_given,
    budgets_of,
    output_schemas,
    takes_max_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def hook(wire: Wire, server: Any) -> Callable[[], None]:
    """Put the hook in; what is returned takes it out."""
    hook = _Outermost(wire)
    server.middleware.insert(0, hook)
    return lambda: server.middleware.remove(hook)


class _Outermost:
    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        # By protocol revision, since the SDK shapes schemas for each.
        self._schemas: dict[str, dict[str, Any]] = {}
        self._unlisted: set[str] = set()
        # Tools with a `max_bytes` of their own.
        self._own: set[str] = set()

    async def __call__(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        if ctx.request_id is None:
            return await call_next(ctx)
        request = _request(ctx)
        self._wire.say_once(request.client)
        if request.max_bytes is None and request.tool is not None:
            ctx = await self._asked(ctx, call_next, request, request.tool)
        if request.asks and (refusal := self._wire.refusal(request)):
            raise _mcp_error(_INVALID_PARAMS, refusal)
        try:
            result = await call_next(ctx)
        except Exception as error:
            bounded = self._bounded(request, error)
            if bounded is None:
                raise
            raise bounded from error
        if result is None:
            return None
        if request.is_list:
            if request.method == "tools/list" and isinstance(result, dict):
                result = self._learn(request, result)
            self._wire.measured(request, result)
            return result
        if not request.is_bounded:
            return result
        schema: Any = "unknown"
        if request.tool is not None:
            schema = self._schemas.get(ctx.protocol_version, _NONE).get(request.tool)
            if schema is None:
                schema = await self._schema(ctx, call_next, request.tool, result)
        try:
            return self._wire.result(request, result, schema)
        except Replaced as replaced:
            told = replaced.error
            raise _mcp_error(told["code"], told["message"], told.get("data")) from None

    async def _asked(
        self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]], request: Request, tool: str
    ) -> Any:
        """Take a budget out of the arguments, where the tool knows no such argument."""
        arguments = (ctx.params or {}).get("arguments")
        if not isinstance(arguments, dict) or MAX_BYTES_ARGUMENT not in arguments:
            return ctx
        schema = self._schemas.get(ctx.protocol_version, _NONE).get(tool)
        if schema is None:
            schema = await self._schema(ctx, call_next, tool, None)
        if schema == "unknown" or tool in self._own:
            return ctx
        rest = dict(arguments)
        request.max_bytes = as_given(rest.pop(MAX_BYTES_ARGUMENT))
        return replace(ctx, params={**ctx.params, "arguments": rest})

    def _bounded(self, request: Request, error: Exception) -> Exception | None:
        """Return the error to raise in place of `error`; `None` where it may stay as it is."""
        told: Any = getattr(error, "error", None)
        if told is not None and hasattr(told, "code") and hasattr(told, "message"):
            bounded = self._wire.error(request, told.code, told.message, told.data)
            return None if bounded is None else _mcp_error(*bounded)
        # The SDK prints the others as they are, but for its own faults in parameters.
        bounded = self._wire.error(request, _INTERNAL_ERROR, str(error), None)
        if bounded is None or type(error).__name__ == "ValidationError":
            return None
        return RuntimeError(bounded[1])

    async def _schema(
        self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]], tool: str, result: Any
    ) -> Any:
        """Ask the server's own list for the tool's output schema."""
        # A client can call what is not there as often as it likes: the error for it needs no list,
        # and names that no list has are remembered up to a number.
        is_error = isinstance(result, dict) and result.get("isError") is True
        if is_error or tool in self._unlisted or len(self._unlisted) >= _UNLISTED_MAX_ITEMS:
            return "unknown"
        await self._list(ctx, call_next)
        schema = self._schemas.get(ctx.protocol_version, _NONE).get(tool)
        if schema is None:
            self._unlisted.add(tool)
            return "unknown"
        return schema

    async def _list(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> None:
        cursor = None
        for _ in range(_LIST_PAGES_MAX):
            params = {"cursor": cursor} if cursor is not None else {}
            if "_meta" in (ctx.params or {}):
                params["_meta"] = ctx.params["_meta"]
            try:
                page = await call_next(replace(ctx, method="tools/list", params=params))
            except Exception:  # noqa: BLE001
                # A server without a list, or one that fails at it: nothing is known of its tools.
                return
            if not isinstance(page, dict):
                return
            self._learn(_request(ctx), page)
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def _learn(self, request: Request, page: dict[str, Any]) -> dict[str, Any]:
        """Take note of a page of tools, and return it as clients are to see it."""
        prepared = self._wire.prepared(request, page)
        schemas = output_schemas(prepared.get("tools", []))
        self._schemas.setdefault(request.revision or "", {}).update(schemas)
        own = (tool for tool in page.get("tools", []) if takes_max_bytes(tool.get("inputSchema")))
        self._own |= {tool["name"] for tool in own}
        return prepared


def _request(ctx: Any) -> Request:
    params = ctx.params or {}
    meta = params.get("_meta")
    tool = params.get("name") if ctx.method == "tools/call" else None
    return Request(
        ctx.method,
        ctx.protocol_version,
        tool if isinstance(tool, str) else None,
        budgets_of(meta),
        _client(ctx, meta),
    )


def _client(ctx: Any, meta: Any) -> str | None:
    if isinstance(meta, dict):
        told = meta.get("io.modelcontextprotocol/clientInfo")
        if isinstance(told, dict) and isinstance(told.get("name"), str):
            return str(told["name"])
    told = getattr(ctx.session.client_params, "client_info", None)
    return getattr(told, "name", None)


def _mcp_error(code: int, message: str, data: Any = None) -> Exception:
    from mcp.shared.exceptions import MCPError  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415

    error: Exception = MCPError(code, message, data)
    return error


_INVALID_PARAMS = -32602
_INTERNAL_ERROR = -32603

_NONE: dict[str, Any] = {}

_UNLISTED_MAX_ITEMS = 100

# More pages than a server has; a list that never ends must not hold a call.
_LIST_PAGES_MAX = 100
