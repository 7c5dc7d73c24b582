"""Numbers that the library, the application and the evidence share, each with its reason."""

# Standard deviations to both sides of a mean that hold 95 % of a normal variable: scipy's
# ndtri(0.975) to the last bit, written out since scipy is imported only where it is used.
NORMAL_95 = 1.959963984540054

# Numbers of an array from which on float32 stays as it is: in float64 these are 80 MB, and a copy
# or two of them no longer goes unnoticed.
LARGE_ARRAY = 10_000_000

# A logit below it masks a class of a row. Language models write -1e32 or the least number of a
# type; no network says as much of a class, and a sum of logits of this size is far from infinite.
MASKED_BELOW = -1e30

# What a probability of zero counts as where its logarithm is taken: less than the float64 before
# one is below it (1.1e-16), so that it is below all that 1 less a probability can leave.
SMALLEST_PROBABILITY = 1e-16

# What zero counts as at most where probabilities are coarse, such as the shares of ten votes.
LARGEST_FLOOR = 0.05

# How far from one a row of probabilities of 16 bits may sum, rounded as it is entry by entry.
ATOL_HALF = 1e-2

# What the order of a sum may take from one that it ties with.
ROUNDING_OF_SUMS = 1e-12

# What zero counts as in a divisor: small beside all that is divided by, and one over it is finite.
TINY = 1e-300
