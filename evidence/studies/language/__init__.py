"""Language models: their answers, stated beliefs, and maps of their confidences."""
