"""What chapters show and how it looks."""
