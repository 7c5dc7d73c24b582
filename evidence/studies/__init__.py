"""What was computed from the public predictions, and how: one command."""
