"""What the servers of all SDKs answer, and how they are told to bound it."""

import base64
import json
import os
import random
import struct
import zlib
from typing import Any

from result_budget import Boundary

SIZE = 5_000


def attached(server: Any) -> None:
    """Attach a boundary as the environment says; none where it says nothing."""
    options = json.loads(os.environ.get("BOUNDARY", "null"))
    if options is None:
        return
    log = os.environ.get("REPORTS")
    if log:

        def on_report(record: dict[str, Any]) -> None:
            with open(log, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")

        options["on_report"] = on_report
    Boundary(**options).attach(server)


def quotes() -> str:
    return '"' * SIZE


def newlines() -> str:
    return "\n" * SIZE


def controls() -> str:
    return "\x01" * SIZE


def meta() -> dict[str, Any]:
    return {"note": "m" * SIZE}


def text() -> str:
    return "".join(
        f"line {number} of a log that nobody asked to be so long\n" for number in range(900)
    )


def rows() -> list[dict[str, Any]]:
    return [
        {"id": number, "name": f"row {number}", "done": number % 2 == 0} for number in range(900)
    ]


def png() -> bytes:
    """A picture that does not get smaller by compression, as a screenshot of a photograph."""
    wide = 360
    noise = random.Random(3)
    lines = b"".join(b"\0" + noise.randbytes(wide * 3) for _ in range(wide))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", wide, wide, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


def png_base64() -> str:
    return base64.b64encode(png()).decode()


def book() -> str:
    return "x" * (3 * 1024 * 1024)


def block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


# What the low-level servers declare and answer.
CLOSED = {
    "type": "object",
    "properties": {
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "name": {"type": "string"},
                    "done": {"type": "boolean"},
                },
                "required": ["id", "name", "done"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["rows"],
    "additionalProperties": False,
}

TEXTS = {
    "quotes": quotes,
    "newlines": newlines,
    "controls": controls,
    "text": text,
    "small": lambda: "hello",
}
