"""How the zoo was made: data sets, networks, losses, corruptions, the list of runs, one command."""
