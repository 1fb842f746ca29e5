"""The boundary, with what only Python adds: servers of Python's SDKs."""

from __future__ import annotations

from result_budget import _native

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from result_budget._attach import Attachment


class Boundary(_native.Boundary):
    """Fits results under one policy.

    Make one at start and share it; every method may be called from any thread and from asyncio.
    All arguments are keywords.

    - `preset`: the name of one of the engine's presets, or `auto` for that of the client of each
      call, where the engine knows it, else the policy's own, else the engine's default. `None` is
      `auto` without the client.
    - `policy`: the policy document as a path, a dict, or JSON text: `bytes`, or a `str` that starts
      with `{`.
    - `tenant`: a name that each record for `on_report` carries.
    - `limit_bytes`: a limit for the whole result that also caps text and binary data, in bytes of
      JSON; the engine says which range is legal.
    - `limit_tokens`: a limit of what a model reads, in tokens.
    - `profile`: how the result is printed after this call; see `Wire profiles` in the project's
      README.
    - `mode`: `enforce`, or `report-only`, which measures and changes nothing.
    - `on_report`: called with a dict for each result.
    - `engine`: an `Engine`, or the path of a precompiled image; the one inside unless told.

    Raises `ResultBudgetError` where an argument is refused.
    """

    def attach(self, server: Any) -> Attachment:
        """Bound everything that `server` sends from now on.

        One line, before or after the tools are added, and before the server runs.

        `server` is a `FastMCP` of `fastmcp` 4, an `MCPServer` or `Server` of `mcp` 2, or a
        `FastMCP` or `Server` of `mcp` 1. Tool results are bounded; prompts, resources and other
        results are held against the limit for whole results, and an error takes their place where
        they are over it; messages and data of errors are bounded; lists are measured and reported.

        A client may ask for less in one call, with `dev.result-budget/max_bytes` or
        `dev.result-budget/max_tokens` in the `_meta` of its request.

        Raises `ResultBudgetError` for a server of another kind or version, and for one that has a
        boundary already.
        """
        # What attaching needs takes longer to import than all the rest.
        from result_budget._attach import attach  # noqa: PLC0415

        return attach(self, server)
