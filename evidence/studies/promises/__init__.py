"""Promises to whom: groups, prediction sets, abstention, new populations, people, ensembles."""
