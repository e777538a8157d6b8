"""The chairs that need no model: grounded, checklist and rubric."""
