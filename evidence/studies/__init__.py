"""Studies: NAME.py computes ``data/results/NAME.csv``, the rows that its function `rows` returns.

What several studies need lies in `parts`. A study may import all of the evidence; nothing of it
imports a study, but reads the table. ``data/README.md`` describes each column.

``python -m evidence.studies NAME`` computes a table; without a name, most of them.
"""
