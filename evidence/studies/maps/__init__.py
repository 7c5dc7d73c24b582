"""Which map to choose, and how many samples it takes: ranks, regret, sizes, the report's advice."""
