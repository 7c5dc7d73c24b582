"""A saved map on new outputs, and for other programs."""
