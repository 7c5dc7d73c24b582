"""Numbers and sentences in, a page or a model card out, beside the numbers and the map."""
