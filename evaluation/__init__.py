"""Marking: grades, disease scores, statistics, leaderboards."""
