"""sa_l2_track by tabbakh2018 3.2.2 and 3.2.3, row by row of the L2 request."""


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        owner, shared, answer = i.owner, i.sf, 0
        private_space = i.req_local and not self.p.LOCAL_SHARES  # D-S3
        if i.req_valid and not private_space:
            if i.miss_alloc:
                owner, shared = i.req_sm, 0
            elif i.hit:
                ignored = i.req_answer or (i.req_store and not self.p.STORE_SHARES)  # D-S4, D-S6
                if i.req_sm != owner and not ignored:
                    shared = 1
                answer = shared
        new = i.req_valid and not private_space and bool(i.miss_alloc)
        return {
            "we": new or shared != i.sf,
            "owner_next": owner,
            "sf_next": shared,
            "resp_sf": answer,
            "becomes_shared": shared and not i.sf,
        }
