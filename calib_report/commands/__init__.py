"""The commands of `calib`, a module each, what they are typed with, and what they share."""
