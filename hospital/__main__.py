"""The door: `hospital` and `python -m hospital`."""
