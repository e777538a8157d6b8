"""Readers of case files, chosen by looking at the content."""
