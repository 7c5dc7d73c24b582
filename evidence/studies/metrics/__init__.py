"""What metrics and their intervals say where the truth is known: bias, spread, coverage."""
