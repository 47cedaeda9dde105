"""The one error that is shown to whoever runs the set-up."""


class Failure(Exception):
    """Something could not be done; its message says what to do."""
