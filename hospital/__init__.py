"""Places: the settings of a visit, the experiment, and the doors."""
