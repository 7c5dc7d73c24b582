"""Language models: their answers as published and as committed, tables of them, and frames."""
