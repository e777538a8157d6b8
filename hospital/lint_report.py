"""What `hospital records lint` prints: shape first, then what a consultant would object to."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def lint_files(paths: Sequence[Path], mapping: Path | None = None) -> None:
    """Print every fault and warning a line on standard error, and the counts.

    Args:
        paths: files of cases of any format.
        mapping: of tables, which column is what.

    Raises:
        typer.Exit: code 2, if there was a fault; warnings alone are no fault.
    """
    from records.lint import fault_of, lint_record
    from records.readers import inspect_file

    fine, faults, warnings = 0, 0, 0
    for path in paths:
        records, misshapen = inspect_file(path, mapping)
        for fault in misshapen:
            _print(str(fault))
        faults += len(misshapen)
        for record in records:
            remarks = lint_record(record)
            for remark in remarks:
                _print(str(fault_of(remark, path, record)))
            found = sum(remark.severity == "fault" for remark in remarks)
            faults, warnings = faults + found, warnings + len(remarks) - found
            fine += not found
    if fine or not faults:
        print(f"{fine} {'record is' if fine == 1 else 'records are'} fine")
    for count, name in ((warnings, "warning"), (faults, "fault")):
        if count:
            _print(f"{count} {name}{'' if count == 1 else 's'}")
    if faults:
        raise typer.Exit(2)


def _print(line: str) -> None:
    """A line on standard error; what a case file says must not steer the terminal."""
    print(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", line), file=sys.stderr)
