"""What one or two chapters derive, beyond the library: losses, tests, worlds, multicalibration."""
