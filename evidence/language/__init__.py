"""Language models: their answers as published (`originals`) and as committed (`answers`).

`held_out_maps` and `pair_measures` are what is done with confidence and outcome. Built on
`sources`; imported by the arena, the claims (their frames of answers) and the studies.

``python -m evidence.language`` writes ``data/language`` from the published answers.
"""
