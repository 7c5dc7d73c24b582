"""Outputs and what they are held to in, verdicts out: rules, and a promise that is remembered."""
