"""When a configuration counts as the fastest: for the scripts that judge what a search chose."""

WITHIN = 0.01  # of the shortest time
STEP_US = 0.032  # of the GPU's clock, in which medians are counted


def limit_of(least):
    """The longest time (us) that counts as right if the shortest is `least`; medians are rounded decimals."""
    return max(least * (1 + WITHIN), least + STEP_US * 1.001)
