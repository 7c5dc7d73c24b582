"""Numbers in, a decision out: which map is best, whether it helps enough, what to do."""
