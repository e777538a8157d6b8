"""The door: `hospital` and `python -m hospital`."""

from __future__ import annotations

import contextlib
import os
import sys

from hospital.packages import stranger

INTERRUPTED = 130


def main() -> None:
    """Run the command line; a fault of the user's input is one line and exit code 2."""
    hidden = stranger()
    if hidden:
        print(f"hospital: {hidden}", file=sys.stderr)
        raise SystemExit(2)
    try:
        from hospital.command_line import run

        code = run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        # All is closed; to take apart what hundreds of conversations left in memory would keep
        # whoever asked us to stop waiting for a second more.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(code)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
