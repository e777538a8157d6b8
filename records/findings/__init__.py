"""Splitting a history's free text into atomic findings."""
