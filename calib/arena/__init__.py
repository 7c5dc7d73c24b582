"""Maps compared on many prediction sets: how they are ranked, and yours beside the others."""
