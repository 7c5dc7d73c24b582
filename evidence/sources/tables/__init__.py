"""Tables of others, tidied: NAME.py makes data/tables/NAME.csv of what its authors published."""
