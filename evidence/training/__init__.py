"""How the zoo was made: data sets, architectures, losses, corruptions, the list of runs.

It needs torch, which nothing else does, and of the evidence `data` alone; chapters read its list of
`runs` and the files that it left in ``data/zoo``.

``python -m evidence.training``, in the environment of its README, trains what is missing.
"""
