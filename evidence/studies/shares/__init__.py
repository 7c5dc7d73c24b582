"""How often rules and the model of the ledger err, and what a prior decides."""
