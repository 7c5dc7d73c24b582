"""Tables of others, tidied: NAME.py makes ``data/tables/NAME.csv`` of what its authors published.

Each has `rows(path)`, and says what is at the path. The claims' frames read the tables that it
wrote; nothing imports it but its tests.

``python -m evidence.sources.tables NAME PATH`` writes one.
"""
