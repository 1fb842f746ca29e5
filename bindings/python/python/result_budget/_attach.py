"""Finds the hook of a server, as late as its SDK has one."""

from __future__ import annotations

import logging
import re
from importlib import metadata
from typing import TYPE_CHECKING, Any

from result_budget import _mcp1, _mcp2
from result_budget._error import ResultBudgetError
from result_budget._wire import WHY, Wire, sizes

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self

    from result_budget._boundary import Boundary

logger = logging.getLogger("result_budget")


class Attachment:
    """A boundary at a server. Leaving the `with` block, or `detach`, takes it away."""

    def __init__(self, server: Any, wire: Wire, undo: Callable[[], None]) -> None:
        """Keep what is needed to undo it."""
        self._server = server
        self._wire = wire
        self._undo: Callable[[], None] | None = undo

    @property
    def boundary(self) -> Boundary:
        """The boundary that is attached."""
        return self._wire.boundary

    def detach(self) -> None:
        """Take the boundary away; a second time does nothing."""
        if self._undo is not None:
            self._undo()
            self._undo = None
            delattr(self._server, _MARK)

    def __enter__(self) -> Self:
        """Stay attached for the length of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Detach."""
        self.detach()


def attach(boundary: Boundary, server: Any) -> Attachment:
    """Attach `boundary` to `server`; see `Boundary.attach`."""
    inner, sdk = _inner_server(server)
    # The inner server is where the hook is: it must not be reached by two ways.
    if getattr(inner, _MARK, False):
        raise ResultBudgetError(
            "the server has a boundary already; detach that one first (the caller is at fault)",
            "already-attached",
        )
    wire = Wire(boundary)
    hook = {"1": _mcp1.hook, "2": _mcp2.hook}[sdk.split(".")[0]]
    undo = hook(wire, inner)
    setattr(inner, _MARK, True)
    settings = boundary.in_force()
    logger.info(
        "attached to server `%s` (mcp %s): preset `%s`, %s; %s; mode `%s`; engine %s",
        getattr(inner, "name", "?"),
        sdk,
        settings["preset"],
        WHY[settings["preset_chosen_by"]],
        # A limit given beside the preset is in these.
        sizes(settings["limits"]),
        boundary.mode,
        boundary.engine.sha256[:12],
    )
    return Attachment(inner, wire, undo)


def _inner_server(server: Any) -> tuple[Any, str]:
    """Return the low-level server, and the version of the SDK that made it."""
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(server).__mro__}
    sdk = _version("mcp")
    if "fastmcp.server.server.FastMCP" in names:
        own = _version("fastmcp")
        _demand("fastmcp", own, _FASTMCP)
        inner = server._mcp_server  # noqa: SLF001
    elif "mcp.server.mcpserver.server.MCPServer" in names:
        inner = server._lowlevel_server  # noqa: SLF001
    elif "mcp.server.fastmcp.server.FastMCP" in names:
        inner = server._mcp_server  # noqa: SLF001
    elif "mcp.server.lowlevel.server.Server" in names:
        inner = server
    else:
        kind = type(server)
        raise ResultBudgetError(
            f"a `{kind.__module__}.{kind.__qualname__}` is no server that is known here; allowed: "
            "FastMCP of fastmcp 4, MCPServer or Server of mcp 2, FastMCP or Server of mcp 1 "
            "(the caller is at fault)",
            "unsupported-server",
        )
    _demand("mcp", sdk, _MCP)
    return inner, sdk


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def _demand(package: str, version: str, allowed: tuple[tuple[int, int], ...]) -> None:
    """Refuse a version on which nobody has run this."""
    numbers = re.match(r"(\d+)\.(\d+)", version)
    major, minor = (int(numbers[1]), int(numbers[2])) if numbers else (-1, -1)
    if not any(major == of and minor >= first for of, first in allowed):
        ranges = " or ".join(f"{of}.x from {of}.{first}" for of, first in allowed)
        raise ResultBudgetError(
            f"{package} {version} is not supported; allowed: {ranges} (the caller is at fault)",
            "unsupported-version",
            {"package": package, "given": version, "allowed": ranges},
        )


_MARK = "_result_budget_attached"

# Majors, each with the first minor version on which this was run.
_FASTMCP = ((4, 2),)
_MCP = ((1, 30), (2, 3))
