"""The official client for Python before one server.

Does what it is told on standard input, prints what it got.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def run(command: list[str], env: dict[str, str], calls: list[Any]) -> list[Any]:
    """Make the calls one after the other."""
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ) | env)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        listed = await session.list_tools()
        answers: list[Any] = [[tool.name for tool in listed.tools]]
        for name, arguments in calls:
            try:
                result = await session.call_tool(name, arguments)
            except Exception as error:
                answers.append({"threw": str(error)})
            else:
                answers.append(result.model_dump(mode="json", by_alias=True))
    return answers


told = json.load(sys.stdin)
print(json.dumps(asyncio.run(run(told["command"], told["env"], told["calls"]))))
