"""Makes the source distribution: the crates, and the engine that was assembled before.

Usage: sdist.py ENGINE_FOLDER OUT_FOLDER

Whoever builds from it needs Rust, and no WebAssembly toolchain.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]

# What the Rust host looks for beside its manifest.
ENGINE = "bindings/rust/engine"


def main() -> None:
    """Let maturin make it, then put the engine in."""
    engine, out = (Path(argument) for argument in sys.argv[1:])
    manifest = PACKAGE / "Cargo.toml"
    command = [sys.executable, "-m", "maturin", "sdist", "--out", str(out), "--manifest-path"]
    subprocess.run([*command, str(manifest)], check=True)
    (archive,) = out.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        members = [(member, files.extractfile(member)) for member in files.getmembers()]
        whole = [(member, file.read() if file else b"") for member, file in members]
    top = whole[0][0].name.split("/")[0]
    added = [engine / "result-budget.wasm", *sorted(engine.glob("*.cwasm"))]
    for file in added:
        if ".fuel." in file.name:
            continue
        content = file.read_bytes()
        member = tarfile.TarInfo(f"{top}/{ENGINE}/{file.name}")
        member.size = len(content)
        whole.append((member, content))
    with tarfile.open(archive, "w:gz") as files:
        for member, content in whole:
            files.addfile(member, io.BytesIO(content))


if __name__ == "__main__":
    main()
