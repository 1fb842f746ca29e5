"""The compiled half. Import its names from `result_budget`."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, final, overload

from typing_extensions import Self, disjoint_base

_Whole: TypeAlias = int | str
_Schema: TypeAlias = str | dict[str, Any] | None
_Result = TypeVar("_Result")

__all__ = ["Answer", "Boundary", "Engine", "_after_fork", "run_command"]

@final
class Answer:
    """A result as it came out, with its account."""

    @property
    def result(self) -> Any:
        """The result to send, in the type of the input; the input itself where nothing changed."""
    @property
    def outcome(
        self,
    ) -> Literal["unchanged", "compacted", "bounded", "replaced-by-error", "failed-closed"]:
        """How it came out."""
    @property
    def report_json(self) -> str | None:
        """What was cut and repaired, as JSON text; `None` where nothing was."""
    @property
    def report(self) -> dict[str, Any] | None:
        """The same, parsed."""
    @property
    def failure(self) -> Exception | None:
        """Why there was no result of the tool to send: a `ResultBudgetError`, not raised."""

@final
class Engine:
    """The component, loaded. One is shared by all boundaries of a process unless told."""

    def __new__(
        cls,
        *,
        image_path: str | os.PathLike[str] | None = None,
        deadline_ms: int | None = None,
        memory_max_bytes: int | None = None,
        input_max_bytes: int | None = None,
        isolation: Literal["reuse", "call"] = "reuse",
    ) -> Self:
        """Load the engine.

        - `image_path`: another component, as an image precompiled for this very version of the
          runtime. It is machine code, and can do what this process can: name none that you did
          not make.
        - `deadline_ms`: the time that a call may take, from 0 to 4,294,967,295 milliseconds, in
          steps of ten; 10,000 unless told. It catches defects and nothing else.
        - `memory_max_bytes`: the most memory that one instance may have; 268,435,456 unless told.
        - `input_max_bytes`: the longest input that is read, from 0 to 4,294,967,295 bytes;
          16,777,216 unless told, and the engine reads no more than that.
        - `isolation`: `call` gives each call memory that nobody used before.

        Raises `ResultBudgetError`.
        """
    @property
    def sha256(self) -> str:
        """The SHA-256 of the component, equal in every host that runs the same engine."""
    @property
    def image(self) -> Literal["native", "interpreted", "compiled"]:
        """How the code came to run on this machine."""
    @property
    def input_max_bytes(self) -> int:
        """The longest input that is read, in bytes."""
    def limit_rows(self) -> list[dict[str, Any]]:
        """Return every limit: `name`, `min`, `default_value`, `max`, `rule`, `counts`."""
    def preset_rows(self) -> list[dict[str, Any]]:
        """Return every preset: its `name` and ceilings, and which clients take it."""
    def fault_counts(self) -> dict[str, int]:
        """Return how often the engine broke since it was loaded, by kind."""
    @staticmethod
    def component_wasm() -> bytes:
        """Return the component itself, as WebAssembly, for other runtimes."""

@disjoint_base
class Boundary:
    """Fits results under one policy; see `result_budget.Boundary`."""

    def __new__(
        cls,
        *,
        preset: str | None = "auto",
        policy: str | bytes | os.PathLike[str] | dict[str, Any] | None = None,
        tenant: str | None = None,
        limit_bytes: _Whole | None = None,
        limit_tokens: _Whole | None = None,
        profile: str | None = None,
        mode: Literal["enforce", "report-only"] = "enforce",
        on_report: Callable[[dict[str, Any]], object] | None = None,
        engine: Engine | str | os.PathLike[str] | None = None,
    ) -> Self: ...
    @overload
    def fit(
        self,
        result: bytes,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        output_schema: _Schema = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
    ) -> bytes: ...
    @overload
    def fit(
        self,
        result: str,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        output_schema: _Schema = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
    ) -> str: ...
    @overload
    def fit(
        self,
        result: _Result,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        output_schema: _Schema = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
    ) -> _Result:
        """Return the result to send, in the type of `result`.

        `result` is a whole tool result: JSON text (`bytes`, `bytearray`, `memoryview`, `str`), a
        `dict`, or a pydantic model. The same object comes back where nothing changed. There is
        always a result to send: one that cannot be read, or an engine that breaks, gives a small
        error result.

        - `tool`: the tool's name, for its row in the policy.
        - `revision`: the protocol revision of the two sides, as a date; the newest unless told.
        - `output_schema`: what is known of the tool's output schema: `none`, `unknown`, or the
          schema as a dict or JSON text.
        - `client`: the client's name, as it calls itself, for the preset `auto`.
        - `max_bytes`, `max_tokens`: the budgets that the client asks for in this call, in bytes of
          the whole result and in tokens of what a model reads.

        Raises `ResultBudgetError` for arguments other than `result` that are refused.
        """
    def answer(
        self,
        result: Any,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        output_schema: _Schema = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
        told: dict[str, Any] | None = None,
    ) -> Answer:
        """Do as `fit` does, and return the account with the result.

        A `max_bytes` or `revision` that is refused raises nothing here: the answer holds an error
        result, and `failure` says why. `told` goes into the record for `on_report`.
        """
    def measure(
        self,
        result: Any,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
    ) -> dict[str, Any]:
        """Return the sizes that the limits speak of, in bytes, and the large `parts`.

        Raises `ResultBudgetError` where the result cannot be read.
        """
    def check(
        self,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
    ) -> None:
        """Raise `ResultBudgetError` where a call with these arguments would be refused."""
    def in_force(
        self,
        *,
        tool: str | None = None,
        revision: str | None = None,
        client: str | None = None,
        max_bytes: _Whole | None = None,
        max_tokens: _Whole | None = None,
    ) -> dict[str, Any]:
        """Return what is in force for a call: `limits`, choices, `preset`, `preset_chosen_by`."""
    def failure_result(
        self,
        code: str,
        *,
        revision: str | None = None,
        offset_bytes: int = 0,
        given_bytes: int = 0,
        max_bytes: int = 0,
    ) -> str:
        """Return the error result for a failure by its code: at most 256 bytes of JSON text."""
    def _fit_by_hand(
        self, result: str, limits: dict[str, int], *, output_schema: _Schema = None
    ) -> Answer: ...
    @property
    def _reports(self) -> bool: ...
    def _tell(self, told: dict[str, Any]) -> None: ...
    @property
    def engine(self) -> Engine:
        """The engine behind this boundary."""
    @property
    def mode(self) -> Literal["enforce", "report-only"]:
        """Whether the boundary changes what passes."""
    @property
    def tenant(self) -> str | None:
        """The name that each record carries."""

def run_command(arguments: Sequence[str]) -> int: ...
def _after_fork() -> None: ...
