"""Outputs of a model in, all that a report says out: the steps before this one, taken in order."""
