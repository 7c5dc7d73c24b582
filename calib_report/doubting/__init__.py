"""Samples as they were read in, what speaks against the reading out."""
