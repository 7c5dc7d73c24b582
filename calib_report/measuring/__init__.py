"""The outputs of a model in, numbers out, each with its interval and its level of chance."""
