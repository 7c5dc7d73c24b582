"""A source and options in, the outputs of a model out, or an error that says what to type."""
