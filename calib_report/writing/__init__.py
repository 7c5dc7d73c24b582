"""Numbers and sentences put together to a report, and this as a page or a model card."""
