"""Cases with exact values of calibration errors, for any program in any language.

`reference` has each definition in plain Python, `write_cases` draws the cases, `compare_program` is
what others run, `libraries` asks peers, `package` builds the plugin for pytest. It imports of the
evidence `data` alone; nothing imports it but its tests.

``make conformance`` writes ``data/conformance``.
"""
