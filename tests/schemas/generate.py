"""Writes `fixtures/pydantic.json`: output schemas as pydantic and FastMCP make them.

Run with the environment `mcp2` of `cargo xtask python`, from the root of the repository.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta  # noqa: TC003 (pydantic reads them)
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID  # noqa: TC003 (pydantic reads it)

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, RootModel, TypeAdapter
from typing_extensions import TypedDict


class Color(Enum):
    """A closed set of texts."""

    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    """A closed set of numbers."""

    LOW = 1
    HIGH = 2


class User(BaseModel):
    """Optional members, a default, and a format."""

    id: int
    name: str
    email: str | None = None
    joined: datetime
    color: Color = Color.RED
    tags: list[str] = []


class Users(BaseModel):
    """A page of them."""

    items: list[User]
    total: int = Field(ge=0)
    next_cursor: str | None = None


class Strict(BaseModel):
    """Closed."""

    model_config = ConfigDict(extra="forbid")
    key: str = Field(min_length=3, max_length=400)
    value: float | int | str | bool | None
    notes: list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list, max_length=50)


class StrictPage(BaseModel):
    """Closed, with closed items."""

    model_config = ConfigDict(extra="forbid")
    rows: Annotated[list[Strict], Field(min_length=1)]
    by_name: dict[str, Strict] = {}


class Open(BaseModel):
    """Anything more may be there."""

    model_config = ConfigDict(extra="allow")
    kind: Literal["open"]
    body: str


class Cat(BaseModel):
    """One of three."""

    kind: Literal["cat"]
    meows: int
    story: str = ""


class Dog(BaseModel):
    """One of three."""

    kind: Literal["dog"]
    barks: list[str]
    loudness: float = 0.5


class Fish(BaseModel):
    """One of three, told by two values."""

    kind: Literal["fish", "shark"]
    scales: dict[str, int] = {}
    water: Color | None = None


class Zoo(BaseModel):
    """A union that is told by a member."""

    animals: list[Annotated[Cat | Dog | Fish, Field(discriminator="kind")]]
    star: Annotated[Cat | Dog | Fish, Field(discriminator="kind")] | None = None


class Plain(BaseModel):
    """A union that is told by nothing."""

    values: list[Cat | User | int | list[str] | None]


class Tree(BaseModel):
    """Recursive."""

    name: str
    size: int = 0
    children: list[Tree] = []


class Linked(BaseModel):
    """Recursive without lists."""

    value: str
    next: Linked | None = None


class Bounded(BaseModel):
    """Every bound that pydantic writes."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{2}-\d{4}$")]
    codes: Annotated[list[Annotated[str, Field(pattern=r"^[a-z]+$")]], Field(min_length=2)]
    share: Annotated[float, Field(gt=0, lt=1)]
    even: Annotated[int, Field(multiple_of=2)]
    short: Annotated[str, Field(max_length=2000)] = ""
    long: Annotated[str, Field(min_length=100)] = "x" * 100
    unique: set[int] = set()
    frozen: frozenset[str] = frozenset()
    pair: tuple[int, str] = (1, "a")
    row: tuple[int, ...] = ()
    exactly: Annotated[list[int], Field(min_length=3, max_length=3)] = [1, 2, 3]
    amount: Decimal = Decimal(1)


class Stamps(BaseModel):
    """Formats."""

    at: datetime
    day: date
    took: timedelta | None = None
    id: UUID
    link: AnyUrl
    raw: bytes = b""
    level: Level = Level.LOW
    history: list[tuple[datetime, str]] = []


class Point(NamedTuple):
    """A list of two."""

    x: float
    y: float


class Movie(TypedDict, total=False):
    """Nothing of it must be there."""

    title: str
    year: int
    cast: list[str]


class Shelf(TypedDict):
    """All of it must be there."""

    movies: list[Movie]
    places: dict[str, Point]


@dataclass
class File:
    """A dataclass."""

    path: str
    lines: list[str] = field(default_factory=list)
    meta: dict[str, Any] | None = None


@dataclass
class Folder:
    """One that holds others."""

    files: list[File]
    folders: list[Folder] = field(default_factory=list)


class Node(BaseModel):
    """A tree whose branches are of two kinds."""

    kind: Literal["node"] = "node"
    left: Node | Leaf
    right: Node | Leaf


class Leaf(BaseModel):
    """Its end."""

    kind: Literal["leaf"] = "leaf"
    text: str


class Event(BaseModel):
    """A union inside a map inside a list."""

    seq: int
    payload: dict[str, Annotated[Cat | Dog, Field(discriminator="kind")] | str | None]


class Log(BaseModel):
    """Aliases, titles, examples and what is deprecated."""

    model_config = ConfigDict(title="A log", json_schema_extra={"examples": [{"log-lines": []}]})
    lines: list[str] = Field(alias="log-lines", description="One a line", examples=["a"])
    old: str | None = Field(default=None, deprecated=True)


class Numbers(RootModel[dict[Annotated[str, Field(pattern="^n_")], list[int]]]):
    """A map whose keys have a pattern."""


class Matrix(BaseModel):
    """Lists in lists."""

    cells: list[list[float]]
    labels: Annotated[list[str], Field(max_length=100)] | None = None


class Search(BaseModel):
    """What a search answers."""

    query: str
    hits: list[Hit]
    facets: dict[str, dict[str, int]] = {}


class Hit(BaseModel):
    """One hit; the score is never missing."""

    id: str
    score: float
    snippet: str = ""
    fields: dict[str, str | list[str]] = {}


MODELS: list[type[BaseModel]] = [
    User,
    Users,
    Strict,
    StrictPage,
    Open,
    Zoo,
    Plain,
    Tree,
    Linked,
    Bounded,
    Stamps,
    Node,
    Event,
    Log,
    Matrix,
    Search,
    Numbers,
]

# What FastMCP wraps, since the protocol wanted an object.
WRAPPED: dict[str, Any] = {
    "str": str,
    "int": int,
    "list of str": list[str],
    "list of dict": list[dict[str, Any]],
    "list of user": list[User],
    "optional str": str | None,
    "list of color": list[Color],
    "list of tuple": list[tuple[str, int]],
    "union": Cat | Dog | None,
}

# What is an object, and no model.
BARE: dict[str, Any] = {
    "dict of any": dict[str, Any],
    "dict of list": dict[str, list[str]],
    "dict of user": dict[str, User],
    "typed dict": Shelf,
    "partial dict": Movie,
    "dataclass": Folder,
}


def main() -> None:
    """Write the file."""
    found: dict[str, Any] = {}
    for model in MODELS:
        found[model.__name__] = model.model_json_schema(mode="serialization")
        found[f"{model.__name__}, as given"] = model.model_json_schema()
    for name, of in WRAPPED.items():
        inner = TypeAdapter(of).json_schema()
        definitions = inner.pop("$defs", None)
        found[f"wrapped {name}"] = {
            "type": "object",
            "properties": {"result": inner},
            "required": ["result"],
            "x-fastmcp-wrap-result": True,
            **({"$defs": definitions} if definitions else {}),
        }
    for name, of in BARE.items():
        found[name] = TypeAdapter(of).json_schema()
    path = Path(__file__).parent / "fixtures/pydantic.json"
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(found)} schemas")


if __name__ == "__main__":
    main()
