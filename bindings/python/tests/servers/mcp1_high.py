"""A server of mcp 1, made with its FastMCP."""

from typing import Any

import common
from mcp.server.fastmcp import FastMCP, Image
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict

server = FastMCP("mcp1_high")
common.attached(server)


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int
    name: str
    done: bool


class Rows(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rows: list[Row]


@server.tool()
def quotes() -> str:
    return common.quotes()


@server.tool()
def newlines() -> str:
    return common.newlines()


@server.tool()
def controls() -> str:
    return common.controls()


@server.tool()
def meta() -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="small")], _meta=common.meta())


@server.tool()
def raised() -> str:
    raise ValueError("r" * common.SIZE)


@server.tool()
def text() -> str:
    return common.text()


@server.tool()
def rows() -> list[dict[str, Any]]:
    return common.rows()


@server.tool()
def closed() -> Rows:
    return Rows(rows=[Row(**row) for row in common.rows()])


@server.tool()
def screenshot() -> Image:
    return Image(data=common.png(), format="png")


@server.tool()
def small() -> str:
    return "hello"


@server.prompt()
def long_prompt() -> str:
    return common.text()


@server.resource("data://book")
def book() -> str:
    return common.book()


if __name__ == "__main__":
    server.run()
