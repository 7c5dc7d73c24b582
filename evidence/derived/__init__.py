"""What one or two chapters derive, beyond the library: losses, tests, multicalibration.

`known_truth` makes models whose calibration error is known, `promises_kept` reads from the tables
of results what the library promises and keeps. Built on `simulate` and `network_outputs`; chapters
and studies import its modules. No command.
"""
