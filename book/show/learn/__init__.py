"""Figures of the chapters of *Learn*, a module a chapter, and the numbers that their text says."""
