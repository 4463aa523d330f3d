"""selective_cache_filter by aci 3.16: the two reasons not to cache."""


class Golden:
    def __init__(self, p):
        pass

    def outputs(self, i):
        reasons = [i.page_node == 1, i.cpu_live == 1]
        return {"cacheable": not any(reasons)}
