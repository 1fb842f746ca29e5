"""Reads results, one a record, with three parsers that are not ours: orjson, json, and SQLite.

A record is a length in bytes, a line end, so many bytes, and a line end.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def main() -> int:
    """Print how many each parser took, and the first few that it did not."""
    database = sqlite3.connect(":memory:")

    def sqlite(record: bytes) -> None:
        (valid,) = database.execute("SELECT json_valid(?)", (record.decode(),)).fetchone()
        if valid != 1:
            raise ValueError("json_valid says no")

    def python(record: bytes) -> None:
        json.loads(record.decode(), parse_constant=refused)

    parsers: dict[str, Callable[[bytes], object]] = {
        f"orjson {orjson.__version__}": orjson.loads,
        "Python json": python,
        f"SQLite {sqlite3.sqlite_version}": sqlite,
    }
    count = 0
    taken = dict.fromkeys(parsers, 0)
    for record in records(Path(sys.argv[1])):
        count += 1
        for name, parse in parsers.items():
            try:
                parse(record)
            except (ValueError, RecursionError) as error:
                if count - taken[name] <= 5:
                    print(f"{name}: {error}: {record[:300]!r}")
            else:
                taken[name] += 1
    for name, number in taken.items():
        print(f"{name}: {number} of {count} results accepted")
    return 0 if count > 0 and all(number == count for number in taken.values()) else 1


def refused(name: str) -> None:
    """Refuse what is no JSON."""
    raise ValueError(name)


def records(path: Path) -> Iterator[bytes]:
    """Read record after record."""
    with path.open("rb") as file:
        while line := file.readline():
            yield file.read(int(line))
            file.read(1)


if __name__ == "__main__":
    sys.exit(main())
