"""What the references of this family share."""


def leader(p, number):
    """Set dueling, lakshminarayana2014 3.3.3: "NI", "EX", or None for a follower."""
    every = p.SETS // p.SDM_SETS
    if number >= p.SETS:
        return None
    kinds = {}
    if p.LEADERS & 1:
        kinds[0] = "NI"
    if p.LEADERS & 2:
        kinds[every // 2] = "EX"
    return kinds.get(number % every)
