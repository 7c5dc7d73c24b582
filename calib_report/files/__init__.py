"""A file or an object in, named arrays out; and files written whole, or not at all."""
