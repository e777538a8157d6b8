"""Matching requests and statements to the recorded examinations."""
