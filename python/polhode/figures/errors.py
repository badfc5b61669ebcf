"""What cannot be drawn."""


class ResultError(ValueError):
    """A sentence for the user, and the exit code that goes with it."""

    BAD, MISSING, UNAVAILABLE = 65, 66, 69

    def __init__(self, sentence, code=BAD):
        super().__init__(sentence)
        self.code = code
