"""A report in, a page or a model card out."""
