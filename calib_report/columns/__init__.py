"""Named arrays and what options say in, samples out: which column is label, which are scores."""
