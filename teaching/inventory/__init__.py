"""A concept inventory: twenty statements and a class that says how likely each is to be true.

One answer gives both: what a student holds true, and how surely. The class becomes its own
example: difficulty, discrimination and reliability as in classical test theory, and a reliability
diagram of all answers with the ECE that chance alone would give.

The statements go out as forms (`statements`, `forms`), answers come in as a file (`answers`,
`units`), are measured (`measures`) and told (`report`).
"""
