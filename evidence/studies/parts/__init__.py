"""What several studies need: splits, measures, networks of one kind. No table of its own."""
