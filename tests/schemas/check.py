"""Judges what was cut with `jsonschema` of Python: `check.py FILE`.

FILE holds records of four texts: the name of the schema, the schema, the instance before, the instance after. A text is
its length in bytes, a line end, so many bytes, and a line end. This validator and the one that grew the instances agree
about every schema: an instance that is refused before the cut is a fault, too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.exceptions import SchemaError

if TYPE_CHECKING:
    from collections.abc import Iterator


def main() -> int:
    """Print how many conform, and the first few that do not."""
    last, judge = None, None
    count, disagreeing, conforming = 0, 0, 0
    for name, schema, before, after in records(Path(sys.argv[1])):
        count += 1
        if schema != last:
            last, judge = schema, validator(json.loads(schema))
        if judge is None or not judge.is_valid(json.loads(before)):
            disagreeing += 1
            print(f"DISAGREES: {name.decode()}: {schema.decode()[:400]}: {before.decode()[:300]}")
            continue
        error = next(iter(judge.iter_errors(json.loads(after))), None)
        if error is None:
            conforming += 1
        elif count - disagreeing - conforming <= 5:
            print(
                f"DOES NOT CONFORM: {name.decode()}: {schema.decode()[:600]}: {error.message[:300]}"
            )
            print(f"    before: {before.decode()[:600]}")
            print(f"    after: {after.decode()[:600]}")
    print(
        f"jsonschema of Python: {conforming} of {count} results conform; {disagreeing} were refused before"
    )
    return 0 if count > 0 and conforming == count else 1


def validator(schema: Any) -> Any:
    """Make the validator for the dialect that the schema names; none where it is no schema here."""
    old = isinstance(schema, dict) and "draft-07" in str(schema.get("$schema", ""))
    of = Draft7Validator if old else Draft202012Validator
    try:
        of.check_schema(schema)
    except SchemaError:
        return None
    return of(schema, format_checker=of.FORMAT_CHECKER)


def records(path: Path) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Read record after record."""
    with path.open("rb") as file:

        def text() -> bytes | None:
            line = file.readline()
            if not line:
                return None
            found = file.read(int(line))
            file.read(1)
            return found

        while (name := text()) is not None:
            schema, before, after = text(), text(), text()
            if schema is not None and before is not None and after is not None:
                yield name, schema, before, after


if __name__ == "__main__":
    sys.exit(main())
