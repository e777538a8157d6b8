"""Hundreds of consultations at once on an endpoint that takes its time, beside the same calls
through the SDK's `create`.

    python -m tests.benchmarks.side_by_side [--visits 500] [--latency 0.2] [--repeats 3]

The ideal is the larger of two: the calls that must follow one another, each with its latency, and
all calls times the processor time that our client takes for one. Only the ratios mean anything.
"""

from __future__ import annotations

import argparse
import os
from statistics import median

from tests.benchmarks.load import Load, measure
from tests.benchmarks.loopback_endpoint import CALLS, LoopbackEndpoint


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--visits", type=int, default=500)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    visits, latency = arguments.visits, arguments.latency
    calls = visits * CALLS
    core = 1 if (os.cpu_count() or 1) > 1 else None
    alone: list[Load] = []
    held: list[Load] = []
    sdk: list[Load] = []
    with LoopbackEndpoint(core=core) as quick, LoopbackEndpoint(latency, core=core) as slow:
        for _ in range(arguments.repeats):
            alone.append(measure("b", quick.url, visits, calls))
            held.append(measure("c", slow.url, visits, calls))
            sdk.append(measure("a", slow.url, visits, calls))
    wall, create = median(x.seconds for x in held), median(x.seconds for x in sdk)
    in_a_row, busy = CALLS * latency, calls * median(x.cost for x in alone)
    ideal = max(in_a_row, busy)
    print(f"{visits} consultations at once, {CALLS} calls each, {latency:g} s latency")
    print(f"  ideal: {in_a_row:.1f} s in a row, {busy:.1f} s of our client's CPU time")
    for name, loads in (("consultations", held), ("the same calls through create", sdk)):
        seconds = ", ".join(f"{x.seconds:.1f}" for x in loads)
        cpu = median(x.cpu for x in loads)
        most = max(x.megabytes for x in loads)
        print(f"  {name}: {seconds} s; {cpu:.1f} s CPU; at most {most:.0f} MB resident")
    print(f"  wall / ideal: {wall / ideal:.2f}   wanted: at most 1.3")
    # What a machine with nothing else to do could come down to.
    least = max(in_a_row, median(x.cpu for x in held))
    print(f"  processor time of the consultations / ideal: {least / ideal:.2f}")
    print(f"  create / consultations: {create / wall:.2f}   wanted: at least 5")


if __name__ == "__main__":
    main()
