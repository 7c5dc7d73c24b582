"""Numbers in, sentences and numbers as a reader sees them out."""
