"""A run's results, for people and for programs."""
