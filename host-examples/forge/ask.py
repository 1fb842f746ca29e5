"""Asks the forge server as a client does, and shows what arrives.

Usage: python host-examples/forge/ask.py
"""

import asyncio
import sys
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

SERVER = Path(__file__).with_name("forge.py")


async def main() -> None:
    """Call each tool once."""
    transport = StdioTransport(sys.executable, [str(SERVER)])
    async with Client(transport) as client:
        for tool in await client.list_tools():
            result = await client.call_tool_mcp(tool.name, {})
            length = len(result.model_dump_json(by_alias=True, exclude_none=True).encode())
            print(f"{tool.name}: {length} bytes")  # noqa: T201
            print(f"  {getattr(result.content[0], 'text', '')}")  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
