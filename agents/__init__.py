"""People: the roles of the house, and the model client that they think with."""
