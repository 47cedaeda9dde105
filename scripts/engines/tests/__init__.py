"""The set-up of engines, tried on small packages and without a network."""
