"""Limits by which several parts of the application decide, each with its reason.

A limit of one part stands in that part. `texts.toml` says some of these in words, and a test holds
the words to the numbers.
"""

# Of all tests: p-value from which on chance alone may explain an error.
SIGNIFICANCE_LEVEL = 0.05

# Samples from which on fewer draws do: their spread is a fraction of a per mille.
MANY = 200_000

# Samples below which nothing that all of them have in common says something: chance gives it.
FEWEST_TO_TELL = 20

# Samples, or clusters, below which no map is recommended; and samples of a class, below which
# no map is fitted to each class.
FEWEST_SAMPLES = 100

# Samples, or clusters, below which the mistakes that cost a map most may not have been seen.
SMALL_SAMPLE = 1000

# Samples below which conformal sets are not advised: of fewer a promise of 90 % turns out further
# than four points away in more than one case of twenty (its law is in sets-and-abstention).
FEWEST_FOR_SETS = 200

# Classes, beyond which they are many, and maps whose fit grows with their number are left out.
MOST_CLASSES = 100

# Probabilities, beyond which what is computed of whole vectors takes more than a few seconds.
MOST_NUMBERS = 2_000_000

# Offset of frequency and probability that a new memory allows.
TOLERANCE = 0.02

# Share of the answers, the surest, whose errors stand among the first numbers.
SHARE_KEPT = 0.9
TITLE_OF_KEPT = f"errors among the surest {100 * SHARE_KEPT:.0f} %"
