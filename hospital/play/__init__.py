"""Role-play in the terminal: a person in any chair, through the same loop as everyone."""
