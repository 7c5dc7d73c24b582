"""Files whose truth is known: how each is written, and what it should be read as.

`of_tools.CASES` are files as tools and people write them, a list for what each tests: `arrays`,
`tables`, `two_files`, `structured`, `logs`, `oddities`, `refused`. All are made of the samples in
`samples` by the writers in `writers`. `saved_maps` are fitted maps; `honest_and_damaged` are labels
and probabilities, drawn and spoilt.
"""
