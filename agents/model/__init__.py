"""The model client that the roles think with."""
