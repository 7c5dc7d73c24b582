"""A source that is not clear in, readings out, each with the options that give it."""
