"""Drives a server over standard streams with the Python client and prints what it saw as one JSON object.

usage: python_client.py MODE PLAN COMMAND [ARGUMENT...]
MODE is auto, legacy or a protocol version; PLAN is a JSON object, see mcp_acceptance.rs.
"""

import json
import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError


def shown(result):
    return {"isError": bool(result.is_error), "structured": result.structured_content, "text": result.content[0].text}


async def refusal(call):
    """The code and the data of the protocol error that a call ends in."""
    try:
        await call
    except MCPError as error:
        return {"code": error.error.code, "data": error.error.data}
    return None


async def drive(mode, plan, command):
    seen = {}
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(server, mode=mode) as client:
        seen["version"] = client.protocol_version
        seen["server"] = client.server_info.name if client.server_info else None
        seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        seen["call"] = shown(await client.call_tool(**plan["call"]))
        seen["bad"] = shown(await client.call_tool(**plan["bad"]))
        seen["unknown"] = await refusal(client.call_tool("no_such_tool", {}))
        if "cancel" in plan:
            with anyio.move_on_after(0.5) as scope:
                await client.call_tool(**plan["cancel"])
            seen["cancelled"] = scope.cancelled_caught
            await anyio.sleep(0.3)
            seen["after_cancel"] = shown(await client.call_tool(**plan["after_cancel"]))
        if "panic" in plan:
            seen["panic"] = shown(await client.call_tool(**plan["panic"]))
            seen["after_panic"] = shown(await client.call_tool(**plan["call"]))
        if "progress" in plan:
            notes = []

            async def note(progress, total, message):
                notes.append([progress, total, message])

            await client.call_tool(**plan["progress"], progress_callback=note)
            seen["progress"] = notes
        resource = (await client.read_resource(plan["resource"])).contents[0]
        seen["resource"] = {"mimeType": resource.mime_type, "text": resource.text}
        seen["missing"] = await refusal(client.read_resource("tapps://no-such-resource"))
        prompt = await client.get_prompt(**plan["prompt"])
        seen["prompt"] = prompt.messages[0].content.text
    return seen


if __name__ == "__main__":
    print(json.dumps(anyio.run(drive, sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:])))
