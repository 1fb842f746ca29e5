"""A server of mcp 2, made with the low-level Server."""

from typing import Any

import anyio
import common
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError


async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
    names = [*common.TEXTS, "meta", "raised", "protocol_error", "rows", "closed", "screenshot"]
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=name,
                input_schema={"type": "object"},
                output_schema=common.CLOSED if name == "closed" else None,
            )
            for name in names
        ]
    )


async def call_tool(_ctx: Any, params: Any) -> types.CallToolResult:
    return types.CallToolResult.model_validate(answer(params.name))


def answer(name: str) -> dict[str, Any]:
    if name in common.TEXTS:
        return {"content": [common.block(common.TEXTS[name]())]}
    if name == "meta":
        return {"content": [common.block("small")], "_meta": common.meta()}
    if name == "raised":
        raise ValueError("r" * common.SIZE)
    if name == "protocol_error":
        raise MCPError(-32050, "e" * common.SIZE, {"rows": common.rows(), "kept": "short"})
    if name == "screenshot":
        image = {"type": "image", "data": common.png_base64(), "mimeType": "image/png"}
        return {"content": [image]}
    return {"content": [common.block("as data")], "structuredContent": {"rows": common.rows()}}


async def get_prompt(_ctx: Any, _params: Any) -> types.GetPromptResult:
    return types.GetPromptResult.model_validate(
        {"messages": [{"role": "user", "content": common.block(common.text())}]}
    )


async def read_resource(_ctx: Any, params: Any) -> types.ReadResourceResult:
    return types.ReadResourceResult.model_validate(
        {"contents": [{"uri": str(params.uri), "text": common.book()}]}
    )


async def list_prompts(_ctx: Any, _params: Any) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[types.Prompt(name="long_prompt")])


async def list_resources(_ctx: Any, _params: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[types.Resource(uri="data://book", name="book")])


server = Server(
    "mcp2_low",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_get_prompt=get_prompt,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_list_resources=list_resources,
)
common.attached(server)


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
