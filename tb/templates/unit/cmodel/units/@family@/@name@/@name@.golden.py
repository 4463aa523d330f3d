"""@name@ from your document's words alone: hits since the last clear are counted; at LIMIT it is hot."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.hits = []

    def outputs(self, i):
        return {"hot": len(self.hits) >= self.p.LIMIT}

    def clock(self, i):
        if i.clear:
            self.hits = []
        elif i.hit:
            self.hits.append(True)
