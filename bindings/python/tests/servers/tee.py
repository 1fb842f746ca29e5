"""Stands between a client and its server, and writes down what the server sends.

Usage: tee.py WIRE_FILE COMMAND ARGUMENTS...
"""

import subprocess
import sys
import threading


def main() -> int:
    wire, *command = sys.argv[1:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None

    def feed() -> None:
        assert server.stdin is not None
        while line := sys.stdin.buffer.readline():
            server.stdin.write(line)
            server.stdin.flush()
        server.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    with open(wire, "ab") as file:
        while line := server.stdout.readline():
            file.write(line)
            file.flush()
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
    return server.wait()


if __name__ == "__main__":
    raise SystemExit(main())
