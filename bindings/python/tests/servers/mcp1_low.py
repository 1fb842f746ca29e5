"""A server of mcp 1, made with the low-level Server."""

from typing import Any

import anyio
import common
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import McpError
from pydantic import AnyUrl

server: Server[Any, Any] = Server("mcp1_low")
common.attached(server)


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    names = [*common.TEXTS, "meta", "raised", "rows", "closed", "screenshot"]
    return [
        types.Tool(
            name=name,
            inputSchema={"type": "object"},
            outputSchema=common.CLOSED if name == "closed" else None,
        )
        for name in names
    ]


@server.call_tool()
async def call_tool(name: str, _arguments: dict[str, Any]) -> types.CallToolResult:
    if name in common.TEXTS:
        result = {"content": [common.block(common.TEXTS[name]())]}
    elif name == "meta":
        result = {"content": [common.block("small")], "_meta": common.meta()}
    elif name == "raised":
        raise ValueError("r" * common.SIZE)
    elif name == "screenshot":
        image = {"type": "image", "data": common.png_base64(), "mimeType": "image/png"}
        result = {"content": [image]}
    else:
        result = {
            "content": [common.block("as data")],
            "structuredContent": {"rows": common.rows()},
        }
    return types.CallToolResult.model_validate(result)


@server.list_prompts()
async def list_prompts() -> list[types.Prompt]:
    return [types.Prompt(name="long_prompt"), types.Prompt(name="failing")]


@server.get_prompt()
async def get_prompt(name: str, _arguments: dict[str, str] | None) -> types.GetPromptResult:
    if name == "failing":
        data = {"rows": common.rows(), "kept": "short"}
        raise McpError(types.ErrorData(code=-32050, message="e" * common.SIZE, data=data))
    return types.GetPromptResult.model_validate(
        {"messages": [{"role": "user", "content": common.block(common.text())}]}
    )


@server.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri=AnyUrl("data://book"), name="book")]


@server.read_resource()
async def read_resource(_uri: AnyUrl) -> str:
    return common.book()


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
