"""A small forge server: issues and a diff as a real forge answered them, under a budget.

Usage: python host-examples/forge/forge.py, in an environment with `fastmcp` and `result-budget`.
"""

import json
from pathlib import Path
from typing import Any

from fastmcp import FastMCP
from result_budget import Boundary

RECORDED = Path(__file__).resolve().parents[2] / "tests" / "fixtures"

mcp: FastMCP[Any] = FastMCP("forge")
Boundary().attach(mcp)


def recorded(name: str) -> Any:
    """Read what a forge once answered."""
    return json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))


@mcp.tool
def list_issues() -> dict[str, Any]:
    """List the open issues."""
    issues: dict[str, Any] = recorded("api-issues-list")["structuredContent"]
    return issues


@mcp.tool
def show_diff() -> str:
    """Show what a pull request changes."""
    return str(recorded("diff-serde-json")["content"][0]["text"])


if __name__ == "__main__":
    mcp.run(show_banner=False)
