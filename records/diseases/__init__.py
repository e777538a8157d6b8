"""Disease names in texts, and their ICD-10 codes."""
