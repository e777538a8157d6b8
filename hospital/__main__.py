"""The door: `hospital` and `python -m hospital`."""

from __future__ import annotations

import sys

from hospital.packages import stranger


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
        code = 130
    raise SystemExit(code)


if __name__ == "__main__":
    main()
