"""The one exception of this package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ResultBudgetError(Exception):
    """An argument is refused, or there is no engine.

    `code` never changes for the same cause; it is kebab case, as in `limit-out-of-range`.
    `details` holds what a program may want to know: for a limit, its `name`, what was `given`,
    and the smallest and largest legal value as `min` and `max`.
    """

    code: str
    details: dict[str, Any]

    def __init__(self, message: str, code: str, details: dict[str, Any] | None = None) -> None:
        """Keep what the engine said."""
        super().__init__(message)
        self.code = code
        self.details = details or {}

    def __reduce__(self) -> tuple[type[ResultBudgetError], tuple[str, str, dict[str, Any]]]:
        """Survive pickling, for servers that work in several processes."""
        return type(self), (str(self), self.code, self.details)
