"""Whether the library, the report and the command keep their promises, and at what cost."""
