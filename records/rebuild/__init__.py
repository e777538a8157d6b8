"""Partial records out of published consultations: what the NPCs stated, and nothing else.

The records of AI Hospital's 506 patients (arXiv 2402.09742) are not published; four consultations
of each are. What the patient and the examiner said there becomes findings and results, each with
the messages it was said in; what they said differently is kept and marked; the rest is absent.

Players were models, and some invent. A section's text therefore holds what the opening complaint or
two dialogues have; what one dialogue alone has is a finding without a place in the text.
"""

from records.rebuild.assembly import Rebuilt, rebuild_records
from records.rebuild.provenance import Provenance, provenance_of

__all__ = ["Provenance", "Rebuilt", "provenance_of", "rebuild_records"]
