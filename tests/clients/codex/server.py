"""A server whose answers are longer than what Codex shows, behind a boundary or not.

`BOUNDARY` holds the arguments of the boundary as JSON; without it there is none.
"""

import json
import os
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import ToolResult
from mcp.types import ImageContent, TextContent
from result_budget import Boundary

SIZE = 200_000
# Codex asks nobody before it calls such a tool.
READS = {"readOnlyHint": True}

mcp: FastMCP[Any] = FastMCP("long")
options = json.loads(os.environ.get("BOUNDARY", "null"))
if options is not None:
    Boundary(**options).attach(mcp)


def lines(line: str) -> str:
    return "".join(line.format(at) for at in range(1, SIZE // len(line.encode()) + 1))


def text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def made(*blocks: Any, structured: dict[str, Any] | None = None) -> ToolResult:
    return ToolResult(content=list(blocks), structured_content=structured)


def all_rows() -> list[dict[str, Any]]:
    return [{"id": at, "title": f"issue number {at}", "state": "open"} for at in range(3_000)]


@mcp.tool(annotations=READS)
def log() -> ToolResult:
    """A text in one block."""
    return made(text(lines("2026-11-30T12:00:00Z INFO worker took job {}\n")))


@mcp.tool(annotations=READS)
def chinese() -> ToolResult:
    """A text of three bytes a character."""
    return made(text(lines("第{}行：服务器没有回答。\n")))


@mcp.tool(annotations=READS)
def blocks() -> ToolResult:
    """Many blocks."""
    return made(*(text(f"part {at}: " + "words and more words " * 20) for at in range(400)))


@mcp.tool(annotations=READS)
def picture() -> ToolResult:
    """A picture and a text."""
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    return made(
        ImageContent(type="image", data=png, mimeType="image/png"), text(lines("seen {}\n"))
    )


@mcp.tool(annotations=READS)
def rows() -> ToolResult:
    """Structured content with its mirror, and no schema."""
    rows = {"rows": all_rows()}
    return made(text(json.dumps(rows)), structured=rows)


@mcp.tool(annotations=READS)
def page() -> ToolResult:
    """Structured content with one long string."""
    return made(
        text("A page."), structured={"title": "page", "body": lines("It goes on, part {}. ")}
    )


@mcp.tool(annotations=READS)
def failing() -> str:
    """Raises, with a long message."""
    raise ValueError(lines("cause {}: no answer\n"))


if __name__ == "__main__":
    mcp.run(show_banner=False)
