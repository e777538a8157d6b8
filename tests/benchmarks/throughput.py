"""Calls a second through our client and through whole consultations, beside the SDK and aiohttp.

    python -m tests.benchmarks.throughput [--connections 50 500] [--repeats 5]

One core for the client, another for an endpoint that answers at once, 12 messages a call. The kinds
are measured in turn, several times over, and the medians compared, so that whatever else the
machine does falls on all of them. Only the ratios mean anything.
"""

from __future__ import annotations

import argparse
import os
from statistics import median

from tests.benchmarks.load import KINDS, Load, measure
from tests.benchmarks.loopback_endpoint import LoopbackEndpoint

_SECONDS = 3.0
"""That each measurement is to last, roughly."""
_GUESS = {"a": 150, "b": 2000, "c": 700, "d": 5000}
"""Calls a second, to begin with."""
_TARGETS = {50: {("b", "a"): 5.0, ("c", "a"): 3.0}, 500: {("b", "a"): 8.0, ("c", "a"): 6.0}}
_RATIOS = (("b", "a"), ("c", "a"), ("b", "d"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, nargs="+", default=[50, 500])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with LoopbackEndpoint(core=1 if (os.cpu_count() or 1) > 1 else None) as endpoint:
        for connections in arguments.connections:
            loads: dict[str, list[Load]] = {kind: [] for kind in KINDS}
            for _ in range(arguments.repeats):
                for kind, done in loads.items():
                    done.append(_once(kind, endpoint.url, connections, done))
            _print(connections, loads)


def _once(kind: str, url: str, connections: int, done: list[Load]) -> Load:
    rate = done[-1].rate if done else _GUESS[kind]
    # Consultations begin and end together; of too few that would be all that is measured.
    least = (40 if kind == "c" else 4) * connections
    return measure(kind, url, connections, max(least, round(rate * _SECONDS)))


def _print(connections: int, loads: dict[str, list[Load]]) -> None:
    print(f"\n{connections} connections{'calls/s':>48}{'least':>8}{'most':>8}{'CPU us/call':>13}")
    for kind, done in loads.items():
        rates = [load.rate for load in done]
        cost = median(load.cost for load in done) * 1e6
        print(
            f"({kind}) {KINDS[kind]:58}{median(rates):7.0f}{min(rates):8.0f}{max(rates):8.0f}"
            f"{cost:13.0f}"
        )
    for upper, lower in _RATIOS:
        ratio = median(x.rate for x in loads[upper]) / median(x.rate for x in loads[lower])
        by_cpu = median(x.cost for x in loads[lower]) / median(x.cost for x in loads[upper])
        target = _TARGETS.get(connections, {}).get((upper, lower))
        wanted = f"   wanted: at least {target:g}" if target else ""
        print(f"({upper})/({lower}) {ratio:.2f} by the clock, {by_cpu:.2f} by CPU time{wanted}")


if __name__ == "__main__":
    main()
