"""The command `result-budget`: the same program as the one that is written in Rust."""

import signal
import sys

from result_budget._native import run_command


def main() -> None:
    """Run the command line and end the process with its exit code."""
    # Rust waits for input where Python's own handler would never be asked.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["result-budget", *sys.argv[1:]]))
