"""Every map on every prediction set of the arena, ranked; the same of other libraries."""
