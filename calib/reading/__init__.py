"""Read the outputs of any model, from a file or from memory, trusting nothing in them."""

from calib.reading.read import read, read_new

__all__ = ["read", "read_new"]
