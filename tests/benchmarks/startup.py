"""Time of `hospital --help` over that of a bare typer program's; prints both and the ratio.

    python tests/benchmarks/startup.py [RUNS]

The two take turns, so that what else the machine does weighs on both; the least of each counts.
"""

from __future__ import annotations

import subprocess
import sys
import time

BARE = """
import typer
app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
@app.command()
def one(name: str = "x") -> None:
    "The first."
@app.command()
def two(name: str = "x") -> None:
    "The second."
app()
"""
PROGRAMS = {
    "python": ["-c", "pass"],
    "bare typer": ["-c", BARE, "--help"],
    "hospital": ["-m", "hospital", "--help"],
}


def seconds(arguments: list[str]) -> float:
    """Wall time of one run."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    least = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(runs):
        for name, arguments in PROGRAMS.items():
            least[name] = min(least[name], seconds(arguments))
    for name, took in least.items():
        print(f"{name:<12} {1000 * took:6.0f} ms")
    print(f"hospital over bare typer: {least['hospital'] / least['bare typer']:.2f}")


if __name__ == "__main__":
    main()
