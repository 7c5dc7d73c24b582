"""Samples as they were read in, what speaks against the reading out.

A doubt (`doubts`) is asked: it is raised with the options that settle it, or noted where the user
says `yes`. A finding (`suspicion`) is what the labels say against the scores, of which a doubt or
the line "looks wrong" of a report is made. Notes (`signs`, `copies`) are told beside a report, and
ask nothing. What one step of reading cannot read it refuses or doubts itself, as grades in
`columns/scores`.
"""
