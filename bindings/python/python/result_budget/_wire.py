"""What a server sends, through the boundary. Knows no SDK."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from result_budget._error import ResultBudgetError

if TYPE_CHECKING:
    from result_budget._boundary import Boundary
    from result_budget._native import _Kind

logger = logging.getLogger("result_budget")


class Replaced(Exception):  # noqa: N818
    """A result that has no form for errors was over its limit: the engine's error goes instead."""

    def __init__(self, error: dict[str, Any]) -> None:
        """Keep the JSON-RPC error object."""
        super().__init__(error["message"])
        self.error = error


class Request:
    """What is known of a request."""

    __slots__ = ("client", "max_bytes", "max_tokens", "method", "revision", "tool")

    def __init__(
        self,
        method: str,
        revision: str | None,
        tool: str | None,
        budgets: tuple[Any, Any],
        client: str | None,
    ) -> None:
        """Keep it: the budgets of bytes and of tokens as they came, `None` where there is none."""
        self.method = method
        self.revision = revision
        self.tool = tool
        self.max_bytes, self.max_tokens = budgets
        self.client = client

    @property
    def is_bounded(self) -> bool:
        """Whether an answer may be changed at all."""
        return self.method in _OF_TOOLS or not (self.is_list or self.method in _HANDSHAKE)

    @property
    def is_list(self) -> bool:
        """Whether the answer is a list, which is measured and never changed."""
        return self.method.endswith(_LIST)

    @property
    def asks(self) -> bool:
        """Whether its client asks for a budget."""
        return self.max_bytes is not None or self.max_tokens is not None

    @property
    def kind(self) -> _Kind:
        """What the answer is, in the engine's words."""
        return _KINDS.get(self.method, "other")

    @property
    def told(self) -> dict[str, Any]:
        """What a record says of it."""
        return {"method": self.method, "revision": self.revision, "client": self.client}


class Wire:
    """Bounds results, errors and lists of one server."""

    def __init__(self, boundary: Boundary) -> None:
        """Keep the boundary."""
        self.boundary = boundary
        self._enforces = boundary.mode == "enforce"
        self._reports = boundary._reports  # noqa: SLF001
        self._said: set[str] = set()

    def say_once(self, client: str | None) -> None:
        """Log what is in force for a client, once for each."""
        if client is None or client in self._said or len(self._said) >= _SAID_MAX_ITEMS:
            return
        self._said.add(client)
        try:
            settings = self.boundary.in_force(client=client)
        except ResultBudgetError:
            # Every call will say so.
            return
        logger.info(
            "client %r: preset `%s` (%s): %s",
            # Names come from clients.
            client[:64],
            settings["preset"],
            WHY[settings["preset_chosen_by"]],
            sizes(settings["limits"]),
        )

    def refusal(self, request: Request) -> str | None:
        """Say why a call must not run: its client's budget is refused."""
        if not request.asks or not request.is_bounded or not self._enforces:
            return None
        try:
            self.boundary.check(
                tool=request.tool,
                revision=request.revision,
                client=request.client,
                max_bytes=request.max_bytes,
                max_tokens=request.max_tokens,
            )
        except ResultBudgetError as error:
            return str(error)
        return None

    def result(self, request: Request, result: Any, output_schema: Any) -> Any:
        """Bound a result; raise `Replaced` where an error goes in its place."""
        answer = self.boundary.answer(
            result,
            kind=request.kind,
            tool=request.tool,
            revision=request.revision,
            client=request.client,
            output_schema=output_schema,
            max_bytes=request.max_bytes if self._enforces else None,
            max_tokens=request.max_tokens if self._enforces else None,
            told=request.told if self._reports else None,
        )
        bounded = answer.result
        failed = answer.outcome == "failed-closed" and request.kind != "tool"
        if bounded is not result and (failed or answer.outcome == "protocol-error"):
            raise Replaced(bounded)
        return bounded

    def prepared(self, request: Request, tools_list: dict[str, Any]) -> dict[str, Any]:
        """Return a list of tools as clients are to see it."""
        if not self._enforces:
            return tools_list
        try:
            prepared: dict[str, Any] = self.boundary.prepare_tools(
                tools_list, revision=request.revision
            )
        except ResultBudgetError:
            # Lists are never held back: what cannot be prepared goes as it is.
            return tools_list
        return prepared

    def measured(self, request: Request, result: Any) -> None:
        """Report the size of a list."""
        if not self._reports:
            return
        try:
            sizes = self.boundary.measure(result, revision=request.revision, client=request.client)
        except ResultBudgetError as error:
            line = {"in_bytes": None, "out_bytes": None, "code": error.code, "message": str(error)}
        else:
            size = sizes["result_bytes"]
            line = {"in_bytes": size, "out_bytes": size, "code": None, "message": None}
        self.boundary._tell(  # noqa: SLF001
            {"tool": None, "outcome": "unchanged", "enforced": False, "report": None}
            | line
            | request.told
        )

    def error(
        self, request: Request, code: int, message: str, data: Any
    ) -> tuple[int, str, Any] | None:
        """Bound an error; `None` where it may stay as it is."""
        error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        told = request.told | {"method": f"{request.method}#error"}
        answer = self.boundary.answer(error, kind="error", client=request.client, told=told)
        bounded = answer.result
        if bounded is error:
            return None
        return bounded["code"], bounded["message"], bounded.get("data")


def budgets_of(meta: Any) -> tuple[Any, Any]:
    """Return the budgets that a request's `_meta` asks for, as the engine is to read them."""
    if not isinstance(meta, dict):
        return None, None
    of_bytes, of_tokens = (as_given(meta[key]) if key in meta else None for key in BUDGET_KEYS)
    return of_bytes, of_tokens


def as_given(value: Any) -> Any:
    """Return a budget as the engine is to read it.

    Whatever is no number or text is refused in the spelling that the client used.
    """
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    return json.dumps(value)


def takes_max_bytes(input_schema: Any) -> bool:
    """Whether a tool has an argument of its own with the name of the budget."""
    properties = input_schema.get("properties") if isinstance(input_schema, dict) else None
    return isinstance(properties, dict) and MAX_BYTES_ARGUMENT in properties


def output_schemas(tools: list[Any]) -> dict[str, Any]:
    """Return what is known of each tool of a list: its schema, or that there is none."""
    return {tool["name"]: tool.get("outputSchema") or "none" for tool in tools}


def sizes(limits: dict[str, int | None]) -> str:
    """Say in a line of the log which limits are in force on what a model reads."""
    units = [
        f", {limits[f'max_text_{unit}']} {unit}"
        for unit in ("tokens", "lines")
        if limits[f"max_text_{unit}"] is not None
    ]
    return (
        f"text {limits['max_text_bytes']} bytes{''.join(units)}, "
        f"binary {limits['max_binary_bytes']} bytes, result {limits['max_result_bytes']} bytes"
    )


# Of bytes, and of tokens.
BUDGET_KEYS = ("dev.result-budget/max_bytes", "dev.result-budget/max_tokens")

# What a client may write among the arguments of a tool that has none of this name.
MAX_BYTES_ARGUMENT = "max_bytes"

# Who chose a preset, for a person.
WHY = {
    "request": "as asked for by this server",
    "client": "auto: that of the client",
    "policy": "the policy's own",
    "default": "the default: nobody named another",
}

# Names come from clients.
_SAID_MAX_ITEMS = 64

_OF_TOOLS = frozenset({"tools/call", "tasks/result"})
_HANDSHAKE = frozenset({"initialize", "server/discover", "ping"})
_LIST = "/list"
_KINDS: dict[str, _Kind] = {
    "tools/call": "tool",
    "tasks/result": "tool",
    "tasks/get": "task",
    "prompts/get": "prompt",
    "resources/read": "resource",
}
