"""Whether the rule and the model of the ledger keep their word, and what a prior decides."""
