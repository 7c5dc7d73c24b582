"""What several studies need: splits, measures, networks of one kind, simulated shares.

Only studies and their tests import it. It has no table of its own, and no command.
"""
