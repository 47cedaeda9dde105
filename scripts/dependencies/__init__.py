"""Holds what is locked against what the registries say of it today."""
