"""Studies: FOLDER/NAME.py computes ``data/results/FOLDER/NAME.csv``, what its `rows` returns.

A folder holds studies of one subject, as its first line says. What several studies need lies in
`parts`. A study may import all of the evidence but other studies; nothing of the evidence imports a
study, but reads the table. ``data/README.md`` describes each column.

``python -m evidence.studies NAME`` computes a table; without a name, most of them.
"""
