"""Servers of `mcp` 1.

The hook is the response of a request: what is given to it is printed and sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from result_budget._error import ResultBudgetError
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
    from collections.abc import Callable


def hook(wire: Wire, server: Any) -> Callable[[], None]:
    """Put the hook in; what is returned takes it out."""
    if not callable(getattr(server, "_handle_request", None)):
        raise ResultBudgetError(
            "this server has no `_handle_request` to attach to (its SDK is not supported)",
            "unsupported-server",
        )
    original = server._handle_request  # noqa: SLF001
    hook = _Response(wire, server)

    async def handle(message: Any, req: Any, session: Any, *rest: Any) -> None:
        request = _request(req, session)
        wire.say_once(request.client)
        if request.max_bytes is None and request.tool is not None:
            await _asked(server, req.params.arguments, request)
        respond = message.respond

        async def bounded(response: Any) -> None:
            await respond(hook.bounded(request, response))

        if refusal := wire.refusal(request):
            await respond(_error_data(_INVALID_PARAMS, refusal))
            return
        message.respond = bounded
        await original(message, req, session, *rest)

    server._handle_request = handle  # noqa: SLF001

    def undo() -> None:
        del server._handle_request  # noqa: SLF001

    return undo


async def _asked(server: Any, arguments: Any, request: Request) -> None:
    """Take a budget out of the arguments, where the tool knows no such argument."""
    find = getattr(server, "_get_cached_tool_definition", None)
    if not arguments or MAX_BYTES_ARGUMENT not in arguments or find is None:
        return
    try:
        tool = await find(request.tool)
    except Exception:  # noqa: BLE001
        # A server without a list, or one that fails at it: nothing is known of its tools.
        return
    if tool is not None and not takes_max_bytes(tool.inputSchema):
        request.max_bytes = as_given(arguments.pop(MAX_BYTES_ARGUMENT))


class _Response:
    def __init__(self, wire: Wire, server: Any) -> None:
        self._wire = wire
        self._server = server
        self._schemas: dict[str, Any] = {}

    def bounded(self, request: Request, response: Any) -> Any:
        """Return what is sent in place of `response`."""
        if not hasattr(response, "root"):
            bounded = self._wire.error(request, response.code, response.message, response.data)
            return response if bounded is None else _error_data(*bounded)
        if not (request.is_bounded or request.is_list):
            return response
        result = response.model_dump(by_alias=True, mode="json", exclude_none=True)
        if request.is_list:
            prepared = result
            if request.method == "tools/list":
                prepared = self._wire.prepared(request, result)
                self._schemas.update(output_schemas(prepared.get("tools", [])))
            self._wire.measured(request, prepared)
            return response if prepared is result else _AsItIs(prepared)
        schema = self._schema(request.tool)
        try:
            fitted = self._wire.result(request, result, schema)
        except Replaced as replaced:
            error = replaced.error
            return _error_data(error["code"], error["message"], error.get("data"))
        return response if fitted is result else _AsItIs(fitted)

    def _schema(self, tool: str | None) -> Any:
        """Return what the server's own list says of the tool's output schema."""
        if tool is None:
            return "unknown"
        if tool in self._schemas:
            return self._schemas[tool]
        # The SDK has listed the tools for checks of its own.
        listed = getattr(self._server, "_tool_cache", {}).get(tool)
        return "unknown" if listed is None else listed.outputSchema or "none"


class _AsItIs:
    """A result that is on the wire what it is here."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def model_dump(self, **_: Any) -> Any:
        """Return the result."""
        return self._result


def _request(req: Any, session: Any) -> Request:
    params: Any = getattr(req, "params", None)
    meta = getattr(params, "meta", None)
    client = session.client_params
    return Request(
        req.method,
        _revision(client),
        params.name if req.method == "tools/call" else None,
        budgets_of(getattr(meta, "model_extra", None)),
        client.clientInfo.name if client is not None else None,
    )


def _revision(client: Any) -> str | None:
    """Return the revision that the handshake ended with, by the rule of the SDK."""
    if client is None:
        return None
    from mcp.shared.version import SUPPORTED_PROTOCOL_VERSIONS  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415
    from mcp.types import LATEST_PROTOCOL_VERSION  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415

    asked = str(client.protocolVersion)
    return asked if asked in SUPPORTED_PROTOCOL_VERSIONS else str(LATEST_PROTOCOL_VERSION)


def _error_data(code: int, message: str, data: Any = None) -> Any:
    from mcp.types import ErrorData  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415

    return ErrorData(code=code, message=message, data=data)


_INVALID_PARAMS = -32602
