"""Keeps what an MCP server hands to a model within a budget, and says what it left out."""

from result_budget._boundary import Boundary
from result_budget._error import ResultBudgetError
from result_budget._native import Answer, Engine

__all__ = ["Answer", "Boundary", "Engine", "ResultBudgetError"]
