"""The data set that stands alone: our networks, answers and tables, with a card and checksums.

`data_set` writes it, `load` goes along and reads it without this project. It imports nothing of the
evidence, and reads the files of ``data``; nothing imports it but its tests.

``make dataset`` writes ``_build/dataset``.
"""
