"""Drives a server with the client of the SDK that is installed here.

Usage: drive.py SDK CALLS COMMAND ARGUMENTS... `CALLS` is JSON: a list of `[kind, name, meta]`, a tool's
arguments behind them where it has some.
Prints a JSON list: for each call what the client made of it.
"""

import asyncio
import json
import os
import sys
from typing import Any

ENVIRONMENT = {
    key: value
    for key, value in os.environ.items()
    if key in {"BOUNDARY", "REPORTS", "PATH", "HOME"}
}


async def outcomes(session: Any, calls: list[list[Any]]) -> list[dict[str, Any]]:
    await session.list_tools()
    told = []
    for kind, name, meta, *arguments in calls:
        try:
            if kind == "tool":
                result = await session.call_tool(name, *arguments or [{}], meta=meta)
            elif kind == "prompt":
                result = await session.get_prompt(name)
            else:
                result = await session.read_resource(name)
        except Exception as error:
            told.append({"raised": str(error)[:2000], "class": type(error).__name__})
        else:
            told.append({"result": json.loads(result.model_dump_json(by_alias=True))})
    return told


async def fastmcp(command: list[str], calls: list[list[Any]]) -> list[dict[str, Any]]:
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    transport = StdioTransport(command[0], command[1:], env=ENVIRONMENT)
    async with Client(transport) as client:
        # The client's own view of a result is checked by its parse, which raises.
        await client.list_tools()
        told = []
        for kind, name, meta, *arguments in calls:
            try:
                if kind == "tool":
                    parsed = await client.call_tool(
                        name, *arguments or [{}], meta=meta, raise_on_error=False
                    )
                    told.append({"result": {"isError": parsed.is_error}})
                elif kind == "prompt":
                    told.append({"result": bool(await client.get_prompt(name))})
                else:
                    told.append({"result": bool(await client.read_resource(name))})
            except Exception as error:
                told.append({"raised": str(error)[:2000], "class": type(error).__name__})
        return told


async def mcp2(mode: str, command: list[str], calls: list[list[Any]]) -> list[dict[str, Any]]:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=ENVIRONMENT)
    async with Client(parameters, mode=mode) as client:
        return await outcomes(client, calls)


async def mcp1(command: list[str], calls: list[list[Any]]) -> list[dict[str, Any]]:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=ENVIRONMENT)
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return await outcomes(session, calls)


def main() -> None:
    sdk, calls, *command = sys.argv[1:]
    wanted = json.loads(calls)
    if sdk == "fastmcp4":
        told = asyncio.run(fastmcp(command, wanted))
    elif sdk == "mcp2-modern":
        told = asyncio.run(mcp2("auto", command, wanted))
    elif sdk == "mcp2-legacy":
        told = asyncio.run(mcp2("legacy", command, wanted))
    else:
        told = asyncio.run(mcp1(command, wanted))
    print(json.dumps(told))


if __name__ == "__main__":
    main()
