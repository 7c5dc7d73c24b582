"""Sentences as trees in brackets."""


def random_tree(rng, n_words):
    """Brackets around words that are paired at random."""
    parts = [f"({rng.integers(5)} w{i})" for i in range(n_words)]
    while len(parts) > 1:
        at = int(rng.integers(len(parts) - 1))
        parts[at : at + 2] = [f"({rng.integers(5)} {parts[at]} {parts[at + 1]})"]
    return parts[0]
