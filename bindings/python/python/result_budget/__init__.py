"""Keeps what an MCP server hands to a model within a budget, and says what it left out."""

import os

from result_budget._boundary import Boundary
from result_budget._error import ResultBudgetError
from result_budget._native import Answer, Engine, _after_fork

__all__ = ["Answer", "Boundary", "Engine", "ResultBudgetError"]

if hasattr(os, "register_at_fork"):
    # Deadlines are kept by a thread, and threads stay behind.
    os.register_at_fork(after_in_child=_after_fork)
