"""What the five papers print and draw, recomputed on their networks or on siblings of these."""
