"""Defines when a configuration is as good as the fastest, for the scripts that judge what a search chose."""

WITHIN = 0.01  # a share of the shortest time
STEP_US = 0.032  # the step of the GPU's clock, which is the step of medians


def limit_of(least):
    """Returns the longest time (us) that is treated as right if the shortest is `least`. Medians are rounded
    decimals."""
    return max(least * (1 + WITHIN), least + STEP_US * 1.001)
