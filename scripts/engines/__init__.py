"""What scripts/fetch-engine does: which engines there are, how they are fetched, unpacked and checked."""
