"""Chapters in, a site out."""
