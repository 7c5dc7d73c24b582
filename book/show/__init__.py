"""What chapters show and how it looks.

Of one chapter: `learn` has a module for each of *Learn*; `guo2017`, `nixon2019`, `gupta2021`,
`vasilev2021` and `minderer2021` are of the notebook on that paper, `coverage_map` of
replicate/map, `kinds_of_files` of use/files-and-options.

Of several chapters: `display` glues numbers and typesets, `number_texts` writes them with their
uncertainty, `looks` is the style of figures and `figure_data` their points as a table; `regret`,
`reliability_panels`, `seed_effects` and `zoo_networks` compute and draw; `story` is the dress of
the story; `replication` sets our numbers beside printed ones, `verdicts` is the ledger in words;
`explorables` are the interactive figures and `stills` what they show without scripts.

Of exercises: `exercises` checks and proves, `sealed_checks` and `seal` check without an answer,
`labs` draws a student's part of the data, `handed_out` begins a notebook that was handed out.
"""
