"""Plain-text notes as records: what was sorted out of them, held to their very words."""

from records.notes.transcript import Provenance, Transcript, transcribe
from records.notes.verbatim import locate

__all__ = ["Provenance", "Transcript", "locate", "transcribe"]
