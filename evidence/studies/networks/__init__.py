"""What metrics say of networks as trained and after maps: public ones, and those of the zoo."""
