"""Matching questions and statements to the facts of a history."""
