"""A server of fastmcp 4."""

from typing import Any

import common
from fastmcp import FastMCP
from fastmcp.tools import ToolResult
from fastmcp.utilities.types import Image
from pydantic import BaseModel, ConfigDict

mcp: FastMCP[Any] = FastMCP("fastmcp4")
common.attached(mcp)


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int
    name: str
    done: bool


class Rows(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rows: list[Row]


@mcp.tool
def quotes() -> str:
    return common.quotes()


@mcp.tool
def newlines() -> str:
    return common.newlines()


@mcp.tool
def controls() -> str:
    return common.controls()


@mcp.tool
def meta() -> ToolResult:
    return ToolResult(content="small", meta=common.meta())


@mcp.tool
def raised() -> str:
    raise ValueError("r" * common.SIZE)


@mcp.tool
def text() -> str:
    return common.text()


@mcp.tool
def rows() -> list[dict[str, Any]]:
    return common.rows()


@mcp.tool
def closed() -> Rows:
    return Rows(rows=[Row(**row) for row in common.rows()])


@mcp.tool
def screenshot() -> Image:
    return Image(data=common.png(), format="png")


@mcp.tool
def small() -> str:
    return "hello"


@mcp.prompt
def long_prompt() -> str:
    return common.text()


@mcp.resource("data://book")
def book() -> str:
    return common.book()


if __name__ == "__main__":
    mcp.run(show_banner=False)
