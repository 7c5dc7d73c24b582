"""What turns the chapters into a site: check, execute, stage, build."""
