"""What the commands of `calib` do beside a report, and what they are typed with."""
